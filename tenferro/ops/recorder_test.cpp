// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/recorder.hpp"

#include <gtest/gtest.h>

#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/softmax.hpp"
#include "tenferro/ops/testing/refusal.hpp"
#include "tenferro/ops/testing/shape_session.hpp"

namespace tenferro::testing {
namespace {

TEST(RecorderTest, PrintsOneLineAStep) {
  Recorder e;
  const Recorded x = e.input(f32({2, 3}));
  (void)reduce_sum(e, add(e, exp(e, x), e.input(f32({3}))), 0);
  EXPECT_EQ(to_text(e.recording()),
            "x0: f32 [2, 3]\n"
            "x1: f32 [3]\n"
            "x2 = exp(x0): f32 [2, 3]\n"
            "x3 = broadcast(x1): f32 [2, 3]\n"
            "x4 = add(x2, x3): f32 [2, 3]\n"
            "x5 = reduce_sum{axes=[0]}(x4): f32 [3]\n");
}

TEST(RecorderTest, RefusedOperationLeavesNoStep) {
  Recorder e;
  const Recorded x = e.input(i32({2}));
  refusal_of<UnsupportedDType>([&] { return exp(e, x); });
  EXPECT_EQ(e.recording().steps.size(), 1U);
}

TEST(RecorderTest, ReplayBindsTheSameOperations) {
  Recorder e;
  const Recorded x = e.input(f64({2, 3}));
  const Recorded y = softmax(e, x);
  Recorder again;
  const auto outputs = replay(again, e.recording(), {again.input(f64({2, 3}))}, {y});
  EXPECT_EQ(to_text(again.recording()), to_text(e.recording()));
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].meta, f64({2, 3}));
}

TEST(RecorderTest, ReplayOnASessionGivesTensors) {
  Recorder e;
  const Recorded x = e.input(f64({2, 3})), y = e.input(f64({3}));
  const Recorded wide = e.broadcast(y, Shape{2, 3});
  const Recorded sum = add(e, x, y);
  ShapeSession session;
  const Tensor a = Tensor::zeros(DType::f64, {2, 3}), b = Tensor::zeros(DType::f64, {3});
  // A result, an input, a stretched value, and a result asked for twice.
  const std::vector<Tensor> out = replay(session, e.recording(), {a, b}, {sum, x, wide, sum});
  ASSERT_EQ(out.size(), 4U);
  for (const Tensor& t : out) EXPECT_EQ(t.shape(), (Shape{2, 3}));
  EXPECT_NE(out[0].bytes(), out[3].bytes());
}

TEST(RecorderTest, ReplayChecksItsInputs) {
  Recorder e;
  const Recorded y = exp(e, e.input(f64({2})));
  ShapeEvaluator shapes;
  EXPECT_EQ(refusal_of<ArityMismatch>([&] { return replay(shapes, e.recording(), {}, {y})[0]; }).expected, 1);
  refusal_of<UnsupportedDType>([&] { return replay(shapes, e.recording(), {i32({2})}, {y})[0]; });
}

TEST(RecorderTest, ValuesOfOtherRecordingsAreRefused) {
  Recorder e, other;
  const Recorded x = e.input(f64({2})), foreign = other.input(f64({2}));
  EXPECT_EQ(refusal_of<BadArgument>([&] { return exp(e, foreign); }).op, "exp");
  EXPECT_EQ(refusal_of<BadArgument>([&] { return add(e, x, foreign); }).op, "add");
  refusal_of<BadArgument>([&] { return e.broadcast(foreign, Shape{3, 2}); });
  ShapeEvaluator shapes;
  refusal_of<BadArgument>([&] { return replay(shapes, e.recording(), {f64({2})}, {foreign})[0]; });
  const Recording before = e.recording();
  const Recorded later = exp(e, x);
  refusal_of<BadArgument>([&] { return replay(shapes, before, {f64({2})}, {later})[0]; });
  EXPECT_EQ(replay(shapes, e.recording(), {f64({2})}, {later})[0], f64({2}));
}

TEST(RecorderTest, RecordingsMadeByHandAreChecked) {
  const Recording::Step input{std::nullopt, {}, 0, {f64({2})}};
  const auto replayed = [&](Recording::Step step, std::uint32_t values, Recorded asked) {
    ShapeEvaluator shapes;
    return replay(shapes, Recording{{input, std::move(step)}, values}, {f64({2})}, {std::move(asked)})[0];
  };
  const Recorded y{1, f64({2})};
  EXPECT_EQ(replayed({Op(OpKind::exp), {0}, 1, {f64({2})}}, 2, y), f64({2}));
  refusal_of<BadArgument>([&] { return replayed({Op(OpKind::exp), {7}, 1, {f64({2})}}, 2, y); });
  refusal_of<BadArgument>([&] { return replayed({Op(OpKind::exp), {1}, 1, {f64({2})}}, 2, y); });
  refusal_of<BadArgument>([&] { return replayed({Op(OpKind::exp), {0}, 5, {f64({2})}}, 2, y); });
  refusal_of<BadArgument>([&] { return replayed({Op(OpKind::exp), {0}, 1, {f64({2})}}, 9, y); });
  refusal_of<BadArgument>([&] { return replayed({Op(OpKind::exp), {0}, 1, {f64({2})}}, 2, {2, f64({2})}); });
  refusal_of<ArityMismatch>([&] { return replayed({Op(OpKind::exp), {0}, 1, {f64({2}), f64({2})}}, 3, y); });
}

TEST(EvalShapeTest, RunsAnyFunctionOfAnEmitter) {
  const auto norm = [](auto& e, const auto& x) { return sqrt(e, reduce_sum_squares(e, x, 0)); };
  EXPECT_EQ(eval_shape(norm, c64({3, 2})), f64({2}));
}

TEST(EvalShapeTest, BroadcastWantsAShapeThatFits) {
  ShapeEvaluator e;
  EXPECT_EQ(e.broadcast(f64({1}), Shape{2, 3}), f64({2, 3}));
  refusal_of<ShapeMismatch>([&] { return e.broadcast(f64({2}), Shape{3}); });
  refusal_of<ShapeMismatch>([&] { return e.broadcast(f64({1, 3}), Shape{3}); });
}

}  // namespace
}  // namespace tenferro::testing
