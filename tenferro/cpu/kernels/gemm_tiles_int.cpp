// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_int.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
void TilesI32(TileCall<std::uint32_t>& call) { Tiles<std::uint32_t, false>(call); }
void TilesI64(TileCall<std::uint64_t>& call) { Tiles<std::uint64_t, false>(call); }
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
HWY_EXPORT(TilesI32);
HWY_EXPORT(TilesI64);
}  // namespace

template <>
void multiply_tiles<std::int32_t>(TileCall<std::uint32_t>& call) noexcept {
  HWY_DYNAMIC_DISPATCH(TilesI32)(call);
}
template <>
void multiply_tiles<std::int64_t>(TileCall<std::uint64_t>& call) noexcept {
  HWY_DYNAMIC_DISPATCH(TilesI64)(call);
}

}  // namespace tenferro::internal
#endif
