// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Exponentials normalised along axes.
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 1.}, {-HUGE_VAL, -HUGE_VAL}});
//     Tensor p = softmax(session, x);                          // along the last axis
//     CHECK(p.at<double>({0, 1}) == 0.5 && p.at<double>({1, 1}) == 0);
//     Tensor mask = Tensor::from_col_major<bool>({2}, {true, false});
//     CHECK(masked_softmax(session, x, mask).at<double>({0, 0}) == 1);
//
// Example (session):
//     Tensor x = Tensor::vector({1000., 1000.}), mask = Tensor::vector({true, false});
//     CHECK(std::abs(log_softmax(session, x).at<double>({0}) + std::log(2)) < 1e-15);
//     CHECK(masked_log_softmax(session, x, mask).at<double>({0}) == 0);
//     CHECK(std::abs(logsumexp(session, x).at<double>({}) - (1000 + std::log(2))) < 1e-12);
//
// A slice in which nothing takes part, all −inf or masked out, gives softmax 0, log_softmax −inf and logsumexp −inf.
// What is masked out has no influence, NaN included. NaN or +inf in an element that takes part makes its whole slice
// NaN (logsumexp: +inf stays +inf). Floats only. Throws OpError.

#include "tenferro/ops/activation.hpp"
#include "tenferro/ops/creation.hpp"

namespace tenferro {

namespace internal {

/// x − max, in which −inf counts as 0 for the maximum; and Σ exp of that; both with the axes kept.
template <Emitter E>
struct Exponentials {
  Value<E> largest, shifted, powers, sum;
};

template <Emitter E>
Exponentials<E> exponentials(E& e, const typename E::Operand& x, const Axes& axes) {
  const Value<E> most = reduce_max(e, x, axes, true);
  Value<E> largest = select(e, eq(e, most, -kInfinity), 0.0, most);
  Value<E> shifted = sub(e, x, largest);
  Value<E> powers = exp(e, shifted);
  Value<E> sum = reduce_sum(e, powers, axes, true);
  return {std::move(largest), std::move(shifted), std::move(powers), std::move(sum)};
}

}  // namespace internal

/// exp(x) / Σ exp(x).
template <Emitter E>
Value<E> softmax(E& e, Arg<E> x, const Axes& axes = -1) {
  const MetaView meta = e.meta(x);
  internal::require_dtype("softmax", meta.dtype, DTypeRule::flt);
  if (internal::reduced_count("softmax", meta.shape, axes) == 0) return exp(e, x);
  const auto parts = internal::exponentials(e, x, axes);
  return div(e, parts.powers, select(e, eq(e, parts.sum, 0.0), 1.0, parts.sum));
}
TENFERRO_TYPED(TypedTensor, softmax, (axes), const Axes& axes = -1)

/// x − log Σ exp(x).
template <Emitter E>
Value<E> log_softmax(E& e, Arg<E> x, const Axes& axes = -1) {
  const MetaView meta = e.meta(x);
  internal::require_dtype("log_softmax", meta.dtype, DTypeRule::flt);
  if (internal::reduced_count("log_softmax", meta.shape, axes) == 0) return exp(e, x);
  const auto parts = internal::exponentials(e, x, axes);
  const Value<E> empty = eq(e, parts.sum, 0.0);
  const Value<E> normalised = sub(e, parts.shifted, log(e, select(e, empty, 1.0, parts.sum)));
  return select(e, empty, -internal::kInfinity, normalised);
}
TENFERRO_TYPED(TypedTensor, log_softmax, (axes), const Axes& axes = -1)

/// softmax over the elements where the mask, which is stretched, is true; 0 elsewhere.
template <Emitter E>
Value<E> masked_softmax(E& e, Arg<E> x, Arg<E> mask, const Axes& axes = -1) {
  internal::require_dtype("masked_softmax", e.meta(x).dtype, DTypeRule::flt);
  return softmax(e, select(e, mask, x, -internal::kInfinity), axes);
}
TENFERRO_TYPED(TypedTensor, masked_softmax, (mask, axes), Arg<E> mask, const Axes& axes = -1)

/// log_softmax over the elements where the mask, which is stretched, is true; −inf elsewhere.
template <Emitter E>
Value<E> masked_log_softmax(E& e, Arg<E> x, Arg<E> mask, const Axes& axes = -1) {
  internal::require_dtype("masked_log_softmax", e.meta(x).dtype, DTypeRule::flt);
  return log_softmax(e, select(e, mask, x, -internal::kInfinity), axes);
}
TENFERRO_TYPED(TypedTensor, masked_log_softmax, (mask, axes), Arg<E> mask, const Axes& axes = -1)

/// log Σ exp(x) without overflow; −inf over no elements.
template <Emitter E>
Value<E> logsumexp(E& e, Arg<E> x, const Axes& axes = std::nullopt, bool keep_dims = false) {
  const MetaView meta = e.meta(x);
  internal::require_dtype("logsumexp", meta.dtype, DTypeRule::flt);
  const Shape shape = internal::reduced_shape("logsumexp", meta.shape, axes, keep_dims);
  if (internal::reduced_count("logsumexp", meta.shape, axes) == 0) {
    return full(e, shape, internal::weak_scalar("logsumexp", -internal::kInfinity, meta.dtype));
  }
  // An infinite or NaN maximum decides alone, and must not meet itself in a difference.
  const Value<E> most = reduce_max(e, x, axes, true);
  const Value<E> largest = select(e, is_finite(e, most), most, 0.0);
  const Value<E> sum = reduce_sum(e, exp(e, sub(e, x, largest)), axes, true);
  return reshape(e, add(e, log(e, sum), largest), shape);
}
TENFERRO_TYPED(TypedTensor, logsumexp, (axes, keep_dims), const Axes& axes = std::nullopt, bool keep_dims = false)

}  // namespace tenferro
