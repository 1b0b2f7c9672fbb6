// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/attrs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tenferro/ops/op.hpp"
#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

PadConfig padding(Scalar fill) { return {{1}, {2}, {0}, fill}; }

TEST(AttrsTest, EqualPayloadsHashEqually) {
  const Op a(OpKind::slice, SliceConfig{{1, 0}, {4, 3}, {1, 2}});
  const Op b(OpKind::slice, SliceConfig{{1, 0}, {4, 3}, {1, 2}});
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash_value(a), hash_value(b));
}

TEST(AttrsTest, DifferentOperationsDiffer) {
  const Op ops[] = {Op(OpKind::neg),
                    Op(OpKind::abs),
                    Op(OpKind::cumsum, ScanAttrs{0, false, false}),
                    Op(OpKind::cumsum, ScanAttrs{0, true, false}),
                    Op(OpKind::cumsum, ScanAttrs{0, false, true}),
                    Op(OpKind::cumprod, ScanAttrs{0, false, false}),
                    Op(OpKind::reshape, ReshapeAttrs{{2, 3}}),
                    Op(OpKind::reshape, ReshapeAttrs{{3, 2}}),
                    Op(OpKind::dot_general, DotGeneralConfig({1}, {0})),
                    Op(OpKind::dot_general, DotGeneralConfig({}, {}, {1}, {0})),
                    Op(OpKind::slice, SliceConfig{{1}, {2}, {1}}),
                    Op(OpKind::slice, SliceConfig{{1}, {2}, {2}})};
  for (std::size_t i = 0; i < std::size(ops); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(ops[i] == ops[k]) << to_text(ops[i]) << ' ' << to_text(ops[k]);
      EXPECT_NE(hash_value(ops[i]), hash_value(ops[k])) << to_text(ops[i]) << ' ' << to_text(ops[k]);
    }
  }
}

TEST(AttrsTest, ValuesInPayloadsCompareByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(padding(0.0) == padding(-0.0));
  EXPECT_TRUE(padding(nan) == padding(nan));
  EXPECT_FALSE(padding(1) == padding(1.0));
  EXPECT_EQ(hash_value(Attrs(PadAttrs(padding(nan)))), hash_value(Attrs(PadAttrs(padding(nan)))));
}

TEST(AttrsTest, ConstantsCompareByIdentity) {
  const auto a = std::make_shared<const Tensor>(Tensor::zeros(DType::f64, {2}));
  const auto b = std::make_shared<const Tensor>(Tensor::zeros(DType::f64, {2}));
  EXPECT_TRUE(ConstantAttrs{a} == ConstantAttrs{a});
  EXPECT_FALSE(ConstantAttrs{a} == ConstantAttrs{b});
}

TEST(AttrsTest, TextShowsTheFieldsThatSaySomething) {
  EXPECT_EQ(to_text(Op(OpKind::exp)), "exp");
  EXPECT_EQ(to_text(Op(OpKind::reduce_sum, ReduceAttrs{AxisSet::first(2), true})),
            "reduce_sum{axes=[0, 1], keep_dims=true}");
  EXPECT_EQ(to_text(Op(OpKind::reduce_sum, ReduceAttrs{AxisSet::first(1), false})), "reduce_sum{axes=[0]}");
  EXPECT_EQ(to_text(Op(OpKind::argmax, ArgReduceAttrs{})), "argmax");
  EXPECT_EQ(to_text(Op(OpKind::convert, ConvertAttrs{DType::c32, true})), "convert{to=complex<f32>, checked=true}");
  EXPECT_EQ(to_text(Op(OpKind::pad, padding(2.5))), "pad{low=[1], high=[2], interior=[0], fill=2.5}");
  EXPECT_EQ(to_text(Op(OpKind::constant, ConstantAttrs{std::make_shared<const Tensor>(Tensor::scalar(3))})),
            "constant{value=3, dtype=i32, shape=[]}");
}

TEST(DimExprTest, EvaluatesOverExtents) {
  const TensorMeta x = f64({7, 4});
  const MetaView in[] = {x};
  const DimExpr rows = DimExpr::extent(0, 0), columns = DimExpr::extent(0, 1);
  EXPECT_EQ((rows + columns * 2 - 1).evaluate(in), 14);
  EXPECT_EQ(floor_div(rows, 2).evaluate(in), 3);
  EXPECT_EQ(floor_div(DimExpr(0) - rows, 2).evaluate(in), -4);
  EXPECT_EQ(floor_div(rows, -2).evaluate(in), -4);
  EXPECT_EQ(min(rows, columns).evaluate(in), 4);
  EXPECT_EQ(max(rows, columns).evaluate(in), 7);
}

TEST(DimExprTest, RefusesWhatHasNoValue) {
  const TensorMeta x = f64({7, 0});
  const MetaView in[] = {x};
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
  refusal_of<BadArgument>([&] { return DimExpr::extent(1, 0).evaluate(in); });
  refusal_of<BadArgument>([&] { return DimExpr::extent(0, 2).evaluate(in); });
  refusal_of<BadArgument>([&] { return floor_div(DimExpr(1), DimExpr::extent(0, 1)).evaluate(in); });
  refusal_of<BadArgument>([&] { return (DimExpr(most) + DimExpr::extent(0, 0)).evaluate(in); });
  refusal_of<BadArgument>([&] { return floor_div(DimExpr(least), DimExpr(-1)).evaluate(in); });
}

TEST(DimExprTest, ComparesByStructure) {
  const auto half = [] { return floor_div(DimExpr::extent(0, 1), 2); };
  EXPECT_TRUE(half() == half());
  EXPECT_EQ(half().hash(), half().hash());
  EXPECT_FALSE(half() == floor_div(DimExpr::extent(0, 1), 3));
  EXPECT_FALSE(half() == half() + 1);
  EXPECT_TRUE(DimExpr(2) + 3 == DimExpr(5));
}

TEST(DimExprTest, TextReadsLikeTheFormula) {
  EXPECT_EQ(min(DimExpr::extent(0, 1), 4).to_text(), "min(x0.shape[1], 4)");
  EXPECT_EQ(floor_div(DimExpr::extent(1, 0) + 1, 2).to_text(), "((x1.shape[0] + 1) // 2)");
}

TEST(DimExprTest, DoublingIsBounded) {
  DimExpr e = DimExpr::extent(0, 0);
  refusal_of<BadArgument>([&] {
    for (int k = 0; k < 64; ++k) e = e + e;
    return 0;
  });
}

}  // namespace
}  // namespace tenferro::testing
