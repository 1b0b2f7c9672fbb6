// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_panels_integer.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_panels_inl.hpp"

TENFERRO_GEMM_PANELS(i32, std::int32_t)
TENFERRO_GEMM_PANELS(i64, std::int64_t)
