// SPDX-License-Identifier: MIT OR Apache-2.0
// A glance says nothing that `infer` does not say.
#include "tenferro/backend/glance.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tenferro/ops/infer.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

// Operands of every number, dtype and shape here; payloads that fit some of them.
std::vector<Tensor> operands() {
  std::vector<Tensor> out;
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{3, 3}, Shape{3, 2}, Shape{0, 3}, Shape{3, 3, 2}}) {
    for (const DType d : {DType::f64, DType::c32, DType::i32, DType::boolean}) out.push_back(Tensor::zeros(d, shape));
  }
  return out;
}
std::vector<Op> operations() {
  std::vector<Op> out = {plain_op(OpKind::select), plain_op(OpKind::add), Op(OpKind::tril, TriAttrs{1})};
  for (const auto axis : std::initializer_list<std::int8_t>{-2, -1, 0, 1, 127}) {
    for (const bool keep_dims : {false, true}) out.emplace_back(OpKind::argmax, ArgReduceAttrs{axis, keep_dims});
  }
  for (const auto axis : std::initializer_list<std::uint8_t>{0, 1, 63}) {
    out.emplace_back(OpKind::cumsum, ScanAttrs{axis});
    out.emplace_back(OpKind::cummax, ScanAttrs{axis});
    out.emplace_back(OpKind::sort, SortAttrs{axis});
    out.emplace_back(OpKind::argsort, SortAttrs{axis});
    out.emplace_back(OpKind::concatenate, AxisAttrs{axis});
    out.emplace_back(OpKind::reverse, AxesAttrs{AxisSet(std::uint64_t{1} << axis)});
  }
  for (const AxisList& perm : {AxisList{}, AxisList{1, 0}, AxisList{0, 0}, AxisList{0, 2}, AxisList{2, 0, 1}}) {
    out.emplace_back(OpKind::transpose, TransposeAttrs{perm});
  }
  for (const Shape& shape : {Shape{}, Shape{1, 1}, Shape{9}, Shape{-3, -3}, Shape{3, 1, 2, 3}, Shape{1 << 30, 0}}) {
    out.emplace_back(OpKind::reshape, ReshapeAttrs{shape});
  }
  for (const std::uint8_t axis : std::initializer_list<std::uint8_t>{0, 1, 5}) {
    for (const AxisList& offset_dims : {AxisList{}, AxisList{0}, AxisList{1}, AxisList{2}}) {
      GatherConfig taken{offset_dims, {axis}, {axis}, 1, {3, 3}, GatherMode::check, 0.0};
      for (const GatherMode mode : {GatherMode::check, GatherMode::fill}) {
        taken.mode = mode;
        taken.slice_sizes = {axis == 0 ? 1 : 3, axis == 0 ? 3 : 1};
        out.emplace_back(OpKind::gather, GatherAttrs(taken));
        taken.slice_sizes = {1, 1};
        out.emplace_back(OpKind::gather, GatherAttrs(taken));
      }
    }
  }
  for (const DType to : {DType::f32, DType::c64, DType::external}) {
    for (const bool checked : {false, true}) out.emplace_back(OpKind::convert, ConvertAttrs{to, checked});
  }
  for (const DotGeneralConfig& config :
       {DotGeneralConfig{{1}, {0}}, DotGeneralConfig{{0}, {0}, {2}, {2}}, DotGeneralConfig{{0, 0}, {0, 1}},
        DotGeneralConfig{{5}, {0}}, DotGeneralConfig{{}, {}}, DotGeneralConfig{{0, 1}, {1, 0}},
        DotGeneralConfig{{0}, {0}}, DotGeneralConfig{{0}, {1}}, DotGeneralConfig{{2}, {1}}}) {
    out.emplace_back(OpKind::dot_general, config);
  }
  for (const OpKind kind : {OpKind::reduce_sum, OpKind::reduce_max, OpKind::reduce_any, OpKind::reduce_sum_squares}) {
    for (const std::uint64_t axes : {0b0U, 0b1U, 0b10U, 0b11U, 0b1000U}) {
      for (const bool keep_dims : {false, true}) out.emplace_back(kind, ReduceAttrs{AxisSet(axes), keep_dims});
    }
  }
  return out;
}

// Whether a glance is accepted; what it sees must then be what `infer` says.
bool is_accepted(const Op& op, std::span<const TensorRead> in) {
  const internal::Glance seen(op, in, Placement{});
  if (!seen.accepted) return false;
  std::vector<MetaView> metas;
  for (const TensorRead& x : in) metas.push_back(x.meta());
  TensorMeta expected;
  EXPECT_EQ(infer(op, metas, {&expected, 1}), nullptr) << op.name();
  EXPECT_EQ(seen.dtype, expected.dtype) << op.name();
  EXPECT_TRUE(same_shape(seen.shape, expected.shape)) << op.name();
  return true;
}

TEST(Glance, WhatItAcceptsIsWhatInferenceSays) {
  const std::vector<Tensor> some = operands();
  std::set<OpKind> kinds, accepted;
  for (const Op& op : operations()) {
    kinds.insert(op.kind());
    const auto look = [&](std::span<const TensorRead> in) {
      if (is_accepted(op, in)) accepted.insert(op.kind());
    };
    for (const Tensor& a : some) {
      const TensorRead one[] = {a};
      look(one);
      for (const Tensor& b : some) {
        const TensorRead two[] = {a, b};
        look(two);
        for (const Tensor& c : some) {
          const TensorRead three[] = {a, b, c};
          look(three);
        }
      }
    }
  }
  kinds.erase(OpKind::add);  // elementwise operations are accepted elsewhere
  EXPECT_EQ(accepted, kinds);
}

TEST(Glance, OperandsElsewhereAreNotAccepted) {
  const Tensor x = Tensor::zeros<double>(3, 3);
  const TensorRead in[] = {x};
  const Op sum(OpKind::reduce_sum, ReduceAttrs{AxisSet::first(2)});
  EXPECT_TRUE(internal::Glance(sum, in, Placement{}).accepted);
  Placement elsewhere;
  elsewhere.domain = 1;
  EXPECT_FALSE(internal::Glance(sum, in, elsewhere).accepted);
}

}  // namespace
}  // namespace tenferro
