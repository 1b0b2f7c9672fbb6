// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Lower and upper triangles of batches of matrices, at the speed of a copy: what is kept goes by blocks of columns,
// each one movement, and what is not is cleared.
//
//   copy_triangles(context, x, out, 0, true);   // out[i, j] = i >= j ? x[i, j] : 0

#include <cstdint>

#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {

/// The elements of `x`, of rank 2 or more, with j − i <= shift (lower) or j − i >= shift (upper), where i and j are the
/// first two indices; zeros elsewhere. `out` has the shape and dtype of `x` and must not overlap it; layouts are any.
void copy_triangles(KernelContext& context, const TensorRead& x, const TensorWrite& out, std::int64_t shift,
                    bool lower);

}  // namespace tenferro::internal
