// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_f64.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_lanes_inl.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
void TilesF64(TileCall<double>& call) { Tiles<double, false>(call); }
void LanesF64(const LanesCall<double>& call) { Lanes<double, false>(call); }
void TilesC64(TileCall<double>& call) { Tiles<double, true>(call); }
void LanesC64(const LanesCall<double>& call) { Lanes<double, true>(call); }
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
HWY_EXPORT(TilesF64);
HWY_EXPORT(LanesF64);
HWY_EXPORT(TilesC64);
HWY_EXPORT(LanesC64);
}  // namespace

template <>
void multiply_tiles<double>(TileCall<double>& call) noexcept {
  TENFERRO_DISPATCH(TilesF64)(call);
}
template <>
void multiply_lanes<double>(const LanesCall<double>& call) noexcept {
  TENFERRO_DISPATCH(LanesF64)(call);
}
template <>
void multiply_tiles<std::complex<double>>(TileCall<double>& call) noexcept {
  TENFERRO_DISPATCH(TilesC64)(call);
}
template <>
void multiply_lanes<std::complex<double>>(const LanesCall<double>& call) noexcept {
  TENFERRO_DISPATCH(LanesC64)(call);
}

}  // namespace tenferro::internal
#endif
