// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/axes.hpp"

#include <gtest/gtest.h>

#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

std::uint64_t resolved(const Axes& axes, std::size_t rank) { return axes.resolve("op", rank).bits(); }

TEST(AxesTest, NoListMeansAll) {
  EXPECT_EQ(resolved(std::nullopt, 3), 0b111U);
  EXPECT_EQ(resolved(std::nullopt, 0), 0U);
  EXPECT_EQ(resolved(std::nullopt, 64), ~std::uint64_t{0});
}

TEST(AxesTest, EmptyListMeansNone) { EXPECT_EQ(resolved({}, 3), 0U); }

TEST(AxesTest, NegativeAxesCountFromTheEnd) {
  EXPECT_EQ(resolved(-1, 3), 0b100U);
  EXPECT_EQ(resolved({-3, 1}, 3), 0b011U);
  EXPECT_EQ(resolved(std::size_t{2}, 3), 0b100U);
}

TEST(AxesTest, OutOfRangeNamesTheGivenAxis) {
  const auto low = refusal_of<AxisOutOfRange>([] { return resolved({0, -4}, 3); });
  EXPECT_EQ(low.axis, -4);
  EXPECT_EQ(low.rank, 3);
  EXPECT_EQ(low.op, "op");
  EXPECT_EQ(refusal_of<AxisOutOfRange>([] { return resolved(3, 3); }).axis, 3);
  EXPECT_EQ(refusal_of<AxisOutOfRange>([] { return resolved(0, 0); }).rank, 0);
}

TEST(AxesTest, TwoNamesOfOneAxisAreDuplicates) {
  EXPECT_EQ(refusal_of<DuplicateAxis>([] { return resolved({2, -1}, 3); }).axis, 2);
}

}  // namespace
}  // namespace tenferro::testing
