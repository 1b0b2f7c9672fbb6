// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Rows that move elements or change dtypes. Shapes are column-major: reshape keeps the order in which the first index
// varies fastest, and a tensor that is moved in keeps its block:
//
// Example (session):
//     Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}});
//     CHECK(transpose(session, a, {1, 0}).at<double>({0, 1}) == 3);
//     CHECK((pad(session, a, {1, 1}, {1, 1}).shape() == Shape{4, 4}));   // a border of zeros
//     const std::byte* block = a.bytes();
//     Tensor flat = reshape(session, std::move(a), {-1});
//     CHECK(flat.bytes() == block && flat.at<double>({1}) == 3);         // down the columns
//
// Example (session):
//     Tensor a = Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}});
//     CHECK(broadcast_to(session, Tensor::vector({7., 8., 9.}), {2, 3}).at<double>({1, 2}) == 9);
//     CHECK(broadcast_in_dim(session, Tensor::vector({7., 8.}), {2, 3}, {0}).at<double>({1, 2}) == 8);
//     CHECK(convert(session, a, DType::c64).dtype() == DType::c64);
//     CHECK(cast(session, a, DType::i32).at<int>({1, 2}) == 6);
//     CHECK(extract_diag(session, a, 1).at<double>({1}) == 6 && embed_diag(session, a).shape() == Shape({3, 3, 2}));
//     CHECK(tril(session, a).at<double>({0, 1}) == 0 && triu(session, a).at<double>({1, 0}) == 0);
//     CHECK(reverse(session, a, 1).at<double>({0, 0}) == 3);
//     CHECK(concatenate(session, {a, a}, 0).shape() == Shape({4, 3}));
//     CHECK(slice(session, a, {0, 1}, {2, 3}).at<double>({1, 1}) == 6);
//     CHECK(slice_axis(session, a, 1, -2, end).at<double>({1, 0}) == 5);
//
// In a session every result is an owned compact tensor; views without a session are methods of tensors. Throws OpError.

#include <utility>
#include <vector>

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/ops/internal/typed.hpp"
#include "tenferro/tensor/index.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro {

namespace internal {
/// `shape` with one −1 replaced by what is left. Throws OpError (BadArgument, ElementCountMismatch, …).
Shape full_shape(std::string_view op, const MetaView& x, const Shape& shape);
Op reshape_op(const MetaView& x, const Shape& shape);
Op transpose_op(const MetaView& x, AxesView perm);
Op reversed_axes_op(const MetaView& x);
Op broadcast_in_dim_op(const Shape& shape, AxesView axes);
Op broadcast_to_op(const MetaView& x, const Shape& shape);
Op extract_diag_op(const MetaView& x, std::int64_t shift, std::int64_t axis1, std::int64_t axis2);
Op embed_diag_op(const MetaView& x, std::int64_t shift, std::int64_t axis1, std::int64_t axis2);
Op reverse_op(const MetaView& x, const Axes& axes);
Op concatenate_op(const MetaView& first, std::int64_t axis);
Op pad_op(const MetaView& x, PadConfig config);
Op slice_op(const MetaView& x, SliceConfig config);
Op slice_axis_op(const MetaView& x, std::int64_t axis, Range range);
}  // namespace internal

/// A list of operands: `{a, b, c}`, or a vector of values.
///
/// Example (session):
///     std::vector<Tensor> parts;
///     parts.push_back(Tensor::zeros<double>(2));
///     parts.push_back(Tensor::ones<double>(3));
///     Operands<BackendSession> list = parts;                   // what concatenate takes
///     CHECK(list.size() == 2 && list[1].count() == 3 && list.span()[0].count() == 2);
///     CHECK(concatenate(session, list, 0).count() == 5);
template <Emitter E>
class Operands {
 public:
  using Operand = typename E::Operand;

  Operands(std::initializer_list<Operand> list) : list_(list) {}                // NOLINT: implicit by design
  Operands(std::span<const Operand> list) : list_(list.begin(), list.end()) {}  // NOLINT
  template <class T>
    requires std::convertible_to<const T&, Operand>
  Operands(const std::vector<T>& list) : list_(list.begin(), list.end()) {}  // NOLINT

  std::span<const Operand> span() const noexcept { return list_; }
  std::size_t size() const noexcept { return list_.size(); }
  const Operand& operator[](std::size_t i) const noexcept { return list_[i]; }

 private:
  std::vector<Operand> list_;
};
template <Emitter E>
using OperandList = std::type_identity_t<const Operands<E>&>;

/// Axis k of the result is axis perm[k] of x.
template <Emitter E>
Value<E> transpose(E& e, Arg<E> x, const Dims& perm) {
  return bind1(e, internal::transpose_op(e.meta(x), perm), x);
}
TENFERRO_TYPED(TypedTensor, transpose, (perm), const Dims& perm)
/// The axes in reversed order.
template <Emitter E>
Value<E> transpose(E& e, Arg<E> x) {
  return bind1(e, internal::reversed_axes_op(e.meta(x)), x);
}
TENFERRO_TYPED(TypedTensor, transpose, ())

/// The same elements in column-major order under another shape, in which one extent may be −1: what is left.
template <Emitter E>
Value<E> reshape(E& e, Arg<E> x, const Shape& shape) {
  return bind1(e, internal::reshape_op(e.meta(x), shape), x);
}
TENFERRO_TYPED(TypedTensor, reshape, (shape), const Shape& shape)
/// A tensor that is moved in keeps its block: nothing is copied.
template <ConcreteEmitter E>
Tensor reshape(E&, Tensor&& x, const Shape& shape) {
  // NOLINTNEXTLINE(bugprone-use-after-move): the shape is worked out before the tensor is taken
  return std::move(x).reshaped(internal::full_shape("reshape", TensorRead(x).meta(), shape));
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> reshape(E& e, TypedTensor<T>&& x, const Shape& shape) {
  return TypedTensor<T>(reshape(e, std::move(x).release(), shape));
}

/// x laid along the axes `axes` of a larger shape: axis k of x, of extent 1 or that of its target, becomes axis
/// axes[k].
template <Emitter E>
Value<E> broadcast_in_dim(E& e, Arg<E> x, const Shape& shape, const Dims& axes) {
  return bind1(e, internal::broadcast_in_dim_op(shape, axes), x);
}
TENFERRO_TYPED(TypedTensor, broadcast_in_dim, (shape, axes), const Shape& shape, const Dims& axes)
/// x stretched to a shape by NumPy's rule.
template <Emitter E>
Value<E> broadcast_to(E& e, Arg<E> x, const Shape& shape) {
  return on_behalf_of("broadcast_to", [&] { return bind1(e, internal::broadcast_to_op(e.meta(x), shape), x); });
}
TENFERRO_TYPED(TypedTensor, broadcast_to, (shape), const Shape& shape)

/// x in another dtype, along the promotion lattice only; what may lose values is UnsupportedConversion.
template <Emitter E>
Value<E> convert(E& e, Arg<E> x, DType to) {
  return bind1(e, Op(OpKind::convert, ConvertAttrs{to, true}), x);
}
template <Element To, ConcreteEmitter E>
TypedTensor<To> convert(E& e, Arg<E> x) {
  return TypedTensor<To>(convert(e, x, dtype_of<To>));
}
/// x in any other dtype: floats to integers toward zero and saturating (NaN becomes 0), complex numbers to their real
/// part, everything to bool as "not zero".
template <Emitter E>
Value<E> cast(E& e, Arg<E> x, DType to) {
  return bind1(e, Op(OpKind::convert, ConvertAttrs{to, false}), x);
}
template <Element To, ConcreteEmitter E>
TypedTensor<To> cast(E& e, Arg<E> x) {
  return TypedTensor<To>(cast(e, x, dtype_of<To>));
}

/// The elements (i, i + shift) of two axes, which go; the diagonal is the last axis of the result.
template <Emitter E>
Value<E> extract_diag(E& e, Arg<E> x, std::int64_t shift = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) {
  return bind1(e, internal::extract_diag_op(e.meta(x), shift, axis1, axis2), x);
}
TENFERRO_TYPED(TypedTensor, extract_diag, (shift, axis1, axis2), std::int64_t shift = 0, std::int64_t axis1 = 0,
               std::int64_t axis2 = 1)
/// The last axis of x on the diagonal (i, i + shift) of two axes of the result, zero elsewhere: the adjoint of
/// extract_diag.
template <Emitter E>
Value<E> embed_diag(E& e, Arg<E> x, std::int64_t shift = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) {
  return bind1(e, internal::embed_diag_op(e.meta(x), shift, axis1, axis2), x);
}
TENFERRO_TYPED(TypedTensor, embed_diag, (shift, axis1, axis2), std::int64_t shift = 0, std::int64_t axis1 = 0,
               std::int64_t axis2 = 1)

/// Elements (i, j) of the first two axes with j − i ≤ shift, zero elsewhere; the other axes are a batch.
template <Emitter E>
Value<E> tril(E& e, Arg<E> x, std::int64_t shift = 0) {
  return bind1(e, Op(OpKind::tril, TriAttrs{shift}), x);
}
TENFERRO_TYPED(TypedTensor, tril, (shift), std::int64_t shift = 0)
/// Elements (i, j) of the first two axes with j − i ≥ shift, zero elsewhere; the other axes are a batch.
template <Emitter E>
Value<E> triu(E& e, Arg<E> x, std::int64_t shift = 0) {
  return bind1(e, Op(OpKind::triu, TriAttrs{shift}), x);
}
TENFERRO_TYPED(TypedTensor, triu, (shift), std::int64_t shift = 0)

/// Backwards along the named axes.
template <Emitter E>
Value<E> reverse(E& e, Arg<E> x, const Axes& axes = std::nullopt) {
  return bind1(e, internal::reverse_op(e.meta(x), axes), x);
}
TENFERRO_TYPED(TypedTensor, reverse, (axes), const Axes& axes = std::nullopt)

/// Operands of one dtype, and equal extents on the other axes, joined along one axis.
template <Emitter E>
Value<E> concatenate(E& e, OperandList<E> list, std::int64_t axis) {
  Value<E> result;
  const MetaView first = list.size() != 0 ? e.meta(list[0]) : MetaView{};
  e.bind(internal::concatenate_op(first, axis), list.span(), std::span<Value<E>>(&result, 1));
  return result;
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> concatenate(E& e, const std::vector<TypedTensor<T>>& list, std::int64_t axis) {
  return TypedTensor<T>(concatenate(e, Operands<E>(list), axis));
}

/// Per axis: `low` elements before, `high` after (negative: cropped) and `interior` between neighbours, all with the
/// value `fill`, which takes x's dtype.
template <Emitter E>
Value<E> pad(E& e, Arg<E> x, const PadConfig& config) {
  return bind1(e, internal::pad_op(e.meta(x), config), x);
}
TENFERRO_TYPED(TypedTensor, pad, (config), const PadConfig& config)
template <Emitter E>
Value<E> pad(E& e, Arg<E> x, const Dims& low, const Dims& high, const Scalar& fill = false) {
  return pad(e, x, PadConfig{low, high, Dims(low.size(), 0), fill});
}
TENFERRO_TYPED(TypedTensor, pad, (low, high, fill), const Dims& low, const Dims& high, const Scalar& fill = false)

/// Elements start, start + stride, … before limit, on each axis: 0 ≤ start ≤ limit ≤ extent, stride ≥ 1 (by default).
template <Emitter E>
Value<E> slice(E& e, Arg<E> x, const Dims& starts, const Dims& limits, const Dims& strides = {}) {
  return bind1(e, internal::slice_op(e.meta(x), {starts, limits, strides}), x);
}
TENFERRO_TYPED(TypedTensor, slice, (starts, limits, strides), const Dims& starts, const Dims& limits,
               const Dims& strides = {})
/// The range of one axis, the others whole. Bounds may count from the end and be `end`; step ≥ 1.
template <Emitter E>
Value<E> slice_axis(E& e, Arg<E> x, std::int64_t axis, Bound first, Bound last, std::int64_t step = 1) {
  return on_behalf_of("slice_axis",
                      [&] { return bind1(e, internal::slice_axis_op(e.meta(x), axis, range(first, last, step)), x); });
}
TENFERRO_TYPED(TypedTensor, slice_axis, (axis, first, last, step), std::int64_t axis, Bound first, Bound last,
               std::int64_t step = 1)

}  // namespace tenferro
