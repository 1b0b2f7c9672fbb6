// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels of the element-by-element rows with two operands.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

constexpr CpuKernelTable make_table() {
  CpuKernelTable table;
#define TENFERRO_BINARY(name, ...) \
  table.set(OpKind::name, kernels_for_row<OpKind::name, ElementwiseRow<OpKind::name>::template Binary>());
#include "tenferro/ops/core_ops.def"
  return table;
}

constexpr CpuKernelTable kTable = make_table();
TENFERRO_COVERS(kTable, OpCategory::binary);

}  // namespace

constinit const CpuKernelTable kBinaryKernels = kTable;

}  // namespace tenferro::internal
