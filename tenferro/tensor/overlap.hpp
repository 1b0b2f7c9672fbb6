// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether two operands share memory. Byte ranges that cross are not enough to tell: even and odd columns of one tensor
// lie in one range and share nothing.

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// False only if no byte belongs to both. The test is exact; only for operands whose strides make it a long search does
/// it give up and answer true. Placements are not compared. Cost: a few comparisons where the byte ranges are apart.
///
/// Example:
///     Tensor x = Tensor::zeros<double>(4, 6);
///     CHECK(!may_overlap(x.view({all, range(0, end, 2)}), x.view({all, range(1, end, 2)})));
///     CHECK(may_overlap(x.view({1, all}), x.view({all, 5})));
bool may_overlap(TensorRead a, TensorRead b);

}  // namespace tenferro
