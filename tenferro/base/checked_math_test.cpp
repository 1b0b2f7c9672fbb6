// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/checked_math.hpp"

#include <gtest/gtest.h>

namespace tenferro {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(CheckedMath, ReportsAProductThatDoesNotFit) {
  std::int64_t out = 0;
  EXPECT_TRUE(mul_overflows(std::int64_t{1} << 62, 4, &out));
  EXPECT_FALSE(mul_overflows(std::int64_t{1} << 31, std::int64_t{1} << 31, &out));
  EXPECT_EQ(out, std::int64_t{1} << 62);
}

TEST(CheckedMath, ReportsASumThatDoesNotFit) {
  std::int64_t out = 0;
  EXPECT_TRUE(add_overflows(kMax, 1, &out));
  EXPECT_TRUE(sub_overflows(kMin, 1, &out));
  EXPECT_FALSE(add_overflows(kMax, -1, &out));
  EXPECT_EQ(out, kMax - 1);
}

TEST(CheckedMath, SaturatesInsteadOfWrapping) {
  EXPECT_EQ(saturating_mul(kMax, 2), kMax);
  EXPECT_EQ(saturating_add(kMax, 2), kMax);
  EXPECT_EQ(saturating_add(kMin, -2), kMin);
  EXPECT_EQ(saturating_add(kMin, 2), kMin + 2);
}

TEST(CheckedMath, WrapsAsTwosComplement) {
  EXPECT_EQ(wrapping_add(kMax, std::int64_t{1}), kMin);
  EXPECT_EQ(wrapping_sub(kMin, std::int64_t{1}), kMax);
  EXPECT_EQ(wrapping_mul(kMin, std::int64_t{-1}), kMin);
}

}  // namespace
}  // namespace tenferro
