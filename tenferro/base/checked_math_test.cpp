// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/checked_math.hpp"

#include <gtest/gtest.h>

#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInt64Max;
using testing::kInt64Min;

TEST(CheckedMath, ReportsAProductThatDoesNotFit) {
  std::int64_t out = 0;
  EXPECT_TRUE(mul_overflows(std::int64_t{1} << 62, 4, &out));
  EXPECT_FALSE(mul_overflows(std::int64_t{1} << 31, std::int64_t{1} << 31, &out));
  EXPECT_EQ(out, std::int64_t{1} << 62);
}

TEST(CheckedMath, ReportsASumThatDoesNotFit) {
  std::int64_t out = 0;
  EXPECT_TRUE(add_overflows(kInt64Max, 1, &out));
  EXPECT_TRUE(sub_overflows(kInt64Min, 1, &out));
  EXPECT_FALSE(add_overflows(kInt64Max, -1, &out));
  EXPECT_EQ(out, kInt64Max - 1);
}

TEST(CheckedMath, SaturatesInsteadOfWrapping) {
  EXPECT_EQ(saturating_mul(kInt64Max, 2), kInt64Max);
  EXPECT_EQ(saturating_add(kInt64Max, 2), kInt64Max);
  EXPECT_EQ(saturating_add(kInt64Min, -2), kInt64Min);
  EXPECT_EQ(saturating_add(kInt64Min, 2), kInt64Min + 2);
}

TEST(CheckedMath, WrapsAsTwosComplement) {
  EXPECT_EQ(wrapping_add(kInt64Max, std::int64_t{1}), kInt64Min);
  EXPECT_EQ(wrapping_sub(kInt64Min, std::int64_t{1}), kInt64Max);
  EXPECT_EQ(wrapping_mul(kInt64Min, std::int64_t{-1}), kInt64Min);
}

}  // namespace
}  // namespace tenferro
