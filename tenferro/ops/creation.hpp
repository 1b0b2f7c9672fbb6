// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tensors out of nothing, where the emitter puts its results.
//
// Example (session):
//     CHECK(full(session, {2, 3}, 1.5F).dtype() == DType::f32);
//     CHECK(arange(session, 0.0, 1.0, 0.1).count() == 10);
//     CHECK(eye(session, DType::f64, 3).at<double>({2, 2}) == 1);
//
// Example (session):
//     CHECK(zeros(session, DType::f32, {2}).at<float>({0}) == 0 && ones(session, DType::i32, {2}).count() == 2);
//     CHECK(iota(session, {2, 3}, 1).at<std::int64_t>({0, 2}) == 2);
//     CHECK(linspace(session, 0, 1, 5).at<double>({1}) == 0.25);
//     CHECK(constant(session, 2.5).rank() == 0 && constant(session, Tensor::vector({1, 2})).at<int>({1}) == 2);
//     Tensor x = Tensor::ones<float>(2, 3);
//     CHECK(zeros_like(session, x).dtype() == DType::f32 && ones_like(session, x).shape() == x.shape());
//     CHECK(full_like(session, x, 7).at<float>({1, 2}) == 7);
//
// Throws OpError.

#include <algorithm>
#include <memory>

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/structural.hpp"

namespace tenferro {

namespace internal {
Op full_op(const Shape& shape);
Op iota_op(const Shape& shape, DType dtype, std::int64_t axis);
/// The number of elements of arange. Throws OpError (BadArgument, ShapeOverflow), as Tensor::arange.
std::int64_t arange_count(double start, double stop, double step);
Op linspace_op(double first, double last, std::int64_t n);
/// n×m, with −1 for m = n. Throws OpError (InvalidShape), as Tensor::eye.
Shape eye_shape(std::int64_t n, std::int64_t m);
/// Padding that makes an n×m matrix of a square one.
PadConfig eye_padding(std::int64_t n, std::int64_t m);
}  // namespace internal

/// A given tensor, shared with the operation.
template <Emitter E>
Value<E> constant(E& e, std::shared_ptr<const Tensor> value) {
  return bind1(e, Op(OpKind::constant, ConstantAttrs{std::move(value)}));
}
template <Emitter E>
Value<E> constant(E& e, Tensor value) {
  return constant(e, std::make_shared<const Tensor>(std::move(value)));
}
/// Rank 0.
template <Emitter E>
Value<E> constant(E& e, const Scalar& value) {
  return bind1(e, Op(OpKind::constant, internal::constant_of(value)));
}

/// 0, 1, 2, … along one axis, equal along the others.
template <Emitter E>
Value<E> iota(E& e, const Shape& shape, std::int64_t axis = 0, DType dtype = DType::i64) {
  return bind1(e, internal::iota_op(shape, dtype, axis));
}

/// Every element `value`, in its dtype.
template <Emitter E>
Value<E> full(E& e, const Shape& shape, const Scalar& value) {
  const internal::ScalarOperand<E> number(e, value);
  return on_behalf_of("full", [&] { return bind1(e, internal::full_op(shape), number.operand()); });
}
template <Emitter E>
Value<E> zeros(E& e, DType dtype, const Shape& shape) {
  return full(e, shape, internal::weak_scalar("zeros", false, dtype));
}
template <Emitter E>
Value<E> ones(E& e, DType dtype, const Shape& shape) {
  return full(e, shape, internal::weak_scalar("ones", true, dtype));
}

/// The shape and dtype of x, every element `value`, which must fit that dtype.
template <Emitter E>
Value<E> full_like(E& e, Arg<E> x, const Scalar& value) {
  const MetaView meta = e.meta(x);
  return full(e, Shape(meta.shape), internal::weak_scalar("full_like", value, meta.dtype));
}
TENFERRO_TYPED(TypedTensor, full_like, (value), const Scalar& value)
template <Emitter E>
Value<E> zeros_like(E& e, Arg<E> x) {
  return full_like(e, x, false);
}
TENFERRO_TYPED(TypedTensor, zeros_like, ())
template <Emitter E>
Value<E> ones_like(E& e, Arg<E> x) {
  return full_like(e, x, true);
}
TENFERRO_TYPED(TypedTensor, ones_like, ())

/// start, start + step, …: ceil((stop − start) / step) values in f64; element i is start + i·step.
/// Bounds that are not finite and step 0 are BadArgument, more values than fit are ShapeOverflow.
template <Emitter E>
Value<E> arange(E& e, double start, double stop, double step = 1.0) {
  const Value<E> counted = iota(e, {internal::arange_count(start, stop, step)}, 0, DType::f64);
  return add(e, mul(e, counted, step), start);
}
/// n values in f64 from first to last, the last being exactly `last`.
template <Emitter E>
Value<E> linspace(E& e, double first, double last, std::int64_t n) {
  return bind1(e, internal::linspace_op(first, last, n));
}

/// Ones on the main diagonal of an n×m matrix; m = −1 stands for n, other negative numbers are InvalidShape.
template <Emitter E>
Value<E> eye(E& e, DType dtype, std::int64_t n, std::int64_t m = -1) {
  const Shape shape = internal::eye_shape(n, m);
  const Value<E> diagonal = ones(e, dtype, {std::min(shape[0], shape[1])});
  if (shape[0] == shape[1]) return embed_diag(e, diagonal);
  return pad(e, embed_diag(e, diagonal), internal::eye_padding(shape[0], shape[1]));
}

}  // namespace tenferro
