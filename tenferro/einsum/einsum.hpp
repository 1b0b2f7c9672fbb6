// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Contractions in one call. Each call plans anew; prepare an EinsumPlan for what runs often.
//
// Example (session):
//     Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}}), b = Tensor::matrix({{0., 1.}, {1., 0.}});
//     CHECK(einsum(session, "ij,jk->ik", {a, b}).at<double>({0, 0}) == 2);
//     CHECK(einsum(session, "ii->", {a}).item() == Scalar(5.0));
//     CHECK(tensordot(session, a, b, {0, 1}, {1, 0}).item() == Scalar(5.0));    // Σ a(i, j)·b(j, i)
//     CHECK(tensordot(session, a, b, 1).at<double>({1, 1}) == 3);               // the matrix product
//     TypedTensor<double> x = TypedTensor<double>::vector({1, 2});
//     CHECK(einsum(session, "i,i->", x, x)() == 5);

#include "tenferro/einsum/internal/tensordot.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/ops/contraction.hpp"

namespace tenferro {

/// The contraction of the operands that the notation describes, on any emitter: tensors and views on sessions. Operands
/// of different dtypes promote. Throws NotationError, OpError.
template <Emitter E>
Value<E> einsum(E& e, const Notation& notation, std::span<const typename E::Operand> operands,
                const PathOptions& options = {}) {
  std::vector<MetaView> metas;
  metas.reserve(operands.size());
  for (const typename E::Operand& operand : operands) metas.push_back(e.meta(operand));
  return EinsumPlan::prepare(notation, metas, options).execute(e, operands);
}
template <Emitter E>
Value<E> einsum(E& e, const Notation& notation, std::initializer_list<typename E::Operand> operands,
                const PathOptions& options = {}) {
  return einsum(e, notation, std::span<const typename E::Operand>(operands.begin(), operands.size()), options);
}
template <Emitter E>
Value<E> einsum(E& e, std::string_view text, std::span<const typename E::Operand> operands,
                const PathOptions& options = {}) {
  return einsum(e, Notation::parse(text), operands, options);
}
template <Emitter E>
Value<E> einsum(E& e, std::string_view text, std::initializer_list<typename E::Operand> operands,
                const PathOptions& options = {}) {
  return einsum(e, Notation::parse(text), operands, options);
}

/// The same for typed tensors of one element type: einsum(session, "ij,jk->ik", a, b).
template <ConcreteEmitter E, Element T, std::same_as<TypedTensor<T>>... Others>
TypedTensor<T> einsum(E& e, std::string_view text, const TypedTensor<T>& first, const Others&... others) {
  return TypedTensor<T>(einsum(e, text, {TensorRead(first), TensorRead(others)...}));
}

/// Sum over pairs of axes: axis lhs_axes[k] of a with axis rhs_axes[k] of b; −1 is the last axis. The result has the
/// other axes of a, then those of b. Throws OpError (AxisOutOfRange, DuplicateAxis, ShapeMismatch, BadArgument for
/// lists of different length).
template <Emitter E>
Value<E> tensordot(E& e, Arg<E> a, Arg<E> b, std::span<const std::int64_t> lhs_axes,
                   std::span<const std::int64_t> rhs_axes) {
  const MetaView left = e.meta(a);
  const MetaView right = e.meta(b);
  return internal::promoted_pair(e, internal::tensordot_op(left, right, lhs_axes, rhs_axes), a, b);
}
template <Emitter E>
Value<E> tensordot(E& e, Arg<E> a, Arg<E> b, std::initializer_list<std::int64_t> lhs_axes,
                   std::initializer_list<std::int64_t> rhs_axes) {
  return tensordot(e, a, b, std::span(lhs_axes.begin(), lhs_axes.size()), std::span(rhs_axes.begin(), rhs_axes.size()));
}
/// Sum over the last `count` axes of a with the first `count` axes of b, in order; 0 gives the outer product.
template <Emitter E>
Value<E> tensordot(E& e, Arg<E> a, Arg<E> b, std::int64_t count) {
  const MetaView left = e.meta(a);
  const MetaView right = e.meta(b);
  return internal::promoted_pair(e, internal::tensordot_op(left, right, count), a, b);
}

/// The same for typed tensors of one element type.
template <ConcreteEmitter E, Element T>
TypedTensor<T> tensordot(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b,
                         std::initializer_list<std::int64_t> lhs_axes, std::initializer_list<std::int64_t> rhs_axes) {
  return TypedTensor<T>(tensordot(e, TensorRead(a), TensorRead(b), lhs_axes, rhs_axes));
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> tensordot(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b, std::int64_t count) {
  return TypedTensor<T>(tensordot(e, TensorRead(a), TensorRead(b), count));
}

}  // namespace tenferro
