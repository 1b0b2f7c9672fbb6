// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/layout.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <vector>

#include "tenferro/tensor/index.hpp"
#include "tenferro/tensor/testing/error_of.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInt64Max;

// Offset of every index tuple, first index fastest.
std::vector<std::int64_t> offsets(const Layout& layout) {
  std::vector<std::int64_t> out;
  const std::int64_t count = element_count(layout.shape).value();
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t rest = n;
    std::int64_t offset = layout.offset;
    for (std::size_t k = 0; k < layout.rank(); ++k) {
      offset += rest % layout.shape[k] * layout.strides[k];
      rest /= layout.shape[k];
    }
    out.push_back(offset);
  }
  return out;
}

TEST(Layout, CompactStridesRunUpFromTheFirstAxis) {
  EXPECT_EQ(col_major_strides(Shape{2, 3, 4}), (Dims{1, 2, 6}));
  EXPECT_EQ(row_major_strides(Shape{2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(col_major_strides(Shape{}), Dims{});
}

TEST(Layout, StridesOfEmptyTensorsDoNotOverflow) {
  const std::int64_t half = std::int64_t{1} << 31;
  EXPECT_EQ(col_major_strides(Shape{half, 0, half - 1}), (Dims{1, half, half}));
}

TEST(Layout, CompactnessIgnoresAxesOfOneIndex) {
  EXPECT_TRUE(is_compact(Shape{2, 3}, Dims{1, 2}));
  EXPECT_TRUE(is_compact(Shape{2, 1, 3}, Dims{1, 77, 2}));
  EXPECT_FALSE(is_compact(Shape{2, 3}, Dims{3, 1}));
  EXPECT_FALSE(is_compact(Shape{2}, Dims{-1}));
  EXPECT_TRUE(is_compact(Shape{0, 3}, Dims{5, 9}));
  EXPECT_TRUE(is_compact(Shape{}, Dims{}));
}

TEST(Layout, ReachIsTheRangeOfOffsets) {
  const Reach r = reach(Shape{3, 4, 1}, Dims{-2, 5, 100});
  EXPECT_EQ(r.first, -4);
  EXPECT_EQ(r.last, 15);
  EXPECT_GT(reach(Shape{0}, Dims{1}).first, reach(Shape{0}, Dims{1}).last);
}

TEST(Layout, ReachSaturatesWhereItDoesNotFit) {
  const Reach r = reach(Shape{kInt64Max, kInt64Max}, Dims{kInt64Max, -kInt64Max - 1});
  EXPECT_EQ(r.last, kInt64Max);
  EXPECT_LE(r.first, -kInt64Max);
}

TEST(Layout, PermutedMovesIndicesAlong) {
  const Layout a = compact_layout({2, 3, 4});
  const Layout p = permuted(a, Dims{2, 0, -2});
  EXPECT_EQ(p.shape, (Shape{4, 2, 3}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) {
        EXPECT_EQ(k * p.strides[0] + i * p.strides[1] + j * p.strides[2], i + 2 * j + 6 * k);
      }
    }
  }
}

TEST(Layout, PermutedWantsEveryAxisOnce) {
  const Layout a = compact_layout({2, 3});
  EXPECT_EQ(error_of<RankMismatch>([&] { return permuted(a, Dims{0}); }).got, 1);
  EXPECT_EQ(error_of<DuplicateAxis>([&] { return permuted(a, Dims{1, -1}); }).axis, -1);
  EXPECT_EQ(error_of<AxisOutOfRange>([&] { return permuted(a, Dims{0, 2}); }).axis, 2);
}

TEST(Layout, BroadcastHasZeroStrides) {
  const Layout b = broadcast_to(compact_layout({3, 1}), Shape{2, 3, 4});
  EXPECT_EQ(b.shape, (Shape{2, 3, 4}));
  EXPECT_EQ(b.strides, (Dims{0, 1, 0}));
}

TEST(Layout, BroadcastOfOneToNoneIsEmpty) {
  EXPECT_EQ(broadcast_to(compact_layout({1}), Shape{0}).shape, (Shape{0}));
  error_of<NotBroadcastable>([&] { return broadcast_to(compact_layout({0}), Shape{1}); });
}

TEST(Layout, BroadcastRefusesOtherExtentsAndLostAxes) {
  const auto e = error_of<NotBroadcastable>([&] { return broadcast_to(compact_layout({3, 2}), Shape{2}); });
  EXPECT_EQ(e.from, (Shape{3, 2}));
  EXPECT_EQ(e.to, (Shape{2}));
  error_of<NotBroadcastable>([&] { return broadcast_to(compact_layout({3}), Shape{4}); });
}

TEST(Layout, BroadcastToAnOverflowingShapeIsATypedError) {
  const std::int64_t big = std::int64_t{1} << 40;
  error_of<ShapeOverflow>([&] { return broadcast_to(compact_layout({1}), Shape{big, big}); });
}

TEST(Layout, ReversedCountsBackwards) {
  const Layout r = reversed(compact_layout({2, 3}), Dims{-1});
  EXPECT_EQ(offsets(r), (std::vector<std::int64_t>{4, 5, 2, 3, 0, 1}));
  EXPECT_EQ(offsets(reversed(r, Dims{1})), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  error_of<DuplicateAxis>([&] { return reversed(r, Dims{0, -2}); });
}

TEST(Layout, ReversedEmptyStaysAtItsAddress) { EXPECT_EQ(reversed(compact_layout({0, 3}), Dims{0, 1}).offset, 0); }

TEST(Layout, DiagonalTakesEqualIndicesPlusShift) {
  const Layout a = compact_layout({3, 4});
  for (std::int64_t shift = -5; shift <= 6; ++shift) {
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < 3; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        if (j - i == shift) expected.push_back(i + 3 * j);
      }
    }
    EXPECT_EQ(offsets(diagonal(a, shift, 0, 1)), expected) << shift;
  }
}

TEST(Layout, DiagonalBecomesTheLastAxis) {
  const Layout d = diagonal(compact_layout({3, 5, 3}), 0, 0, -1);
  EXPECT_EQ(d.shape, (Shape{5, 3}));
  EXPECT_EQ(d.strides, (Dims{3, 16}));
  error_of<DuplicateAxis>([&] { return diagonal(compact_layout({3, 3}), 0, 1, -1); });
}

TEST(Layout, DiagonalWithAnExtremeShiftIsEmpty) {
  const Layout a = compact_layout({3, 4});
  EXPECT_EQ(diagonal(a, kInt64Max, 0, 1).shape, (Shape{0}));
  EXPECT_EQ(diagonal(a, -kInt64Max - 1, 0, 1).shape, (Shape{0}));
}

TEST(Layout, ReshapedViewKeepsTheColumnMajorOrder) {
  // Evenly spaced in axes {0,1} and in {2,3}, not across.
  const Layout a{{2, 3, 4, 5}, {3, 6, 100, 400}, 7};
  for (const Shape& shape :
       {Shape{6, 20}, Shape{3, 2, 20}, Shape{6, 2, 2, 5}, Shape{1, 6, 1, 10, 2, 1}, Shape{2, 3, 4, 5}}) {
    const Layout r = reshaped_view(a, shape);
    EXPECT_EQ(r.shape, shape);
    EXPECT_EQ(offsets(r), offsets(a));
  }
}

TEST(Layout, ReshapedViewRefusesUnevenJoins) {
  const Layout a{{2, 3, 4, 5}, {3, 6, 100, 400}, 7};
  for (const Shape& shape : {Shape{120}, Shape{4, 30}, Shape{2, 12, 5}, Shape{12, 10}}) {
    error_of<BadArgument>([&] { return reshaped_view(a, shape); });
  }
  EXPECT_EQ(error_of<ElementCountMismatch>([&] { return reshaped_view(a, Shape{7}); }).expected, 120);
}

TEST(Layout, ReshapedViewOfReversedAndStretched) {
  const Layout backwards = reversed(compact_layout({2, 3}), Dims{0, 1});
  EXPECT_EQ(offsets(reshaped_view(backwards, Shape{6})), (std::vector<std::int64_t>{5, 4, 3, 2, 1, 0}));
  const Layout stretched = broadcast_to(compact_layout({1, 1}), Shape{2, 3});
  EXPECT_EQ(reshaped_view(stretched, Shape{6}).strides, (Dims{0}));
}

TEST(Layout, ReshapedViewOfEmptyAndSingle) {
  EXPECT_EQ(reshaped_view(compact_layout({0, 3}), Shape{5, 0}).shape, (Shape{5, 0}));
  EXPECT_EQ(reshaped_view(compact_layout({}), Shape{1, 1}).shape, (Shape{1, 1}));
  EXPECT_EQ(reshaped_view(compact_layout({1, 1}), Shape{}).shape, Shape{});
}

// Ground truth: list all offsets and look for a repeated one.
bool repeats(const Layout& layout) {
  std::map<std::int64_t, int> seen;
  for (const std::int64_t o : offsets(layout)) {
    if (++seen[o] > 1) return true;
  }
  return false;
}

TEST(Layout, SelfOverlapAgreesWithListingAllOffsets) {
  int overlapping = 0;
  for (std::int64_t s0 = -7; s0 <= 7; ++s0) {
    for (std::int64_t s1 = -7; s1 <= 7; ++s1) {
      for (std::int64_t s2 = 0; s2 <= 11; ++s2) {
        for (const Shape& shape : {Shape{2, 3, 4}, Shape{5, 1, 2}, Shape{3, 3, 3}}) {
          const Layout a{shape, {s0, s1, s2}, 0};
          const bool expected = repeats(a);
          overlapping += expected ? 1 : 0;
          ASSERT_EQ(may_self_overlap(a.shape, a.strides), expected)
              << s0 << " " << s1 << " " << s2 << " shape " << shape[0] << shape[1] << shape[2];
        }
      }
    }
  }
  EXPECT_GT(overlapping, 1000);
}

TEST(Layout, SelfOverlapOfEmptyAndSingleElementIsNone) {
  EXPECT_FALSE(may_self_overlap(Shape{0, 5}, Dims{0, 0}));
  EXPECT_FALSE(may_self_overlap(Shape{1, 1}, Dims{0, 0}));
  EXPECT_FALSE(may_self_overlap(Shape{}, Dims{}));
  EXPECT_TRUE(may_self_overlap(Shape{2}, Dims{0}));
}

TEST(Layout, SelfOverlapEndsOnHostileStrides) {
  // A long search: answered "may" within bounded work.
  (void)may_self_overlap(Shape{1 << 20, 1 << 20, 1 << 20}, Dims{1000003, 1000033, 1000037});
  EXPECT_TRUE(may_self_overlap(Shape{kInt64Max, 2}, Dims{kInt64Max, 1}));
  EXPECT_TRUE(may_self_overlap(Shape{2, 2}, Dims{-kInt64Max - 1, 1}));
}

TEST(Layout, StridesThatNothingIsReadByMayBeAnything) {
  const Layout lone{{1, 3}, {-kInt64Max - 1, 1}, 0};
  EXPECT_EQ(reversed(lone, Dims{0, 1}).offset, 2);
  EXPECT_EQ(diagonal(Layout{{1, 1}, {kInt64Max, kInt64Max}, 0}, 0, 0, 1).shape, (Shape{1}));
  const Layout empty{{3, 0, 3}, {-kInt64Max - 1, 1, kInt64Max}, 0};
  EXPECT_EQ(reversed(empty, Dims{0, 2}).offset, 0);
  EXPECT_EQ(diagonal(empty, 0, 0, 2).shape, (Shape{0, 3}));
  EXPECT_EQ(indexed(empty, std::vector<Index>{2, all, range(0, end, 2)}).shape, (Shape{0, 2}));
}

TEST(Layout, TooManyAxesAreRefused) {
  const Layout wide{Shape(kMaxRank + 1, 1), Dims(kMaxRank + 1, 1), 0};
  Dims axes;
  for (std::size_t k = 0; k <= kMaxRank; ++k) axes.push_back(static_cast<std::int64_t>(k));
  error_of<InvalidShape>([&] { return permuted(wide, axes); });
  error_of<InvalidShape>([&] { return reversed(wide, axes); });
}

}  // namespace
}  // namespace tenferro
