// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Normalisation of floats over axes.
//
// Example (session):
//     Tensor x = Tensor::ones(DType::f64, {3, 5}), gain = Tensor::ones(DType::f64, {3});
//     Tensor y = layer_norm(session, x, 0, gain, gain);        // over axis 0, gain and offset of its extent
//     CHECK(y.at<double>({2, 4}) == 1);
//
// A gain or offset with as many axes as are normalised lies along those, in their order; any other stretches to x by
// NumPy's rule. Throws OpError.

#include "tenferro/ops/reduction.hpp"

namespace tenferro {

namespace internal {
/// The axes of extent 1 that a parameter over the normalised axes needs to lie along them.
AxisSet parameter_axes(std::string_view op, const MetaView& x, const MetaView& parameter, const Axes& axes);
}  // namespace internal

/// (x − mean) / √(variance + epsilon) over the axes.
template <Emitter E>
Value<E> layer_norm(E& e, Arg<E> x, const Axes& axes = -1, double epsilon = 1e-5) {
  internal::require_dtype("layer_norm", e.meta(x).dtype, DTypeRule::flt);
  const auto count = static_cast<double>(internal::reduced_count("layer_norm", e.meta(x).shape, axes));
  const Value<E> centred = sub(e, x, reduce_mean(e, x, axes, true));
  const Value<E> spread = div(e, reduce_sum_squares(e, centred, axes, true), count);
  return div(e, centred, sqrt(e, add(e, spread, epsilon)));
}
TENFERRO_TYPED(TypedTensor, layer_norm, (axes, epsilon), const Axes& axes = -1, double epsilon = 1e-5)
/// The same, times gain, plus offset.
template <Emitter E>
Value<E> layer_norm(E& e, Arg<E> x, const Axes& axes, Arg<E> gain, Arg<E> offset, double epsilon = 1e-5) {
  const auto factor =
      internal::unsqueezed(e, gain, internal::parameter_axes("layer_norm", e.meta(x), e.meta(gain), axes));
  const auto summand =
      internal::unsqueezed(e, offset, internal::parameter_axes("layer_norm", e.meta(x), e.meta(offset), axes));
  return add(e, mul(e, layer_norm(e, x, axes, epsilon), factor), summand);
}
TENFERRO_TYPED(TypedTensor, layer_norm, (axes, gain, offset, epsilon), const Axes& axes, Arg<E> gain, Arg<E> offset,
               double epsilon = 1e-5)

/// x / √(mean of x² + epsilon) over the axes.
///
/// Example (session):
///     Tensor x = Tensor::matrix({{3., 4.}, {5., 5.}});
///     Tensor y = rms_norm(session, x, -1, 0.0);                // rows of mean square 1
///     CHECK(y.at<double>({1, 0}) == 1 && std::abs(y.at<double>({0, 1}) - 4 / std::sqrt(12.5)) < 1e-15);
template <Emitter E>
Value<E> rms_norm(E& e, Arg<E> x, const Axes& axes = -1, double epsilon = 1e-5) {
  internal::require_dtype("rms_norm", e.meta(x).dtype, DTypeRule::flt);
  const auto count = static_cast<double>(internal::reduced_count("rms_norm", e.meta(x).shape, axes));
  const Value<E> mean_square = div(e, reduce_sum_squares(e, x, axes, true), count);
  return div(e, x, sqrt(e, add(e, mean_square, epsilon)));
}
TENFERRO_TYPED(TypedTensor, rms_norm, (axes, epsilon), const Axes& axes = -1, double epsilon = 1e-5)
/// The same, times gain.
template <Emitter E>
Value<E> rms_norm(E& e, Arg<E> x, const Axes& axes, Arg<E> gain, double epsilon = 1e-5) {
  const auto factor =
      internal::unsqueezed(e, gain, internal::parameter_axes("rms_norm", e.meta(x), e.meta(gain), axes));
  return mul(e, rms_norm(e, x, axes, epsilon), factor);
}
TENFERRO_TYPED(TypedTensor, rms_norm, (axes, gain, epsilon), const Axes& axes, Arg<E> gain, double epsilon = 1e-5)

}  // namespace tenferro
