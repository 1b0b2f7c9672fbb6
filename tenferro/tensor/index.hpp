// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Readable slicing.
//
// Example:
//     Tensor x = Tensor::arange(0, 120).reshaped({3, 5, 2, 4});
//     TensorView part = x.view({all, range(1, 4), -1, range(0, end, 2)});
//     CHECK(part.shape() == Shape{3, 3, 2});
//     CHECK(part.at<double>({2, 0, 1}) == x.at<double>({2, 1, 1, 2}));
//     CHECK(x.view({0, range(-1, end, -1)}).at<double>({0, 0, 0}) == x.at<double>({0, 4, 0, 0}));

#include <concepts>
#include <cstdint>
#include <span>

#include "tenferro/tensor/layout.hpp"

namespace tenferro {

/// Keeps an axis whole.
struct All {};
inline constexpr All all{};

/// One past the last index of an axis (one before the first, for a negative step).
struct End {};
inline constexpr End end{};

/// A bound of a range: a number (negative ones count from the end of the axis) or `end`.
///
/// Example:
///     Bound third_last = -3, stop = End{};
///     CHECK(third_last.value() == -3 && !third_last.is_end() && stop.is_end());
///     Range r = range(third_last, end);
///     CHECK(r.first.value() == -3 && r.step == 1);
class Bound {
 public:
  constexpr Bound(std::integral auto value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT: implicit by design
  constexpr Bound(End) : is_end_(true) {}                                                  // NOLINT
  constexpr bool is_end() const noexcept { return is_end_; }
  constexpr std::int64_t value() const noexcept { return value_; }

 private:
  std::int64_t value_ = 0;
  bool is_end_ = false;
};

/// first, first+step, … up to and without last; step may be negative, not zero.
struct Range {
  Bound first, last;
  std::int64_t step;
};
constexpr Range range(Bound first, Bound last, std::int64_t step = 1) { return {first, last, step}; }

/// What selects along one axis: an integer, `all` or a range.
///
/// Example:
///     Index one = -1, whole = All{}, part = range(0, 6, 2);
///     CHECK(one.kind() == Index::Kind::one && one.position() == -1 && whole.kind() == Index::Kind::whole);
///     CHECK(part.kind() == Index::Kind::strided && part.bounds().step == 2);
class Index {
 public:
  constexpr Index(std::integral auto position)  // NOLINT: implicit by design
      : kind_(Kind::one), range_{position, position, 1} {}
  constexpr Index(All) : kind_(Kind::whole), range_{0, end, 1} {}        // NOLINT
  constexpr Index(Range range) : kind_(Kind::strided), range_(range) {}  // NOLINT

  enum class Kind : std::uint8_t { one, whole, strided };
  constexpr Kind kind() const noexcept { return kind_; }
  constexpr std::int64_t position() const noexcept { return range_.first.value(); }
  constexpr const Range& bounds() const noexcept { return range_; }

 private:
  Kind kind_;
  Range range_;
};

/// The part of a layout that the indices name; see TensorView::view.
///
/// Example:
///     const Index indices[] = {1, range(0, end, 2)};
///     Layout row = indexed(compact_layout({4, 6}), indices);
///     CHECK(row.shape == Shape{3} && row.strides == Dims{8} && row.offset == 1);
Layout indexed(const Layout& layout, std::span<const Index> indices);

}  // namespace tenferro
