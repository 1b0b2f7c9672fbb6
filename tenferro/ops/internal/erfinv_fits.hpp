// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Rational approximations of the inverse error function, shared by `erfinv` and by normal deviates. Fitted with 50
// digits at Chebyshev nodes, expanded at the end where the coefficients agree in sign, so that sums hardly cancel.

#include <cstddef>

#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar::internal {

/// Coefficients of numerator and denominator, constant term first.
template <std::size_t P, std::size_t Q>
struct RationalFit {
  double p[P];
  double q[Q];
};

/// √π/2 as a sum of two doubles.
inline constexpr double kHalfRootPi = 0.886226925452758;
inline constexpr double kHalfRootPiRest = -3.8332932499128993e-17;

/// erfinv(x) = x·(√π/2 + x²·R(0.5625 − x²)) for |x| ≤ 0.75; R within 3e-18.
TENFERRO_HD constexpr RationalFit<8, 8> erfinv_central() {
  return {{0.3525917712783408, 2.2800015691985327, 5.59394875321088, 6.503611937091196, 3.6489601445973117,
           0.8895431582351403, 0.06823707776795335, 0.00018029410824845434},
          {1.0, 7.525340657012337, 22.329721923447863, 33.22061348357929, 26.063349264255354, 10.383090291222896,
           1.8363891758151822, 0.10103844543923364}};
}

/// erfinv(x) = r + R(r − 1.17) with r = √−log(1 − x), 1.17 ≤ r ≤ 2.4; R within 1.2e-17.
TENFERRO_HD constexpr RationalFit<8, 8> erfinv_middle() {
  return {{-0.36406853239870507, -0.8712087655733999, -0.8151393247059935, -0.3656140050260247, -0.07133037219183672,
           -0.0038872036582613427, 5.3246378804867395e-05, 6.02627359298902e-07},
          {1.0, 2.420569256575753, 2.503776388657627, 1.35042710981133, 0.3802232614291409, 0.046935571224757035,
           0.0014054866639432234, -3.4789227657896415e-05}};
}

/// erfinv(x) = r + R(r − 2.4), 2.4 ≤ r ≤ 6.7, that is 1 − x down to 2⁻⁶⁴; R within 1e-17.
TENFERRO_HD constexpr RationalFit<9, 9> erfinv_tail() {
  return {{-0.3121973293807049, -0.48356324102616943, -0.3011715074180897, -0.09506117867306334, -0.015708634479404668,
           -0.00127565226337962, -4.37163566620921e-05, -4.473390482627927e-07, -2.2463223476577213e-10},
          {1.0, 1.7022153932843467, 1.2124514943502767, 0.4612237470935824, 0.09937495051940327, 0.011876960855036362,
           0.0007228589435524458, 1.8810664207230352e-05, 1.400679716852979e-07}};
}

}  // namespace tenferro::scalar::internal
