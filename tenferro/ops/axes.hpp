// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Axis arguments. They are signed, −1 being the last axis, on every function.
//
// Example (session, tenferro/ops/reduction.hpp):
//     Tensor x = Tensor::ones(DType::f64, {2, 3, 4});
//     CHECK(reduce_sum(session, x).item() == Scalar(24.0));              // all axes
//     CHECK((reduce_sum(session, x, -1).shape() == Shape{2, 3}));        // the last one
//     CHECK((reduce_sum(session, x, {0, 2}).shape() == Shape{3}));       // these two
//     CHECK((reduce_sum(session, x, {}).shape() == Shape{2, 3, 4}));     // none: a copy

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "tenferro/ops/attrs.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro {

/// A list of axes, or all of them. Implicit from an integer, a list of integers and std::nullopt (all).
///
/// Example:
///     Axes one = -1, some = {0, -1}, every = std::nullopt;
///     CHECK(every.all() && !one.all() && some.list()[1] == -1);
///     CHECK(some.resolve("sum", 3) == AxisSet(0b101) && every.resolve("sum", 3).size() == 3);
class Axes {
 public:
  Axes(std::nullopt_t) : all_(true) {}                                                             // NOLINT: implicit
  Axes(std::initializer_list<std::int64_t> axes) : list_(std::span(axes.begin(), axes.size())) {}  // NOLINT
  Axes(AxesView axes) : list_(axes) {}                                                             // NOLINT
  Axes(Dims axes) : list_(std::move(axes)) {}                                                      // NOLINT
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  Axes(I axis) : list_({static_cast<std::int64_t>(axis)}) {}  // NOLINT

  bool all() const noexcept { return all_; }
  AxesView list() const noexcept { return {list_.data(), list_.size()}; }

  /// The axes as a set below `rank`. Throws OpError (AxisOutOfRange, DuplicateAxis) naming `op`.
  AxisSet resolve(std::string_view op, std::size_t rank) const;

 private:
  Dims list_;
  bool all_ = false;
};

namespace internal {

/// The axis in [0, rank), −1 being the last. Throws OpError (AxisOutOfRange).
std::uint8_t axis_of(std::string_view op, std::int64_t axis, std::size_t rank);

/// Each axis in [0, rank), in the given order, none twice. Throws OpError (AxisOutOfRange, DuplicateAxis).
AxisList axis_list(std::string_view op, AxesView axes, std::size_t rank);

/// The shape of a reduction over these axes: without them, or with extent 1 in their places.
Shape without_axes(DimsView shape, AxisSet axes, bool keep_dims);

}  // namespace internal

}  // namespace tenferro
