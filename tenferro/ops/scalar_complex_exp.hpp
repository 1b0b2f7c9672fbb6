// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Complex exponentials, logarithms and powers. Accuracy and branch cuts as in scalar_complex.hpp: logarithms and powers
// are cut along the negative real axis (log1p below −1), and the sign of a zero imaginary part names the side.
//
// Example:
//     CHECK(scalar::log(std::complex<double>(-1.0, -0.0)) == std::complex<double>(0, -std::numbers::pi));
//     CHECK(scalar::pow(std::complex<double>(1.0, 2.0), {3.0, 0.0}) == std::complex<double>(-11, -2));      // exactly

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "tenferro/ops/scalar_complex.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {
namespace internal {

/// |z|² − 1 with the rounding errors of squares and sums kept, so that it is right where |z| is near 1.
TENFERRO_HD inline double norm_minus_one(double x, double y) {
  const double xx = x * x;
  const double yy = y * y;
  const double larger = std::fmax(xx, yy);
  const double smaller = std::fmin(xx, yy);
  const double top = larger - 1.0;
  const double top_error = larger - (top + 1.0);
  const double sum = top + smaller;
  const double part = sum - top;
  const double sum_error = (top - (sum - part)) + (smaller - part);
  return sum + ((std::fma(x, x, -xx) + std::fma(y, y, -yy)) + (sum_error + top_error));
}

/// log|z|.
TENFERRO_HD inline double log_abs(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  const double magnitude = larger_part(z);
  if (!safe_to_square(magnitude) || is_nan(z)) {
    if (magnitude > kHuge) return std::log(std::hypot(x * 0x1p-600, y * 0x1p-600)) + 600 * std::numbers::ln2;
    return std::log(std::hypot(x * 0x1p600, y * 0x1p600)) - 600 * std::numbers::ln2;
  }
  const double norm = x * x + y * y;
  return norm > 0.5 && norm < 2.0 ? 0.5 * std::log1p(norm_minus_one(x, y)) : 0.5 * std::log(norm);
}

TENFERRO_HD inline Complex64 log(Complex64 z) { return Complex64(log_abs(z), std::atan2(z.imag(), z.real())); }

TENFERRO_HD inline Complex64 log1p(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  const double angle = std::atan2(y, 1.0 + x);
  if (y == 0.0 && x > -1.0) return Complex64(std::log1p(x), angle);
  // |1 + z|² − 1 = x(2 + x) + y² keeps what 1 + z loses for small z.
  if (larger_part(z) < 0.25) return Complex64(0.5 * std::log1p(x * (2.0 + x) + y * y), angle);
  return Complex64(log_abs(Complex64(1.0 + x, y)), angle);
}

/// e^x·(cos y + i·sin y).
TENFERRO_HD inline Complex64 exp(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::exp(x), y);
  if (!is_finite(y)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (is_inf(x)) return x < 0.0 ? Complex64(0.0, std::copysign(0.0, y)) : Complex64(x, nan);
    return Complex64(nan, nan);
  }
  if (std::fabs(x) < 700.0) {
    const double scale = std::exp(x);
    return Complex64(scale * std::cos(y), scale * std::sin(y));
  }
  // Half the exponent twice: e^x alone may leave the range where a part of the product is inside.
  const double half = std::exp(0.5 * x);
  return Complex64(half * std::cos(y) * half, half * std::sin(y) * half);
}

/// log 2 less its f64.
inline constexpr double kRestOfLn2 = 2.3190468138462996e-17;
/// Up to this |Im z| the part of the angle y·log 2 that f64 does not hold is so small that its square does not show.
inline constexpr double kSmallRest = 0x1p26;

/// 2^x·(cos(y·log 2) + i·sin(y·log 2)), the angle taken to twice the working precision.
TENFERRO_HD inline Complex64 exp2(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::exp2(x), y);
  const double angle = y * std::numbers::ln2;
  const double rest = std::fma(y, std::numbers::ln2, -angle) + y * kRestOfLn2;
  if (!is_finite(y) || std::fabs(x) > 1000.0) return exp(Complex64(x * std::numbers::ln2, angle));
  const double scale = std::exp2(x);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  if (std::fabs(y) <= kSmallRest) return Complex64(scale * (c - s * rest), scale * (s + c * rest));
  return scaled(mul(Complex64(c, s), Complex64(std::cos(rest), std::sin(rest))), scale);
}

TENFERRO_HD inline Complex64 expm1(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::expm1(x), y);
  if (!(std::fabs(x) < 700.0) || !is_finite(y)) {
    const Complex64 e = exp(z);
    return Complex64(e.real() - 1.0, e.imag());
  }
  // e^x·cos y − 1 = (e^x − 1)·cos y − 2·sin²(y/2).
  const double half_sine = std::sin(0.5 * y);
  return Complex64(std::expm1(x) * std::cos(y) - 2.0 * half_sine * half_sine, std::exp(x) * std::sin(y));
}

/// e^(i·u·arg x) for x < 0, exact at multiples of a half in u. `side` is 1 or −1 with the sign of the zero imaginary
/// part of x. The argument counts as ε above π or −π, which gives the parts that vanish their signs.
TENFERRO_HD inline Complex64 turn_on_cut(double u, double side) {
  const double turn = u - 2.0 * std::nearbyint(0.5 * u);  // in [−1, 1], exact
  double c = std::cos(std::numbers::pi * turn);
  double s = std::sin(std::numbers::pi * turn);
  if (std::fabs(turn) == 0.5) c = std::copysign(0.0, -u * side * s);
  const bool whole = turn == 0.0 || std::fabs(turn) == 1.0;
  return Complex64(c, whole ? std::copysign(0.0, u * c) : side * s);
}

/// x to the power w for x < 0, on the given side of the cut.
TENFERRO_HD inline Complex64 pow_on_cut(double x, double side, Complex64 w) {
  const Complex64 turn = turn_on_cut(w.real(), side);
  if (w.imag() == 0.0) return scaled(turn, std::pow(-x, w.real()));
  const double log_modulus = std::log(-x);
  const double modulus = std::exp(w.real() * log_modulus - w.imag() * side * std::numbers::pi);
  const double rest = w.imag() * log_modulus;
  return scaled(mul(turn, Complex64(std::cos(rest), std::sin(rest))), modulus);
}

/// z to the power n ≥ 1 by repeated squaring.
TENFERRO_HD constexpr Complex64 power_by_squaring(Complex64 z, int n) {
  Complex64 result(1.0, 0.0);
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = mul(result, z);
    z = scalar::square(z);
  }
  return result;
}

TENFERRO_HD inline Complex64 pow(Complex64 z, Complex64 w) {
  const double u = w.real();
  if (w == Complex64()) return Complex64(1.0, 0.0);
  if (z == Complex64()) {
    if (u > 0.0) return Complex64();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return Complex64(u < 0.0 && w.imag() == 0.0 ? std::numeric_limits<double>::infinity() : nan, nan);
  }
  if (z.imag() == 0.0) {
    if (z.real() < 0.0) return pow_on_cut(z.real(), std::copysign(1.0, z.imag()), w);
    if (w.imag() == 0.0) return Complex64(std::pow(z.real(), u), std::copysign(0.0, u) * std::copysign(1.0, z.imag()));
  }
  // Small whole powers by products: more accurate than by logarithms, and exact for small Gaussian integers.
  constexpr double kLargest = 64.0;
  if (w.imag() == 0.0 && std::fabs(u) <= kLargest && u == std::nearbyint(u)) {
    const Complex64 power = power_by_squaring(z, static_cast<int>(std::fabs(u)));
    if (safe_to_square(larger_part(power))) return u > 0.0 ? power : reciprocal(power);
  }
  const double log_modulus = log_abs(z);
  const double angle = std::atan2(z.imag(), z.real());
  return exp(Complex64(u * log_modulus - w.imag() * angle, w.imag() * log_modulus + u * angle));
}

}  // namespace internal

/// e^z; the imaginary part keeps the sign of a zero.
template <ComplexScalar T>
TENFERRO_HD inline T exp(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::exp(w); }, z);
}

/// 2^z.
template <ComplexScalar T>
TENFERRO_HD inline T exp2(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::exp2(w); }, z);
}

/// e^z − 1, without the loss that the difference has near 0.
template <ComplexScalar T>
TENFERRO_HD inline T expm1(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::expm1(w); }, z);
}

/// log|z| + i·arg z.
template <ComplexScalar T>
TENFERRO_HD inline T log(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::log(w); }, z);
}

/// log z / log 2.
template <ComplexScalar T>
TENFERRO_HD inline T log2(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::scaled(internal::log(w), std::numbers::log2e); },
                          z);
}

/// log z / log 10.
template <ComplexScalar T>
TENFERRO_HD inline T log10(T z) {
  return internal::in_f64(
      [](internal::Complex64 w) { return internal::scaled(internal::log(w), std::numbers::log10e); }, z);
}

/// log(1 + z), without the loss that the sum has near 0.
template <ComplexScalar T>
TENFERRO_HD inline T log1p(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::log1p(w); }, z);
}

/// e^(w·log z), and 1 for w = 0. At z = 0: 0 for Re w > 0, else not finite. Where a real negative z gives a part that
/// vanishes, the sign of that zero follows from taking arg z a rounding error above ±π.
template <ComplexScalar T>
TENFERRO_HD inline T pow(T z, T w) {
  return internal::in_f64([w](internal::Complex64 v) { return internal::pow(v, internal::Complex64(w)); }, z);
}

}  // namespace tenferro::scalar
