// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels of the element-by-element rows with three operands.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"
#include "tenferro/cpu/kernels/kernel_row.hpp"

namespace tenferro::internal {
namespace {

template <OpKind kind>
constexpr std::pair<OpKind, DTypeKernels> ternary_row() {
  return kernel_row<kind, ElementwiseRow<kind>::template Ternary>();
}

constexpr CpuKernelTable kTable{ternary_row<OpKind::select>(), ternary_row<OpKind::clamp>(),
                                ternary_row<OpKind::fma>()};
TENFERRO_COVERS(kTable, OpCategory::ternary);

}  // namespace

constinit const CpuKernelTable kTernaryKernels = kTable;

}  // namespace tenferro::internal
