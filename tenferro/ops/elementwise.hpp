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

// Arithmetic and rounding.
//
// Example (session):
//     auto value = [](const Tensor& y) { return y.at<double>({}); };
//     Tensor x = Tensor::scalar(-2.5), two = Tensor::scalar(2.0);
//     CHECK(value(neg(session, x)) == 2.5 && value(abs(session, x)) == 2.5 && value(sign(session, x)) == -1);
//     CHECK(value(square(session, x)) == 6.25 && value(reciprocal(session, two)) == 0.5);
//     CHECK(value(sub(session, x, two)) == -4.5 && value(mul(session, x, two)) == -5);
//     CHECK(value(div(session, x, two)) == -1.25);
//     CHECK(value(rem(session, x, two)) == -0.5 && value(floor_mod(session, x, two)) == 1.5);
//     CHECK(value(maximum(session, x, two)) == 2 && value(minimum(session, x, 0)) == -2.5);
//     CHECK(value(copysign(session, two, x)) == -2);
//     CHECK(value(floor(session, x)) == -3 && value(ceil(session, x)) == -2);
//     CHECK(value(round(session, x)) == -2 && value(trunc(session, x)) == -2);           // ties to even
//     CHECK(value(clamp(session, x, -1, 1)) == -1 && value(fma(session, x, two, two)) == -3);

// Exponentials, logarithms and roots.
//
// Example (session):
//     auto is = [](const Tensor& y, double v) { return std::abs(y.at<double>({}) - v) <= 1e-15 * std::abs(v); };
//     auto of = [](double v) { return Tensor::scalar(v); };
//     CHECK(is(exp(session, of(0)), 1) && is(exp2(session, of(3)), 8) && is(expm1(session, of(1e-20)), 1e-20));
//     CHECK(is(log(session, of(1)), 0) && is(log2(session, of(8)), 3) && is(log10(session, of(1000)), 3));
//     CHECK(is(log1p(session, of(1e-20)), 1e-20) && is(pow(session, of(2), 10), 1024));
//     CHECK(is(sqrt(session, of(9)), 3) && is(rsqrt(session, of(4)), 0.5) && is(cbrt(session, of(-27)), -3));
//     CHECK(is(hypot(session, of(3), 4), 5));

// Trigonometric and hyperbolic functions and their inverses; special functions.
//
// Example (session):
//     auto is = [](const Tensor& y, double v) { return std::abs(y.at<double>({}) - v) < 1e-14; };
//     auto of = [](double v) { return Tensor::scalar(v); };
//     const double pi = 3.14159265358979323846, log_two = 0.69314718055994530942;
//     CHECK(is(sin(session, of(pi / 6)), 0.5) && is(cos(session, of(pi / 3)), 0.5) && is(tan(session, of(pi / 4)), 1));
//     CHECK(is(asin(session, of(1)), pi / 2) && is(acos(session, of(-1)), pi) && is(atan(session, of(1)), pi / 4));
//     CHECK(is(atan2(session, of(1), -1), 3 * pi / 4));
//     CHECK(is(sinh(session, of(log_two)), 0.75) && is(cosh(session, of(log_two)), 1.25));
//     CHECK(is(tanh(session, of(log_two)), 0.6) && is(asinh(session, of(0.75)), log_two));
//     CHECK(is(acosh(session, of(1.25)), log_two) && is(atanh(session, of(0.6)), log_two));
//     CHECK(is(erf(session, of(0)), 0) && is(erfc(session, of(0)), 1));
//     CHECK(is(erfinv(session, erf(session, of(0.5))), 0.5));
//     CHECK(is(lgamma(session, of(5)), std::log(24)) && is(digamma(session, of(1)), -0.57721566490153286));

// Complex numbers.
//
// Example (session):
//     using Complex = std::complex<double>;
//     Tensor z = make_complex(session, Tensor::scalar(3.0), Tensor::scalar(-4.0));
//     CHECK(z.item() == Scalar(Complex(3, -4)) && conj(session, z).item() == Scalar(Complex(3, 4)));
//     CHECK(real(session, z).item() == Scalar(3.0) && imag(session, z).item() == Scalar(-4.0));
//     CHECK(abs(session, z).item() == Scalar(5.0));
//     CHECK(arg(session, Tensor::scalar(Complex(0, 2))).item() == Scalar(1.57079632679489661923));

// Comparisons, masks, bits.
//
// Example (session):
//     auto bits = [](const Tensor& y) { return row_major_values<bool>(y); };
//     using Bits = std::vector<bool>;
//     Tensor x = Tensor::vector({1., 2., HUGE_VAL, 0. * HUGE_VAL});
//     CHECK(bits(eq(session, x, 2)) == Bits{false, true, false, false});
//     CHECK(bits(ne(session, x, 2)) == Bits{true, false, true, true});
//     CHECK(bits(lt(session, x, 2)) == Bits{true, false, false, false});
//     CHECK(bits(le(session, x, 2)) == Bits{true, true, false, false});
//     CHECK(bits(gt(session, x, 2)) == Bits{false, false, true, false});
//     CHECK(bits(ge(session, x, 2)) == Bits{false, true, true, false});
//     CHECK(bits(is_finite(session, x)) == Bits{true, true, false, false});
//     CHECK(bits(is_inf(session, x)) == Bits{false, false, true, false});
//     Tensor nan = is_nan(session, x);
//     CHECK(where_select(session, nan, Tensor::scalar(0.0), x).at<double>({3}) == 0);     // NaN replaced
//     CHECK(select(session, logical_not(session, nan), x, -1.0).at<double>({3}) == -1);
//     Tensor a = Tensor::vector({true, true, false}), b = Tensor::vector({true, false, false});
//     CHECK(bits(logical_and(session, a, b)) == Bits{true, false, false});
//     CHECK(bits(logical_or(session, a, b)) == Bits{true, true, false});
//     CHECK(bits(logical_xor(session, a, b)) == Bits{false, true, false});
//     auto value = [](const Tensor& y) { return y.at<std::int32_t>({}); };
//     Tensor n = Tensor::scalar(std::int32_t{12});
//     CHECK(value(bit_and(session, n, 10)) == 8 && value(bit_or(session, n, 10)) == 14);
//     CHECK(value(bit_xor(session, n, 10)) == 6);
//     CHECK(value(bit_not(session, n)) == -13 && value(popcount(session, n)) == 2);
//     CHECK(value(shift_left(session, n, 1)) == 24 && value(shift_right(session, n, 2)) == 3);

// Into the caller's memory.
//
// Example (session):
//     Tensor x = Tensor::vector({-1., 4.}), y = Tensor::zeros<double>(2), mask = Tensor::vector({true, false});
//     sqrt_into(session, y.mutable_view({range(1, 2)}), x.view({range(1, 2)}));
//     CHECK(y.at<double>({1}) == 2);
//     select_into(session, y, mask, x, y);                     // an operand may be the result
//     CHECK(y.at<double>({0}) == -1 && y.at<double>({1}) == 2);
//     clamp_into(session, y, y, Tensor::scalar(0.0), Tensor::scalar(1.0));
//     fma_into(session, y, x, x, y);                           // x² + y
//     CHECK(y.at<double>({0}) == 1 && y.at<double>({1}) == 17);

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
    internal::into<E, 2>(e, plain_op(OpKind::name), out, {a, b}, 0);                                  \
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
template <ConcreteEmitter E, Element T>
TypedTensor<T> select(E& e, const TypedTensor<bool>& mask, const TypedTensor<T>& b, const Scalar& c) {
  return TypedTensor<T>(select(e, TensorRead(mask), TensorRead(b), c));
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> select(E& e, const TypedTensor<bool>& mask, const Scalar& b, const TypedTensor<T>& c) {
  return TypedTensor<T>(select(e, TensorRead(mask), b, TensorRead(c)));
}
template <ConcreteEmitter E, Element M, Element T, Element U>
  requires(!std::same_as<M, bool> || !std::same_as<T, U>)
void select(E& e, const TypedTensor<M>& mask, const TypedTensor<T>& b, const TypedTensor<U>& c) = delete;
template <IntoEmitter E>
void select_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> mask, Arg<E> b, Arg<E> c) {
  internal::into<E, 3>(e, plain_op(OpKind::select), out, {mask, b, c}, 1);
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
TENFERRO_TYPED(TypedTensor, clamp, (low, high), const Scalar& low, const Scalar& high)
template <ConcreteEmitter E, Element T, Element U, Element V>
  requires(!std::same_as<T, U> || !std::same_as<T, V>)
void clamp(E& e, const TypedTensor<T>& x, const TypedTensor<U>& low, const TypedTensor<V>& high) = delete;
template <IntoEmitter E>
void clamp_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> x, Arg<E> low, Arg<E> high) {
  internal::into<E, 3>(e, plain_op(OpKind::clamp), out, {x, low, high}, 0);
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
  internal::into<E, 3>(e, plain_op(OpKind::fma), out, {a, b, c}, 0);
}

}  // namespace tenferro
