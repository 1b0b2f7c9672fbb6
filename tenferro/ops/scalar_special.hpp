// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Special functions of real numbers that the C library lacks or cannot call from several threads. f32 goes through f64.
// Rational approximations were fitted with 50 digits at Chebyshev nodes; a comment names the relative error of each.
//
// Example:
//     CHECK(std::abs(scalar::erfinv(0.5) - 0.47693627620446987) < 1e-15);
//     CHECK(std::abs(scalar::digamma(1.0) + 0.57721566490153286) < 1e-15);

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "tenferro/ops/internal/erfinv_fits.hpp"
#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {
namespace internal {

/// c[0] + c[1]·x + … + c[N−1]·x^(N−1) by Horner's rule, unrolled.
template <std::size_t First = 0, std::size_t N>
TENFERRO_HD constexpr double polynomial(const double (&c)[N], double x) {
  if constexpr (First + 1 == N) {
    return c[First];
  } else {
    return c[First] + x * polynomial<First + 1>(c, x);
  }
}

TENFERRO_HD inline double erfinv(double x) {
  const double a = std::fabs(x);
  if (a <= 0.75) {
    constexpr auto kFit = erfinv_central();
    const double t = x * x;
    const double v = 0.5625 - t;
    return x * (kHalfRootPi + (t * (polynomial(kFit.p, v) / polynomial(kFit.q, v)) + kHalfRootPiRest));
  }
  if (a >= 1.0) {
    return a == 1.0 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                    : std::numeric_limits<double>::quiet_NaN();
  }
  const double r = std::sqrt(-std::log(1.0 - a));  // the difference is exact
  if (r < 2.4) {
    constexpr auto kFit = erfinv_middle();
    const double u = r - 1.17;
    return std::copysign(r + polynomial(kFit.p, u) / polynomial(kFit.q, u), x);
  }
  constexpr auto kFit = erfinv_tail();
  const double u = r - 2.4;
  return std::copysign(r + polynomial(kFit.p, u) / polynomial(kFit.q, u), x);
}

/// ψ(x) for x ≥ 1.
TENFERRO_HD inline double digamma_above_one(double x) {
  if (x < 3.0) {
    // ψ(x) = (x − x₀)·R(x − 1) with the only positive root x₀ as a sum of two doubles; R within 3e-19.
    constexpr double kP[] = {1.2503801375034054,  2.0079983521060054,   1.1741604116033721,     0.31649933632550714,
                             0.04049350826567144, 0.002235289521967761, 3.9117651665683125e-05, 4.097361930526724e-08};
    constexpr double kQ[] = {1.0,
                             2.2894571233542136,
                             1.9022022748824643,
                             0.7470495002328587,
                             0.14810832904594673,
                             0.014396602345897333,
                             0.0006000004112100302,
                             7.3778476243478865e-06};
    const double u = x - 1.0;
    const double distance = (x - 1.4616321449683622) - 9.549995429965697e-17;
    return distance * (polynomial(kP, u) / polynomial(kQ, u));
  }
  // ψ(x) = log x − 1/(2x) − t·R(t), t = 1/x²; R within 9e-17.
  constexpr double kP[] = {0.08333333333333333, 1.3463620559739118, 6.392426306401177,
                           10.294446249581677,  4.787886631013082,  0.3011954980518992};
  constexpr double kQ[] = {
      1.0, 16.25634467168676, 78.28713109643283, 130.63795644276942, 67.51238565841564, 6.834300398498243};
  const double inverse = 1.0 / x;
  const double t = inverse * inverse;
  return std::log(x) - (0.5 * inverse + t * (polynomial(kP, t) / polynomial(kQ, t)));
}

TENFERRO_HD inline double digamma(double x) {
  if (x >= 1.0) return digamma_above_one(x);
  if (x > 0.0) return digamma_above_one(x + 1.0) - 1.0 / x;
  if (x == 0.0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  // Reflection: ψ(x) = ψ(1 − x) − π·cot(πx). Poles, −∞ and NaN all end as NaN here.
  const double fraction = x - std::nearbyint(x);
  if (!(std::fabs(fraction) > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  return digamma_above_one(1.0 - x) - std::numbers::pi / std::tan(std::numbers::pi * fraction);
}

}  // namespace internal

/// The inverse of `erf`: ±∞ at ±1, NaN beyond. Within 3 units in the last place.
template <FloatScalar T>
TENFERRO_HD inline T erfinv(T x) {
  return static_cast<T>(internal::erfinv(static_cast<double>(x)));
}

/// log|Γ(x)|; +∞ at 0 and the negative integers.
template <FloatScalar T>
TENFERRO_HD inline T lgamma(T x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return static_cast<T>(::lgamma(static_cast<double>(x)));
#else
  // std::lgamma writes the sign of Γ(x) to a global, a race between threads.
  int sign = 0;
  return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
#endif
}

/// The logarithmic derivative of Γ: ∓∞ at ±0, NaN at the negative integers. Within 4 units in the last place for
/// x > 0; for x < 0 the same holds of the absolute error on the scale of the larger term of the reflection formula.
template <FloatScalar T>
TENFERRO_HD inline T digamma(T x) {
  return static_cast<T>(internal::digamma(static_cast<double>(x)));
}

}  // namespace tenferro::scalar
