// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_f32.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_lanes_inl.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
void TilesF32(TileCall<float>& call) { Tiles<float, false>(call); }
void LanesF32(const LanesCall<float>& call) { Lanes<float, false>(call); }
void TilesC32(TileCall<float>& call) { Tiles<float, true>(call); }
void LanesC32(const LanesCall<float>& call) { Lanes<float, true>(call); }
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
HWY_EXPORT(TilesF32);
HWY_EXPORT(LanesF32);
HWY_EXPORT(TilesC32);
HWY_EXPORT(LanesC32);
}  // namespace

template <>
void multiply_tiles<float>(TileCall<float>& call) noexcept {
  TENFERRO_DISPATCH(TilesF32)(call);
}
template <>
void multiply_lanes<float>(const LanesCall<float>& call) noexcept {
  TENFERRO_DISPATCH(LanesF32)(call);
}
template <>
void multiply_tiles<std::complex<float>>(TileCall<float>& call) noexcept {
  TENFERRO_DISPATCH(TilesC32)(call);
}
template <>
void multiply_lanes<std::complex<float>>(const LanesCall<float>& call) noexcept {
  TENFERRO_DISPATCH(LanesC32)(call);
}

}  // namespace tenferro::internal
#endif
