// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Op pad(Dims low, Dims high, Dims interior, Scalar fill = 0.0) {
  return {OpKind::pad, PadConfig{std::move(low), std::move(high), std::move(interior), fill}};
}
Op slice(Dims starts, Dims limits, Dims strides) {
  return {OpKind::slice, SliceConfig{std::move(starts), std::move(limits), std::move(strides)}};
}
Op transpose(AxisList perm) { return {OpKind::transpose, TransposeAttrs{std::move(perm)}}; }
Op reshape(Shape shape) { return {OpKind::reshape, ReshapeAttrs{std::move(shape)}}; }
Op spread(Shape shape, AxisList axes) {
  return {OpKind::broadcast_in_dim, BroadcastInDimConfig{std::move(shape), std::move(axes)}};
}

TEST(InferTransposeTest, PermutesExtents) {
  EXPECT_EQ(result(transpose({2, 0, 1}), {i32({2, 3, 4})}), i32({4, 2, 3}));
  EXPECT_EQ(shape_after(transpose({}), {i32({})}), (Shape{}));
}

TEST(InferTransposeTest, RefusesWhatIsNoPermutation) {
  refusal<BadArgument>(transpose({0}), {f64({2, 3})});
  refusal<BadArgument>(transpose({0, 1, 2}), {f64({2, 3})});
  EXPECT_EQ(refusal<DuplicateAxis>(transpose({1, 1}), {f64({2, 3})}).axis, 1);
  EXPECT_EQ(refusal<AxisOutOfRange>(transpose({0, 255}), {f64({2, 3})}).axis, 255);
}

TEST(InferReshapeTest, KeepsTheElementCount) {
  EXPECT_EQ(shape_after(reshape({3, 2}), {f64({2, 3})}), (Shape{3, 2}));
  EXPECT_EQ(shape_after(reshape({0, 9}), {f64({5, 0})}), (Shape{0, 9}));
  EXPECT_EQ(shape_after(reshape({}), {f64({1, 1})}), (Shape{}));
  const auto info = refusal<ElementCountMismatch>(reshape({4}), {f64({2, 3})});
  EXPECT_EQ(info.expected, 6);
  EXPECT_EQ(info.got, 4);
  refusal<InvalidShape>(reshape({-2, -3}), {f64({2, 3})});
  refusal<InvalidShape>(reshape(Shape(std::size_t{65}, 1)), {f64({1})});
  refusal<ShapeOverflow>(reshape({std::int64_t{1} << 40, std::int64_t{1} << 40, 0}), {f64({0})});
}

TEST(InferBroadcastInDimTest, LaysAxesOut) {
  EXPECT_EQ(result(spread({4, 3, 2}, {2, 1}), {c64({2, 1})}), c64({4, 3, 2}));
  EXPECT_EQ(shape_after(spread({0, 3}, {0}), {f64({1})}), (Shape{0, 3}));
}

TEST(InferBroadcastInDimTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal<ShapeMismatch>(spread({4, 3}, {1}), {f64({2})}).rhs, (Shape{4, 3}));
  EXPECT_EQ(refusal<RankMismatch>(spread({4, 3}, {0, 1}), {f64({4})}).expected, 2);
  refusal<DuplicateAxis>(spread({4, 4}, {0, 0}), {f64({4, 4})});
  refusal<AxisOutOfRange>(spread({4, 3}, {2}), {f64({4})});
  refusal<InvalidShape>(spread({4, -3}, {0}), {f64({4})});
  refusal<ShapeOverflow>(spread({kMost, 8}, {}), {f64({})});
}

TEST(InferDiagTest, ExtractPutsTheDiagonalLast) {
  const auto shape = [](std::int64_t shift) {
    return shape_after(Op(OpKind::extract_diag, DiagAttrs{shift, 2, 0}), {f64({3, 4, 5})});
  };
  EXPECT_EQ(shape(0), (Shape{4, 3}));
  EXPECT_EQ(shape(1), (Shape{4, 2}));
  EXPECT_EQ(shape(-2), (Shape{4, 3}));
  EXPECT_EQ(shape(-4), (Shape{4, 1}));
  EXPECT_EQ(shape(-5), (Shape{4, 0}));
  EXPECT_EQ(shape(3), (Shape{4, 0}));
  EXPECT_EQ(shape(kLeast), (Shape{4, 0}));
  EXPECT_EQ(shape(kMost), (Shape{4, 0}));
  refusal<RankMismatch>(Op(OpKind::extract_diag, DiagAttrs{0, 0, 1}), {f64({3})});
  refusal<DuplicateAxis>(Op(OpKind::extract_diag, DiagAttrs{0, 1, 1}), {f64({3, 3})});
  refusal<AxisOutOfRange>(Op(OpKind::extract_diag, DiagAttrs{0, 0, 2}), {f64({3, 3})});
}

TEST(InferDiagTest, EmbedTakesTheLastAxis) {
  const auto embed = [](std::int64_t shift, std::uint8_t axis1, std::uint8_t axis2) {
    return Op(OpKind::embed_diag, DiagAttrs{shift, axis1, axis2});
  };
  EXPECT_EQ(shape_after(embed(0, 0, 1), {f64({3})}), (Shape{3, 3}));
  EXPECT_EQ(shape_after(embed(-2, 2, 0), {f64({4, 3})}), (Shape{5, 4, 5}));
  refusal<RankMismatch>(embed(0, 0, 1), {f64({})});
  refusal<DuplicateAxis>(embed(0, 1, 1), {f64({3})});
  refusal<AxisOutOfRange>(embed(0, 0, 2), {f64({3})});
  refusal<ShapeOverflow>(embed(kLeast, 0, 1), {f64({3})});
  refusal<ShapeOverflow>(embed(kMost, 0, 1), {f64({3})});
  refusal<InvalidShape>(embed(0, 0, 1), {f64(Shape(std::size_t{64}, 1))});
}

TEST(InferTriangleTest, WantsMatrices) {
  EXPECT_EQ(shape_after(Op(OpKind::tril, TriAttrs{kLeast}), {f64({3, 2, 4})}), (Shape{3, 2, 4}));
  EXPECT_EQ(refusal<RankMismatch>(Op(OpKind::triu, TriAttrs{0}), {f64({3})}).expected, 2);
}

TEST(InferReverseTest, RefusesAxesBeyondTheRank) {
  AxisSet set;
  set.insert(1);
  EXPECT_EQ(shape_after(Op(OpKind::reverse, AxesAttrs{set}), {f64({3, 2})}), (Shape{3, 2}));
  EXPECT_EQ(refusal<AxisOutOfRange>(Op(OpKind::reverse, AxesAttrs{set}), {f64({3})}).axis, 1);
}

TEST(InferConcatenateTest, AddsExtents) {
  const Op op(OpKind::concatenate, AxisAttrs{1});
  EXPECT_EQ(result(op, {i64({2, 3}), i64({2, 0}), i64({2, 4})}), i64({2, 7}));
  EXPECT_EQ(shape_after(op, {f64({2, 3})}), (Shape{2, 3}));
  EXPECT_EQ(refusal<ShapeMismatch>(op, {f64({2, 3}), f64({3, 3})}).rhs, (Shape{3, 3}));
  EXPECT_EQ(refusal<RankMismatch>(op, {f64({2, 3}), f64({2, 3}), f64({2})}).operand, 2);
  EXPECT_EQ(refusal<DTypeMismatch>(op, {f64({2, 3}), f32({2, 3})}).operand, 1);
  refusal<AxisOutOfRange>(op, {f64({2})});
  refusal<ShapeOverflow>(Op(OpKind::concatenate, AxisAttrs{0}), {boolean({kMost}), boolean({1})});
}

TEST(InferPadTest, CropsAndSpreads) {
  EXPECT_EQ(shape_after(pad({1, -1}, {2, 0}, {0, 3}), {f64({2, 3})}), (Shape{5, 8}));
  EXPECT_EQ(shape_after(pad({-1}, {-1}, {0}), {f64({2})}), (Shape{0}));
  EXPECT_EQ(shape_after(pad({2}, {0}, {5}), {f64({0})}), (Shape{2}));
}

TEST(InferPadTest, RefusesWhatDoesNotFit) {
  refusal<BadArgument>(pad({-2}, {-1}, {0}), {f64({2})});
  refusal<BadArgument>(pad({0}, {0}, {-1}), {f64({2})});
  refusal<BadArgument>(pad({0, 0}, {0}, {0}), {f64({2})});
  EXPECT_EQ(refusal<DTypeMismatch>(pad({0}, {0}, {0}, 1), {f64({2})}).got, DType::i32);
  refusal<ShapeOverflow>(pad({kMost}, {0}, {0}), {f64({2})});
  refusal<ShapeOverflow>(pad({0}, {0}, {kMost}), {f64({3})});
}

TEST(InferSliceTest, CountsSteps) {
  EXPECT_EQ(shape_after(slice({1, 0}, {7, 3}, {2, 5}), {f64({7, 3})}), (Shape{3, 1}));
  EXPECT_EQ(shape_after(slice({7}, {7}, {kMost}), {f64({7})}), (Shape{0}));
}

TEST(InferSliceTest, RefusesRangesThatLeaveTheAxis) {
  refusal<BadArgument>(slice({-1}, {2}, {1}), {f64({7})});
  refusal<BadArgument>(slice({0}, {8}, {1}), {f64({7})});
  refusal<BadArgument>(slice({3}, {2}, {1}), {f64({7})});
  refusal<BadArgument>(slice({0}, {2}, {0}), {f64({7})});
  refusal<BadArgument>(slice({0}, {2}, {-1}), {f64({7})});
  refusal<BadArgument>(slice({0, 0}, {2, 2}, {1, 1}), {f64({7})});
}

}  // namespace
}  // namespace tenferro::testing
