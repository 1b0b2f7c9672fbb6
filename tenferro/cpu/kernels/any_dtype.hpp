// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Table entries for kernels that serve every dtype with one function, because they look at the width of elements only.

#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {

constexpr DTypeKernels for_any_dtype(KernelFn kernel) {
  DTypeKernels kernels{};
  for (KernelFn& entry : kernels) entry = kernel;
  return kernels;
}

}  // namespace tenferro::internal
