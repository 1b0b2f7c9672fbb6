// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Extents and their checks. A shape lists the extents, axis 0 first; axis 0 varies fastest in memory.
//
// Example:
//     Shape s{2, 3};
//     CHECK(element_count(s) == 6 && normalized_axis("sum", -1, s.size()) == 1);
//     CHECK(broadcast_shape(Shape{4, 1}, Shape{3}) == Shape({4, 3}) && !has_no_element(s));

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "tenferro/base/inline_vector.hpp"

namespace tenferro {

/// Extents or strides: up to eight without an allocation.
using Dims = InlineVector<std::int64_t, 8>;
/// The extents of a tensor, axis 0 first.
using Shape = Dims;
using DimsView = std::span<const std::int64_t>;

/// Highest number of axes of a tensor.
inline constexpr std::size_t kMaxRank = 64;

/// Number of elements, 1 for rank 0; nothing if an extent is negative, or if the product of the extents other than
/// zero does not fit in 63 bits (so that an extent of 0 hides no overflow of the others).
std::optional<std::int64_t> element_count(DimsView shape) noexcept;

/// Number of elements; throws TensorError (InvalidShape, ShapeOverflow) naming `op` if the shape or the bytes of its
/// elements do not fit.
std::int64_t checked_element_count(std::string_view op, DimsView shape, std::size_t element_size);

/// The axis in [0, rank), −1 being the last; throws TensorError (AxisOutOfRange) otherwise.
std::size_t normalized_axis(std::string_view op, std::int64_t axis, std::size_t rank);

/// True if rank and all extents agree.
///
/// Example:
///     CHECK(checked_element_count("load", Shape{2, 3}, sizeof(double)) == 6);
///     CHECK(same_shape(Shape{2, 3}, Shape{2, 3}) && !same_shape(Shape{2, 3}, Shape{3, 2}));
inline bool same_shape(DimsView a, DimsView b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// True if some extent is 0.
inline bool has_no_element(DimsView shape) noexcept {
  for (const std::int64_t extent : shape) {
    if (extent == 0) return true;
  }
  return false;
}

/// The shape that both stretch to by NumPy's rule (aligned at the last axis, 1 stretches, a missing axis is 1), or
/// nothing if they do not fit.
std::optional<Shape> broadcast_shape(DimsView a, DimsView b);

}  // namespace tenferro

/// Shapes and strides as keys of hash tables.
///
/// Example:
///     #include <unordered_map>
///     std::unordered_map<Shape, int> seen;
///     ++seen[{2, 3}];
///     CHECK(seen[{2, 3}] == 1 && seen.count(Shape{3, 2}) == 0);
template <>
struct std::hash<tenferro::Dims> {
  std::size_t operator()(const tenferro::Dims& dims) const noexcept {
    // FNV-1a over whole numbers, with the length first.
    std::uint64_t h = 0xcbf29ce484222325U ^ dims.size();
    for (const std::int64_t d : dims) h = (h ^ static_cast<std::uint64_t>(d)) * 0x100000001b3U;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};
