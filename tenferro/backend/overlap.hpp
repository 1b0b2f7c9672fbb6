// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether an output shares memory with an operand.

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

enum class Overlap : std::uint8_t { none, same, partial };

/// `same`: identical start, strides, shape and element size; `none`: the byte ranges are disjoint; else `partial`.
Overlap overlap(const TensorRead& input, const TensorWrite& output) noexcept;

}  // namespace tenferro
