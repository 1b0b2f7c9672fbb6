// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Random numbers as functions of a key: the same key gives the same numbers, so a key is used once. Keys are i64
// tensors of shape [2].
//
// Example (session):
//     std::vector<Tensor> keys = random_split(session, random_key(session, 42), 2);
//     Tensor w = normal(session, keys[0], {64, 64});
//     Tensor again = normal(session, keys[0], {64, 64});
//     CHECK(w.at<double>({3, 5}) == again.at<double>({3, 5}));
//     CHECK(permutation(session, keys[1], 100).count() == 100);
//
// Example (session):
//     Tensor key = random_key(session, 7);
//     CHECK(random_bits(session, key, {3}, DType::i32).dtype() == DType::i32);
//     Tensor u = uniform(session, key, {100}, DType::f32, 2, 3);
//     CHECK(reduce_all(session, logical_and(session, ge(session, u, 2), lt(session, u, 3))).at<bool>({}));
//     CHECK(reduce_all(session, bernoulli(session, key, 1.0, {5})).at<bool>({}));
//     Tensor sure = Tensor::vector({-HUGE_VAL, 0., -HUGE_VAL});
//     CHECK(categorical(session, key, sure).item() == Scalar(std::int64_t{1}));
//
// Bits, uniform and normal numbers are the same bits on every backend and for any number of threads. Throws OpError.

#include <vector>

#include "tenferro/ops/arrangement.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/random_family.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {

namespace internal {
Op key_op(std::int64_t seed);
/// Separates the stream from which keys are split from that of numbers.
Op split_tag_op();
Op random_bits_op(const Shape& shape, DType dtype);
/// Bits for n keys. Throws OpError (BadArgument) unless n ≥ 1.
Op split_bits_op(std::int64_t n);
/// The largest value below `high`, in a float dtype, at least `low`. Throws OpError (BadArgument) unless low < high
/// and both and their difference are finite in that dtype.
Scalar below(double low, double high, DType dtype);
/// Throws OpError (BadArgument) unless 0 ≤ p ≤ 1.
void require_probability(double p);

/// Random bits as a whole number of the float dtype: 24 for f32, `width` for f64.
template <Emitter E>
Value<E> whole_bits(E& e, const typename E::Operand& key, const Shape& shape, DType dtype, int width = 53);
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
      on_behalf_of("random_split", [&] { return split(e, bind1(e, internal::split_bits_op(n), tagged), n, 1); });
  for (Value<E>& child : keys) child = reshape(e, std::move(child), {2});
  return keys;
}

/// Bits of Philox 4x32-10 (Salmon et al. 2011), i32 or i64.
template <Emitter E>
Value<E> random_bits(E& e, Arg<E> key, const Shape& shape, DType dtype = DType::i64) {
  return bind1(e, internal::random_bits_op(shape, dtype), key);
}

/// Uniform floats in [low, high): multiples of 2⁻⁵³ (f64) or 2⁻²⁴ (f32), scaled by high − low, which must be finite.
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

/// Standard normal numbers, one for each element of as many random bits (see normal_from_bits); complex ones have parts
/// of variance ½ each.
template <Emitter E>
Value<E> normal(E& e, Arg<E> key, const Shape& shape, DType dtype = DType::f64) {
  internal::require_dtype("normal", dtype, DTypeRule::inx, -1);
  if (is_complex(dtype)) {
    const std::vector<Value<E>> keys = random_split(e, key, 2);
    const DType part = real_part(dtype);
    const Value<E> z = make_complex(e, normal(e, keys[0], shape, part), normal(e, keys[1], shape, part));
    return mul(e, z, 0.70710678118654752440);
  }
  const Value<E> bits = random_bits(e, key, shape, dtype == DType::f32 ? DType::i32 : DType::i64);
  return bind1(e, family_op(kRandomFamily, RandomOp::normal_from_bits), bits);
}

/// True with probability p, which lies in [0, 1].
template <Emitter E>
Value<E> bernoulli(E& e, Arg<E> key, double p, const Shape& shape) {
  internal::require_probability(p);
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
  return on_behalf_of("permutation", [&] { return argsort(e, random_bits(e, key, {n}), 0); });
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

}  // namespace internal

}  // namespace tenferro
