// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/front_ends.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tenferro/ops/composites.hpp"
#include "tenferro/ops/conveniences.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/recorder.hpp"
#include "tenferro/ops/testing/refusal.hpp"
#include "tenferro/ops/testing/shape_session.hpp"

namespace tenferro::testing {
namespace {

/// Operands that an emitter takes, made from their dtypes and shapes.
TensorMeta operand(ShapeEvaluator&, TensorMeta meta) { return meta; }
Recorded operand(Recorder& e, TensorMeta meta) { return e.input(std::move(meta)); }
Tensor operand(ShapeSession&, TensorMeta meta) { return Tensor::zeros(meta.dtype, meta.shape); }

template <class E>
TensorMeta meta_of(E& e, const typename E::Operand& x) {
  const MetaView meta = e.meta(x);
  return {meta.dtype, Shape(meta.shape)};
}

/// Calls the function of every row.
template <Emitter E>
void call_every_row(E& e) {
  const auto f = operand(e, f64({2, 3})), g = operand(e, f32({3})), z = operand(e, c64({2, 3}));
  const auto i = operand(e, i32({2, 3})), b = operand(e, boolean({2, 3})), key = operand(e, i64({2}));
  const auto position = operand(e, i64({2})), size = operand(e, i64({}));
  const auto any = [&](DTypeRule rule) -> const auto& {
    return rule == DTypeRule::logical ? b : rule == DTypeRule::integer ? i : f;
  };
#define TENFERRO_UNARY(name, dtypes, ...) name(e, any(DTypeRule::dtypes));
#define TENFERRO_BINARY(name, dtypes, ...) name(e, any(DTypeRule::dtypes), any(DTypeRule::dtypes));
#include "tenferro/ops/core_ops.def"
  select(e, b, f, g);
  clamp(e, f, g, 2.0 > 1.0 ? f : f);
  fma(e, f, g, z);
  reduce_sum(e, f), reduce_prod(e, f), reduce_max(e, f), reduce_min(e, f), reduce_sum_squares(e, z);
  reduce_any(e, b), reduce_all(e, b), argmax(e, f), argmin(e, f, -1);
  cumsum(e, f, 0), cumprod(e, f, 0), cummax(e, f, 0), cummin(e, f, 0), cumlogsumexp(e, f, -1);
  sort(e, f), argsort(e, f), top_k(e, f, 2);
  dot_general(e, f, g, {{1}, {0}});
  transpose(e, f), reshape(e, f, {3, -1}), broadcast_in_dim(e, g, {3, 4}, {0}), convert(e, g, DType::f64);
  extract_diag(e, f), embed_diag(e, f), tril(e, f), triu(e, f), reverse(e, f);
  concatenate(e, {f, f}, 0), pad(e, f, {1, 1}, {0, 0}), slice(e, f, {0, 1}, {2, 3});
  take_axis(e, f, position, 0);
  ScatterConfig rows;
  rows.update_window_dims = {1};
  rows.inserted_window_dims = {0};
  rows.scatter_dims_to_operand_dims = {0};
  rows.index_vector_dim = 1;
  scatter(e, f, position, f, rows);
  dynamic_slice(e, f, position, {1, 2}), dynamic_update_slice(e, f, f, position);
  GatherDynamicConfig columns;
  columns.gather.offset_dims = {0};
  columns.gather.collapsed_slice_dims = {1};
  columns.gather.start_index_map = {1};
  columns.gather.index_vector_dim = 1;
  columns.slice_sizes = {DimExpr::extent(0, 0), 1};
  gather_dynamic_slice_sizes(e, f, position, columns);
  shape_of(e, f, 0), dynamic_truncate(e, f, size, 0), pad_to_match(e, f, f, 0);
  constant(e, 1.0), iota(e, {3}), random_bits(e, key, {3});
}

TEST(FrontEndsTest, EveryRowHasAFunction) {
  Recorder recorder;
  call_every_row(recorder);
  std::array<bool, kOpCount> bound{};
  for (const auto& step : recorder.recording().steps) {
    if (step.op) bound[index(step.op->kind())] = true;
  }
  for (const OpInfo& row : kOps) EXPECT_TRUE(bound[index(row.kind)]) << row.name;
}

TEST(FrontEndsTest, OneTemplateServesEveryEmitter) {
  ShapeEvaluator shapes;
  call_every_row(shapes);
  ShapeSession session;
  call_every_row(session);
  EXPECT_GT(session.bound().size(), kOpCount);
}

TEST(FrontEndsTest, EveryCallNamesItsRow) {
  for (const OpInfo& row : kOps) {
    EXPECT_EQ(kFrontEnds[row.kind].call.substr(0, row.name.size()), row.name);
    EXPECT_EQ(kFrontEnds[row.kind].call[row.name.size()], '(') << row.name;
  }
}

/// The dtypes and shapes that an emitter gives for conveniences and composites, beside what they must be.
template <Emitter E>
void check_conveniences(E& e) {
  const auto x = operand(e, f64({2, 3})), y = operand(e, f64({3})), w = operand(e, f32({2})), s = operand(e, f64({}));
  const auto i = operand(e, i32({2, 3})), z = operand(e, c64({2, 3})), mask = operand(e, boolean({3}));
  const auto key = operand(e, i64({2})), batch = operand(e, f64({3, 5, 4, 1})), ones_ = operand(e, f64({2, 3, 1, 6}));
  const auto where = operand(e, i64({4})), along = operand(e, i64({2, 1}));
  const auto is = [&](const auto& value, const TensorMeta& wanted) { EXPECT_EQ(meta_of(e, value), wanted); };
  const auto all_are = [&](const auto& values, std::size_t count, const TensorMeta& wanted) {
    EXPECT_EQ(values.size(), count);
    for (const auto& value : values) EXPECT_EQ(meta_of(e, value), wanted);
  };
  // Numbers take the dtype of the tensor beside them.
  is(mul(e, x, 2), f64({2, 3}));
  is(sub(e, 1.0, w), f32({2}));
  is(eq(e, i, 2.0), boolean({2, 3}));
  is(clamp(e, i, 0, 5), i32({2, 3}));
  is(select(e, mask, x, 0), f64({2, 3}));
  is(where_select(e, mask, x, y), f64({2, 3}));
  is(masked_fill(e, i, mask, 7), i32({2, 3}));
  is(scale_real(e, w, 0.5), f32({2}));
  is(scale_complex(e, w, {0.0, 1.0}), meta(DType::c32, {2}));
  // Statistics.
  is(reduce_mean(e, z, 1), c64({2}));
  is(variance(e, z, -1, 1, true), f64({2, 1}));
  is(stddev(e, w), f32({}));
  is(norm_squared(e, z, {}), f64({2, 3}));
  is(logsumexp(e, x, {0, 1}), f64({}));
  is(logsumexp(e, x, 0, true), f64({1, 3}));
  is(trace(e, x), f64({}));
  is(isclose(e, i, x), boolean({2, 3}));
  is(allclose(e, z, x, {.equal_nan = true}), boolean({}));
  // Contraction: batches from axis 2 on, vectors as rows and columns.
  is(matmul(e, x, y), f64({2}));
  is(matmul(e, w, x), f64({3}));
  is(matmul(e, y, y), f64({}));
  is(matmul(e, x, batch), f64({2, 5, 4, 1}));
  is(matmul(e, ones_, batch), f64({2, 5, 4, 6}));
  is(matmul(e, ones_, operand(e, f64({3, 7}))), f64({2, 7, 1, 6}));
  is(matmul(e, ones_, y), f64({2, 1, 6}));
  is(outer(e, x, w), f64({2, 3, 2}));
  is(vdot(e, z, x), c64({}));
  // Arrangement.
  is(flatten(e, x), f64({6}));
  is(squeeze(e, ones_), f64({2, 3, 6}));
  is(unsqueeze(e, x, {0, -1}), f64({1, 2, 3, 1}));
  is(swap_axes(e, ones_, 0, -1), f64({6, 3, 1, 2}));
  is(move_axis(e, ones_, 0, 2), f64({3, 1, 2, 6}));
  is(move_axis(e, ones_, {0, 1}, {-1, 0}), f64({3, 1, 6, 2}));
  is(flip(e, x, 0), f64({2, 3}));
  is(stack(e, {x, x}, -1), f64({2, 3, 2}));
  is(stack(e, {s}), f64({1}));
  all_are(split(e, x, 3, 1), 3, f64({2, 1}));
  all_are(split(e, x, {1, 1}, 0), 2, f64({1, 3}));
  is(tile(e, x, {2}), f64({2, 6}));
  is(tile(e, y, {2, 1, 4}), f64({2, 1, 12}));
  is(repeat(e, x, 2, 0), f64({4, 3}));
  is(roll(e, x, 1, 0), f64({2, 3}));
  is(roll(e, x, -1), f64({2, 3}));
  is(diag(e, y, 1), f64({4, 4}));
  is(diag(e, x), f64({2}));
  is(meshgrid(e, {y, w})[1], f32({3, 2}));
  is(meshgrid(e, {y, w}, true)[1], f32({2, 3}));
  is(one_hot(e, i, 5, DType::f32), f32({2, 3, 5}));
  is(broadcast_to(e, y, {2, 3}), f64({2, 3}));
  is(cast(e, x, DType::i32), i32({2, 3}));
  is(slice_axis(e, x, 1, -2, end), f64({2, 2}));
  // Indexing.
  is(take_axis(e, x, i, 1), f64({2, 2, 3}));
  is(take_axis(e, x, -1, 0), f64({3}));
  is(index_select(e, x, 1, where, GatherMode::fill, -1), f64({2, 4}));
  is(take_along_axis(e, x, along, 1), f64({2, 1}));
  is(put_along_axis(e, x, along, s, 1), f64({2, 3}));
  // Creation.
  is(full(e, {2, 0}, 1.5F), f32({2, 0}));
  is(zeros(e, DType::boolean, {2}), boolean({2}));
  is(ones(e, DType::c32, {}), meta(DType::c32, {}));
  is(full_like(e, i, 3.0), i32({2, 3}));
  is(zeros_like(e, z), c64({2, 3}));
  is(ones_like(e, mask), boolean({3}));
  is(arange(e, 0.0, 1.0, 0.1), f64({10}));
  is(arange(e, 1.0, 0.0), f64({0}));
  is(linspace(e, 0.0, 1.0, 7), f64({7}));
  is(eye(e, DType::i32, 2, 3), i32({2, 3}));
  is(eye(e, DType::f32, 2), f32({2, 2}));
  is(dynamic_truncate(e, x, 1, 0), f64({2, 3}));
  // Composites.
  for (const auto& value : {sigmoid(e, w), silu(e, w), softplus(e, w), gelu(e, w), gelu_tanh(e, w), elu(e, w)}) {
    is(value, f32({2}));
  }
  is(relu(e, i), i32({2, 3}));
  is(softmax(e, x), f64({2, 3}));
  is(log_softmax(e, w, 0), f32({2}));
  is(masked_softmax(e, x, mask, 0), f64({2, 3}));
  is(masked_log_softmax(e, x, mask), f64({2, 3}));
  is(layer_norm(e, x), f64({2, 3}));
  is(layer_norm(e, operand(e, f32({2, 3})), {0}, w, w), f32({2, 3}));
  is(rms_norm(e, x, {0, 1}), f64({2, 3}));
  is(rms_norm(e, operand(e, f32({2, 3})), 0, w), f32({2, 3}));
  // Random numbers.
  is(random_key(e, 3), i64({2}));
  all_are(random_split(e, key, 3), 3, i64({2}));
  is(uniform(e, key, {5}, DType::f32, -1.0, 1.0), f32({5}));
  is(normal(e, key, {5}), f64({5}));
  is(normal(e, key, {2, 2}, DType::c32), meta(DType::c32, {2, 2}));
  is(bernoulli(e, key, 0.5, {4}), boolean({4}));
  is(bernoulli(e, key, y), boolean({3}));
  is(categorical(e, key, x), i64({2}));
  is(permutation(e, key, 9), i64({9}));
}

TEST(FrontEndsTest, ConveniencesOnShapes) {
  ShapeEvaluator e;
  check_conveniences(e);
}

TEST(FrontEndsTest, ConveniencesOnARecorder) {
  Recorder e;
  check_conveniences(e);
}

TEST(FrontEndsTest, ConveniencesOnTensors) {
  ShapeSession e;
  check_conveniences(e);
}

}  // namespace
}  // namespace tenferro::testing
