// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether two operands share memory. Byte ranges that cross are not enough to tell: even and odd columns of one tensor
// lie in one range and share nothing.

#include "tenferro/base/checked_math.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

namespace internal {

/// The addresses from the first byte of an operand to the one past its last: the same where it has no element, and all
/// there are where its steps are too long for the arithmetic.
struct ByteRange {
  std::uintptr_t first, end;
};

template <class Byte>
ByteRange byte_range(const Borrowed<Byte>& x) noexcept {
  std::int64_t below = 0, above = 1;  // in elements
  if (x.compact()) {
    above = x.count();
  } else {
    for (std::size_t k = 0; k < x.rank(); ++k) {
      if (x.extents[k] == 0) return {0, 0};
      if (x.extents[k] == 1) continue;
      std::int64_t span = 0;
      std::int64_t& side = x.strides[k] < 0 ? below : above;
      if (mul_overflows(x.strides[k], x.extents[k] - 1, &span) || add_overflows(side, span, &side)) {
        return {0, UINTPTR_MAX};
      }
    }
  }
  const auto width = static_cast<std::int64_t>(element_size(x.dtype));
  if (mul_overflows(below, width, &below) || mul_overflows(above, width, &above)) return {0, UINTPTR_MAX};
  const auto data = reinterpret_cast<std::uintptr_t>(x.data);
  ByteRange range{};
  const bool beyond =
      __builtin_add_overflow(data, below, &range.first) | __builtin_add_overflow(data, above, &range.end);
  return beyond ? ByteRange{0, UINTPTR_MAX} : range;
}

/// True if the byte ranges of two operands do not meet: they have no byte in common, and it is seen at a glance.
template <class A, class B>
bool far_apart(const Borrowed<A>& a, const Borrowed<B>& b) noexcept {
  const ByteRange of_a = byte_range(a), of_b = byte_range(b);
  return of_a.first >= of_b.end || of_b.first >= of_a.end || of_a.first == of_a.end || of_b.first == of_b.end;
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
