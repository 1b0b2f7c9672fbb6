// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/index.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/testing/error_of.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInt64Max;
using testing::kInt64Min;

Layout line(std::int64_t n, Index index) { return indexed(compact_layout({n}), std::span<const Index>(&index, 1)); }

std::vector<std::int64_t> taken(std::int64_t n, Index index) {
  const Layout l = line(n, index);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < l.shape[0]; ++i) out.push_back(l.offset + i * l.strides[0]);
  return out;
}

Layout sliced(const Layout& layout, std::initializer_list<Index> indices) {
  return indexed(layout, std::span(indices.begin(), indices.size()));
}

TEST(Index, RangesStopBeforeTheirEnd) {
  EXPECT_EQ(taken(6, range(1, 5)), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(taken(6, range(0, end, 2)), (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(taken(7, range(0, end, 3)), (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(taken(6, all), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Index, NegativeBoundsCountFromTheEnd) {
  EXPECT_EQ(taken(6, range(-3, -1)), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(taken(6, range(-6, 2)), (std::vector<std::int64_t>{0, 1}));
}

TEST(Index, NegativeStepsRunBackwards) {
  EXPECT_EQ(taken(5, range(-1, end, -1)), (std::vector<std::int64_t>{4, 3, 2, 1, 0}));
  EXPECT_EQ(taken(5, range(3, 0, -2)), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(taken(6, range(5, end, -2)), (std::vector<std::int64_t>{5, 3, 1}));
}

TEST(Index, AgreesWithCountingForEveryBoundAndStep) {
  for (std::int64_t n = 0; n <= 5; ++n) {
    for (std::int64_t first = 0; first <= n; ++first) {
      for (std::int64_t last = 0; last <= n; ++last) {
        for (std::int64_t step = 1; step <= 7; ++step) {
          std::vector<std::int64_t> expected;
          for (std::int64_t i = first; i < last; i += step) expected.push_back(i);
          EXPECT_EQ(taken(n, range(first, last, step)), expected) << n << first << last << step;
          if (first == n) continue;
          expected.clear();
          for (std::int64_t i = first; i > last; i -= step) expected.push_back(i);
          EXPECT_EQ(taken(n, range(first, last, -step)), expected) << n << first << last << -step;
        }
      }
    }
  }
}

TEST(Index, EmptyRanges) {
  EXPECT_TRUE(taken(5, range(3, 3)).empty());
  EXPECT_TRUE(taken(5, range(4, 1)).empty());
  EXPECT_TRUE(taken(5, range(5, end)).empty());
  EXPECT_TRUE(taken(0, range(0, end)).empty());
  EXPECT_TRUE(taken(0, range(-1, end, -1)).empty());
  EXPECT_EQ(line(5, range(5, end)).offset, 0);
}

TEST(Index, ExtremeStepsDoNotOverflow) {
  EXPECT_EQ(taken(5, range(1, end, kInt64Max)), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(taken(5, range(4, end, kInt64Min)), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(taken(5, range(4, end, -kInt64Max)), (std::vector<std::int64_t>{4}));
}

TEST(Index, IntegersRemoveTheirAxis) {
  const Layout a = compact_layout({2, 3, 4});
  const Layout b = sliced(a, {1, range(0, 2), -1});
  EXPECT_EQ(b.shape, (Shape{2}));
  EXPECT_EQ(b.strides, (Dims{2}));
  EXPECT_EQ(b.offset, 1 + 3 * 6);
}

TEST(Index, MissingIndicesKeepTheirAxes) {
  const Layout b = sliced(compact_layout({2, 3, 4}), {1});
  EXPECT_EQ(b.shape, (Shape{3, 4}));
  EXPECT_EQ(b.strides, (Dims{2, 6}));
  EXPECT_EQ(sliced(compact_layout({2, 3}), {}).shape, (Shape{2, 3}));
}

TEST(Index, MixedExample) {
  const Layout b = sliced(compact_layout({3, 6, 4, 5}), {all, range(1, 5), -1, range(0, end, 2)});
  EXPECT_EQ(b.shape, (Shape{3, 4, 3}));
  EXPECT_EQ(b.strides, (Dims{1, 3, 144}));
  EXPECT_EQ(b.offset, 3 + 3 * 18);
}

TEST(Index, OutOfBoundsNamesPositionIndexAndExtent) {
  const Layout a = compact_layout({2, 3});
  for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, kInt64Max, kInt64Min}) {
    const auto e = error_of<IndexOutOfBounds>([&] { return sliced(a, {0, bad}); });
    EXPECT_EQ(e.position, 1);
    EXPECT_EQ(e.index, bad);
    EXPECT_EQ(e.extent, 3);
  }
}

TEST(Index, RangesMustLieInside) {
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(0, 6)); }).index, 6);
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(-6, end)); }).index, -6);
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(5, end, -1)); }).index, 5);
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(end, 0, -1)); }).extent, 5);
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(6, 7)); }).index, 6);
  EXPECT_EQ(error_of<IndexOutOfBounds>([] { return line(5, range(0, kInt64Min)); }).index, kInt64Min);
}

TEST(Index, StepZeroAndTooManyIndicesAreErrors) {
  error_of<BadArgument>([] { return line(5, range(0, 3, 0)); });
  const auto e = error_of<RankMismatch>([] { return sliced(compact_layout({2, 3}), {0, 0, 0}); });
  EXPECT_EQ(e.expected, 2);
  EXPECT_EQ(e.got, 3);
}

TEST(Index, EmptySelectionKeepsTheAddressInsideTheBuffer) {
  EXPECT_EQ(sliced(compact_layout({0, 5}), {all, 4}).offset, 0);
  EXPECT_EQ(sliced(compact_layout({3, 5}), {range(3, end), 4}).offset, 0);
}

}  // namespace
}  // namespace tenferro
