// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/infer.hpp"

#include <gtest/gtest.h>

#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

AxisSet axes(std::initializer_list<std::size_t> list) {
  AxisSet set;
  for (const std::size_t axis : list) set.insert(axis);
  return set;
}

Op reduce(OpKind kind, AxisSet set, bool keep_dims = false) { return {kind, ReduceAttrs{set, keep_dims}}; }

TEST(InferTest, RefusesWrongNumberOfOperands) {
  const auto info = refusal<ArityMismatch>(Op(OpKind::add), {f64({2})});
  EXPECT_EQ(info.expected, 2);
  EXPECT_EQ(info.got, 1);
  EXPECT_EQ(refusal<ArityMismatch>(Op(OpKind::concatenate, AxisAttrs{0}), {}).expected, -1);
  EXPECT_EQ(refusal<ArityMismatch>(Op(OpKind::iota, IotaAttrs{{2}, DType::f64, 0}), {f64({2})}).expected, 0);
}

TEST(InferTest, RefusesPayloadOfAnotherOperation) {
  Op op(OpKind::neg);
  op.attrs = ReshapeAttrs{{2}};
  refusal<BadArgument>(op, {f64({2})});
  Op other(OpKind::tril, TriAttrs{});
  other.attrs = NoAttrs{};
  refusal<BadArgument>(other, {f64({2, 2})});
}

TEST(InferTest, EveryRowRefusesDTypesOutsideItsRule) {
  for (const OpInfo& row : kOps) {
    if (row.attrs != AttrsId::NoAttrs || row.shape != ShapeRule::same) continue;
    for (const DType dtype : kDTypes) {
      const std::vector<TensorMeta> in(row.arity, meta(dtype, {2, 3}));
      if (admitted(row.dtypes).contains(dtype)) {
        const TensorMeta out = result(Op(row.kind), in);
        EXPECT_EQ(out.shape, (Shape{2, 3})) << row.name;
        const bool to_bool = row.result == ResultRule::boolean;
        if (row.result == ResultRule::same || to_bool) {
          EXPECT_EQ(out.dtype, to_bool ? DType::boolean : dtype) << row.name;
        }
      } else {
        const auto info = refusal<UnsupportedDType>(Op(row.kind), in);
        EXPECT_EQ(info.op, row.name);
        EXPECT_EQ(info.got, dtype);
      }
    }
  }
}

TEST(InferTest, AbsOfComplexIsReal) {
  EXPECT_EQ(result(Op(OpKind::abs), {c64({2})}), f64({2}));
  EXPECT_EQ(result(Op(OpKind::arg), {meta(DType::c32, {2})}), f32({2}));
  EXPECT_EQ(result(Op(OpKind::make_complex), {f32({2}), f32({2})}), meta(DType::c32, {2}));
}

TEST(InferTest, PrimitivesRefuseMixedDTypesAndShapes) {
  const auto dtypes = refusal<DTypeMismatch>(Op(OpKind::add), {f64({2}), f32({2})});
  EXPECT_EQ(dtypes.operand, 1);
  EXPECT_EQ(dtypes.expected, DType::f64);
  EXPECT_EQ(dtypes.got, DType::f32);
  const auto shapes = refusal<ShapeMismatch>(Op(OpKind::add), {f64({2, 1}), f64({2})});
  EXPECT_EQ(shapes.lhs, (Shape{2, 1}));
  EXPECT_EQ(shapes.rhs, (Shape{2}));
}

TEST(InferTest, SelectWantsMaskAndEqualBranches) {
  const Op op(OpKind::select);
  EXPECT_EQ(result(op, {boolean({2}), c64({2}), c64({2})}), c64({2}));
  EXPECT_EQ(result(op, {boolean({2}), boolean({2}), boolean({2})}), boolean({2}));
  EXPECT_EQ(refusal<DTypeMismatch>(op, {i32({2}), c64({2}), c64({2})}).operand, 0);
  EXPECT_EQ(refusal<DTypeMismatch>(op, {boolean({2}), c64({2}), f64({2})}).operand, 2);
  EXPECT_EQ(refusal<ShapeMismatch>(op, {boolean({3}), c64({2}), c64({2})}).rhs, (Shape{3}));
  EXPECT_EQ(refusal<ShapeMismatch>(op, {boolean({2}), c64({2}), c64({1})}).rhs, (Shape{1}));
}

TEST(InferTest, CheckedConversionFollowsTheLattice) {
  // Row and column order: bool i32 i64 f32 f64 c32 c64; 1 where a checked conversion is admitted.
  const DType order[] = {DType::boolean, DType::i32, DType::i64, DType::f32, DType::f64, DType::c32, DType::c64};
  const int allowed[7][7] = {{1, 1, 1, 1, 1, 1, 1}, {0, 1, 1, 0, 1, 0, 1}, {0, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 1, 1},
                             {0, 0, 0, 0, 1, 0, 1}, {0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 1}};
  for (std::size_t from = 0; from < 7; ++from) {
    for (std::size_t to = 0; to < 7; ++to) {
      const TensorMeta x = meta(order[from], {2});
      const Op checked(OpKind::convert, ConvertAttrs{order[to], true});
      if (allowed[from][to] != 0) {
        EXPECT_EQ(result(checked, {x}), meta(order[to], {2}));
      } else {
        const auto info = refusal<UnsupportedConversion>(checked, {x});
        EXPECT_EQ(info.from, order[from]);
        EXPECT_EQ(info.to, order[to]);
      }
      EXPECT_EQ(result(Op(OpKind::convert, ConvertAttrs{order[to], false}), {x}), meta(order[to], {2}));
    }
  }
  refusal<UnsupportedConversion>(Op(OpKind::convert, ConvertAttrs{DType::external, false}), {f64({2})});
}

TEST(InferReductionTest, RemovesOrKeepsAxes) {
  EXPECT_EQ(shape_after(reduce(OpKind::reduce_sum, axes({0, 2})), {f64({2, 3, 4})}), (Shape{3}));
  EXPECT_EQ(shape_after(reduce(OpKind::reduce_sum, axes({0, 2}), true), {f64({2, 3, 4})}), (Shape{1, 3, 1}));
  EXPECT_EQ(shape_after(reduce(OpKind::reduce_sum, {}), {f64({2, 3})}), (Shape{2, 3}));
  EXPECT_EQ(shape_after(reduce(OpKind::reduce_sum, {}), {f64({})}), (Shape{}));
  EXPECT_EQ(result(reduce(OpKind::reduce_sum_squares, axes({0})), {c64({2})}), f64({}));
}

TEST(InferReductionTest, RefusesAxesBeyondTheRank) {
  const auto info = refusal<AxisOutOfRange>(reduce(OpKind::reduce_sum, axes({0, 3, 63})), {f64({2, 3})});
  EXPECT_EQ(info.axis, 63);
  EXPECT_EQ(info.rank, 2);
  EXPECT_EQ(refusal<AxisOutOfRange>(reduce(OpKind::reduce_prod, axes({0})), {f64({})}).rank, 0);
}

TEST(InferReductionTest, ChoosingFromNothingIsRefused) {
  for (const OpKind kind : {OpKind::reduce_max, OpKind::reduce_min}) {
    EXPECT_EQ(refusal<EmptyReduction>(reduce(kind, axes({1})), {f64({2, 0})}).shape, (Shape{2, 0}));
    EXPECT_EQ(shape_after(reduce(kind, axes({0})), {f64({2, 0})}), (Shape{0}));
  }
  for (const OpKind kind : {OpKind::argmax, OpKind::argmin}) {
    refusal<EmptyReduction>(Op(kind, ArgReduceAttrs{-1, false}), {f64({2, 0})});
    refusal<EmptyReduction>(Op(kind, ArgReduceAttrs{1, false}), {f64({2, 0})});
  }
  EXPECT_EQ(shape_after(reduce(OpKind::reduce_sum, axes({1})), {f64({2, 0})}), (Shape{2}));
}

TEST(InferReductionTest, ArgReductionGivesPositions) {
  EXPECT_EQ(result(Op(OpKind::argmax, ArgReduceAttrs{1, false}), {f32({2, 3})}), i64({2}));
  EXPECT_EQ(result(Op(OpKind::argmax, ArgReduceAttrs{-1, false}), {f32({2, 3})}), i64({}));
  EXPECT_EQ(result(Op(OpKind::argmax, ArgReduceAttrs{-1, true}), {f32({2, 3})}), i64({1, 1}));
  EXPECT_EQ(refusal<AxisOutOfRange>(Op(OpKind::argmax, ArgReduceAttrs{2, false}), {f32({2, 3})}).axis, 2);
  EXPECT_EQ(refusal<AxisOutOfRange>(Op(OpKind::argmin, ArgReduceAttrs{-2, false}), {f32({2, 3})}).axis, -2);
  refusal<UnsupportedDType>(Op(OpKind::argmax, ArgReduceAttrs{0, false}), {c64({2})});
}

TEST(InferScanTest, KeepsTheShape) {
  EXPECT_EQ(result(Op(OpKind::cumsum, ScanAttrs{1, true, true}), {i32({2, 3})}), i32({2, 3}));
  EXPECT_EQ(result(Op(OpKind::argsort, SortAttrs{0, true, true}), {f32({2, 3})}), i64({2, 3}));
  EXPECT_EQ(refusal<AxisOutOfRange>(Op(OpKind::cumsum, ScanAttrs{2, false, false}), {i32({2, 3})}).axis, 2);
  EXPECT_EQ(refusal<AxisOutOfRange>(Op(OpKind::sort, SortAttrs{0, false, true}), {i32({})}).rank, 0);
}

TEST(InferOrderTest, TopKGivesValuesAndPositions) {
  const auto out = inferred(Op(OpKind::top_k, TopKAttrs{2, 1, true}), {f32({4, 3})});
  EXPECT_EQ(out[0], f32({4, 2}));
  EXPECT_EQ(out[1], i64({4, 2}));
  EXPECT_EQ(shape_after(Op(OpKind::top_k, TopKAttrs{0, 0, true}), {f32({4})}), (Shape{0}));
  refusal<BadArgument>(Op(OpKind::top_k, TopKAttrs{4, 1, true}), {f32({4, 3})});
  refusal<BadArgument>(Op(OpKind::top_k, TopKAttrs{-1, 1, true}), {f32({4, 3})});
  refusal<AxisOutOfRange>(Op(OpKind::top_k, TopKAttrs{1, 2, true}), {f32({4, 3})});
}

TEST(InferDotGeneralTest, OrdersAxesLhsFreeRhsFreeBatch) {
  const DotGeneralConfig config({1}, {2}, {3}, {0});
  EXPECT_EQ(result(Op(OpKind::dot_general, config), {f64({2, 3, 4, 5}), f64({5, 7, 3})}), f64({2, 4, 7, 5}));
  EXPECT_EQ(shape_after(Op(OpKind::dot_general, DotGeneralConfig()), {f64({2}), f64({3, 4})}), (Shape{2, 3, 4}));
}

TEST(InferDotGeneralTest, RefusesWhatDoesNotFit) {
  const auto refuse = [](const DotGeneralConfig& config) { return Op(OpKind::dot_general, config); };
  const std::vector<TensorMeta> in{f64({2, 3}), f64({3, 4})};
  EXPECT_EQ(refusal<ShapeMismatch>(refuse({{0}, {0}}), in).lhs, (Shape{2, 3}));
  EXPECT_NE(refusal<ShapeMismatch>(refuse({{0}, {0}}), in).hint.find("lhs free, rhs free, batch"), std::string::npos);
  refusal<ShapeMismatch>(refuse({{1}, {0}, {0}, {1}}), in);
  refusal<BadArgument>(refuse({{1}, {}}), in);
  refusal<BadArgument>(refuse({{}, {0}, {1}, {}}), in);
  EXPECT_EQ(refusal<AxisOutOfRange>(refuse({{2}, {0}}), in).axis, 2);
  EXPECT_EQ(refusal<AxisOutOfRange>(refuse({{1}, {200}}), in).axis, 200);
  EXPECT_EQ(refusal<DuplicateAxis>(refuse({{1, 1}, {0, 0}}), in).axis, 1);
  EXPECT_EQ(refusal<DuplicateAxis>(refuse({{1}, {0}, {1}, {0}}), in).axis, 1);
  EXPECT_EQ(refusal<DTypeMismatch>(refuse({{1}, {0}}), {f64({2, 3}), f32({3, 4})}).operand, 1);
  refusal<UnsupportedDType>(refuse({{1}, {0}}), {boolean({2, 3}), boolean({3, 4})});
}

TEST(InferDotGeneralTest, RefusesAResultThatDoesNotFitInMemory) {
  const std::int64_t huge = std::int64_t{1} << 40;
  refusal<ShapeOverflow>(Op(OpKind::dot_general, DotGeneralConfig()), {f64({huge}), f64({huge})});
}

TEST(InferCreationTest, DTypeAndShapeComeFromThePayload) {
  const auto value = std::make_shared<const Tensor>(Tensor::zeros(DType::c32, {2, 0}));
  EXPECT_EQ(result(Op(OpKind::constant, ConstantAttrs{value}), {}), meta(DType::c32, {2, 0}));
  refusal<BadArgument>(Op(OpKind::constant, ConstantAttrs{}), {});
  EXPECT_EQ(result(Op(OpKind::iota, IotaAttrs{{2, 3}, DType::i32, 1}), {}), i32({2, 3}));
  refusal<AxisOutOfRange>(Op(OpKind::iota, IotaAttrs{{2, 3}, DType::i32, 2}), {});
  EXPECT_EQ(refusal<UnsupportedDType>(Op(OpKind::iota, IotaAttrs{{2}, DType::boolean, 0}), {}).operand, -1);
  refusal<InvalidShape>(Op(OpKind::iota, IotaAttrs{{2, -1}, DType::i32, 0}), {});
  refusal<ShapeOverflow>(Op(OpKind::iota, IotaAttrs{{std::int64_t{1} << 62, 0, 4}, DType::i32, 0}), {});
}

TEST(InferRandomTest, WantsAKey) {
  const Op op(OpKind::random_bits, RandomBitsAttrs{{5}, DType::i32});
  EXPECT_EQ(result(op, {i64({2})}), i32({5}));
  refusal<ShapeMismatch>(op, {i64({3})});
  refusal<DTypeMismatch>(op, {i32({2})});
  refusal<UnsupportedDType>(op, {f64({2})});
  refusal<UnsupportedDType>(Op(OpKind::random_bits, RandomBitsAttrs{{5}, DType::f64}), {i64({2})});
}

TEST(InferDynamicTest, StaticExtentIsTheUpperBound) {
  const Op op(OpKind::dynamic_truncate, AxisAttrs{1});
  EXPECT_EQ(shape_after(op, {f64({2, 5}), i64({})}), (Shape{2, 5}));
  refusal<RankMismatch>(op, {f64({2, 5}), i64({1})});
  refusal<UnsupportedDType>(op, {f64({2, 5}), f64({})});
  refusal<AxisOutOfRange>(op, {f64({2}), i64({})});
}

TEST(InferDynamicTest, SizeIsReadFromTheData) {
  const Tensor x = Tensor::zeros(DType::f64, {2, 5});
  const Op op(OpKind::dynamic_truncate, AxisAttrs{1});
  const auto refined = [&](const Tensor& size) {
    const TensorRead in[] = {x, size};
    TensorMeta out = f64({2, 5});
    if (OpFailure failure = refine_dynamic_shape(op, in, {&out, 1})) throw_failure(std::move(failure));
    return out.shape;
  };
  EXPECT_EQ(refined(Tensor::scalar(std::int64_t{3})), (Shape{2, 3}));
  EXPECT_EQ(refined(Tensor::scalar(std::int32_t{0})), (Shape{2, 0}));
  refusal_of<BadArgument>([&] { return refined(Tensor::scalar(std::int64_t{6})); });
  refusal_of<BadArgument>([&] { return refined(Tensor::scalar(std::int32_t{-1})); });
}

TEST(InferDynamicTest, ShapeOfAndPadToMatch) {
  EXPECT_EQ(result(Op(OpKind::shape_of, AxisAttrs{1}), {f64({2, 5})}), i64({}));
  refusal<AxisOutOfRange>(Op(OpKind::shape_of, AxisAttrs{2}), {f64({2, 5})});
  const Op op(OpKind::pad_to_match, AxisAttrs{0});
  EXPECT_EQ(result(op, {f64({2, 5}), boolean({7})}), f64({7, 5}));
  refusal<ShapeMismatch>(op, {f64({2, 5}), f64({1})});
  refusal<AxisOutOfRange>(op, {f64({2, 5}), f64({})});
}

}  // namespace
}  // namespace tenferro::testing
