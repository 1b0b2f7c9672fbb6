// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Vector loops between elements and the signed integers by which they sort. Both zeros have one key, and NaN has the
// highest, in either direction.
//
//   const OrderLoops& loops = order_loops(DType::f64, /*descending=*/false);
//   const KeyFacts facts = loops.keys(x, n, keys);

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tenferro/tensor/dtype.hpp"

namespace tenferro::internal {

/// What keys of some elements have in common. That of no elements is the neutral one.
struct KeyFacts {
  std::int64_t nans = 0;
  bool negative_zero = false;  ///< whether one of the elements is −0
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();

  KeyFacts& operator+=(const KeyFacts& other) noexcept {
    nans += other.nans;
    negative_zero |= other.negative_zero;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    return *this;
  }
};

/// Loops for one dtype and one direction, over elements and keys of the same width that lie side by side.
struct OrderLoops {
  /// Whether a stable sort would leave everything in place. Found out piece by piece, so that a no costs little.
  bool (*in_order)(const std::byte* x, std::int64_t n);
  /// `keys` may be x.
  KeyFacts (*keys)(const std::byte* x, std::int64_t n, std::byte* keys);
  /// The elements with these keys; zeros are +0, and what NaN gives is undefined. `out` may be `keys`.
  void (*elements)(const std::byte* keys, std::int64_t n, std::byte* out);
};

/// Those of a real dtype for the instructions in use.
const OrderLoops& order_loops(DType dtype, bool descending);

}  // namespace tenferro::internal
