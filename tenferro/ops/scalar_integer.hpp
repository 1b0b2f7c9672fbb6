// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Rows that only integers have, and the integer power. Arguments without an answer (a negative exponent, a shift
// outside the width) are refused before a kernel starts; the `invalid_*` tests say which those are.
//
// Example:
//     CHECK(scalar::pow(std::int64_t{3}, std::int64_t{39}) == 4052555153018976267);
//     CHECK(scalar::shift_right(std::int32_t{-8}, std::int32_t{1}) == -4);
//     CHECK(scalar::invalid_exponent(-1) && scalar::invalid_shift(32) && !scalar::invalid_shift(31));

#include <bit>
#include <limits>
#include <type_traits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {

/// True where an integer power has no answer.
template <IntegerScalar T>
TENFERRO_HD constexpr bool invalid_exponent(T y) {
  return y < 0;
}

/// True where a shift amount is outside [0, width).
template <IntegerScalar T>
TENFERRO_HD constexpr bool invalid_shift(T amount) {
  return amount < 0 || amount > std::numeric_limits<T>::digits;
}

/// x to the power y ≥ 0 by repeated squaring, wrapping; 0 to the 0 is 1. At most 2·63 products.
template <IntegerScalar T>
TENFERRO_HD constexpr T pow(T x, T y) {
  T result{1};
  for (T bits = y; bits > 0; bits = static_cast<T>(bits >> 1)) {
    if ((bits & 1) != 0) result = wrapping_mul(result, x);
    x = wrapping_mul(x, x);
  }
  return result;
}

/// All bits inverted.
template <IntegerScalar T>
TENFERRO_HD constexpr T bit_not(T x) {
  return ~x;
}

/// The number of one bits, in x's own dtype.
template <IntegerScalar T>
TENFERRO_HD constexpr T popcount(T x) {
  return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
}

/// Bit by bit: and, or, exclusive or.
template <IntegerScalar T>
TENFERRO_HD constexpr T bit_and(T x, T y) {
  return x & y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T bit_or(T x, T y) {
  return x | y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T bit_xor(T x, T y) {
  return x ^ y;
}

/// x moved left by `amount` in [0, width); zeros come in, high bits are lost.
template <IntegerScalar T>
TENFERRO_HD constexpr T shift_left(T x, T amount) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << amount);
}

/// x moved right by `amount` in [0, width); copies of the sign bit come in.
template <IntegerScalar T>
TENFERRO_HD constexpr T shift_right(T x, T amount) {
  return static_cast<T>(x >> amount);
}

}  // namespace tenferro::scalar
