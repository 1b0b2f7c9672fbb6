// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The walk of running sums and extrema over lines of any layout, by the loops of scan_loops.hpp: neighbouring lines
// together, others one by one, through a copy where they do not lie in order.

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// Scans x along the axis of op's payload: cumsum, cummax or cummin of a real dtype.
void scan_by_vectors(KernelContext& context, const Op& op, const TensorRead& x, const TensorWrite& out);

}  // namespace tenferro::internal
