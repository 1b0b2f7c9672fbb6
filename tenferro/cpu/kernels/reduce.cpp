// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/reduce.hpp"

#include "tenferro/cpu/kernels/kernel_row.hpp"

namespace tenferro::internal {
namespace {

constexpr CpuKernelTable kTable{
    kernel_row<OpKind::reduce_sum, SumKernel>(),      kernel_row<OpKind::reduce_sum_squares, SumSquaresKernel>(),
    kernel_row<OpKind::reduce_prod, ProductKernel>(), kernel_row<OpKind::reduce_max, LargestKernel>(),
    kernel_row<OpKind::reduce_min, SmallestKernel>(), kernel_row<OpKind::reduce_any, AnyKernel>(),
    kernel_row<OpKind::reduce_all, AllKernel>(),      kernel_row<OpKind::argmax, ArgLargestKernel>(),
    kernel_row<OpKind::argmin, ArgSmallestKernel>()};
TENFERRO_COVERS(kTable, OpCategory::reduction);

}  // namespace

constinit const CpuKernelTable kReductionKernels = kTable;

}  // namespace tenferro::internal
