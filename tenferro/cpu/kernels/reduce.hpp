// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Kernels of the rows that reduce axes, one class template a row. Their bodies are in reduce_<what>.cpp, over the tree
// of reduce_tree.hpp, and in arg_reduce.cpp.

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

#define TENFERRO_REDUCE_KERNEL(Name)                                                      \
  template <class T>                                                                      \
  struct Name {                                                                           \
    static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in, \
                    std::span<const TensorWrite> out);                                    \
  };
TENFERRO_REDUCE_KERNEL(SumKernel)
TENFERRO_REDUCE_KERNEL(SumSquaresKernel)
TENFERRO_REDUCE_KERNEL(ProductKernel)
TENFERRO_REDUCE_KERNEL(LargestKernel)
TENFERRO_REDUCE_KERNEL(SmallestKernel)
TENFERRO_REDUCE_KERNEL(AnyKernel)
TENFERRO_REDUCE_KERNEL(AllKernel)
TENFERRO_REDUCE_KERNEL(ArgLargestKernel)
TENFERRO_REDUCE_KERNEL(ArgSmallestKernel)
#undef TENFERRO_REDUCE_KERNEL

}  // namespace tenferro::internal
