// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Elementary functions of real numbers: the C library's, which stay within 2 units in the last place (erfc
// within 4, tanh 3). Outside a function's domain the answer is NaN; at a pole it is infinite.
//
// Example:
//     CHECK(scalar::rsqrt(0.25) == 2 && scalar::round(2.5) == 2);              // ties go to the even neighbour
//     CHECK(std::isnan(scalar::log(-1.0)));

#include <cmath>
#include <complex>
#include <numbers>

#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {

/// Exponentials and logarithms.
template <FloatScalar T>
TENFERRO_HD inline T exp(T x) {
  return std::exp(x);
}
template <FloatScalar T>
TENFERRO_HD inline T exp2(T x) {
  return std::exp2(x);
}
template <FloatScalar T>
TENFERRO_HD inline T expm1(T x) {
  return std::expm1(x);
}
template <FloatScalar T>
TENFERRO_HD inline T log(T x) {
  return std::log(x);
}
template <FloatScalar T>
TENFERRO_HD inline T log2(T x) {
  return std::log2(x);
}
template <FloatScalar T>
TENFERRO_HD inline T log10(T x) {
  return std::log10(x);
}
template <FloatScalar T>
TENFERRO_HD inline T log1p(T x) {
  return std::log1p(x);
}

/// Roots. The square root is correctly rounded; the reciprocal one of ±0 is ±∞.
template <FloatScalar T>
TENFERRO_HD inline T sqrt(T x) {
  return std::sqrt(x);
}
/// Within 1 unit in the last place, and exact for cubes: the C library's value after a step of Newton's method, whose
/// residual y³ − x keeps the rounding errors of both products. Outside 1e−280 … 1e300 within 4 units, without the step.
template <FloatScalar T>
TENFERRO_HD inline T cbrt(T x) {
  if constexpr (sizeof(T) == 4) {
    return static_cast<T>(std::cbrt(static_cast<double>(x)));
  } else {
    const T y = std::cbrt(x), size = std::abs(x);
    if (!(size > 1e-280 && size < 1e300)) return y;
    const T square = y * y, cube = square * y;
    const T residual = (cube - x) + (std::fma(square, y, -cube) + std::fma(y, y, -square) * y);
    return y - residual / (T{3} * square);
  }
}
template <FloatScalar T>
TENFERRO_HD inline T rsqrt(T x) {
  return T{1} / std::sqrt(x);
}

/// 1/x, correctly rounded.
template <FloatScalar T>
TENFERRO_HD constexpr T reciprocal(T x) {
  return T{1} / x;
}

/// Circular functions and their inverses; angles are in radians.
template <FloatScalar T>
TENFERRO_HD inline T sin(T x) {
  return std::sin(x);
}
template <FloatScalar T>
TENFERRO_HD inline T cos(T x) {
  return std::cos(x);
}
template <FloatScalar T>
TENFERRO_HD inline T tan(T x) {
  return std::tan(x);
}
template <FloatScalar T>
TENFERRO_HD inline T asin(T x) {
  return std::asin(x);
}
template <FloatScalar T>
TENFERRO_HD inline T acos(T x) {
  return std::acos(x);
}
template <FloatScalar T>
TENFERRO_HD inline T atan(T x) {
  return std::atan(x);
}
template <FloatScalar T>
TENFERRO_HD inline T atan2(T y, T x) {
  return std::atan2(y, x);
}

/// Hyperbolic functions and their inverses.
template <FloatScalar T>
TENFERRO_HD inline T sinh(T x) {
  return std::sinh(x);
}
template <FloatScalar T>
TENFERRO_HD inline T cosh(T x) {
  return std::cosh(x);
}
template <FloatScalar T>
TENFERRO_HD inline T tanh(T x) {
  return std::tanh(x);
}
template <FloatScalar T>
TENFERRO_HD inline T asinh(T x) {
  return std::asinh(x);
}
template <FloatScalar T>
TENFERRO_HD inline T acosh(T x) {
  return std::acosh(x);
}
template <FloatScalar T>
TENFERRO_HD inline T atanh(T x) {
  return std::atanh(x);
}

/// The error function and one minus it.
template <FloatScalar T>
TENFERRO_HD inline T erf(T x) {
  return std::erf(x);
}
template <FloatScalar T>
TENFERRO_HD inline T erfc(T x) {
  return std::erfc(x);
}

/// Rounding to whole numbers: down, up, toward zero, and to the nearest with ties to even.
template <FloatScalar T>
TENFERRO_HD inline T floor(T x) {
  return std::floor(x);
}
template <FloatScalar T>
TENFERRO_HD inline T ceil(T x) {
  return std::ceil(x);
}
template <FloatScalar T>
TENFERRO_HD inline T trunc(T x) {
  return std::trunc(x);
}
template <FloatScalar T>
TENFERRO_HD inline T round(T x) {
  return std::nearbyint(x);
}

/// x to the power y; 1 where y is 0 or x is 1, NaN for a negative x and a fractional y.
template <FloatScalar T>
TENFERRO_HD inline T pow(T x, T y) {
  return std::pow(x, y);
}

/// √(x² + y²) without overflow in between.
template <FloatScalar T>
TENFERRO_HD inline T hypot(T x, T y) {
  return std::hypot(x, y);
}

/// x with the sign of y.
template <FloatScalar T>
TENFERRO_HD inline T copysign(T x, T y) {
  return std::copysign(x, y);
}

/// The complex number re + i·im.
template <FloatScalar T>
TENFERRO_HD constexpr std::complex<T> make_complex(T re, T im) {
  return std::complex<T>(re, im);
}

/// The argument of a real number: 0, π below zero (or at −0), NaN for NaN.
template <FloatScalar T>
TENFERRO_HD inline T arg(T x) {
  return std::atan2(T{0}, x);
}

}  // namespace tenferro::scalar
