// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The element-by-element vocabulary: one function per catalog row, named as the row; see docs/reference/ops.md.
//
// Example (session):
//     Tensor x = Tensor::zeros(DType::f32, {2, 3});
//     Tensor y = add(session, exp(session, x), 1.0);                     // any view, any strides
//     CHECK(y.dtype() == DType::f32 && y.at<float>({1, 2}) == 2.0F);     // a number takes the dtype beside it
//     mul_into(session, y, y, 2.0);                                      // doubled in place
//     CHECK(y.at<float>({0, 0}) == 4.0F);
//     auto a = TypedTensor<double>::from_col_major({2}, {1, 5});
//     TypedTensor<bool> big = gt(session, a, 2);
//     CHECK(!big(0) && big(1));
//
// Dynamic operands are promoted by the lattice and stretched by NumPy's rule; typed ones must have one element type.
// A number keeps the dtype of the tensor beside it, and must fit it. Cost: one pass, one result from the pool; the
// forms that end in _into write the caller's tensor or view, which may be an operand itself. Throws OpError.

#include "tenferro/ops/broadcast.hpp"
#include "tenferro/ops/internal/typed.hpp"

namespace tenferro {

#define TENFERRO_UNARY(name, ...)                                                     \
  template <Emitter E>                                                                \
  Value<E> name(E& e, Arg<E> x) {                                                     \
    return bind1(e, plain_op(OpKind::name), x);                                       \
  }                                                                                   \
  template <ConcreteEmitter E, Element T>                                             \
  internal::RowTensor<OpKind::name, T> name(E& e, const TypedTensor<T>& x) {          \
    return internal::RowTensor<OpKind::name, T>(bind1(e, plain_op(OpKind::name), x)); \
  }                                                                                   \
  template <IntoEmitter E>                                                            \
  void name##_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> x) {    \
    e.bind_into(plain_op(OpKind::name), std::span(&x, 1), std::span(&out, 1));        \
  }
#define TENFERRO_BINARY(name, ...)                                                                    \
  template <Emitter E>                                                                                \
  Value<E> name(E& e, Arg<E> a, Arg<E> b) {                                                           \
    return internal::binary(e, OpKind::name, a, b);                                                   \
  }                                                                                                   \
  template <Emitter E>                                                                                \
  Value<E> name(E& e, Arg<E> a, const Scalar& b) {                                                    \
    return internal::binary_number(e, OpKind::name, a, b, 1);                                         \
  }                                                                                                   \
  template <Emitter E>                                                                                \
  Value<E> name(E& e, const Scalar& a, Arg<E> b) {                                                    \
    return internal::binary_number(e, OpKind::name, b, a, 0);                                         \
  }                                                                                                   \
  template <ConcreteEmitter E, Element T>                                                             \
  internal::RowTensor<OpKind::name, T> name(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b) { \
    return internal::RowTensor<OpKind::name, T>(internal::binary(e, OpKind::name, a, b));             \
  }                                                                                                   \
  template <ConcreteEmitter E, Element T>                                                             \
  internal::RowTensor<OpKind::name, T> name(E& e, const TypedTensor<T>& a, const Scalar& b) {         \
    return internal::RowTensor<OpKind::name, T>(internal::binary_number(e, OpKind::name, a, b, 1));   \
  }                                                                                                   \
  template <ConcreteEmitter E, Element T>                                                             \
  internal::RowTensor<OpKind::name, T> name(E& e, const Scalar& a, const TypedTensor<T>& b) {         \
    return internal::RowTensor<OpKind::name, T>(internal::binary_number(e, OpKind::name, b, a, 0));   \
  }                                                                                                   \
  template <ConcreteEmitter E, Element T, Element U>                                                  \
    requires(!std::same_as<T, U>)                                                                     \
  void name(E& e, const TypedTensor<T>& a, const TypedTensor<U>& b) = delete;                         \
  template <IntoEmitter E>                                                                            \
  void name##_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b) {          \
    internal::mixed_into<E, 2>(e, plain_op(OpKind::name), out, {a, b}, 0);                            \
  }                                                                                                   \
  template <IntoEmitter E>                                                                            \
  void name##_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, const Scalar& b) {   \
    internal::binary_number_into(e, OpKind::name, out, a, b, 1);                                      \
  }                                                                                                   \
  template <IntoEmitter E>                                                                            \
  void name##_into(E& e, std::type_identity_t<const TensorWrite&> out, const Scalar& a, Arg<E> b) {   \
    internal::binary_number_into(e, OpKind::name, out, b, a, 0);                                      \
  }
#include "tenferro/ops/core_ops.def"

/// b where the mask a is true, else c; b and c are promoted, all three are stretched. An element that is not chosen has
/// no influence, NaN or not.
template <Emitter E>
Value<E> select(E& e, Arg<E> mask, Arg<E> b, Arg<E> c) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::select), {mask, b, c}, 1);
}
template <Emitter E>
Value<E> select(E& e, Arg<E> mask, Arg<E> b, const Scalar& c) {
  const internal::ScalarOperand<E> number(e, internal::weak_scalar("select", c, e.meta(b).dtype));
  return select(e, mask, b, number.operand());
}
template <Emitter E>
Value<E> select(E& e, Arg<E> mask, const Scalar& b, Arg<E> c) {
  const internal::ScalarOperand<E> number(e, internal::weak_scalar("select", b, e.meta(c).dtype));
  return select(e, mask, number.operand(), c);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> select(E& e, const TypedTensor<bool>& mask, const TypedTensor<T>& b, const TypedTensor<T>& c) {
  return TypedTensor<T>(internal::bind_mixed<E, 3>(e, plain_op(OpKind::select), {mask, b, c}, 1));
}
template <ConcreteEmitter E, Element M, Element T, Element U>
  requires(!std::same_as<M, bool> || !std::same_as<T, U>)
void select(E& e, const TypedTensor<M>& mask, const TypedTensor<T>& b, const TypedTensor<U>& c) = delete;
template <IntoEmitter E>
void select_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> mask, Arg<E> b, Arg<E> c) {
  internal::mixed_into<E, 3>(e, plain_op(OpKind::select), out, {mask, b, c}, 1);
}

/// b where the mask a is true, else c: select under NumPy's name.
template <Emitter E>
Value<E> where_select(E& e, Arg<E> mask, Arg<E> b, Arg<E> c) {
  return select(e, mask, b, c);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> where_select(E& e, const TypedTensor<bool>& mask, const TypedTensor<T>& b, const TypedTensor<T>& c) {
  return select(e, mask, b, c);
}
template <ConcreteEmitter E, Element M, Element T, Element U>
  requires(!std::same_as<M, bool> || !std::same_as<T, U>)
void where_select(E& e, const TypedTensor<M>& mask, const TypedTensor<T>& b, const TypedTensor<U>& c) = delete;

/// min(max(x, low), high), stretched and promoted; NaN if any of the three is.
template <Emitter E>
Value<E> clamp(E& e, Arg<E> x, Arg<E> low, Arg<E> high) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::clamp), {x, low, high}, 0);
}
template <Emitter E>
Value<E> clamp(E& e, Arg<E> x, const Scalar& low, const Scalar& high) {
  const DType dtype = e.meta(x).dtype;
  const internal::ScalarOperand<E> least(e, internal::weak_scalar("clamp", low, dtype));
  const internal::ScalarOperand<E> most(e, internal::weak_scalar("clamp", high, dtype));
  return clamp(e, x, least.operand(), most.operand());
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> clamp(E& e, const TypedTensor<T>& x, const TypedTensor<T>& low, const TypedTensor<T>& high) {
  return internal::RowTensor<OpKind::clamp, T>(
      internal::bind_mixed<E, 3>(e, plain_op(OpKind::clamp), {x, low, high}, 0));
}
template <ConcreteEmitter E, Element T, Element U, Element V>
  requires(!std::same_as<T, U> || !std::same_as<T, V>)
void clamp(E& e, const TypedTensor<T>& x, const TypedTensor<U>& low, const TypedTensor<V>& high) = delete;
template <IntoEmitter E>
void clamp_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> x, Arg<E> low, Arg<E> high) {
  internal::mixed_into<E, 3>(e, plain_op(OpKind::clamp), out, {x, low, high}, 0);
}

/// a·b + c, rounded once for real dtypes; stretched and promoted.
template <Emitter E>
Value<E> fma(E& e, Arg<E> a, Arg<E> b, Arg<E> c) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::fma), {a, b, c}, 0);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> fma(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b, const TypedTensor<T>& c) {
  return internal::RowTensor<OpKind::fma, T>(internal::bind_mixed<E, 3>(e, plain_op(OpKind::fma), {a, b, c}, 0));
}
template <ConcreteEmitter E, Element T, Element U, Element V>
  requires(!std::same_as<T, U> || !std::same_as<T, V>)
void fma(E& e, const TypedTensor<T>& a, const TypedTensor<U>& b, const TypedTensor<V>& c) = delete;
template <IntoEmitter E>
void fma_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b, Arg<E> c) {
  internal::mixed_into<E, 3>(e, plain_op(OpKind::fma), out, {a, b, c}, 0);
}

}  // namespace tenferro
