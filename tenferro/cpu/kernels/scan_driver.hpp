// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The walk of running reductions over lines of any layout, by the loops of scan_loops.hpp: neighbouring lines together,
// others one by one or a few at a time, through a copy where they do not lie in order.

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/kernels/scan_loops.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// Scans x along the axis of op's payload. Result i is what elements 0 … i give together (with `reverse`, elements
/// i … n−1); with `exclusive`, element i itself is left out, and the first result is the start of the loops.
void scan_with(const ScanLoops& loops, KernelContext& context, const Op& op, const TensorRead& x,
               const TensorWrite& out);

}  // namespace tenferro::internal
