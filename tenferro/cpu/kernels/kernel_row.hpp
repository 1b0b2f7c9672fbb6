// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One row of a kernel table as a pair, for tables that are written out as a list.
//
//   constexpr CpuKernelTable kTable{kernel_row<OpKind::sort, SortKernel>(), kernel_row<OpKind::argsort,
//   ArgsortKernel>()};

#include <utility>

#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {

/// Kernel<T>::run for every dtype T that the row of `kind` admits.
template <OpKind kind, template <class> class Kernel>
constexpr std::pair<OpKind, DTypeKernels> kernel_row() {
  return {kind, kernels_for_row<kind, Kernel>()};
}

}  // namespace tenferro::internal
