// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_tiles_f64.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_lanes_inl.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_export.hpp"
#include "tenferro/cpu/kernels/gemm_tiles_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
TENFERRO_GEMM_TILES(F64, double, false)
TENFERRO_GEMM_TILES(C64, double, true)
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
TENFERRO_GEMM_TILES_EXPORT(F64, double)
TENFERRO_GEMM_TILES_EXPORT(C64, std::complex<double>)
}  // namespace tenferro::internal
#endif
