// SPDX-License-Identifier: MIT OR Apache-2.0
// What the functions over rows refuse and normalise before anything is bound.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tenferro/ops/composites.hpp"
#include "tenferro/ops/conveniences.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/recorder.hpp"
#include "tenferro/ops/testing/refusal.hpp"
#include "tenferro/ops/testing/shape_session.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro::testing {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

class VocabularyTest : public ::testing::Test {
 protected:
  ShapeEvaluator e;
  ShapeSession session;
  const TensorMeta x = f64({2, 3, 4});
};

TEST_F(VocabularyTest, EveryAxisArgumentIsSignedAndChecked) {
  const TensorMeta index = i64({2, 3, 4}), m = f64({3, 3, 3});
  const auto refused = [&](auto call) {
    for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, kLeast}) {
      EXPECT_EQ(refusal_of<AxisOutOfRange>([&] { return call(axis); }).axis, axis);
    }
  };
  refused([&](std::int64_t k) { return reduce_sum(e, x, k); });
  refused([&](std::int64_t k) { return reduce_mean(e, x, k); });
  refused([&](std::int64_t k) { return variance(e, x, k); });
  refused([&](std::int64_t k) { return logsumexp(e, x, k); });
  refused([&](std::int64_t k) { return argmax(e, x, k); });
  refused([&](std::int64_t k) { return cumsum(e, x, k); });
  refused([&](std::int64_t k) { return sort(e, x, k); });
  refused([&](std::int64_t k) { return top_k(e, x, 1, k).values; });
  refused([&](std::int64_t k) { return transpose(e, x, {0, 1, k}); });
  refused([&](std::int64_t k) { return broadcast_in_dim(e, f64({4}), {2, 3, 4}, {k}); });
  refused([&](std::int64_t k) { return extract_diag(e, m, 0, k, 0); });
  refused([&](std::int64_t k) { return embed_diag(e, f64({3, 3}), 0, k, 0); });
  refused([&](std::int64_t k) { return reverse(e, x, k); });
  refused([&](std::int64_t k) { return concatenate(e, {x, x}, k); });
  refused([&](std::int64_t k) { return slice_axis(e, x, k, 0, 1); });
  refused([&](std::int64_t k) { return take_axis(e, x, index, k); });
  refused([&](std::int64_t k) { return take_axis(e, x, 0, k); });
  refused([&](std::int64_t k) { return index_select(e, x, k, i64({2})); });
  refused([&](std::int64_t k) { return take_along_axis(e, x, index, k); });
  refused([&](std::int64_t k) { return put_along_axis(e, x, index, x, k); });
  refused([&](std::int64_t k) { return shape_of(e, x, k); });
  refused([&](std::int64_t k) { return dynamic_truncate(e, x, 1, k); });
  refused([&](std::int64_t k) { return pad_to_match(e, x, x, k); });
  refused([&](std::int64_t k) { return squeeze(e, x, k); });
  refused([&](std::int64_t k) { return unsqueeze(e, f64({2, 3}), k); });
  refused([&](std::int64_t k) { return swap_axes(e, x, 0, k); });
  refused([&](std::int64_t k) { return move_axis(e, x, k, 0); });
  refused([&](std::int64_t k) { return stack(e, {f64({2, 3}), f64({2, 3})}, k); });
  refused([&](std::int64_t k) { return split(e, x, 1, k)[0]; });
  refused([&](std::int64_t k) { return repeat(e, x, 2, k); });
  refused([&](std::int64_t k) { return roll(e, x, 1, k); });
  refused([&](std::int64_t k) { return softmax(e, x, k); });
  refused([&](std::int64_t k) { return layer_norm(e, x, k); });
  refused([&](std::int64_t k) { return rms_norm(e, x, k); });
  refused([&](std::int64_t k) { return iota(e, {2, 3, 4}, k); });
  refused([&](std::int64_t k) { return categorical(e, i64({2}), x, k); });
}

TEST_F(VocabularyTest, DuplicateAxesAreRefused) {
  refusal_of<DuplicateAxis>([&] { return reduce_sum(e, x, {0, -3}); });
  refusal_of<DuplicateAxis>([&] { return transpose(e, x, {0, 1, 1}); });
  refusal_of<DuplicateAxis>([&] { return unsqueeze(e, x, {0, 0}); });
  refusal_of<DuplicateAxis>([&] { return squeeze(e, f64({1, 1}), {0, 0}); });
  refusal_of<DuplicateAxis>([&] { return move_axis(e, x, {0, 0}, {1, 2}); });
  refusal_of<DuplicateAxis>([&] { return softmax(e, x, {1, 1}); });
}

TEST_F(VocabularyTest, ReshapeFillsInOneExtent) {
  EXPECT_EQ(reshape(e, x, {-1, 4}).shape, (Shape{6, 4}));
  EXPECT_EQ(reshape(e, f64({0, 3}), {-1, 3}).shape, (Shape{0, 3}));
  refusal_of<BadArgument>([&] { return reshape(e, x, {-1, -1}); });
  refusal_of<BadArgument>([&] { return reshape(e, x, {-1, 5}); });
  refusal_of<BadArgument>([&] { return reshape(e, f64({0}), {-1, 0}); });
  refusal_of<ElementCountMismatch>([&] { return reshape(e, x, {5}); });
  refusal_of<InvalidShape>([&] { return reshape(e, x, {-2, -12}); });
}

TEST_F(VocabularyTest, MovedTensorKeepsItsBlock) {
  Tensor t = Tensor::zeros(DType::f64, {2, 3});
  const std::byte* block = t.bytes();
  t = reshape(session, std::move(t), {3, -1});
  t = unsqueeze(session, std::move(t), 0);
  t = squeeze(session, std::move(t));
  t = flatten(session, std::move(t));
  EXPECT_EQ(t.bytes(), block);
  EXPECT_EQ(t.shape(), (Shape{6}));
  EXPECT_TRUE(session.bound().empty());
  TypedTensor<double> typed_tensor(std::move(t));
  const TypedTensor<double> reshaped = reshape(session, std::move(typed_tensor), {2, 3});
  EXPECT_EQ(reshaped.dynamic().bytes(), block);
}

TEST_F(VocabularyTest, FailedReshapeKeepsTheTensor) {
  Tensor t = Tensor::zeros(DType::f64, {2, 3});
  refusal_of<ElementCountMismatch>([&] { return reshape(session, std::move(t), {5}).count(); });
  EXPECT_EQ(t.count(), 6);
}

TEST_F(VocabularyTest, SqueezeRefusesLongAxes) {
  refusal_of<BadArgument>([&] { return squeeze(e, x, 0); });
  refusal_of<BadArgument>([&] { return unsqueeze(e, x, std::nullopt); });
  EXPECT_EQ(squeeze(e, f64({1, 2, 1}), 0).shape, (Shape{2, 1}));
}

TEST_F(VocabularyTest, SplitsMustAddUp) {
  refusal_of<BadArgument>([&] { return split(e, x, 2, 1)[0]; });
  refusal_of<BadArgument>([&] { return split(e, x, 0, 1)[0]; });
  refusal_of<BadArgument>([&] { return split(e, x, {1, 1}, 1)[0]; });
  refusal_of<BadArgument>([&] { return split(e, x, {4, -1}, 1)[0]; });
  EXPECT_EQ(split(e, x, {0, 3}, 1)[0].shape, (Shape{2, 0, 4}));
}

TEST_F(VocabularyTest, RepetitionsAreCheckedForOverflow) {
  refusal_of<ShapeOverflow>([&] { return tile(e, x, {std::numeric_limits<std::int64_t>::max()}); });
  refusal_of<BadArgument>([&] { return tile(e, x, {-1}); });
  refusal_of<BadArgument>([&] { return repeat(e, x, -1, 0); });
  EXPECT_EQ(tile(e, x, {0}).shape, (Shape{2, 3, 0}));
}

TEST_F(VocabularyTest, RollTakesAnyShift) {
  using internal::roll_cut;
  EXPECT_EQ(roll_cut(0, 5), 0);
  EXPECT_EQ(roll_cut(1, 5), 4);
  EXPECT_EQ(roll_cut(-1, 5), 1);
  EXPECT_EQ(roll_cut(12, 5), 3);
  EXPECT_EQ(roll_cut(kLeast, 5), 3);  // −2⁶³ ≡ 2 (mod 5)
  EXPECT_EQ(roll_cut(kLeast, 1), 0);
  EXPECT_EQ(roll_cut(7, 0), 0);
  EXPECT_EQ(roll(e, f64({0}), kLeast, 0).shape, (Shape{0}));
}

TEST_F(VocabularyTest, StackWantsOneShape) {
  refusal_of<ShapeMismatch>([&] { return stack(e, {f64({2}), f64({3})}, 0); });
  refusal_of<ArityMismatch>([&] { return stack(e, std::vector<TensorMeta>{}, 0); });
  refusal_of<ArityMismatch>([&] { return concatenate(e, std::vector<TensorMeta>{}, 0); });
}

TEST_F(VocabularyTest, MatmulNamesTheRule) {
  EXPECT_EQ(refusal_of<ShapeMismatch>([&] { return matmul(e, f64({2, 3}), f64({2, 3})); }).op, "matmul");
  refusal_of<ShapeMismatch>([&] { return matmul(e, f64({2, 3, 4}), f64({3, 2, 5})); });
  EXPECT_EQ(refusal_of<RankMismatch>([&] { return matmul(e, f64({2, 3}), f64({})); }).operand, 1);
  refusal_of<UnsupportedDType>([&] { return matmul(e, boolean({2, 2}), boolean({2, 2})); });
  EXPECT_EQ(matmul(e, f64({2, 3, 1}), f64({3, 2, 0})).shape, (Shape{2, 2, 0}));
  EXPECT_EQ(matmul(e, boolean({2, 2}), i32({2, 2})).dtype, DType::i32);
}

TEST_F(VocabularyTest, MatmulStretchesBatchesWithoutCopies) {
  const Tensor a = Tensor::zeros(DType::f64, {2, 3, 1, 5}), b = Tensor::zeros(DType::f64, {3, 4, 6});
  EXPECT_EQ(matmul(session, a, b).shape(), (Shape{2, 4, 6, 5}));
  EXPECT_EQ(session.bound().size(), 1U);
}

TEST_F(VocabularyTest, SelectionsAreChecked) {
  EXPECT_EQ(refusal_of<IndexOutOfBounds>([&] { return take_axis(e, x, 2, 0); }).extent, 2);
  EXPECT_EQ(refusal_of<IndexOutOfBounds>([&] { return take_axis(e, x, -3, 0); }).index, -3);
  refusal_of<RankMismatch>([&] { return index_select(e, x, 0, i64({1, 1})); });
  refusal_of<RankMismatch>([&] { return take_along_axis(e, x, i64({2}), 0); });
  refusal_of<ShapeMismatch>([&] { return take_along_axis(e, x, i64({2, 2, 4}), 0); });
  refusal_of<UnsupportedDType>([&] { return take_axis(e, x, f64({1}), 0); });
  EXPECT_EQ(take_along_axis(e, f64({2, 1}), i64({2, 5}), 0).shape, (Shape{2, 5}));
  refusal_of<BadArgument>([&] { return slice_axis(e, x, 0, 0, 3); });
  refusal_of<BadArgument>([&] { return slice_axis(e, x, 0, -3, end); });
}

TEST_F(VocabularyTest, MeanOfIntegersIsRefused) {
  for (const DType dtype : {DType::i32, DType::i64, DType::boolean}) {
    const auto info = refusal_of<UnsupportedDType>([&] { return reduce_mean(e, meta(dtype, {2})); });
    EXPECT_EQ(info.op, "reduce_mean");
    EXPECT_EQ(info.got, dtype);
    refusal_of<UnsupportedDType>([&] { return variance(e, meta(dtype, {2})); });
  }
}

TEST_F(VocabularyTest, CompositesNameThemselves) {
  EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return softmax(e, i32({2})); }).op, "softmax");
  EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return gelu(e, c64({2})); }).op, "gelu");
  EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return layer_norm(e, i32({2})); }).op, "layer_norm");
  EXPECT_EQ(refusal_of<DTypeMismatch>([&] { return masked_softmax(e, x, i32({4})); }).operand, 0);
}

TEST_F(VocabularyTest, EmptyAxesAreFineWhereThereIsAnAnswer) {
  EXPECT_EQ(softmax(e, f64({3, 0})).shape, (Shape{3, 0}));
  EXPECT_EQ(log_softmax(e, f64({0, 3}), 0).shape, (Shape{0, 3}));
  EXPECT_EQ(logsumexp(e, f64({3, 0}), 1).shape, (Shape{3}));
  EXPECT_EQ(reduce_mean(e, f64({3, 0}), 1).shape, (Shape{3}));
  EXPECT_EQ(softmax(e, f64({0, 3})).shape, (Shape{0, 3}));
}

TEST_F(VocabularyTest, RangesAreChecked) {
  refusal_of<BadArgument>([&] { return arange(e, 0.0, 1.0, 0.0); });
  refusal_of<BadArgument>([&] { return arange(e, 0.0, std::numeric_limits<double>::infinity()); });
  refusal_of<BadArgument>([&] { return linspace(e, 0.0, 1.0, -1); });
  refusal_of<BadArgument>([&] { return uniform(e, i64({2}), {3}, DType::f64, 1.0, 1.0); });
  refusal_of<BadArgument>([&] { return random_split(e, i64({2}), 0)[0]; });
  refusal_of<UnsupportedDType>([&] { return uniform(e, i64({2}), {3}, DType::i32); });
  EXPECT_EQ(arange(e, 1.0, 1.3, 0.1).shape, (Shape{4}));  // the quotient is just above 3
  EXPECT_EQ(linspace(e, 0.0, 1.0, 0).shape, (Shape{0}));
}

TEST_F(VocabularyTest, TensorsAndEmittersAgreeOnRanges) {
  EXPECT_EQ(refusal_of<ShapeOverflow>([&] { return arange(e, 0.0, 1e300); }).op, "arange");
  EXPECT_EQ(refusal_of<ShapeOverflow>([&] { return arange(e, -1e308, 1e308, 1e-10); }).op, "arange");
  EXPECT_EQ(refusal_of<InvalidShape>([&] { return eye(e, DType::f64, 2, -2); }).shape, (Shape{2, -2}));
  EXPECT_EQ(refusal_of<InvalidShape>([&] { return eye(e, DType::f64, -1); }).shape, (Shape{-1, -1}));
  EXPECT_EQ(eye(e, DType::f64, 2, -1).shape, (Shape{2, 2}));
}

TEST_F(VocabularyTest, NumbersBeyondTheRangeOfTheTensorAreRefused) {
  const auto refused = [&](const TensorMeta& beside, const Scalar& number) {
    return refusal_of<UnsupportedConversion>([&] { return mul(e, beside, number); }).to;
  };
  EXPECT_EQ(refused(f32({2}), 1e300), DType::f32);
  EXPECT_EQ(refused(f32({2}), -3.5e38), DType::f32);
  EXPECT_EQ(refused(meta(DType::c32, {2}), 1e300), DType::c32);
  EXPECT_EQ(refused(meta(DType::c32, {2}), std::complex<double>(0, 1e300)), DType::c32);
  EXPECT_EQ(refused(f32({2}), std::complex<double>(1e300, 0)), DType::f32);
  for (const double number : {3.4028235e38, -1e-300, kInf, -kInf, std::nan("")}) {
    EXPECT_EQ(mul(e, f32({2}), number).dtype, DType::f32) << number;
    EXPECT_EQ(mul(e, meta(DType::c32, {2}), number).dtype, DType::c32) << number;
  }
  EXPECT_EQ(mul(e, f64({2}), 1e300).dtype, DType::f64);
}

TEST_F(VocabularyTest, UniformNumbersStayInsideTheirDType) {
  const auto key = i64({2});
  EXPECT_EQ(refusal_of<BadArgument>([&] { return uniform(e, key, {3}, DType::f32, -3e38, 3e38); }).op, "uniform");
  refusal_of<BadArgument>([&] { return uniform(e, key, {3}, DType::f32, 0.0, 1e39); });
  refusal_of<BadArgument>([&] { return uniform(e, key, {3}, DType::f64, -1.5e308, 1.5e308); });
  EXPECT_EQ(uniform(e, key, {3}, DType::f32, -1e38, 1e38).shape, (Shape{3}));
  EXPECT_EQ(uniform(e, key, {3}, DType::f64, -3e38, 3e38).shape, (Shape{3}));
}

TEST_F(VocabularyTest, AxpbyWantsOneDTypeWhateverTheFactors) {
  Tensor y = Tensor::zeros(DType::f64, {2, 3});
  const Tensor narrow = Tensor::zeros(DType::f32, {2, 3}), row = Tensor::zeros(DType::f64, {3});
  const auto update = [&](const Tensor& summand, const Scalar& alpha, const Scalar& beta) {
    axpby(session, alpha, summand, beta, y);
    return 0;
  };
  for (const double beta : {0.0, 2.0}) {
    const auto error = refusal_of<DTypeMismatch>([&] { return update(narrow, 1.0, beta); });
    EXPECT_EQ(error.operand, 0);
    EXPECT_EQ(error.got, DType::f32);
    EXPECT_EQ(refusal_of<DTypeMismatch>([&] { return update(row, 1.0F, beta); }).operand, -1);
    EXPECT_EQ(update(row, 1.0, beta), 0);  // stretched to y
  }
}

TEST_F(VocabularyTest, ShapesOfTooManyAxesAreRefused) {
  const Shape wide(kMaxRank + 6, 1);
  refusal_of<InvalidShape>([&] { return broadcast_in_dim(e, f64({1}), wide, {-1}); });
  refusal_of<InvalidShape>([&] { return reshape(e, f64({1}), wide); });
  const std::vector<TensorMeta> vectors(kMaxRank + 1, f64({1}));
  refusal_of<InvalidShape>([&] { return meshgrid(e, vectors)[0]; });
  refusal_of<AxisOutOfRange>([&] { return reduce_sum(e, f64(wide), -1); });
  Recorder recorder;
  refusal_of<InvalidShape>([&] { return recorder.input(f64(wide)); });
}

TEST_F(VocabularyTest, ErrorsNameTheFunctionThatWasCalled) {
  const auto message = [](auto call) {
    const auto result = attempt<OpErrorInfo>([&] { (void)call(); });
    return result ? std::string("accepted") : describe(result.error());
  };
  const TensorMeta key = i64({2});
  EXPECT_EQ(message([&] { return full(e, {-1}, 0.0); }).rfind("full: ", 0), 0U);
  EXPECT_EQ(message([&] { return broadcast_to(e, x, {5}); }).rfind("broadcast_to: ", 0), 0U);
  EXPECT_EQ(message([&] { return take_axis(e, x, f64({1}), 0); }).rfind("take_axis: ", 0), 0U);
  EXPECT_EQ(message([&] { return one_hot(e, key, -1); }).rfind("one_hot: ", 0), 0U);
  EXPECT_EQ(message([&] { return permutation(e, key, -1); }).rfind("permutation: ", 0), 0U);
  EXPECT_EQ(message([&] { return trace(e, x, 0, 0, 0); }).rfind("trace: ", 0), 0U);
  EXPECT_EQ(message([&] { return stack(e, {}); }).rfind("stack: ", 0), 0U);
}

TEST_F(VocabularyTest, ProbabilitiesLieBetweenZeroAndOne) {
  for (const double p : {-0.5, 1.5, std::nan("")}) {
    EXPECT_EQ(refusal_of<BadArgument>([&] { return bernoulli(e, i64({2}), p, Shape{3}); }).op, "bernoulli");
  }
}

}  // namespace
}  // namespace tenferro::testing
