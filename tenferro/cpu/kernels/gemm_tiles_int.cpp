// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_int.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_lanes_inl.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_export.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
TENFERRO_GEMM_TILES(I32, std::uint32_t, false)
TENFERRO_GEMM_TILES(I64, std::uint64_t, false)
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
TENFERRO_GEMM_TILES_EXPORT(I32, std::int32_t)
TENFERRO_GEMM_TILES_EXPORT(I64, std::int64_t)
}  // namespace tenferro::internal
#endif
