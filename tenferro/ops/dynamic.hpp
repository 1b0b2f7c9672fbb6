// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Sizes that are known only when a program runs. In a session they are ordinary numbers; in a graph the static extent
// is an upper bound.
//
// Example (session):
//     Tensor x = Tensor::zeros(DType::f64, {2}), y = Tensor::ones(DType::f64, {5});
//     Tensor n = shape_of(session, x, 0);                      // i64, rank 0
//     CHECK(dynamic_truncate(session, y, n, 0).count() == 2);  // as long as x
//
// Throws OpError.

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/internal/scalar_operand.hpp"
#include "tenferro/ops/internal/typed.hpp"

namespace tenferro {

namespace internal {
Op axis_op(OpKind kind, const MetaView& x, std::int64_t axis);
}  // namespace internal

/// The extent of one axis: i64, rank 0.
template <Emitter E>
Value<E> shape_of(E& e, Arg<E> x, std::int64_t axis) {
  return bind1(e, internal::axis_op(OpKind::shape_of, e.meta(x), axis), x);
}
TENFERRO_TYPED(internal::TypedIndex, shape_of, (axis), std::int64_t axis)

/// The first `size` entries along one axis; `size` is an integer of rank 0 that the host can read, at most the extent.
template <Emitter E>
Value<E> dynamic_truncate(E& e, Arg<E> x, Arg<E> size, std::int64_t axis) {
  return bind1(e, internal::axis_op(OpKind::dynamic_truncate, e.meta(x), axis), x, size);
}
TENFERRO_TYPED(TypedTensor, dynamic_truncate, (size, axis), Arg<E> size, std::int64_t axis)
template <Emitter E>
Value<E> dynamic_truncate(E& e, Arg<E> x, std::int64_t size, std::int64_t axis) {
  const internal::ScalarOperand<E> number(e, size);
  return dynamic_truncate(e, x, number.operand(), axis);
}
TENFERRO_TYPED(TypedTensor, dynamic_truncate, (size, axis), std::int64_t size, std::int64_t axis)

/// x with zeros behind it up to the extent that `reference` has along the axis: the adjoint of dynamic_truncate.
///
/// Example (session):
///     Tensor x = Tensor::vector({1., 2.}), like = Tensor::zeros<double>(4);
///     Tensor y = pad_to_match(session, x, like, 0);
///     CHECK(y.count() == 4 && y.at<double>({1}) == 2 && y.at<double>({3}) == 0);
template <Emitter E>
Value<E> pad_to_match(E& e, Arg<E> x, Arg<E> reference, std::int64_t axis) {
  return bind1(e, internal::axis_op(OpKind::pad_to_match, e.meta(x), axis), x, reference);
}
TENFERRO_TYPED(TypedTensor, pad_to_match, (reference, axis), Arg<E> reference, std::int64_t axis)

}  // namespace tenferro
