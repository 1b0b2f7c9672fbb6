// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

/// Rows of a matrix at positions of shape [2, 6].
GatherConfig rows() {
  GatherConfig config;
  config.offset_dims = {2};
  config.collapsed_slice_dims = {0};
  config.start_index_map = {0};
  config.index_vector_dim = 2;
  config.slice_sizes = {1, 4};
  return config;
}

Op gather(const std::function<void(GatherConfig&)>& change = [](GatherConfig&) {}) {
  GatherConfig config = rows();
  change(config);
  return {OpKind::gather, config};
}

/// Rows of a matrix [5, 4], written at positions [6].
ScatterConfig row_updates() {
  ScatterConfig config;
  config.update_window_dims = {1};
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  return config;
}

Op scatter(const std::function<void(ScatterConfig&)>& change = [](ScatterConfig&) {}) {
  ScatterConfig config = row_updates();
  change(config);
  return {OpKind::scatter, config};
}

const std::vector<TensorMeta> kGatherIn{f64({5, 4}), i64({2, 6})};
const std::vector<TensorMeta> kScatterIn{f64({5, 4}), i32({6}), f64({6, 4})};

TEST(InferGatherTest, PlacesBatchAndWindowAxes) {
  EXPECT_EQ(result(gather(), kGatherIn), f64({2, 6, 4}));
  EXPECT_EQ(shape_after(gather([](GatherConfig& c) { c.offset_dims = {0}; }), kGatherIn), (Shape{4, 2, 6}));
  const Op explicit_vector = gather([](GatherConfig& c) {
    c.index_vector_dim = 0;
    c.start_index_map = {1, 0};
    c.offset_dims = {0};
    c.slice_sizes = {1, 3};
  });
  EXPECT_EQ(shape_after(explicit_vector, kGatherIn), (Shape{3, 6}));
}

TEST(InferGatherTest, NothingIsReadFromAnEmptyOperandWithoutIndices) {
  EXPECT_EQ(shape_after(gather(), {f64({0, 4}), i64({2, 0})}), (Shape{2, 0, 4}));
  refusal<BadArgument>(gather(), {f64({0, 4}), i64({2, 1})});
}

TEST(InferGatherTest, RefusesBadPayloads) {
  using C = GatherConfig&;
  EXPECT_EQ(refusal<UnsupportedDType>(gather(), {f64({5, 4}), f64({2, 6})}).operand, 1);
  refusal<AxisOutOfRange>(gather([](C c) { c.index_vector_dim = 3; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.index_vector_dim = 1; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.start_index_map = {0, 1}; }), kGatherIn);
  refusal<AxisOutOfRange>(gather([](C c) { c.start_index_map = {2}; }), kGatherIn);
  refusal<DuplicateAxis>(gather([](C c) {
                           c.index_vector_dim = 0;
                           c.start_index_map = {0, 0};
                         }),
                         kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.slice_sizes = {1}; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.slice_sizes = {1, 5}; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.slice_sizes = {1, -1}; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.slice_sizes = {2, 4}; }), kGatherIn);
  refusal<AxisOutOfRange>(gather([](C c) { c.collapsed_slice_dims = {9}; }), kGatherIn);
  refusal<DuplicateAxis>(gather([](C c) { c.collapsed_slice_dims = {0, 0}; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) { c.offset_dims = {}; }), kGatherIn);
  refusal<AxisOutOfRange>(gather([](C c) { c.offset_dims = {3}; }), kGatherIn);
  refusal<BadArgument>(gather([](C c) {
                         c.collapsed_slice_dims = {};
                         c.offset_dims = {3, 2};
                       }),
                       kGatherIn);
  EXPECT_EQ(refusal<DTypeMismatch>(gather([](C c) {
                                     c.mode = GatherMode::fill;
                                     c.fill = 1;
                                   }),
                                   kGatherIn)
                .got,
            DType::i32);
}

TEST(InferGatherTest, SizesMayBeExpressions) {
  GatherDynamicConfig config{rows(), {DimExpr(1), floor_div(DimExpr::extent(0, 1), 2)}};
  EXPECT_EQ(shape_after(Op(OpKind::gather_dynamic_slice_sizes, config), kGatherIn), (Shape{2, 6, 2}));
  config.slice_sizes = {DimExpr(1), DimExpr::extent(0, 7)};
  refusal<BadArgument>(Op(OpKind::gather_dynamic_slice_sizes, config), kGatherIn);
  config.slice_sizes = {DimExpr(1), DimExpr::extent(0, 0)};
  refusal<BadArgument>(Op(OpKind::gather_dynamic_slice_sizes, config), kGatherIn);
}

TEST(InferScatterTest, KeepsTheOperand) {
  EXPECT_EQ(result(scatter(), kScatterIn), f64({5, 4}));
  EXPECT_EQ(shape_after(scatter(), {f64({5, 4}), i32({6}), f64({6, 2})}), (Shape{5, 4}));
}

TEST(InferScatterTest, RefusesBadPayloads) {
  using C = ScatterConfig&;
  refusal<ShapeMismatch>(scatter(), {f64({5, 4}), i32({6}), f64({6, 5})});
  refusal<ShapeMismatch>(scatter(), {f64({5, 4}), i32({6}), f64({7, 4})});
  EXPECT_EQ(refusal<RankMismatch>(scatter(), {f64({5, 4}), i32({6}), f64({6})}).operand, 2);
  EXPECT_EQ(refusal<DTypeMismatch>(scatter(), {f64({5, 4}), i32({6}), f32({6, 4})}).operand, 2);
  refusal<UnsupportedDType>(scatter(), {f64({5, 4}), f64({6}), f64({6, 4})});
  refusal<AxisOutOfRange>(scatter([](C c) { c.index_vector_dim = 2; }), kScatterIn);
  refusal<BadArgument>(scatter([](C c) { c.scatter_dims_to_operand_dims = {}; }), kScatterIn);
  refusal<AxisOutOfRange>(scatter([](C c) { c.scatter_dims_to_operand_dims = {2}; }), kScatterIn);
  refusal<AxisOutOfRange>(scatter([](C c) { c.inserted_window_dims = {2}; }), kScatterIn);
  refusal<DuplicateAxis>(scatter([](C c) { c.inserted_window_dims = {0, 0}; }), kScatterIn);
  refusal<BadArgument>(scatter([](C c) { c.update_window_dims = {0, 1}; }), kScatterIn);
  refusal<AxisOutOfRange>(scatter([](C c) { c.update_window_dims = {2}; }), kScatterIn);
}

TEST(InferScatterTest, CombinationsFollowTheDType) {
  const auto with = [](ScatterCombine combine) { return scatter([=](ScatterConfig& c) { c.combine = combine; }); };
  const auto operands = [](DType d) { return std::vector<TensorMeta>{meta(d, {5, 4}), i32({6}), meta(d, {6, 4})}; };
  refusal<UnsupportedDType>(with(ScatterCombine::add), operands(DType::boolean));
  refusal<UnsupportedDType>(with(ScatterCombine::max), operands(DType::c64));
  EXPECT_EQ(result(with(ScatterCombine::set), operands(DType::boolean)).dtype, DType::boolean);
  EXPECT_EQ(result(with(ScatterCombine::mul), operands(DType::c64)).dtype, DType::c64);
}

TEST(InferDynamicSliceTest, WantsOneStartPerAxis) {
  const Op op(OpKind::dynamic_slice, DynamicSliceAttrs{{2, 4}});
  EXPECT_EQ(result(op, {f64({5, 4}), i32({2})}), f64({2, 4}));
  EXPECT_EQ(shape_after(Op(OpKind::dynamic_slice, DynamicSliceAttrs{}), {f64({}), i64({0})}), (Shape{}));
  refusal<ShapeMismatch>(op, {f64({5, 4}), i32({1})});
  refusal<ShapeMismatch>(op, {f64({5, 4}), i32({})});
  refusal<UnsupportedDType>(op, {f64({5, 4}), f64({2})});
  refusal<BadArgument>(op, {f64({1, 4}), i32({2})});
  refusal<BadArgument>(Op(OpKind::dynamic_slice, DynamicSliceAttrs{{2}}), {f64({5, 4}), i32({2})});
  refusal<BadArgument>(Op(OpKind::dynamic_slice, DynamicSliceAttrs{{2, -1}}), {f64({5, 4}), i32({2})});
}

TEST(InferDynamicSliceTest, UpdateFitsInside) {
  const Op op(OpKind::dynamic_update_slice);
  EXPECT_EQ(result(op, {f64({5, 4}), f64({2, 4}), i64({2})}), f64({5, 4}));
  refusal<ShapeMismatch>(op, {f64({5, 4}), f64({6, 4}), i64({2})});
  refusal<RankMismatch>(op, {f64({5, 4}), f64({2}), i64({2})});
  refusal<DTypeMismatch>(op, {f64({5, 4}), f32({2, 4}), i64({2})});
  refusal<ShapeMismatch>(op, {f64({5, 4}), f64({2, 4}), i64({3})});
}

}  // namespace
}  // namespace tenferro::testing
