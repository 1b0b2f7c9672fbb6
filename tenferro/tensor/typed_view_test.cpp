// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/typed_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tenferro/tensor/testing/error_of.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro {
namespace {

static_assert(std::random_access_iterator<StridedIterator<double>>);
static_assert(std::random_access_iterator<StridedIterator<const double>>);
static_assert(std::is_convertible_v<TypedView<double>, TypedView<const double>>);
static_assert(!std::is_convertible_v<TypedView<const double>, TypedView<double>>);
static_assert(std::is_convertible_v<TypedView<double>, TensorWrite>);
static_assert(!std::is_convertible_v<TypedView<const double>, TensorWrite>);
static_assert(std::is_convertible_v<TypedView<const double>, TensorRead>);
static_assert(std::is_convertible_v<TypedView<double>, MutableTensorView>);

std::vector<double> numbers(std::size_t n) {
  std::vector<double> v(n);
  std::iota(v.begin(), v.end(), 0.0);
  return v;
}

std::int64_t count_of(TensorRead x) { return x.count(); }

TEST(TypedView, MemoryOfTheCallerInEitherOrder) {
  std::vector<double> memory = numbers(6);
  const auto columns = TypedView<double>::col_major(memory, {2, 3});
  const auto rows = TypedView<double>::row_major(memory, {2, 3});
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(columns(i, j), i + 2 * j);
      EXPECT_EQ(rows(i, j), 3 * i + j);
    }
  }
  rows(1, 2) = 50;
  EXPECT_EQ(memory[5], 50);
}

TEST(TypedView, RowMajorMatricesMultiplyAsMatrices) {
  const std::vector<double> a{1, 0, 0, 0, 1, 1};
  const std::vector<double> b{1, 0, 3, 0, 1, 1, 2, 2, -1, 1, -2, 2};
  const auto lhs = TypedView<const double>::row_major(a, {2, 3});
  const auto rhs = TypedView<const double>::row_major(b, {3, 4});
  const auto expected = TypedTensor<double>::matrix({{1, 0, 3, 0}, {0, 2, 0, 4}});
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += lhs(i, k) * rhs(k, j);
      EXPECT_EQ(sum, expected(i, j));
    }
  }
}

TEST(TypedView, SpansThatAreTooShortAreRefused) {
  std::vector<double> memory(5);
  const auto e = error_of<ViewOutOfBounds>([&] { return TypedView<double>::col_major(memory, {2, 3}); });
  EXPECT_EQ(e.last, 5);
  EXPECT_EQ(e.size, 5);
  const std::int64_t big = std::int64_t{1} << 40;
  error_of<ShapeOverflow>([&] { return TypedView<double>::row_major(memory, {big, big}); });
  error_of<OverlappingStorage>([&] { return TypedView<double>::strided(memory, {{2, 2}, {1, 1}, 0}); });
  EXPECT_EQ(TypedView<const double>::strided(memory, {{2, 2}, {1, 1}, 0}).count(), 4);
}

TEST(TypedView, IteratesInColumnMajorOrderWhateverTheStrides) {
  std::vector<double> memory = numbers(24);
  const auto a = TypedView<double>::row_major(memory, {2, 3, 4});
  const auto part = a.view({all, range(-1, end, -1), range(0, end, 3)});
  std::vector<double> seen(part.begin(), part.end());
  std::vector<double> expected;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) expected.push_back(12 * i + 4 * (2 - j) + 3 * k);
    }
  }
  EXPECT_EQ(seen, expected);
}

TEST(TypedView, IteratorsJumpAndRunBackwards) {
  std::vector<double> memory = numbers(12);
  const auto a = TypedView<double>::row_major(memory, {3, 4});
  const std::vector<double> forwards(a.begin(), a.end());
  std::vector<double> backwards;
  for (auto i = a.end(); i != a.begin();) backwards.push_back(*--i);
  EXPECT_TRUE(std::equal(forwards.rbegin(), forwards.rend(), backwards.begin(), backwards.end()));
  for (std::int64_t n = 0; n < 12; ++n) {
    EXPECT_EQ(a.begin()[n], forwards[static_cast<std::size_t>(n)]);
    EXPECT_EQ(*(a.end() - (12 - n)), forwards[static_cast<std::size_t>(n)]);
  }
  EXPECT_EQ(a.end() - a.begin(), 12);
  EXPECT_LT(a.begin() + 3, a.begin() + 4);
}

TEST(TypedView, AlgorithmsWorkOnStridedViews) {
  std::vector<double> memory{5, 0, 3, 0, 4, 0, 1, 0, 2, 0};
  const auto evens = TypedView<double>::strided(memory, {{5}, {2}, 0});
  std::sort(evens.begin(), evens.end());
  EXPECT_EQ(memory, (std::vector<double>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}));
}

TEST(TypedView, EmptyAndRankZeroIterate) {
  std::vector<double> memory{7};
  const auto empty = TypedView<double>::col_major(memory, {3, 0});
  EXPECT_TRUE(empty.begin() == empty.end());
  const auto scalar = TypedView<double>::col_major(memory, {});
  EXPECT_EQ(scalar(), 7);
  EXPECT_EQ(std::vector<double>(scalar.begin(), scalar.end()), (std::vector<double>{7}));
  EXPECT_EQ(TypedView<double>().count(), 0);
}

TEST(TypedView, AccessIsChecked) {
  std::vector<double> memory = numbers(6);
  const auto a = TypedView<double>::col_major(memory, {2, 3});
  EXPECT_EQ(a(-1, -1), 5);
  EXPECT_EQ(error_of<IndexOutOfBounds>([&] { return a(2, 0); }).extent, 2);
  EXPECT_EQ(error_of<IndexOutOfBounds>([&] { return a(0, -4); }).index, -4);
  EXPECT_EQ(error_of<RankMismatch>([&] { return a(1); }).expected, 2);
}

TEST(TypedView, FixingTheTypeChecksIt) {
  const Tensor a = Tensor::zeros<float>(2, 3);
  EXPECT_EQ(a.view().as<float>().count(), 6);
  const auto e = error_of<DTypeMismatch>([&] { return a.view().as<double>(); });
  EXPECT_EQ(e.expected, DType::f64);
  EXPECT_EQ(e.got, DType::f32);
}

TEST(TypedView, MethodsKeepTheType) {
  auto a = TypedTensor<double>::matrix({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(a.view().permuted({1, 0})(2, 1), 6);
  EXPECT_EQ(a.view().reversed({0})(0, 0), 4);
  EXPECT_EQ(a.view().diagonal(1)(1), 6);
  EXPECT_EQ(a.view().reshaped_view({6})(3), 5);
  EXPECT_EQ(a.view({0, all}).broadcast_to({5, 3})(4, 2), 3);
  a.mutable_view({all, -1}).fill(0);
  EXPECT_EQ(a(0, 2) + a(1, 2), 0);
  a.mutable_view({0, all}).assign(a.view({1, all}));
  EXPECT_EQ(a(0, 1), 5);
  const TypedTensor<double> copy = a.view().permuted({1, 0}).copy();
  EXPECT_EQ(copy.shape(), (Shape{3, 2}));
}

TEST(TypedView, IsAnOperandAndADynamicView) {
  std::vector<double> memory = numbers(6);
  const auto a = TypedView<double>::col_major(memory, {2, 3});
  EXPECT_EQ(count_of(a), 6);
  const TensorView dynamic = a;
  EXPECT_EQ(dynamic.at<double>({1, 2}), 5);
  const TypedView<const double> reading = a;
  EXPECT_EQ(reading.data(), memory.data());
}

}  // namespace
}  // namespace tenferro
