// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Special functions of real numbers that the C library lacks or cannot call from several threads. f32 goes through f64.
// The rational approximations were fitted with 50 digits at Chebyshev nodes; each comment names its relative error.
//
//   scalar::erfinv(0.5);    // 0.47693627620446987
//   scalar::digamma(1.0);   // -0.5772156649015329

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {
namespace internal {

/// c[0] + c[1]·x + … + c[N−1]·x^(N−1) by Horner's rule.
template <std::size_t N>
TENFERRO_HD constexpr double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = sum * x + c[i - 1];
  return sum;
}

TENFERRO_HD inline double erfinv(double x) {
  const double a = std::fabs(x);
  if (a <= 0.75) {
    // erfinv(x)/x = √π/2 + x²·R(0.5625 − x²), R within 3e-18. √π/2 is split so that its rounding does not show.
    constexpr double kP[] = {0.3525917712783408, 2.2800015691985327, 5.59394875321088,    6.503611937091196,
                             3.6489601445973117, 0.8895431582351403, 0.06823707776795335, 0.00018029410824845434};
    constexpr double kQ[] = {1.0,
                             7.525340657012337,
                             22.329721923447863,
                             33.22061348357929,
                             26.063349264255354,
                             10.383090291222896,
                             1.8363891758151822,
                             0.10103844543923364};
    const double t = x * x;
    const double v = 0.5625 - t;
    return x * (0.886226925452758 + (t * (polynomial(kP, v) / polynomial(kQ, v)) - 3.8332932499128993e-17));
  }
  if (a >= 1.0) {
    return a == 1.0 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                    : std::numeric_limits<double>::quiet_NaN();
  }
  // With r = √−log(1 − |x|), where the difference is exact, the answer is r plus a slowly varying rational.
  const double r = std::sqrt(-std::log(1.0 - a));
  if (r < 2.4) {
    constexpr double kP[] = {-0.36406853239870507,   -0.8712087655733999,  -0.8151393247059935,
                             -0.3656140050260247,    -0.07133037219183672, -0.0038872036582613427,
                             5.3246378804867395e-05, 6.02627359298902e-07};
    constexpr double kQ[] = {1.0,
                             2.420569256575753,
                             2.503776388657627,
                             1.35042710981133,
                             0.3802232614291409,
                             0.046935571224757035,
                             0.0014054866639432234,
                             -3.4789227657896415e-05};
    const double u = r - 1.17;  // within 1.2e-17 on [1.17, 2.4]
    return std::copysign(r + polynomial(kP, u) / polynomial(kQ, u), x);
  }
  constexpr double kP[] = {-0.3121973293807049,    -0.48248655242377597,    -0.2993923086607162,
                           -0.09395356224611218,   -0.01538579967444298,    -0.0012314734846708803,
                           -4.122075563287866e-05, -4.0585597754140353e-07, -1.8976975961131613e-10};
  constexpr double kQ[] = {1.0,
                           1.6987666494897424,
                           1.2062238019250917,
                           0.45676668736586207,
                           0.09776280454611685,
                           0.011568988414552171,
                           0.0006934043769526217,
                           1.7610428087210848e-05,
                           1.2609601893053666e-07};
  const double u = r - 2.4;  // within 2.3e-18 on [2.4, 6.1], which f64 cannot leave
  return std::copysign(r + polynomial(kP, u) / polynomial(kQ, u), x);
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
