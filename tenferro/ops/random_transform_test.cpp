// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/random_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tenferro/ops/philox.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t kMax32 = std::numeric_limits<std::int32_t>::max();

std::vector<std::int64_t> bits_of_seed_42(std::size_t count) {
  std::vector<std::int64_t> bits(count);
  philox_fill({42, 0}, 0, std::span<std::int64_t>(bits));
  return bits;
}

TEST(RandomTransform, UniformIsTheUpperBitsAsAFraction) {
  EXPECT_EQ(uniform_from_bits(std::int64_t{0x7FF}), 0.0);
  EXPECT_EQ(uniform_from_bits(std::int64_t{0x800}), 0x1p-53);
  EXPECT_EQ(uniform_from_bits(std::int64_t{-1}), 1.0 - 0x1p-53);
  EXPECT_EQ(uniform_from_bits(std::int32_t{0xFF}), 0.0F);
  EXPECT_EQ(uniform_from_bits(std::int32_t{-1}), 1.0F - 0x1p-24F);
}

TEST(RandomTransform, GoldenUniformNumbersOfSeed42) {
  constexpr double kWant[] = {0x1.dfd524ee73abcp-2, 0x1.5d0acf5c4afd4p-2, 0x1.4ee9b3f7f36c8p-2, 0x1.d1381bee0e3d6p-2,
                              0x1.510ebb97a6d80p-1, 0x1.8c134ab3349adp-1, 0x1.575e1b57758e0p-1, 0x1.84399fde58794p-2};
  const auto bits = bits_of_seed_42(8);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(uniform_from_bits(bits[i]), kWant[i]) << i;
}

// The inverse of the distribution at 50 digits, rounded.
TEST(RandomTransform, NormalNumbersMatchHighPrecisionInversion) {
  constexpr double kWant[] = {0.07882346885253207, 0.41011294279565175, 0.44803662789792803, 0.11476523741853353,
                              -1.0014049862569212, -0.6020071628564502, -0.9516397678787939, 0.30777684757770596,
                              -0.4150696790051001, 0.7201386067686484,  0.543281881325227,   1.7436881800816957,
                              -0.6962456920072928, 0.905859073384563,   0.23247225872687033, 0.9103187868588124};
  const auto bits = bits_of_seed_42(16);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(normal_from_bits(bits[i]) / kWant[i], 1.0, 1e-15) << i;
  EXPECT_NEAR(normal_from_bits(std::int64_t{0}) / 9.155293772686072, 1.0, 1e-15);
  EXPECT_NEAR(normal_from_bits(std::int64_t{1}) / 9.035918848571939, 1.0, 1e-15);
  EXPECT_NEAR(normal_from_bits(std::int64_t{1} << 61) / 1.150349380376008, 1.0, 1e-15);
  EXPECT_NEAR(normal_from_bits(std::int64_t{1} << 62) / 0.6744897501960817, 1.0, 1e-15);
}

TEST(RandomTransform, GoldenBitsOfNormalNumbers) {
  constexpr double kWant[] = {
      0x1.42dc65ce0ff95p-4,  0x1.a3f4a5b3e502bp-2,  0x1.caca1d20ed48ap-2,  0x1.d61412d6e26a3p-4,
      -0x1.005c13c20659cp+0, -0x1.343a4868da36ep-1, -0x1.e73d53e139933p-1, 0x1.3b29da9b3fb7ap-2,
      -0x1.a90806a38d702p-2, 0x1.70b601e951133p-1,  0x1.16290af19a375p-1,  0x1.be62593bdf659p+0,
      -0x1.647a50ba4deebp-1, 0x1.cfccc2adf170bp-1,  0x1.dc1a6a63ac5b6p-3,  0x1.d2154dd4fc69cp-1};
  const auto bits = bits_of_seed_42(16);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(normal_from_bits(bits[i]), kWant[i]) << i;
  EXPECT_EQ(normal_from_bits(std::int64_t{0}), 0x1.24f82aa55eb14p+3);
  EXPECT_EQ(normal_from_bits(std::int64_t{1} << 40), 0x1.52dc6e859ca8p+2);
}

TEST(RandomTransform, NormalNumbersOfTheNarrowDtype) {
  EXPECT_EQ(normal_from_bits(std::int32_t{-1662324653}), static_cast<float>(-1.2109364478301343));
  EXPECT_EQ(normal_from_bits(std::int32_t{314527917}), static_cast<float>(1.4521371467784647));
  EXPECT_EQ(normal_from_bits(std::int32_t{0}), static_cast<float>(6.3379577545537895));
  EXPECT_EQ(normal_from_bits(kMax32), static_cast<float>(2.918099372916623e-10));
}

TEST(RandomTransform, NormalIsOddInTheTopBitAndFallsInTheOthers) {
  double last = std::numeric_limits<double>::infinity();
  for (std::int64_t m = 1; m > 0 && m < kMax64 - m / 8; m += m / 8 + 1) {
    const double z = normal_from_bits(m);
    EXPECT_LT(z, last) << m;
    EXPECT_EQ(normal_from_bits(m | std::numeric_limits<std::int64_t>::min()), -z) << m;
    last = z;
  }
  EXPECT_EQ(normal_from_bits(kMax64), 0.0);
}

TEST(RandomTransform, NormalIsMonotoneWhereFormulasMeet) {
  // q = 1/4, and r = 2.4 at q = exp(−5.76).
  for (const double q : {0.25, std::exp(-5.76)}) {
    const auto centre = static_cast<std::int64_t>(q * 0x1p63);
    double last = std::numeric_limits<double>::infinity();
    for (int k = -200; k <= 200; ++k) {
      const double z = normal_from_bits(centre + k * (std::int64_t{1} << 20));
      EXPECT_LE(z, last) << q << " " << k;
      last = z;
    }
  }
}

TEST(RandomTransform, MomentsOfAHundredThousandNormalNumbers) {
  const auto bits = bits_of_seed_42(100000);
  double sum = 0, squares = 0, fourths = 0;
  for (const std::int64_t b : bits) {
    const double z = normal_from_bits(b);
    sum += z;
    squares += z * z;
    fourths += z * z * z * z;
  }
  const auto n = static_cast<double>(bits.size());
  // Five standard errors of each moment.
  EXPECT_NEAR(sum / n, 0.0, 5 * std::sqrt(1 / n));
  EXPECT_NEAR(squares / n, 1.0, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(fourths / n, 3.0, 5 * std::sqrt(96 / n));
}

}  // namespace
}  // namespace tenferro
