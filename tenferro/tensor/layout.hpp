// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Shapes with strides: the pure arithmetic of views. Strides and offsets count elements; strides may be zero or
// negative.
//
// Example:
//     Layout a = compact_layout({2, 3});
//     CHECK(a.strides == Dims{1, 2});
//     Layout t = permuted(a, Dims{1, 0});
//     CHECK(t.shape == Shape{3, 2} && t.strides == Dims{2, 1});
//     CHECK(!may_self_overlap(t.shape, t.strides));

#include <cstdint>
#include <span>
#include <string_view>

#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro {

using AxesView = std::span<const std::int64_t>;

/// Where the element with indices (i₀, i₁, …) is: offset + Σ iₖ·strides[k].
struct Layout {
  Shape shape;
  Dims strides;
  std::int64_t offset = 0;

  std::size_t rank() const noexcept { return shape.size(); }
};

/// Strides of a compact column-major tensor: 1, n₀, n₀·n₁, …
Dims col_major_strides(DimsView shape);
/// Strides of a compact row-major array: …, nₖ, 1.
///
/// Example:
///     CHECK(col_major_strides(Shape{2, 3, 4}) == Dims({1, 2, 6}));
///     CHECK(row_major_strides(Shape{2, 3, 4}) == Dims({12, 4, 1}));
Dims row_major_strides(DimsView shape);
Layout compact_layout(Shape shape);

/// True if the strides are those of a compact column-major tensor, strides of axes with at most one index aside.
///
/// Example:
///     Layout a = compact_layout({2, 3});
///     CHECK(a.rank() == 2 && is_compact(a.shape, a.strides) && !is_compact(Shape{2, 3}, Dims{3, 1}));
bool is_compact(DimsView shape, DimsView strides) noexcept;

/// Lowest and highest element offset that the layout reaches, relative to its offset; {0, -1} when it has no element.
struct Reach {
  std::int64_t first, last;
};
/// The range of offsets that the indices of a shape reach.
///
/// Example:
///     Reach r = reach(Shape{2, 3}, Dims{-1, 2});
///     CHECK(r.first == -1 && r.last == 4);
Reach reach(DimsView shape, DimsView strides) noexcept;

/// False only if no two indices share an element. The test is exact; only for strides that make it a long search does
/// it give up and answer true. Slices, permutations and reversals of a compact tensor are answered at once.
bool may_self_overlap(DimsView shape, DimsView strides);

/// Axis k of the result is axis axes[k] of the argument; `axes` is a permutation, −1 being the last axis.
///
/// Example:
///     Layout a = compact_layout({2, 3});
///     CHECK(broadcast_to(a, Shape{4, 2, 3}).strides == Dims({0, 1, 2}));
///     Layout backwards = reversed(a, Dims{1});
///     CHECK(backwards.strides == Dims({1, -2}) && backwards.offset == 4);
///     CHECK(diagonal(a, 1, 0, 1).shape == Shape{2} && diagonal(a, 1, 0, 1).offset == 2);
///     CHECK(reshaped_view(a, Shape{3, 2}).strides == Dims({1, 3}));
Layout permuted(Layout layout, AxesView axes);
/// Stretched to `shape` by zero strides, aligned at the last axis.
Layout broadcast_to(const Layout& layout, DimsView shape);
/// The same elements counted backwards along each listed axis.
Layout reversed(Layout layout, AxesView axes);
/// Elements (i, i+shift) of the two axes; the diagonal becomes the last axis.
Layout diagonal(const Layout& layout, std::int64_t shift, std::int64_t axis1, std::int64_t axis2);
/// Column-major reshape without moving anything; fails with BadArgument where the strides do not allow it.
Layout reshaped_view(const Layout& layout, DimsView shape);

namespace internal {

/// Strides of an operand in elements, written out where it has none because it is compact.
template <class Byte>
Dims strides_of(const Borrowed<Byte>& x) {
  return x.compact() ? col_major_strides(x.shape()) : Dims(DimsView(x.strides, x.rank()));
}
/// The layout of an operand from its first element on.
template <class Byte>
Layout layout_of(const Borrowed<Byte>& x) {
  return {Shape(x.shape()), strides_of(x), 0};
}

[[noreturn]] void fail_indices(DimsView shape, DimsView indices);

/// Offset of one element, every index checked; null strides mean compact. Throws TensorError (RankMismatch,
/// IndexOutOfBounds).
inline std::int64_t element_offset(DimsView shape, const std::int64_t* strides, DimsView indices) {
  if (indices.size() != shape.size()) fail_indices(shape, indices);
  std::int64_t offset = 0;
  std::int64_t step = 1;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const std::int64_t i = indices[k] < 0 ? indices[k] + shape[k] : indices[k];
    if (i < 0 || i >= shape[k]) fail_indices(shape, indices);
    offset += i * (strides != nullptr ? strides[k] : step);
    step *= shape[k];
  }
  return offset;
}

}  // namespace internal
}  // namespace tenferro
