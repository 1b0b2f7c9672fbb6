// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Reductions over axes, and the statistics built on them.
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 2., 6.}, {-1., 0., 7.}});
//     CHECK(reduce_sum(session, x).item() == Scalar(15.0));              // all axes: rank 0
//     CHECK((reduce_max(session, x, -1, true).shape() == Shape{2, 1}));  // the last axis, kept with extent 1
//     CHECK(reduce_mean(session, x, 1).at<double>({0}) == 3.0);
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 2., 6.}, {-1., 0., 7.}}), mask = gt(session, x, 0);
//     CHECK(reduce_prod(session, x, 1).at<double>({0}) == 12 && reduce_min(session, x).item() == Scalar(-1.0));
//     CHECK(reduce_any(session, mask).at<bool>({}) && !reduce_all(session, mask).at<bool>({}));
//     CHECK(argmax(session, x, 1).at<std::int64_t>({0}) == 2 && argmin(session, x).item() == Scalar(std::int64_t{1}));
//     CHECK(reduce_sum_squares(session, x, 1).at<double>({0}) == 41);
//     CHECK(norm_squared(session, x, 1).at<double>({1}) == 50);
//     Tensor y = Tensor::vector({1., 3., 5., 7.});
//     CHECK(variance(session, y).item() == Scalar(5.0) && stddev(session, mul(session, y, 0)).item() == Scalar(0.0));
//
// Axes are signed and distinct; no argument means all of them, an empty list none. Float sums are pairwise or blocked
// and the same bits for any number of threads. Throws OpError.

#include <algorithm>

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/elementwise.hpp"

namespace tenferro {

namespace internal {
Op reduce_op(OpKind kind, const MetaView& x, const Axes& axes, bool keep_dims);
Op arg_reduce_op(OpKind kind, const MetaView& x, std::optional<std::int64_t> axis, bool keep_dims);
/// Throws OpError (UnsupportedDType) naming `op`, a composite, unless the rule admits the dtype.
void require_dtype(std::string_view op, DType got, DTypeRule rule, std::int64_t operand = 0);
/// Number of elements that one result of the reduction stands for.
std::int64_t reduced_count(std::string_view op, DimsView shape, const Axes& axes);
/// The shape of the result of a reduction.
Shape reduced_shape(std::string_view op, DimsView shape, const Axes& axes, bool keep_dims);
}  // namespace internal

#define TENFERRO_REDUCTION(name)                                                           \
  template <Emitter E>                                                                     \
  Value<E> name(E& e, Arg<E> x, const Axes& axes = std::nullopt, bool keep_dims = false) { \
    return bind1(e, internal::reduce_op(OpKind::name, e.meta(x), axes, keep_dims), x);     \
  }                                                                                        \
  TENFERRO_TYPED_ROW(name, (axes, keep_dims), const Axes& axes = std::nullopt, bool keep_dims = false)

/// Sum; 0 over no elements. Integers wrap.
TENFERRO_REDUCTION(reduce_sum)
/// Product; 1 over no elements. Integers wrap.
TENFERRO_REDUCTION(reduce_prod)
/// Largest; NaN if any is NaN. Over no elements: EmptyReduction.
TENFERRO_REDUCTION(reduce_max)
/// Smallest; NaN if any is NaN. Over no elements: EmptyReduction.
TENFERRO_REDUCTION(reduce_min)
/// Σ|x|², in the real dtype.
TENFERRO_REDUCTION(reduce_sum_squares)
/// True if any is; false over no elements.
TENFERRO_REDUCTION(reduce_any)
/// True if all are; true over no elements.
TENFERRO_REDUCTION(reduce_all)
#undef TENFERRO_REDUCTION

/// Position (i64) along one axis of the first NaN, else of the first largest. Without an axis: the column-major
/// position in the whole tensor. Over no elements: EmptyReduction.
template <Emitter E>
Value<E> argmax(E& e, Arg<E> x, std::optional<std::int64_t> axis = std::nullopt, bool keep_dims = false) {
  return bind1(e, internal::arg_reduce_op(OpKind::argmax, e.meta(x), axis, keep_dims), x);
}
TENFERRO_TYPED_ROW(argmax, (axis, keep_dims), std::optional<std::int64_t> axis = std::nullopt, bool keep_dims = false)
/// As argmax, for the smallest.
template <Emitter E>
Value<E> argmin(E& e, Arg<E> x, std::optional<std::int64_t> axis = std::nullopt, bool keep_dims = false) {
  return bind1(e, internal::arg_reduce_op(OpKind::argmin, e.meta(x), axis, keep_dims), x);
}
TENFERRO_TYPED_ROW(argmin, (axis, keep_dims), std::optional<std::int64_t> axis = std::nullopt, bool keep_dims = false)

/// Σ|x|²: reduce_sum_squares.
template <Emitter E>
Value<E> norm_squared(E& e, Arg<E> x, const Axes& axes = std::nullopt, bool keep_dims = false) {
  return reduce_sum_squares(e, x, axes, keep_dims);
}
TENFERRO_TYPED(internal::TypedReal, norm_squared, (axes, keep_dims), const Axes& axes = std::nullopt,
               bool keep_dims = false)

/// Arithmetic mean of floats or complex numbers; NaN over no elements. Integers: UnsupportedDType.
template <Emitter E>
Value<E> reduce_mean(E& e, Arg<E> x, const Axes& axes = std::nullopt, bool keep_dims = false) {
  internal::require_dtype("reduce_mean", e.meta(x).dtype, DTypeRule::inx);
  const auto count = static_cast<double>(internal::reduced_count("reduce_mean", e.meta(x).shape, axes));
  return div(e, reduce_sum(e, x, axes, keep_dims), count);
}
TENFERRO_TYPED(TypedTensor, reduce_mean, (axes, keep_dims), const Axes& axes = std::nullopt, bool keep_dims = false)

/// Σ|x − mean|² / (n − correction), in the real dtype, computed in two passes. NaN over no elements; where the divisor
/// is not positive it counts as 0.
template <Emitter E>
Value<E> variance(E& e, Arg<E> x, const Axes& axes = std::nullopt, std::int64_t correction = 0,
                  bool keep_dims = false) {
  internal::require_dtype("variance", e.meta(x).dtype, DTypeRule::inx);
  const std::int64_t count = internal::reduced_count("variance", e.meta(x).shape, axes);
  const Value<E> centred = sub(e, x, reduce_mean(e, x, axes, true));
  return div(e, reduce_sum_squares(e, centred, axes, keep_dims),
             static_cast<double>(std::max<std::int64_t>(count - correction, 0)));
}
TENFERRO_TYPED(internal::TypedReal, variance, (axes, correction, keep_dims), const Axes& axes = std::nullopt,
               std::int64_t correction = 0, bool keep_dims = false)

/// Square root of the variance.
template <Emitter E>
Value<E> stddev(E& e, Arg<E> x, const Axes& axes = std::nullopt, std::int64_t correction = 0, bool keep_dims = false) {
  return sqrt(e, variance(e, x, axes, correction, keep_dims));
}
TENFERRO_TYPED(internal::TypedReal, stddev, (axes, correction, keep_dims), const Axes& axes = std::nullopt,
               std::int64_t correction = 0, bool keep_dims = false)

}  // namespace tenferro
