// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Complex circular and hyperbolic functions and their inverses. The cuts are the usual ones (C11, 7.3): asin, acos and
// atanh outside [−1, 1], acosh below 1, asinh and atan on the imaginary axis outside [−i, i]; the sign of the zero part
// names the side.
//
// Example:
//     const std::complex<double> above = scalar::asin(std::complex<double>(2.0, 0.0));      // 1.5708+1.3170i
//     CHECK(std::abs(above.imag() - std::log(2 + std::sqrt(3))) < 1e-15);
//     CHECK(scalar::asin(std::complex<double>(2.0, -0.0)) == std::conj(above));

#include <cmath>
#include <complex>
#include <numbers>

#include "tenferro/ops/scalar_complex.hpp"
#include "tenferro/ops/scalar_complex_exp.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {
namespace internal {

/// sinh x = s·scale and cosh x = c·scale, where the scale differs from 1 only if the products might overflow.
struct SinhCosh {
  double s, c, scale;
};

TENFERRO_HD inline SinhCosh sinh_cosh(double x) {
  const double a = std::fabs(x);
  if (a < 20.0) {
    const double t = std::expm1(a);
    const double r = t / (1.0 + t);
    return {std::copysign(0.5 * (t + r), x), 1.0 + 0.5 * (t * r), 1.0};
  }
  // e^−a no longer shows beside e^a.
  const double half = std::exp(0.5 * a);
  return {std::copysign(0.5 * half, x), 0.5 * half, half};
}

TENFERRO_HD inline Complex64 sinh(Complex64 z) {
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::sinh(z.real()), y);
  const SinhCosh h = sinh_cosh(z.real());
  return Complex64(h.s * std::cos(y) * h.scale, h.c * std::sin(y) * h.scale);
}

TENFERRO_HD inline Complex64 cosh(Complex64 z) {
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::cosh(z.real()), std::copysign(1.0, z.real()) * y);
  const SinhCosh h = sinh_cosh(z.real());
  return Complex64(h.c * std::cos(y) * h.scale, h.s * std::sin(y) * h.scale);
}

TENFERRO_HD inline Complex64 tanh(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (y == 0.0) return Complex64(std::tanh(x), y);
  const double c = std::cos(y);
  const double s = std::sin(y);
  if (std::fabs(x) >= 20.0) {
    const double e = std::exp(-std::fabs(x));
    return Complex64(std::copysign(1.0, x), 4.0 * (s * e) * (c * e));
  }
  // The sum sinh²x + cos²y has no cancellation, also beside the poles.
  const SinhCosh h = sinh_cosh(x);
  const double norm = h.s * h.s + c * c;
  return Complex64(h.s * h.c / norm, s * c / norm);
}

/// i·z and −i·z.
TENFERRO_HD constexpr Complex64 quarter_turn(Complex64 z) { return Complex64(-z.imag(), z.real()); }
TENFERRO_HD constexpr Complex64 quarter_turn_back(Complex64 z) { return Complex64(z.imag(), -z.real()); }

TENFERRO_HD inline Complex64 sin(Complex64 z) { return quarter_turn_back(sinh(quarter_turn(z))); }
TENFERRO_HD inline Complex64 cos(Complex64 z) { return cosh(quarter_turn(z)); }
TENFERRO_HD inline Complex64 tan(Complex64 z) { return quarter_turn_back(tanh(quarter_turn(z))); }

/// Beyond this modulus asin and acos equal their leading logarithms in f64.
inline constexpr double kLogarithmic = 1e10;

// asin and acos from the roots of 1 − z and 1 + z (Kahan, Branch cuts for complex elementary functions, 1987).
TENFERRO_HD inline Complex64 asin(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (larger_part(z) > kLogarithmic) {
    return Complex64(std::atan2(x, std::fabs(y)), std::copysign(log_abs(z) + std::numbers::ln2, y));
  }
  const Complex64 p = sqrt(Complex64(1.0 - x, -y));
  const Complex64 q = sqrt(Complex64(1.0 + x, y));
  return Complex64(std::atan2(x, p.real() * q.real() - p.imag() * q.imag()),
                   std::asinh(p.real() * q.imag() - p.imag() * q.real()));
}

TENFERRO_HD inline Complex64 acos(Complex64 z) {
  const double x = z.real();
  const double y = z.imag();
  if (larger_part(z) > kLogarithmic) {
    return Complex64(std::atan2(std::fabs(y), x), std::copysign(log_abs(z) + std::numbers::ln2, -y));
  }
  const Complex64 p = sqrt(Complex64(1.0 - x, -y));
  const Complex64 q = sqrt(Complex64(1.0 + x, y));
  return Complex64(2.0 * std::atan2(p.real(), q.real()), std::asinh(q.real() * p.imag() - q.imag() * p.real()));
}

TENFERRO_HD inline Complex64 asinh(Complex64 z) { return quarter_turn_back(asin(quarter_turn(z))); }

TENFERRO_HD inline Complex64 acosh(Complex64 z) {
  const Complex64 a = acos(z);
  return Complex64(std::fabs(a.imag()), std::copysign(a.real(), z.imag()));
}

TENFERRO_HD inline Complex64 atanh(Complex64 z) {
  const double x = std::fabs(z.real());
  const double y = z.imag();
  if (larger_part(z) > kLogarithmic) {
    const Complex64 inverse = reciprocal(z);  // z = ∞ leaves ±0 ± i·π/2
    return Complex64(std::copysign(inverse.real(), z.real()),
                     std::copysign(0.5 * std::numbers::pi, y) + inverse.imag());
  }
  // |1 + z|² / |1 − z|² = 1 + 4x / |1 − z|².
  const double gap = 1.0 - x;
  const double re = gap == 0.0 && std::fabs(y) < 1e-100 ? 0.5 * (std::numbers::ln2 - std::log(std::fabs(y)))
                                                        : 0.25 * std::log1p(4.0 * x / (gap * gap + y * y));
  return Complex64(std::copysign(re, z.real()), 0.5 * std::atan2(2.0 * y, gap * (1.0 + x) - y * y));
}

TENFERRO_HD inline Complex64 atan(Complex64 z) { return quarter_turn_back(atanh(quarter_turn(z))); }

}  // namespace internal

/// Circular functions.
template <ComplexScalar T>
TENFERRO_HD inline T sin(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::sin(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T cos(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::cos(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T tan(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::tan(w); }, z);
}

/// Their inverses.
template <ComplexScalar T>
TENFERRO_HD inline T asin(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::asin(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T acos(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::acos(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T atan(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::atan(w); }, z);
}

/// Hyperbolic functions.
template <ComplexScalar T>
TENFERRO_HD inline T sinh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::sinh(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T cosh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::cosh(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T tanh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::tanh(w); }, z);
}

/// Their inverses.
template <ComplexScalar T>
TENFERRO_HD inline T asinh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::asinh(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T acosh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::acosh(w); }, z);
}
template <ComplexScalar T>
TENFERRO_HD inline T atanh(T z) {
  return internal::in_f64([](internal::Complex64 w) { return internal::atanh(w); }, z);
}

}  // namespace tenferro::scalar
