// SPDX-License-Identifier: MIT OR Apache-2.0
// The element-by-element rows with two operands.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

constexpr CpuKernelTable make_table() {
  CpuKernelTable table;
#define TENFERRO_BINARY(name, ...) table.set(OpKind::name, elementwise_kernels<OpKind::name, 2>());
#include "tenferro/ops/core_ops.def"
  return table;
}

constexpr CpuKernelTable kTable = make_table();
TENFERRO_COVERS(kTable, OpCategory::binary);

}  // namespace

constinit const CpuKernelTable kBinaryKernels = kTable;

void add_binary_loops(ElementLoops& loops) {
#define TENFERRO_BINARY(name, ...) set_scalar_loops<OpKind::name, 2>(loops);
#include "tenferro/ops/core_ops.def"
}

}  // namespace tenferro::internal
