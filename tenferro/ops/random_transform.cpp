// SPDX-License-Identifier: MIT OR Apache-2.0
// The library is compiled without contraction of products and sums, users of its headers may not be. So functions here
// have internal linkage: the linker could take an inline one from a file that was compiled otherwise.
#include "tenferro/ops/random_transform.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "tenferro/ops/internal/erfinv_fits.hpp"

namespace tenferro {
namespace {

template <std::size_t N>
double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (std::size_t i = N - 1; i > 0; --i) sum = c[i - 1] + x * sum;
  return sum;
}

template <class Fit>
double ratio(const Fit& fit, double x) {
  return polynomial(fit.p, x) / polynomial(fit.q, x);
}

// −log q for a normal q in (0, 1): q = 2^e·m with m in [√½, √2), and log m = 2·artanh(s), s = (m − 1)/(m + 1).
double minus_log(double q) {
  constexpr std::uint64_t kRootHalf = 0x3FE6A09E667F3BCD;  // bits of √½
  const auto bits = std::bit_cast<std::uint64_t>(q);
  const auto exponent = static_cast<std::int64_t>(bits - kRootHalf) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  // 1/3, 1/5, … : s² < 0.0295 makes the next term 1e-19.
  constexpr double kSeries[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
  const double square = s * s;
  const double log_m = 2.0 * s + 2.0 * s * (square * polynomial(kSeries, square));
  // log 2 in two parts: the first times a small whole number is exact.
  constexpr double kLog2High = 0x1.62e42fefa38p-1;
  constexpr double kLog2Low = 0x1.ef35793c7673p-45;
  const auto e = static_cast<double>(exponent);
  return -(e * kLog2High + (log_m + e * kLog2Low));
}

// √2·erfc⁻¹(q) for 2⁻⁶⁴ ≤ q ≤ 1.
double upper_deviate(double q) {
  if (q >= 0.25) {
    constexpr auto kFit = scalar::internal::erfinv_central();
    const double x = 1.0 - q;
    const double t = x * x;
    const double factor =
        scalar::internal::kHalfRootPi + (t * ratio(kFit, 0.5625 - t) + scalar::internal::kHalfRootPiRest);
    return std::numbers::sqrt2 * (x * factor);
  }
  const double r = std::sqrt(minus_log(q));
  if (r < 2.4) {
    constexpr auto kFit = scalar::internal::erfinv_middle();
    return std::numbers::sqrt2 * (r + ratio(kFit, r - 1.17));
  }
  constexpr auto kFit = scalar::internal::erfinv_tail();
  return std::numbers::sqrt2 * (r + ratio(kFit, r - 2.4));
}

}  // namespace

double normal_from_bits(std::int64_t bits) noexcept {
  const auto m = bits & std::int64_t{0x7FFFFFFFFFFFFFFF};
  const double z = upper_deviate((static_cast<double>(m) + 0.5) * 0x1p-63);
  return bits < 0 ? -z : z;
}

float normal_from_bits(std::int32_t bits) noexcept {
  const auto m = bits & std::int32_t{0x7FFFFFFF};
  const auto z = static_cast<float>(upper_deviate((static_cast<double>(m) + 0.5) * 0x1p-31));
  return bits < 0 ? -z : z;
}

}  // namespace tenferro
