// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Random numbers as functions of a key: the same key gives the same numbers, so a key is used once. Keys are i64
// tensors of shape [2].
//
//   auto keys = random_split(session, random_key(session, 42), 2);
//   Tensor w = normal(session, keys[0], {64, 64});
//   Tensor p = permutation(session, keys[1], 100);
//
// Bits, uniform and normal numbers are the same bits on every backend and for any number of threads. Throws OpError.

#include <vector>

#include "tenferro/ops/arrangement.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {

namespace internal {
Op key_op(std::int64_t seed);
/// Separates the stream from which keys are split from that of numbers.
Op split_tag_op();
Op random_bits_op(const Shape& shape, DType dtype);
/// The largest value below `high`, in a float dtype, at least `low`. Throws OpError (BadArgument) unless low < high,
/// both finite.
Scalar below(double low, double high, DType dtype);

/// Number of elements. Throws OpError (InvalidShape, ShapeOverflow).
std::int64_t random_count(const Shape& shape);

/// 2·artanh(s)/s, sin(x)/x and cos(x) as polynomials in s² and x²: as many terms as f64 needs for s² ≤ 0.0295 and
/// |x| ≤ π/4.
inline constexpr double kLogSeries[] = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9, 2.0 / 11,
                                        2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
inline constexpr double kSineSeries[] = {1.0,          -1.0 / 6,        1.0 / 120,        -1.0 / 5040,
                                         1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
inline constexpr double kCosineSeries[] = {1.0,
                                           -0.5,
                                           1.0 / 24,
                                           -1.0 / 720,
                                           1.0 / 40320,
                                           -1.0 / 3628800,
                                           1.0 / 479001600,
                                           -1.0 / 87178291200,
                                           1.0 / 20922789888000};

/// Random bits as a whole number of the float dtype: 24 for f32, `width` for f64.
template <Emitter E>
Value<E> whole_bits(E& e, const typename E::Operand& key, const Shape& shape, DType dtype, int width = 53);
/// The pair of standard normal numbers that an [h, 2] array of i64 bits gives: [h, 2] in f64.
template <Emitter E>
Value<E> normal_pairs(E& e, const typename E::Operand& bits);
}  // namespace internal

/// A key from a seed.
template <Emitter E>
Value<E> random_key(E& e, std::int64_t seed) {
  return bind1(e, internal::key_op(seed));
}

/// n keys from one; the given key is then used up.
template <Emitter E>
std::vector<Value<E>> random_split(E& e, Arg<E> key, std::int64_t n = 2) {
  const Value<E> tagged = bit_xor(e, key, bind1(e, internal::split_tag_op()));
  std::vector<Value<E>> keys =
      split(e, bind1(e, internal::random_bits_op({2, n}, DType::i64), tagged), std::max<std::int64_t>(n, 1), 1);
  for (Value<E>& child : keys) child = reshape(e, std::move(child), {2});
  return keys;
}

/// Bits of Philox 4x32-10 (Salmon et al. 2011), i32 or i64.
template <Emitter E>
Value<E> random_bits(E& e, Arg<E> key, const Shape& shape, DType dtype = DType::i64) {
  return bind1(e, internal::random_bits_op(shape, dtype), key);
}

/// Uniform floats in [low, high): multiples of 2⁻⁵³ (f64) or 2⁻²⁴ (f32), scaled.
template <Emitter E>
Value<E> uniform(E& e, Arg<E> key, const Shape& shape, DType dtype = DType::f64, double low = 0.0, double high = 1.0) {
  internal::require_dtype("uniform", dtype, DTypeRule::flt, -1);
  const Scalar most = internal::below(low, high, dtype);
  const double step = dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
  Value<E> unit = mul(e, internal::whole_bits(e, key, shape, dtype), step);
  if (low == 0.0 && high == 1.0) return unit;
  // Rounding may reach the excluded end.
  return minimum(e, add(e, mul(e, unit, high - low), low), most);
}

/// Standard normal numbers, for complex dtypes with parts of variance ½. Box and Muller's transform (1958) of 106 bits
/// a pair, by sums, products, quotients and square roots alone, which every backend rounds alike.
template <Emitter E>
Value<E> normal(E& e, Arg<E> key, const Shape& shape, DType dtype = DType::f64) {
  internal::require_dtype("normal", dtype, DTypeRule::inx, -1);
  if (is_complex(dtype)) {
    const std::vector<Value<E>> keys = random_split(e, key, 2);
    const DType part = real_part(dtype);
    const Value<E> z = make_complex(e, normal(e, keys[0], shape, part), normal(e, keys[1], shape, part));
    return mul(e, z, 0.70710678118654752440);
  }
  const std::int64_t count = internal::random_count(shape);
  const Value<E> bits = random_bits(e, key, {(count + 1) / 2, 2});
  Value<E> numbers = flatten(e, internal::normal_pairs<E>(e, bits));
  Value<E> asked = count % 2 == 0 ? std::move(numbers) : slice_axis(e, numbers, 0, 0, count);
  if (dtype == DType::f32) asked = cast(e, asked, DType::f32);
  return reshape(e, std::move(asked), shape);
}

/// True with probability p.
template <Emitter E>
Value<E> bernoulli(E& e, Arg<E> key, double p, const Shape& shape) {
  return lt(e, uniform(e, key, shape), p);
}
/// One draw for each element of p, which holds floats.
template <Emitter E>
Value<E> bernoulli(E& e, Arg<E> key, Arg<E> p) {
  internal::require_dtype("bernoulli", e.meta(p).dtype, DTypeRule::flt, 1);
  return lt(e, uniform(e, key, Shape(e.meta(p).shape)), p);
}

/// One position (i64) for each slice along an axis, with probability softmax(logits): the largest of the logits plus
/// Gumbel noise. −inf is never drawn unless nothing else is there.
template <Emitter E>
Value<E> categorical(E& e, Arg<E> key, Arg<E> logits, std::int64_t axis = -1) {
  const MetaView meta = e.meta(logits);
  internal::require_dtype("categorical", meta.dtype, DTypeRule::flt, 1);
  // Halves off the ends, so that both logarithms are finite.
  const Value<E> u = mul(e, add(e, internal::whole_bits(e, key, Shape(meta.shape), DType::f64, 52), 0.5), 0x1p-52);
  const Value<E> noise = neg(e, log(e, neg(e, log(e, u))));
  return argmax(e, add(e, logits, noise), axis);
}

/// 0 … n−1 (i64) in random order.
template <Emitter E>
Value<E> permutation(E& e, Arg<E> key, std::int64_t n) {
  return argsort(e, random_bits(e, key, {n}), 0);
}

namespace internal {

template <Emitter E>
Value<E> whole_bits(E& e, const typename E::Operand& key, const Shape& shape, DType dtype, int width) {
  if (dtype == DType::f32) {
    const Value<E> bits = random_bits(e, key, shape, DType::i32);
    return cast(e, bit_and(e, shift_right(e, bits, 8), (std::int32_t{1} << 24) - 1), DType::f32);
  }
  const Value<E> bits = random_bits(e, key, shape, DType::i64);
  return convert(e, bit_and(e, shift_right(e, bits, 64 - width), (std::int64_t{1} << width) - 1), DType::f64);
}

/// Σ coefficients[k]·x^k by Horner's rule, without fused operations.
template <Emitter E>
Value<E> polynomial(E& e, const typename E::Operand& x, std::span<const double> coefficients) {
  Value<E> sum = mul(e, x, coefficients.back());
  for (std::size_t k = coefficients.size() - 2; k > 0; --k) {
    sum = mul(e, add(e, sum, coefficients[k]), x);
  }
  return add(e, sum, coefficients[0]);
}

/// −log(v·2⁻⁵³) for whole v in [1, 2⁵³].
template <Emitter E>
Value<E> exponential_variate(E& e, const typename E::Operand& v) {
  Value<E> smeared = bit_or(e, v, shift_right(e, v, 1));
  for (const int step : {2, 4, 8, 16, 32}) smeared = bit_or(e, smeared, shift_right(e, smeared, step));
  const Value<E> exponent = sub(e, popcount(e, smeared), 1);
  const Value<E> mantissa = mul(e, convert(e, shift_left(e, v, sub(e, 53, exponent)), DType::f64), 0x1p-53);
  // Halved above √2, so that the series of log around 1 converges fast.
  const Value<E> large = gt(e, mantissa, 1.41421356237309504880);
  const Value<E> m = select(e, large, mul(e, mantissa, 0.5), mantissa);
  const Value<E> power = add(e, convert(e, exponent, DType::f64), convert(e, large, DType::f64));
  const Value<E> s = div(e, sub(e, m, 1.0), add(e, m, 1.0));
  const Value<E> log_m = mul(e, s, polynomial(e, square(e, s), kLogSeries));
  return sub(e, mul(e, sub(e, 53.0, power), 0.69314718055994530942), log_m);
}

template <Emitter E>
Value<E> normal_pairs(E& e, const typename E::Operand& bits) {
  const auto first = part(e, bits, 1, 0, 1);
  const auto second = part(e, bits, 1, 1, 2);
  const Value<E> v = add(e, bit_and(e, shift_right(e, first, 11), (std::int64_t{1} << 53) - 1), 1);
  const Value<E> radius = sqrt(e, mul(e, exponential_variate<E>(e, v), 2.0));
  // An angle in [−π/4, π/4) from 53 bits; two more bits reflect it and exchange its parts, over the whole circle.
  const Value<E> turn = convert(e, bit_and(e, shift_right(e, second, 2), (std::int64_t{1} << 53) - 1), DType::f64);
  const Value<E> angle = mul(e, sub(e, mul(e, turn, 0x1p-53), 0.5), 1.57079632679489661923);
  const Value<E> squared = square(e, angle);
  const Value<E> sine = mul(e, angle, polynomial(e, squared, kSineSeries));
  const Value<E> cosine = polynomial(e, squared, kCosineSeries);
  const Value<E> reflected = select(e, eq(e, bit_and(e, second, 1), 0), cosine, neg(e, cosine));
  const Value<E> straight = eq(e, bit_and(e, second, 2), 0);
  const Value<E> x = mul(e, radius, select(e, straight, reflected, sine));
  const Value<E> y = mul(e, radius, select(e, straight, sine, reflected));
  return concatenate(e, {x, y}, 1);
}

}  // namespace internal

}  // namespace tenferro
