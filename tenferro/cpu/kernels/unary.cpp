// SPDX-License-Identifier: MIT OR Apache-2.0
// The element-by-element rows with one operand.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

constexpr CpuKernelTable make_table() {
  CpuKernelTable table;
#define TENFERRO_UNARY(name, ...) table.set(OpKind::name, elementwise_kernels<OpKind::name, 1>());
#include "tenferro/ops/core_ops.def"
  return table;
}

constexpr CpuKernelTable kTable = make_table();
TENFERRO_COVERS(kTable, OpCategory::unary);

}  // namespace

constinit const CpuKernelTable kUnaryKernels = kTable;

void add_unary_loops(ElementLoops& loops) {
#define TENFERRO_UNARY(name, ...) set_scalar_loops<OpKind::name, 1>(loops);
#include "tenferro/ops/core_ops.def"
}

}  // namespace tenferro::internal
