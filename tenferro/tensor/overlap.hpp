// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether two operands share memory. Byte ranges that cross are not enough to tell: even and odd columns of one tensor
// lie in one range and share nothing.

#include <functional>

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

namespace internal {

/// far_apart where some operand may be strided.
bool ranges_apart(const TensorRead& a, const TensorRead& b) noexcept;

/// True if the byte ranges of two operands do not meet: they have no byte in common, and it is seen at a glance.
inline bool far_apart(const TensorRead& a, const TensorWrite& b) noexcept {
  if (!a.compact() || !b.compact()) return ranges_apart(a, b.read());
  const auto bytes = [](const auto& x) { return x.count() * static_cast<std::int64_t>(element_size(x.dtype)); };
  return std::less_equal<>()(a.data + bytes(a), b.data) || std::less_equal<>()(b.data + bytes(b), a.data);
}

}  // namespace internal

/// False only if no byte belongs to both. The test is exact; only for operands whose strides make it a long search does
/// it give up and answer true. Placements are not compared. Cost: a few comparisons where the byte ranges are apart.
///
/// Example:
///     Tensor x = Tensor::zeros<double>(4, 6);
///     CHECK(!may_overlap(x.view({all, range(0, end, 2)}), x.view({all, range(1, end, 2)})));
///     CHECK(may_overlap(x.view({1, all}), x.view({all, 5})));
bool may_overlap(TensorRead a, TensorRead b);

}  // namespace tenferro
