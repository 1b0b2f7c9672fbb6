// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/scalar_special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInf;

// Distance in units of the last place of `want`.
double ulps(double got, double want) {
  return std::fabs(got - want) / (std::nextafter(std::fabs(want), kInf) - std::fabs(want));
}

// References: 50-digit evaluation, rounded.
TEST(ScalarErfinv, MatchesHighPrecisionValues) {
  EXPECT_LE(ulps(scalar::erfinv(0.5), 0.4769362762044699), 3);
  EXPECT_LE(ulps(scalar::erfinv(-0.75), -0.8134198475976185), 3);
  EXPECT_LE(ulps(scalar::erfinv(0.9), 1.1630871536766743), 3);
  EXPECT_LE(ulps(scalar::erfinv(1 - 0x1p-10), 2.331467773621948), 3);
  EXPECT_LE(ulps(scalar::erfinv(1 - 0x1p-53), 5.863584748755168), 3);
}

TEST(ScalarErfinv, UndoesTheErrorFunction) {
  for (int i = -40; i <= 40; ++i) {
    const double y = 0.05 * i;
    EXPECT_NEAR(scalar::erfinv(std::erf(y)), y, 1e-14) << y;
  }
}

TEST(ScalarErfinv, EndsOfTheDomain) {
  EXPECT_EQ(scalar::erfinv(1.0), kInf);
  EXPECT_EQ(scalar::erfinv(-1.0F), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(scalar::erfinv(1.0 + 0x1p-52)));
  EXPECT_TRUE(std::isnan(scalar::erfinv(std::nan(""))));
  EXPECT_TRUE(std::signbit(scalar::erfinv(-0.0)));
}

TEST(ScalarDigamma, ClosedValues) {
  const double gamma = std::numbers::egamma;
  EXPECT_LE(ulps(scalar::digamma(1.0), -gamma), 4);
  EXPECT_LE(ulps(scalar::digamma(2.0), 1.0 - gamma), 4);
  EXPECT_LE(ulps(scalar::digamma(0.5), -gamma - 2 * std::numbers::ln2), 4);
  EXPECT_LE(ulps(scalar::digamma(100.0), 4.600161852738087), 4);
  EXPECT_NEAR(scalar::digamma(-0.5), 0.03648997397857652, 1e-15);
}

TEST(ScalarDigamma, KeepsRelativeAccuracyAtItsRoot) {
  EXPECT_NEAR(scalar::digamma(1.4616321449683622) / -9.2412655217294275e-17, 1.0, 1e-14);
}

TEST(ScalarDigamma, SatisfiesTheRecurrence) {
  for (int i = 1; i < 200; ++i) {
    const double x = 0.0625 * i;
    EXPECT_NEAR(scalar::digamma(x + 1), scalar::digamma(x) + 1 / x, 1e-14 * (1 + 1 / x)) << x;
  }
}

TEST(ScalarDigamma, PolesAndInfinities) {
  EXPECT_EQ(scalar::digamma(0.0), -kInf);
  EXPECT_EQ(scalar::digamma(-0.0), kInf);
  EXPECT_TRUE(std::isnan(scalar::digamma(-3.0)));
  EXPECT_EQ(scalar::digamma(kInf), kInf);
  EXPECT_TRUE(std::isnan(scalar::digamma(-kInf)));
  EXPECT_TRUE(std::isnan(scalar::digamma(std::nan(""))));
}

TEST(ScalarLgamma, ClosedValuesAndPoles) {
  EXPECT_EQ(scalar::lgamma(1.0), 0.0);
  EXPECT_LE(ulps(scalar::lgamma(5.0), std::log(24.0)), 2);
  EXPECT_LE(ulps(scalar::lgamma(0.5), 0.5 * std::log(std::numbers::pi)), 2);
  EXPECT_EQ(scalar::lgamma(0.0F), std::numeric_limits<float>::infinity());
  EXPECT_EQ(scalar::lgamma(-2.0), kInf);
  EXPECT_EQ(scalar::lgamma(-kInf), kInf);
}

}  // namespace
}  // namespace tenferro
