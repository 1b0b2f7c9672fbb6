// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels of the element-by-element rows with one operand.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

constexpr CpuKernelTable make_table() {
  CpuKernelTable table;
#define TENFERRO_UNARY(name, ...) \
  table.set(OpKind::name, kernels_for_row<OpKind::name, ElementwiseRow<OpKind::name>::template Unary>());
#include "tenferro/ops/core_ops.def"
  return table;
}

constexpr CpuKernelTable kTable = make_table();
TENFERRO_COVERS(kTable, OpCategory::unary);

}  // namespace

constinit const CpuKernelTable kUnaryKernels = kTable;

}  // namespace tenferro::internal
