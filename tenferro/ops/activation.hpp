// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Activations of floats, element by element, each by formulas that neither overflow nor cancel in the tails.
//
// Example (session):
//     Tensor x = Tensor::from_col_major<double>({2}, {-740, 0});
//     CHECK(sigmoid(session, x).at<double>({0}) > 0);          // exp(740) would overflow
//     CHECK(gelu(session, x).at<double>({1}) == 0);
//
// Example (session):
//     Tensor x = Tensor::vector({-740., 0., 3.});
//     CHECK(relu(session, x).at<double>({0}) == 0 && relu(session, x).at<double>({2}) == 3);
//     CHECK(elu(session, x, 0.5).at<double>({0}) == -0.5);     // alpha·(exp(x) − 1)
//     CHECK(silu(session, x).at<double>({1}) == 0 && gelu_tanh(session, x).at<double>({1}) == 0);
//     CHECK(std::abs(softplus(session, x).at<double>({1}) - 0.6931471805599453) < 1e-15);     // log 2
//
// NaN gives NaN. Throws OpError (UnsupportedDType for other dtypes).

#include <limits>

#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {

namespace internal {
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// y, but 0 where x is −inf: the limit of x·(something that falls faster than 1/x).
template <Emitter E>
Value<E> vanishing(E& e, const typename E::Operand& x, const typename E::Operand& y) {
  return select(e, eq(e, x, -kInfinity), 0.0, y);
}
}  // namespace internal

/// 1 / (1 + exp(−x)), to a few ulp in both tails: only exp(−|x|) is formed, which cannot overflow.
template <Emitter E>
Value<E> sigmoid(E& e, Arg<E> x) {
  internal::require_dtype("sigmoid", e.meta(x).dtype, DTypeRule::flt);
  const Value<E> decay = exp(e, neg(e, abs(e, x)));
  return div(e, select(e, lt(e, x, 0.0), decay, 1.0), add(e, decay, 1.0));
}
TENFERRO_TYPED(TypedTensor, sigmoid, ())

/// x·sigmoid(x); 0 at −inf.
template <Emitter E>
Value<E> silu(E& e, Arg<E> x) {
  internal::require_dtype("silu", e.meta(x).dtype, DTypeRule::flt);
  return internal::vanishing(e, x, mul(e, x, sigmoid(e, x)));
}
TENFERRO_TYPED(TypedTensor, silu, ())

/// log(1 + exp(x)).
template <Emitter E>
Value<E> softplus(E& e, Arg<E> x) {
  internal::require_dtype("softplus", e.meta(x).dtype, DTypeRule::flt);
  return add(e, maximum(e, x, 0.0), log1p(e, exp(e, neg(e, abs(e, x)))));
}
TENFERRO_TYPED(TypedTensor, softplus, ())

/// x·Φ(x), Φ being the normal distribution function; 0 at −inf.
template <Emitter E>
Value<E> gelu(E& e, Arg<E> x) {
  internal::require_dtype("gelu", e.meta(x).dtype, DTypeRule::flt);
  const Value<E> twice_phi = erfc(e, mul(e, x, -0.70710678118654752440));
  return internal::vanishing(e, x, mul(e, mul(e, x, 0.5), twice_phi));
}
TENFERRO_TYPED(TypedTensor, gelu, ())

/// gelu with Φ(x) approximated by sigmoid(2·√(2/π)·(x + 0.044715·x³)), which is (1 + tanh(…))/2 without cancellation
/// (Hendrycks and Gimpel 2016).
template <Emitter E>
Value<E> gelu_tanh(E& e, Arg<E> x) {
  internal::require_dtype("gelu_tanh", e.meta(x).dtype, DTypeRule::flt);
  const Value<E> stretched = mul(e, x, add(e, mul(e, square(e, x), 0.044715), 1.0));
  return internal::vanishing(e, x, mul(e, x, sigmoid(e, mul(e, stretched, 1.59576912160573071176))));
}
TENFERRO_TYPED(TypedTensor, gelu_tanh, ())

/// max(x, 0) of real numbers; its derivative at 0 is 0.
template <Emitter E>
Value<E> relu(E& e, Arg<E> x) {
  internal::require_dtype("relu", e.meta(x).dtype, DTypeRule::real);
  return select(e, le(e, x, 0), 0, x);
}
TENFERRO_TYPED(TypedTensor, relu, ())

/// x where positive, else alpha·(exp(x) − 1).
template <Emitter E>
Value<E> elu(E& e, Arg<E> x, double alpha = 1.0) {
  internal::require_dtype("elu", e.meta(x).dtype, DTypeRule::flt);
  return select(e, gt(e, x, 0.0), x, mul(e, expm1(e, minimum(e, x, 0.0)), alpha));
}
TENFERRO_TYPED(TypedTensor, elu, (alpha), double alpha = 1.0)

}  // namespace tenferro
