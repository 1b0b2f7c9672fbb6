// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_int.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_lanes_inl.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
void TilesI32(TileCall<std::uint32_t>& call) { Tiles<std::uint32_t, false>(call); }
void LanesI32(const LanesCall<std::uint32_t>& call) { Lanes<std::uint32_t, false>(call); }
void TilesI64(TileCall<std::uint64_t>& call) { Tiles<std::uint64_t, false>(call); }
void LanesI64(const LanesCall<std::uint64_t>& call) { Lanes<std::uint64_t, false>(call); }
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
HWY_EXPORT(TilesI32);
HWY_EXPORT(LanesI32);
HWY_EXPORT(TilesI64);
HWY_EXPORT(LanesI64);
}  // namespace

template <>
void multiply_tiles<std::int32_t>(TileCall<std::uint32_t>& call) noexcept {
  TENFERRO_DISPATCH(TilesI32)(call);
}
template <>
void multiply_lanes<std::int32_t>(const LanesCall<std::uint32_t>& call) noexcept {
  TENFERRO_DISPATCH(LanesI32)(call);
}
template <>
void multiply_tiles<std::int64_t>(TileCall<std::uint64_t>& call) noexcept {
  TENFERRO_DISPATCH(TilesI64)(call);
}
template <>
void multiply_lanes<std::int64_t>(const LanesCall<std::uint64_t>& call) noexcept {
  TENFERRO_DISPATCH(LanesI64)(call);
}

}  // namespace tenferro::internal
#endif
