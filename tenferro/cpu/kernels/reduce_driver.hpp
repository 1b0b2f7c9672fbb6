// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The driver of reductions: which way to walk the tree of reduce_tree.hpp for a given layout, and how the work is
// shared. It is compiled once and works for every operation and dtype by its table of loops.

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/kernels/reduce_loops.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// The body of a reduction kernel: reduces the axes of op's payload of `in` to `out` by the loops of its operation.
void reduce_with(const ReduceLoops& loops, KernelContext& context, const Op& op, const TensorRead& in,
                 const TensorWrite& out);

}  // namespace tenferro::internal
