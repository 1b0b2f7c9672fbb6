// SPDX-License-Identifier: MIT OR Apache-2.0
// The element-by-element rows with three operands.
#include "tenferro/cpu/kernels/elementwise_kernel.hpp"

namespace tenferro::internal {
namespace {

template <OpKind kind>
constexpr std::pair<OpKind, DTypeKernels> ternary_row() {
  return {kind, elementwise_kernels<kind, 3>()};
}

constexpr CpuKernelTable kTable{ternary_row<OpKind::select>(), ternary_row<OpKind::clamp>(),
                                ternary_row<OpKind::fma>()};
TENFERRO_COVERS(kTable, OpCategory::ternary);

}  // namespace

constinit const CpuKernelTable kTernaryKernels = kTable;

void add_ternary_loops(ElementLoops& loops) {
  set_scalar_loops<OpKind::clamp, 3>(loops);
  set_scalar_loops<OpKind::fma, 3>(loops);
#define TENFERRO_DTYPE(name, type, text)     \
  loops.set_row(OpKind::select, DType::name, \
                &ElementwiseLoop<ScalarFormula<OpKind::select>, true, bool, type, type>::strip);
#include "tenferro/tensor/dtype.def"
}

}  // namespace tenferro::internal
