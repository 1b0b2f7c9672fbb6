// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_panels_complex.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemm_panels_inl.hpp"

TENFERRO_GEMM_PANELS(c32, std::complex<float>)
TENFERRO_GEMM_PANELS(c64, std::complex<double>)
