// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/shape.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tenferro/tensor/testing/error_of.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kBig = std::int64_t{1} << 40;

TEST(Shape, CountsElements) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{2, 3, 4}), 24);
  EXPECT_EQ(element_count(Shape{5, 0, 7}), 0);
  EXPECT_EQ(element_count(Shape{2, -1}), std::nullopt);
}

TEST(Shape, ProductsThatDoNotFitAreSeen) {
  EXPECT_EQ(element_count(Shape{kBig, kBig}), std::nullopt);
  EXPECT_EQ(element_count(Shape{std::numeric_limits<std::int64_t>::max()}), std::numeric_limits<std::int64_t>::max());
}

TEST(Shape, ZeroExtentHidesNoOverflowOfTheOthers) {
  EXPECT_EQ(element_count(Shape{2147483647, 2, 0}), 0);
  EXPECT_EQ(element_count(Shape{kBig, kBig, 0}), std::nullopt);
  EXPECT_EQ(element_count(Shape{0, kBig, kBig}), std::nullopt);
}

TEST(Shape, ChecksCountTheBytes) {
  const std::int64_t half = std::int64_t{1} << 61;
  EXPECT_EQ(checked_element_count("test", Shape{half}, 1), half);
  const auto e = error_of<ShapeOverflow>([&] { return checked_element_count("test", Shape{half}, 8); });
  EXPECT_EQ(e.op, "test");
  EXPECT_EQ(e.shape, Shape{half});
}

TEST(Shape, NegativeExtentsAndTooManyAxesAreInvalid) {
  EXPECT_EQ(error_of<InvalidShape>([&] { return checked_element_count("t", Shape{3, -2}, 8); }).shape, (Shape{3, -2}));
  EXPECT_EQ(checked_element_count("t", Shape(kMaxRank, 1), 8), 1);
  error_of<InvalidShape>([&] { return checked_element_count("t", Shape(kMaxRank + 1, 1), 8); });
}

TEST(Shape, AxesCountFromBothEnds) {
  EXPECT_EQ(normalized_axis("t", 0, 3), 0u);
  EXPECT_EQ(normalized_axis("t", -1, 3), 2u);
  EXPECT_EQ(normalized_axis("t", -3, 3), 0u);
  for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, std::numeric_limits<std::int64_t>::min()}) {
    const auto e = error_of<AxisOutOfRange>([&] { return normalized_axis("t", axis, 3); });
    EXPECT_EQ(e.axis, axis);
    EXPECT_EQ(e.rank, 3);
  }
  error_of<AxisOutOfRange>([&] { return normalized_axis("t", 0, 0); });
}

TEST(Shape, BroadcastAlignsAtTheLastAxis) {
  EXPECT_EQ(broadcast_shape(Shape{2, 1}, Shape{1, 3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shape(Shape{4, 2, 3}, Shape{3}), (Shape{4, 2, 3}));
  EXPECT_EQ(broadcast_shape(Shape{}, Shape{5}), (Shape{5}));
  EXPECT_EQ(broadcast_shape(Shape{1}, Shape{0}), (Shape{0}));
  EXPECT_EQ(broadcast_shape(Shape{2, 0}, Shape{1, 1}), (Shape{2, 0}));
  EXPECT_EQ(broadcast_shape(Shape{2}, Shape{0}), std::nullopt);
  EXPECT_EQ(broadcast_shape(Shape{2, 3}, Shape{2}), std::nullopt);
}

TEST(Shape, ServesAsAKeyOfHashTables) {
  const std::hash<Shape> hash;
  EXPECT_EQ(hash(Shape{1, 2, 3}), hash(Shape{1, 2, 3}));
  EXPECT_NE(hash(Shape{1, 2, 3}), hash(Shape{3, 2, 1}));
  EXPECT_NE(hash(Shape{}), hash(Shape{0}));
}

}  // namespace
}  // namespace tenferro
