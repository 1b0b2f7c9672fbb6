// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_panels_real.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_panels_inl.hpp"

TENFERRO_GEMM_PANELS(f32, float)
TENFERRO_GEMM_PANELS(f64, double)
