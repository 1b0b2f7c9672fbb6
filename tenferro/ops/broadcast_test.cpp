// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/broadcast.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tenferro/ops/arithmetic.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/testing/refusal.hpp"
#include "tenferro/ops/testing/shape_session.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro::testing {
namespace {

TEST(PromotionTest, TableOfAllPairs) {
  using enum DType;
  const DType order[] = {boolean, i32, i64, f32, f64, c32, c64};
  const DType table[7][7] = {
      {boolean, i32, i64, f32, f64, c32, c64}, {i32, i32, i64, f64, f64, c64, c64}, {i64, i64, i64, f64, f64, c64, c64},
      {f32, f64, f64, f32, f64, c32, c64},     {f64, f64, f64, f64, f64, c64, c64}, {c32, c64, c64, c32, c64, c32, c64},
      {c64, c64, c64, c64, c64, c64, c64},
  };
  ShapeEvaluator e;
  for (std::size_t a = 0; a < 7; ++a) {
    for (std::size_t b = 0; b < 7; ++b) {
      const TensorMeta x = meta(order[a], {2}), y = meta(order[b], {2});
      EXPECT_EQ(eq(e, x, y), meta(boolean, {2}));
      EXPECT_EQ(select(e, meta(boolean, {2}), x, y).dtype, table[a][b]) << name(order[a]) << ' ' << name(order[b]);
      if (table[a][b] == boolean) {
        EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return add(e, x, y); }).got, boolean);
      } else {
        EXPECT_EQ(add(e, x, y).dtype, table[a][b]) << name(order[a]) << ' ' << name(order[b]);
      }
    }
  }
}

TEST(PromotionTest, RuleAppliesAfterPromotion) {
  ShapeEvaluator e;
  EXPECT_EQ(maximum(e, boolean({2}), i32({2})).dtype, DType::i32);
  EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return maximum(e, f64({2}), c64({2})); }).got, DType::c64);
  EXPECT_EQ(refusal_of<UnsupportedDType>([&] { return bit_and(e, i32({2}), f32({2})); }).got, DType::f64);
}

TEST(PromotionTest, MaskOfSelectTakesNoPart) {
  ShapeEvaluator e;
  EXPECT_EQ(select(e, boolean({2}), f32({2}), f32({2})).dtype, DType::f32);
  EXPECT_EQ(refusal_of<DTypeMismatch>([&] { return select(e, i32({2}), f32({2}), f32({2})); }).operand, 0);
}

TEST(BroadcastTest, AlignsAtTheLastAxis) {
  ShapeEvaluator e;
  EXPECT_EQ(add(e, f64({3, 1}), f64({4})).shape, (Shape{3, 4}));
  EXPECT_EQ(add(e, f64({}), f64({2, 0})).shape, (Shape{2, 0}));
  EXPECT_EQ(add(e, f64({1}), f64({0})).shape, (Shape{0}));
  EXPECT_EQ(fma(e, f64({2, 1, 1}), f64({3, 1}), f64({4})).shape, (Shape{2, 3, 4}));
  EXPECT_EQ(clamp(e, f64({1}), f64({3, 1}), f64({})).shape, (Shape{3, 1}));
  const auto info = refusal_of<ShapeMismatch>([&] { return mul(e, f64({2, 3}), f64({2})); });
  EXPECT_EQ(info.op, "mul");
  EXPECT_EQ(info.lhs, (Shape{2, 3}));
  EXPECT_EQ(info.rhs, (Shape{2}));
}

TEST(BroadcastTest, StretchingBeyondMemoryIsRefused) {
  ShapeEvaluator e;
  const std::int64_t huge = std::int64_t{1} << 40;
  refusal_of<ShapeOverflow>([&] { return add(e, f64({huge, 1}), f64({1, huge})); });
}

TEST(BroadcastTest, StretchedOperandIsNotCopied) {
  ShapeSession e;
  const Tensor x = Tensor::zeros(DType::f64, {3, 1}), y = Tensor::zeros(DType::f64, {4});
  (void)add(e, x, y);
  EXPECT_EQ(e.bound().size(), 1U);
}

TEST(WeakScalarTest, TensorDTypeWins) {
  ShapeEvaluator e;
  EXPECT_EQ(mul(e, f32({2}), 0.1).dtype, DType::f32);
  EXPECT_EQ(mul(e, f32({2}), 3).dtype, DType::f32);
  EXPECT_EQ(mul(e, i32({2}), 3.0).dtype, DType::i32);
  EXPECT_EQ(mul(e, i32({2}), std::int64_t{3}).dtype, DType::i32);
  EXPECT_EQ(pow(e, meta(DType::c32, {2}), 2.0).dtype, DType::c32);
  EXPECT_EQ(sub(e, true, i64({2})).dtype, DType::i64);
  EXPECT_EQ(add(e, f64({2}), std::complex<double>(1.0, 0.0)).dtype, DType::f64);
}

TEST(WeakScalarTest, WhatDoesNotFitIsRefused) {
  using internal::weak_scalar;
  const auto refused = [](const Scalar& number, DType to) {
    const auto info = refusal_of<UnsupportedConversion>([&] { return weak_scalar("op", number, to); });
    EXPECT_EQ(info.to, to);
  };
  refused(2.5, DType::i32);
  refused(3e9, DType::i32);
  refused(kInf, DType::i64);
  refused(0x1p63, DType::i64);
  refused(std::numeric_limits<double>::quiet_NaN(), DType::i32);
  refused(std::int64_t{1} << 40, DType::i32);
  refused(std::complex<double>(1.0, 2.0), DType::f64);
  refused(2, DType::boolean);
  refused(0.5, DType::boolean);
  EXPECT_EQ(weak_scalar("op", -0x1p63, DType::i64), Scalar(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(weak_scalar("op", 0.1, DType::f32), Scalar(0.1F));
  EXPECT_EQ(weak_scalar("op", 1, DType::boolean), Scalar(true));
  EXPECT_EQ(weak_scalar("op", kInf, DType::c32), Scalar(std::complex<float>(static_cast<float>(kInf))));
}

TEST(TypedTest, ResultTypesFollowTheRow) {
  ShapeSession e;
  const auto f = TypedTensor<float>::zeros({2});
  const auto z = TypedTensor<std::complex<double>>::zeros({2});
  const auto i = TypedTensor<std::int32_t>::zeros({2});
  const auto b = TypedTensor<bool>::zeros({2});
  static_assert(std::same_as<decltype(exp(e, f)), TypedTensor<float>>);
  static_assert(std::same_as<decltype(abs(e, z)), TypedTensor<double>>);
  static_assert(std::same_as<decltype(is_nan(e, z)), TypedTensor<bool>>);
  static_assert(std::same_as<decltype(make_complex(e, f, f)), TypedTensor<std::complex<float>>>);
  static_assert(std::same_as<decltype(lt(e, i, i)), TypedTensor<bool>>);
  static_assert(std::same_as<decltype(mul(e, f, 2.0)), TypedTensor<float>>);
  static_assert(std::same_as<decltype(sub(e, 1, i)), TypedTensor<std::int32_t>>);
  static_assert(std::same_as<decltype(where_select(e, b, z, z)), decltype(square(e, z))>);
  static_assert(std::same_as<decltype(clamp(e, i, i, i)), TypedTensor<std::int32_t>>);
  static_assert(std::same_as<decltype(add(e, f, i.dynamic())), Tensor>);
  EXPECT_EQ(add(e, f, f).count(), 2);
  EXPECT_EQ(abs(e, z).dynamic().dtype(), DType::f64);
}

template <class E, class A, class B>
constexpr bool kAdds = requires(E& e, const A& a, const B& b) { add(e, a, b); };
template <class E, class M, class A, class B>
constexpr bool kSelects = requires(E& e, const M& m, const A& a, const B& b) { where_select(e, m, a, b); };

TEST(TypedTest, MixingDoesNotCompile) {
  using F = TypedTensor<float>;
  using D = TypedTensor<double>;
  static_assert(kAdds<ShapeSession, F, F>);
  static_assert(!kAdds<ShapeSession, F, D>);
  static_assert(kAdds<ShapeSession, F, Tensor>);
  static_assert(kSelects<ShapeSession, TypedTensor<bool>, F, F>);
  static_assert(!kSelects<ShapeSession, F, F, F>);
  static_assert(!kSelects<ShapeSession, TypedTensor<bool>, F, D>);
}

TEST(IntoTest, OutputHasTheStretchedShapeAndPromotedDType) {
  ShapeSession e;
  const Tensor x = Tensor::zeros(DType::f32, {3, 1}), y = Tensor::zeros(DType::i32, {4});
  Tensor out = Tensor::zeros(DType::f64, {3, 4});
  add_into(e, out, x, y);
  exp_into(e, out.mutable_view(), Tensor::zeros(DType::f64, {3, 4}));
  mul_into(e, out, out, 2.0);
  Tensor narrow = Tensor::zeros(DType::f32, {3, 4});
  refusal_of<DTypeMismatch>([&] { return add_into(e, narrow, x, y), 0; });
  Tensor small = Tensor::zeros(DType::f64, {3, 1});
  refusal_of<ShapeMismatch>([&] { return add_into(e, small, x, y), 0; });
}

TEST(IntoTest, CopyStretchesAndConverts) {
  ShapeSession e;
  Tensor out = Tensor::zeros(DType::f64, {3, 4});
  copy_into(e, out, Tensor::zeros(DType::i32, {4}));
  refusal_of<UnsupportedConversion>([&] { return copy_into(e, out, Tensor::zeros(DType::c32, {4})), 0; });
}

TEST(IntoTest, AxpbyWantsOneDType) {
  ShapeSession e;
  Tensor y = Tensor::zeros(DType::f32, {4});
  const Tensor x = Tensor::zeros(DType::f32, {4});
  axpby(e, 2.0F, x, 1.0F, y);
  EXPECT_EQ(refusal_of<DTypeMismatch>([&] { return axpby(e, 2.0, x, 1.0F, y), 0; }).got, DType::f64);
  EXPECT_EQ(refusal_of<DTypeMismatch>([&] { return axpby(e, 2.0F, x, 1, y), 0; }).got, DType::i32);
}

}  // namespace
}  // namespace tenferro::testing
