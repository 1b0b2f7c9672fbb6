// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_f32.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
void TilesF32(TileCall<float>& call) { Tiles<float, false>(call); }
void TilesC32(TileCall<float>& call) { Tiles<float, true>(call); }
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
HWY_EXPORT(TilesF32);
HWY_EXPORT(TilesC32);
}  // namespace

template <>
void multiply_tiles<float>(TileCall<float>& call) noexcept {
  HWY_DYNAMIC_DISPATCH(TilesF32)(call);
}
template <>
void multiply_tiles<std::complex<float>>(TileCall<float>& call) noexcept {
  HWY_DYNAMIC_DISPATCH(TilesC32)(call);
}

}  // namespace tenferro::internal
#endif
