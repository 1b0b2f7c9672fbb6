// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Arithmetic rows of the catalog, one element at a time: integers wrap, floats follow IEEE 754.
// Zero divisors of integers are refused before a kernel starts; `invalid_divisor` is the test it uses.
//
// Example:
//     CHECK(scalar::add(std::int32_t{2147483647}, std::int32_t{1}) == std::numeric_limits<std::int32_t>::min());
//     CHECK(std::isnan(scalar::maximum(1.0, std::nan(""))) && scalar::invalid_divisor(0));

#include <cmath>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {

/// −x; the smallest integer is its own negative.
template <FloatScalar T>
TENFERRO_HD constexpr T neg(T x) {
  return -x;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T neg(T x) {
  return wrapping_sub(T{0}, x);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T neg(T z) {
  return T(-z.real(), -z.imag());
}

/// |x|; the smallest integer is its own absolute value. The complex one is in scalar_complex.hpp.
template <FloatScalar T>
TENFERRO_HD inline T abs(T x) {
  return std::fabs(x);
}
template <IntegerScalar T>
TENFERRO_HD constexpr T abs(T x) {
  return x < 0 ? neg(x) : x;
}

/// −1, 0 or 1 by the sign of x; zeros keep theirs and NaN stays NaN.
template <RealScalar T>
TENFERRO_HD constexpr T sign(T x) {
  return x > T{0} ? T{1} : (x < T{0} ? T{-1} : x);
}

/// x·x.
template <FloatScalar T>
TENFERRO_HD constexpr T square(T x) {
  return x * x;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T square(T x) {
  return wrapping_mul(x, x);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T square(T z) {
  return T((z.real() - z.imag()) * (z.real() + z.imag()), 2 * z.real() * z.imag());
}

/// The complex conjugate; a real number is its own.
template <RealScalar T>
TENFERRO_HD constexpr T conj(T x) {
  return x;
}
template <ComplexScalar T>
TENFERRO_HD constexpr T conj(T z) {
  return T(z.real(), -z.imag());
}

/// The real part, in the real dtype.
template <RealScalar T>
TENFERRO_HD constexpr T real(T x) {
  return x;
}
template <ComplexScalar T>
TENFERRO_HD constexpr typename T::value_type real(T z) {
  return z.real();
}

/// The imaginary part, in the real dtype; 0 for real numbers.
template <RealScalar T>
TENFERRO_HD constexpr T imag(T) {
  return T{0};
}
template <ComplexScalar T>
TENFERRO_HD constexpr typename T::value_type imag(T z) {
  return z.imag();
}

/// x + y.
template <FloatScalar T>
TENFERRO_HD constexpr T add(T x, T y) {
  return x + y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T add(T x, T y) {
  return wrapping_add(x, y);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T add(T x, T y) {
  return T(x.real() + y.real(), x.imag() + y.imag());
}

/// x − y.
template <FloatScalar T>
TENFERRO_HD constexpr T sub(T x, T y) {
  return x - y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T sub(T x, T y) {
  return wrapping_sub(x, y);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T sub(T x, T y) {
  return T(x.real() - y.real(), x.imag() - y.imag());
}

/// x·y. The complex product is the textbook one: an infinite operand may leave one part NaN beside an infinite one.
template <FloatScalar T>
TENFERRO_HD constexpr T mul(T x, T y) {
  return x * y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T mul(T x, T y) {
  return wrapping_mul(x, y);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T mul(T x, T y) {
  return T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
}

/// True where `div`, `rem` and `floor_mod` of integers have no answer.
template <IntegerScalar T>
TENFERRO_HD constexpr bool invalid_divisor(T y) {
  return y == 0;
}

/// x / y; integers truncate toward zero, smallest / −1 wraps, y must not be 0.
template <FloatScalar T>
TENFERRO_HD constexpr T div(T x, T y) {
  return x / y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T div(T x, T y) {
  return y == -1 ? neg(x) : x / y;
}

/// The remainder with the sign of x: C `fmod`, exact. Integers: y must not be 0, smallest % −1 is 0.
template <FloatScalar T>
TENFERRO_HD inline T rem(T x, T y) {
  return std::fmod(x, y);
}
template <IntegerScalar T>
TENFERRO_HD constexpr T rem(T x, T y) {
  return y == -1 ? T{0} : x % y;
}

/// The remainder with the sign of y, also where it is zero. A finite x over an infinite y of the other sign is y.
template <FloatScalar T>
TENFERRO_HD inline T floor_mod(T x, T y) {
  const T r = std::fmod(x, y);
  if (r == T{0}) return std::copysign(r, y);
  return (r < T{0}) != (y < T{0}) ? r + y : r;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T floor_mod(T x, T y) {
  const T r = rem(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

/// The larger operand, NaN if either is NaN. Which of two zeros comes out is not promised.
template <FloatScalar T>
TENFERRO_HD constexpr T maximum(T x, T y) {
  return ((x > y) | (x != x)) ? x : y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T maximum(T x, T y) {
  return x > y ? x : y;
}

/// The smaller operand, NaN if either is NaN. Which of two zeros comes out is not promised.
template <FloatScalar T>
TENFERRO_HD constexpr T minimum(T x, T y) {
  return ((x < y) | (x != x)) ? x : y;
}
template <IntegerScalar T>
TENFERRO_HD constexpr T minimum(T x, T y) {
  return x < y ? x : y;
}

/// min(max(x, lo), hi): hi wins where lo > hi, and a NaN among the three comes out.
template <RealScalar T>
TENFERRO_HD constexpr T clamp(T x, T lo, T hi) {
  return minimum(maximum(x, lo), hi);
}

/// x·y + z, rounded once for real numbers; complex numbers round each step.
template <FloatScalar T>
TENFERRO_HD inline T fma(T x, T y, T z) {
  return std::fma(x, y, z);
}
template <ComplexScalar T>
TENFERRO_HD constexpr T fma(T x, T y, T z) {
  return add(mul(x, y), z);
}

}  // namespace tenferro::scalar
