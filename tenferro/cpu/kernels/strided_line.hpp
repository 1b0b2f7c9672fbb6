// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One line of a tensor, whose elements may lie apart.
//
//   const StridedLine<const std::int64_t> x{data, 3};
//   const std::byte* elements = side_by_side(x.from(first), n, copy);

#include <cstddef>
#include <cstdint>

namespace tenferro::internal {

/// Elements of one line and how far apart they are. The elements are moved as integers of their width.
template <class T>
struct StridedLine {
  T* data;
  std::int64_t step;
  T& operator[](std::int64_t i) const { return data[i * step]; }
  StridedLine from(std::int64_t first) const { return {data + first * step, step}; }
};

/// The first n elements of a line side by side: where they lie, or copied to `copy`.
template <class Key>
const std::byte* side_by_side(StridedLine<const Key> x, std::int64_t n, Key* copy) {
  if (x.step != 1) {
    for (std::int64_t i = 0; i < n; ++i) copy[i] = x[i];
  }
  return reinterpret_cast<const std::byte*>(x.step == 1 ? x.data : copy);
}

}  // namespace tenferro::internal
