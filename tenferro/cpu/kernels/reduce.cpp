// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/reduce.hpp"

#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {
namespace {

template <OpKind kind, template <class> class Kernel>
constexpr std::pair<OpKind, DTypeKernels> row() {
  return {kind, kernels_for_row<kind, Kernel>()};
}

constexpr CpuKernelTable kTable{
    row<OpKind::reduce_sum, SumKernel>(),      row<OpKind::reduce_sum_squares, SumSquaresKernel>(),
    row<OpKind::reduce_prod, ProductKernel>(), row<OpKind::reduce_max, LargestKernel>(),
    row<OpKind::reduce_min, SmallestKernel>(), row<OpKind::reduce_any, AnyKernel>(),
    row<OpKind::reduce_all, AllKernel>(),      row<OpKind::argmax, ArgLargestKernel>(),
    row<OpKind::argmin, ArgSmallestKernel>()};
TENFERRO_COVERS(kTable, OpCategory::reduction);

}  // namespace

constinit const CpuKernelTable kReductionKernels = kTable;

}  // namespace tenferro::internal
