// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether an output shares memory with an operand.

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

enum class Overlap : std::uint8_t { none, same, partial };

/// `same`: identical start, strides, shape and element size; `none`: no byte in common, by may_overlap; else `partial`.
///
/// Example (tenferro/tensor/tensor.hpp):
///     Tensor x = Tensor::zeros<double>(4);
///     CHECK(overlap(x, x) == Overlap::same && overlap(x.view().reversed({0}), x) == Overlap::partial);
///     CHECK(overlap(x.view({range(0, 2)}), x.mutable_view({range(2, 4)})) == Overlap::none);
Overlap overlap(const TensorRead& input, const TensorWrite& output);

}  // namespace tenferro
