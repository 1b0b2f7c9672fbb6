// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels of the element-by-element rows with three operands.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

template <OpKind kind>
constexpr std::pair<OpKind, DTypeKernels> row() {
  return {kind, kernels_for_row<kind, ElementwiseRow<kind>::template Ternary>()};
}

constexpr CpuKernelTable kTable{row<OpKind::select>(), row<OpKind::clamp>(), row<OpKind::fma>()};
TENFERRO_COVERS(kTable, OpCategory::ternary);

}  // namespace

constinit const CpuKernelTable kTernaryKernels = kTable;

}  // namespace tenferro::internal
