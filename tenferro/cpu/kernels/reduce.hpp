// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Kernels of the rows that reduce axes, each for every dtype that its row admits. Their bodies are in
// reduce_<what>.cpp, over the tree of reduce_tree.hpp, and in arg_reduce.cpp.

#include "tenferro/cpu/kernels/any_dtype.hpp"

namespace tenferro::internal {

#define TENFERRO_REDUCE_KERNEL(name) void name(KernelContext& context, const Op& op, Inputs in, Outputs out)
TENFERRO_REDUCE_KERNEL(sum_kernel);
TENFERRO_REDUCE_KERNEL(sum_squares_kernel);
TENFERRO_REDUCE_KERNEL(product_kernel);
TENFERRO_REDUCE_KERNEL(largest_kernel);
TENFERRO_REDUCE_KERNEL(smallest_kernel);
TENFERRO_REDUCE_KERNEL(any_kernel);
TENFERRO_REDUCE_KERNEL(all_kernel);
TENFERRO_REDUCE_KERNEL(arg_largest_kernel);
TENFERRO_REDUCE_KERNEL(arg_smallest_kernel);
#undef TENFERRO_REDUCE_KERNEL

}  // namespace tenferro::internal
