// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/reduce.hpp"

#include <utility>

namespace tenferro::internal {
namespace {

// One function for every dtype that the row of `kind` admits.
constexpr std::pair<OpKind, DTypeKernels> row(OpKind kind, KernelFn kernel) {
  const DTypeSet accepted = admitted(info(kind).dtypes);
  DTypeKernels kernels{};
#define TENFERRO_DTYPE(name, type, text) \
  if (accepted.contains(DType::name)) kernels[index(DType::name)] = kernel;
#include "tenferro/tensor/dtype.def"
  return {kind, kernels};
}

constexpr CpuKernelTable kTable{
    row(OpKind::reduce_sum, sum_kernel),      row(OpKind::reduce_sum_squares, sum_squares_kernel),
    row(OpKind::reduce_prod, product_kernel), row(OpKind::reduce_max, largest_kernel),
    row(OpKind::reduce_min, smallest_kernel), row(OpKind::reduce_any, any_kernel),
    row(OpKind::reduce_all, all_kernel),      row(OpKind::argmax, arg_largest_kernel),
    row(OpKind::argmin, arg_smallest_kernel)};
TENFERRO_COVERS(kTable, OpCategory::reduction);

}  // namespace

constinit const CpuKernelTable kReductionKernels = kTable;

}  // namespace tenferro::internal
