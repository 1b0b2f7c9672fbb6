// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Complex modulus, argument, division and roots. The error is a few ulp of the modulus of the answer, nothing overflows
// halfway, and a zero imaginary part tells the two sides of a branch cut apart: the principal value is continuous from
// the side that its sign names. Formulas are real ones over the C library, in f64 for both dtypes, so that c32 answers
// are nearly correctly rounded.
//
// Example:
//     CHECK(scalar::sqrt(std::complex<double>(-1.0, -0.0)) == std::complex<double>(0, -1));
//     CHECK(std::abs(scalar::abs(std::complex<double>(3e200, 4e200)) / 5e200 - 1) < 1e-15);

#include <cmath>
#include <complex>
#include <limits>

#include "tenferro/ops/scalar_arithmetic.hpp"
#include "tenferro/ops/scalar_compare.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {
namespace internal {

using Complex64 = std::complex<double>;

/// f(z) evaluated in f64 and rounded to z's own dtype.
template <ComplexScalar T, class F>
TENFERRO_HD inline T in_f64(F f, T z) {
  const Complex64 y = f(Complex64(z));
  using Part = typename T::value_type;
  return T(static_cast<Part>(y.real()), static_cast<Part>(y.imag()));
}

/// The larger modulus of the two parts; a NaN part does not hide the other.
TENFERRO_HD inline double larger_part(Complex64 z) { return std::fmax(std::fabs(z.real()), std::fabs(z.imag())); }

/// Squares of numbers in [2⁻⁵⁰⁰, 2⁵⁰⁰] neither overflow nor underflow.
inline constexpr double kHuge = 0x1p500;
inline constexpr double kTiny = 0x1p-500;

TENFERRO_HD constexpr bool safe_to_square(double magnitude) { return magnitude >= kTiny && magnitude <= kHuge; }

/// The power of two that brings a non-zero finite magnitude into [2⁻⁵⁰⁰, 2⁵⁰⁰].
TENFERRO_HD constexpr double scale_for(double magnitude) {
  return magnitude > kHuge ? 0x1p-600 : (magnitude < kTiny ? 0x1p600 : 1.0);
}

TENFERRO_HD constexpr Complex64 scaled(Complex64 z, double factor) {
  return Complex64(z.real() * factor, z.imag() * factor);
}

/// n/d by the textbook formula, for operands that are safe to square.
TENFERRO_HD constexpr Complex64 plain_div(Complex64 n, Complex64 d) {
  const double norm = d.real() * d.real() + d.imag() * d.imag();
  return Complex64((n.real() * d.real() + n.imag() * d.imag()) / norm,
                   (n.imag() * d.real() - n.real() * d.imag()) / norm);
}

/// n/d where an operand is 0, infinite, NaN, or outside the range that is safe to square. A non-zero number over 0 and
/// an infinite one over a finite one have an infinite part, a finite one over an infinite one is 0 (C11, annex G).
TENFERRO_HD inline Complex64 careful_div(Complex64 n, Complex64 d) {
  if (d == Complex64()) {
    const double infinity = std::copysign(std::numeric_limits<double>::infinity(), d.real());
    return Complex64(infinity * n.real(), infinity * n.imag());
  }
  if (is_inf(n) && is_finite(d)) {
    const Complex64 direction(std::copysign(is_inf(n.real()) ? 1.0 : 0.0, n.real()),
                              std::copysign(is_inf(n.imag()) ? 1.0 : 0.0, n.imag()));
    const double down = scale_for(larger_part(d));
    return scaled(mul(direction, conj(scaled(d, down))), std::numeric_limits<double>::infinity());
  }
  if (is_inf(d) && is_finite(n)) {
    const Complex64 direction(std::copysign(is_inf(d.real()) ? 1.0 : 0.0, d.real()),
                              std::copysign(is_inf(d.imag()) ? 1.0 : 0.0, d.imag()));
    return scaled(mul(scaled(n, 0.25), conj(direction)), 0.0);
  }
  const double n_scale = scale_for(larger_part(n));
  const double d_scale = scale_for(larger_part(d));
  const Complex64 quotient = plain_div(scaled(n, n_scale), scaled(d, d_scale));
  // Two steps of one direction at most: 2^±1200 is not a number, and opposite scales cancel.
  return n_scale == d_scale ? quotient : scaled(scaled(quotient, d_scale), 1.0 / n_scale);
}

TENFERRO_HD inline Complex64 div(Complex64 n, Complex64 d) {
  const double n_magnitude = larger_part(n);
  const bool plain = safe_to_square(larger_part(d)) && (safe_to_square(n_magnitude) || n_magnitude == 0.0);
  return plain ? plain_div(n, d) : careful_div(n, d);
}

TENFERRO_HD inline Complex64 reciprocal(Complex64 z) {
  if (!safe_to_square(larger_part(z))) return careful_div(Complex64(1.0, 0.0), z);
  const double norm = z.real() * z.real() + z.imag() * z.imag();
  return Complex64(z.real() / norm, -z.imag() / norm);
}

TENFERRO_HD inline Complex64 sign(Complex64 z) {
  const double magnitude = larger_part(z);
  if (magnitude == 0.0 && !is_nan(z)) return Complex64();
  if (is_inf(z)) {
    if (!is_finite(z.real()) && !is_finite(z.imag())) {
      return Complex64(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
    }
    return is_inf(z.real()) ? Complex64(std::copysign(1.0, z.real()), 0.0)
                            : Complex64(0.0, std::copysign(1.0, z.imag()));
  }
  const Complex64 w = scaled(z, scale_for(magnitude));
  const double modulus = std::sqrt(w.real() * w.real() + w.imag() * w.imag());
  return Complex64(w.real() / modulus, w.imag() / modulus);
}

TENFERRO_HD inline Complex64 sqrt(Complex64 z) {
  const double magnitude = larger_part(z);
  if (magnitude == 0.0 && !is_nan(z)) return Complex64(0.0, z.imag());
  if (is_inf(z.imag())) return Complex64(std::numeric_limits<double>::infinity(), z.imag());
  const double scale = scale_for(magnitude);
  const double x = z.real() * scale;
  const double y = z.imag() * scale;
  const double back = scale == 1.0 ? 1.0 : (scale < 1.0 ? 0x1p300 : 0x1p-300);
  // With t = √((|x| + |z|)/2) the root is t + i·y/(2t), turned by a quarter for x < 0; no difference cancels.
  const double t = std::sqrt(0.5 * (std::fabs(x) + std::sqrt(x * x + y * y)));
  if (x < 0.0) return Complex64(std::fabs(y) / (2.0 * t) * back, std::copysign(t, y) * back);
  return Complex64(t * back, y / (2.0 * t) * back);
}

TENFERRO_HD inline Complex64 rsqrt(Complex64 z) { return reciprocal(sqrt(z)); }

}  // namespace internal

/// |z|, in the real dtype; infinite if a part is.
template <ComplexScalar T>
TENFERRO_HD inline typename T::value_type abs(T z) {
  return std::hypot(z.real(), z.imag());
}

/// The argument of z in [−π, π], in the real dtype; −π on the negative axis approached from below.
template <ComplexScalar T>
TENFERRO_HD inline typename T::value_type arg(T z) {
  return std::atan2(z.imag(), z.real());
}

/// z/|z|, and 0 at 0. A single infinite part gives ±1 or ±i, two give NaN.
template <ComplexScalar T>
TENFERRO_HD inline T sign(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::sign(w); }, z);
}

/// n/d. A non-zero number over 0 has infinite parts, a finite one over an infinite one is 0.
template <ComplexScalar T>
TENFERRO_HD inline T div(T n, T d) {
  return internal::in_f64([d](internal::Complex64 w) { return internal::div(w, internal::Complex64(d)); }, n);
}

/// 1/z.
template <ComplexScalar T>
TENFERRO_HD inline T reciprocal(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::reciprocal(w); }, z);
}

/// The root with a non-negative real part; cut along the negative real axis.
template <ComplexScalar T>
TENFERRO_HD inline T sqrt(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::sqrt(w); }, z);
}

/// 1/√z, with the cut of the root.
template <ComplexScalar T>
TENFERRO_HD inline T rsqrt(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::rsqrt(w); }, z);
}

}  // namespace tenferro::scalar
