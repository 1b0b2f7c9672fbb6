// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/cast.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/scalar.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInf;
using testing::kNan;

constexpr auto kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr auto kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr auto kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax64 = std::numeric_limits<std::int64_t>::max();

TEST(Cast, FloatToIntegerTruncatesSaturatesAndTakesNanToZero) {
  const double from[] = {kNan, kInf, -kInf, 3e9, -3e9, 2.9, -2.9, -0.9};
  const std::int32_t narrow[] = {0, kMax32, kMin32, kMax32, kMin32, 2, -2, 0};
  const std::int64_t wide[] = {0, kMax64, kMin64, 3000000000, -3000000000, 2, -2, 0};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(cast_value<std::int32_t>(from[i]), narrow[i]) << from[i];
    EXPECT_EQ(cast_value<std::int64_t>(from[i]), wide[i]) << from[i];
  }
}

TEST(Cast, FloatToIntegerIsExactAtTheEnds) {
  EXPECT_EQ(cast_value<std::int32_t>(2147483647.0), kMax32);
  EXPECT_EQ(cast_value<std::int32_t>(2147483647.5), kMax32);
  EXPECT_EQ(cast_value<std::int32_t>(2147483648.0), kMax32);
  EXPECT_EQ(cast_value<std::int32_t>(-2147483648.0), kMin32);
  EXPECT_EQ(cast_value<std::int32_t>(-2147483648.9), kMin32);
  EXPECT_EQ(cast_value<std::int32_t>(2147483520.0f), 2147483520);
  EXPECT_EQ(cast_value<std::int32_t>(2147483648.0f), kMax32);
  EXPECT_EQ(cast_value<std::int64_t>(9223372036854774784.0), 9223372036854774784);
  EXPECT_EQ(cast_value<std::int64_t>(9223372036854775808.0), kMax64);
  EXPECT_EQ(cast_value<std::int64_t>(-9223372036854775808.0), kMin64);
  EXPECT_EQ(cast_value<std::int64_t>(9223372036854775808.0f), kMax64);
}

TEST(Cast, AnythingToBoolIsNotZero) {
  EXPECT_TRUE(cast_value<bool>(kNan));
  EXPECT_TRUE(cast_value<bool>(1e-320));
  EXPECT_FALSE(cast_value<bool>(-0.0));
  EXPECT_TRUE(cast_value<bool>(std::complex<float>(0, 1)));
  EXPECT_FALSE(cast_value<bool>(std::complex<double>(0, -0.0)));
  EXPECT_TRUE(cast_value<bool>(std::int32_t{-5}));
}

TEST(Cast, ComplexToRealDropsTheImaginaryPart) {
  EXPECT_EQ(cast_value<double>(std::complex<double>(1.5, 7)), 1.5);
  EXPECT_EQ(cast_value<std::int32_t>(std::complex<double>(-2.5, kNan)), -2);
  EXPECT_EQ((cast_value<std::complex<float>>(std::complex<double>(1, 2))), (std::complex<float>(1, 2)));
  EXPECT_EQ((cast_value<std::complex<float>>(true)), (std::complex<float>(1, 0)));
}

TEST(Cast, IntegersWrapIntoNarrowerOnes) {
  EXPECT_EQ(cast_value<std::int32_t>((std::int64_t{1} << 32) + 5), 5);
  EXPECT_EQ(cast_value<std::int32_t>(kMin64), 0);
  EXPECT_EQ(cast_value<double>(kMax64), 9223372036854775808.0);
}

TEST(Scalar, KeepsItsTypeAndCastsExplicitly) {
  const Scalar a = 2.5;
  EXPECT_EQ(a.dtype(), DType::f64);
  EXPECT_EQ(a.to<std::int32_t>(), 2);
  EXPECT_EQ(a.as(DType::c32).get<std::complex<float>>(), std::complex<float>(2.5F, 0));
  EXPECT_EQ(Scalar(true).dtype(), DType::boolean);
  EXPECT_EQ(Scalar(7).dtype(), DType::i32);
  EXPECT_EQ(Scalar(std::int64_t{7}).dtype(), DType::i64);
}

TEST(Scalar, EqualityMindsTheDtype) {
  EXPECT_EQ(Scalar(1.0), Scalar(1.0));
  EXPECT_NE(Scalar(1.0), Scalar(1));
  EXPECT_EQ(Scalar(), Scalar(0.0));
}

TEST(Scalar, Texts) {
  EXPECT_EQ(to_text(Scalar(2.5)), "2.5");
  EXPECT_EQ(to_text(Scalar(false)), "false");
  EXPECT_EQ(to_text(Scalar(std::complex<double>(1, -2))), "(1,-2)");
}

}  // namespace
}  // namespace tenferro
