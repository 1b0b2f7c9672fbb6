// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/typed_tensor.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/testing/error_of.hpp"

namespace tenferro {
namespace {

TEST(TypedTensor, ElementsByIndex) {
  auto a = TypedTensor<double>::matrix({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(a(1, 0), 4);
  EXPECT_EQ(a(-1, -1), 6);
  a(0, 2) = 30;
  EXPECT_EQ(a.data()[4], 30);
  EXPECT_EQ(error_of<IndexOutOfBounds>([&] { return a(0, 3); }).extent, 3);
  EXPECT_EQ(error_of<RankMismatch>([&] { return a(0); }).expected, 2);
}

TEST(TypedTensor, Makers) {
  EXPECT_EQ(TypedTensor<float>::zeros(2, 3).shape(), (Shape{2, 3}));
  EXPECT_EQ(TypedTensor<float>::ones({2})(1), 1.0F);
  EXPECT_EQ(TypedTensor<bool>::vector({true, false})(1), false);
  EXPECT_EQ(TypedTensor<std::int32_t>::eye(2)(1, 1), 1);
  EXPECT_EQ(TypedTensor<double>::cube({{{1, 2}}, {{3, 4}}})(1, 0, 1), 4);
  EXPECT_EQ(TypedTensor<double>::scalar(2)(), 2);
  EXPECT_EQ(TypedTensor<double>::full({2}, 7)(0), 7);
  EXPECT_EQ(TypedTensor<double>::from_row_major({2, 2}, {1, 2, 3, 4})(0, 1), 2);
  EXPECT_EQ(TypedTensor<double>::from_col_major({2, 2}, {1, 2, 3, 4})(0, 1), 3);
}

TEST(TypedTensor, FixingTheTypeChecksItAndTakesNothingOnFailure) {
  Tensor t = Tensor::full({2}, 1.5F);
  EXPECT_EQ(error_of<DTypeMismatch>([&] { return typed<double>(std::move(t)); }).got, DType::f32);
  EXPECT_EQ(t.count(), 2);  // NOLINT(bugprone-use-after-move): the failed call took nothing
  const TypedTensor<float> a = typed<float>(std::move(t));
  EXPECT_EQ(a(1), 1.5F);
}

TEST(TypedTensor, GivesItsTensorBackForNothing) {
  auto a = TypedTensor<double>::full({2}, 3);
  const std::byte* block = a.dynamic().bytes();
  const Tensor t = std::move(a).release();
  EXPECT_EQ(t.bytes(), block);
  EXPECT_EQ(a.count(), 0);  // NOLINT(bugprone-use-after-move): the moved-from state is the subject
  EXPECT_TRUE(a.data().empty());
}

TEST(TypedTensor, EmptyByDefault) {
  const TypedTensor<float> a;
  EXPECT_EQ(a.shape(), (Shape{0}));
  EXPECT_EQ(a.dynamic().dtype(), DType::f32);
}

TEST(TypedTensor, WrapsMemoryOfTheRightType) {
  int released = 0;
  float memory[4] = {1, 2, 3, 4};
  {
    const auto a = TypedTensor<float>::wrap({2, 2}, memory, [&](float* p) { released += p == memory ? 1 : 100; });
    EXPECT_EQ(a(1, 0), 2);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(TypedTensor<double>::wrap({2}, std::vector<double>{5, 6})(1), 6);
}

TEST(TypedTensor, DuplicateAndReshape) {
  const auto a = TypedTensor<double>::from_col_major({2, 2}, {1, 2, 3, 4});
  const auto b = a.duplicate().reshaped({4});
  EXPECT_EQ(b(2), 3);
  EXPECT_EQ(a(0, 1), 3);
}

TEST(TypedTensor, ConstGivesReadingViews) {
  static_assert(std::is_same_v<decltype(std::declval<const TypedTensor<double>&>().view()), TypedView<const double>>);
  static_assert(std::is_same_v<decltype(std::declval<TypedTensor<double>&>().mutable_view()), TypedView<double>>);
  static_assert(std::is_convertible_v<const TypedTensor<double>&, TensorRead>);
  static_assert(!std::is_convertible_v<const TypedTensor<double>&, TensorWrite>);
  double sum = 0;
  const auto a = TypedTensor<double>::matrix({{1, 2}, {3, 4}});
  for (const double v : a.view({all, 1})) sum += v;
  EXPECT_EQ(sum, 6);
}

}  // namespace
}  // namespace tenferro
