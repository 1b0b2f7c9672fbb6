// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/view.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/tensor.hpp"
#include "tenferro/tensor/testing/error_of.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInt64Max;

std::byte* bytes_of(std::vector<double>& v) { return reinterpret_cast<std::byte*>(v.data()); }

// Element (i, j, …) is the row-major number of its index: 0, 1, 2, … with the last index running fastest.
Tensor row_numbers(const Shape& shape) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return Tensor::from_row_major<double>(shape, std::span<const double>(values));
}

TEST(View, ReadsThroughSignedStrides) {
  std::vector<double> memory{0, 1, 2, 3, 4, 5, 6, 7};
  const TensorView v(bytes_of(memory), 8, DType::f64, {{2, 3}, {-4, 1}, 4});
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) EXPECT_EQ(v.at<double>({i, j}), static_cast<double>(4 - 4 * i + j));
  }
  EXPECT_EQ(v.at<double>({-1, -1}), 2);
}

TEST(View, MustLieInsideItsBuffer) {
  std::vector<double> memory(8);
  const auto view = [&](Layout layout) { return TensorView(bytes_of(memory), 8, DType::f64, std::move(layout)); };
  EXPECT_EQ(view({{8}, {1}, 0}).count(), 8);
  EXPECT_EQ(view({{8}, {-1}, 7}).count(), 8);
  const auto e = error_of<ViewOutOfBounds>([&] { return view({{3, 3}, {1, 3}, 0}); });
  EXPECT_EQ(e.first, 0);
  EXPECT_EQ(e.last, 8);
  EXPECT_EQ(e.size, 8);
  EXPECT_EQ(error_of<ViewOutOfBounds>([&] { return view({{8}, {-1}, 6}); }).first, -1);
  EXPECT_EQ(error_of<ViewOutOfBounds>([&] { return view({{1}, {1}, 8}); }).first, 8);
  error_of<ViewOutOfBounds>([&] { return view({{1}, {1}, -1}); });
}

TEST(View, HugeStridesAndOffsetsAreOutOfBoundsAndDoNotWrap) {
  std::vector<double> memory(8);
  const auto view = [&](Layout layout) { return TensorView(bytes_of(memory), 8, DType::f64, std::move(layout)); };
  error_of<ViewOutOfBounds>([&] { return view({{2}, {kInt64Max}, 1}); });
  error_of<ViewOutOfBounds>([&] { return view({{2}, {-kInt64Max - 1}, 0}); });
  error_of<ViewOutOfBounds>([&] { return view({{3, 3}, {kInt64Max, kInt64Max}, kInt64Max}); });
  error_of<ViewOutOfBounds>([&] { return view({{3}, {-kInt64Max}, -kInt64Max}); });
  // 2^61 elements of stride 2^2 and of stride 8: each product alone wraps to something small in 64 bits.
  error_of<ViewOutOfBounds>([&] { return view({{(std::int64_t{1} << 61) + 1}, {8}, 0}); });
}

TEST(View, EmptyViewsReachNothing) {
  const TensorView v(nullptr, 0, DType::f64, {{0, 5}, {100, 100}, 7});
  EXPECT_EQ(v.count(), 0);
  EXPECT_EQ(v.copy().shape(), (Shape{0, 5}));
}

TEST(View, RanksOfShapeAndStridesMustAgree) {
  std::vector<double> memory(8);
  const auto e = error_of<RankMismatch>([&] { return TensorView(bytes_of(memory), 8, DType::f64, {{2, 2}, {1}, 0}); });
  EXPECT_EQ(e.expected, 2);
  EXPECT_EQ(e.got, 1);
}

TEST(View, NullMisalignedAndExternalAreTypedErrors) {
  std::vector<double> memory(8);
  error_of<BadArgument>([&] { return TensorView(nullptr, 8, DType::f64, {{2}, {1}, 0}); });
  error_of<BadArgument>([&] { return TensorView(bytes_of(memory) + 4, 4, DType::f64, {{2}, {1}, 0}); });
  error_of<UnsupportedDType>([&] { return TensorView(bytes_of(memory), 8, DType::external, {{2}, {1}, 0}); });
}

TEST(View, MutableViewsMustNotOverlapThemselves) {
  std::vector<double> memory(12);
  const auto view = [&](Layout layout) { return MutableTensorView(bytes_of(memory), 12, DType::f64, layout); };
  EXPECT_EQ(error_of<OverlappingStorage>([&] { return view({{4, 3}, {0, 1}, 0}); }).operand, -1);
  error_of<OverlappingStorage>([&] { return view({{3, 3}, {1, 2}, 0}); });
  // Strides 3 and 2 interleave without meeting.
  EXPECT_EQ(view({{2, 3}, {3, 2}, 0}).count(), 6);
  EXPECT_EQ(TensorView(bytes_of(memory), 12, DType::f64, {{4, 3}, {0, 1}, 0}).count(), 12);
}

TEST(View, StretchedViewsAreForReading) {
  Tensor x = Tensor::zeros<double>(1, 3);
  static_assert(std::is_same_v<decltype(x.mutable_view().broadcast_to({4, 3})), TensorView>);
  static_assert(!std::is_convertible_v<TensorView, TensorWrite>);
  static_assert(!std::is_convertible_v<TensorView, MutableTensorView>);
  EXPECT_EQ(x.mutable_view().broadcast_to({4, 3}).strides(), (Dims{0, 1}));
}

TEST(View, PermutingAViewLeavesTheTensorAlone) {  // IDX-05
  const Tensor a = row_numbers({2, 3});
  const TensorView b = a.view().permuted({1, 0});
  EXPECT_EQ(a.shape(), (Shape{2, 3}));
  EXPECT_EQ(b.shape(), (Shape{3, 2}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      EXPECT_EQ(b.at<double>({j, i}), a.at<double>({i, j}));
      EXPECT_EQ(a.at<double>({i, j}), static_cast<double>(3 * i + j));
    }
  }
}

TEST(View, StridedViewExportsInTheOrderOfItsIndices) {  // IDX-08
  const Tensor a = row_numbers({4, 4});
  const TensorView v = a.view({range(0, end, 2), range(-1, end, -1)});
  EXPECT_EQ(row_major_values<double>(v), (std::vector<double>{3, 2, 1, 0, 11, 10, 9, 8}));
  EXPECT_EQ(col_major_values<double>(v), (std::vector<double>{3, 11, 2, 10, 1, 9, 0, 8}));
}

TEST(View, ScalingAColumnTouchesOnlyThatColumn) {
  Tensor a = row_numbers({3, 4});
  for (double& v : a.mutable_view({all, 1}).as<double>()) v *= 2;
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{0, 2, 2, 3, 4, 10, 6, 7, 8, 18, 10, 11}));
}

TEST(View, FillWritesItsElementsAlone) {
  Tensor a = Tensor::zeros<float>(3, 4);
  a.mutable_view({range(0, end, 2), range(1, 3)}).fill(7);
  EXPECT_EQ(a.to_row_major<float>(), (std::vector<float>{0, 7, 7, 0, 0, 0, 0, 0, 0, 7, 7, 0}));
}

TEST(View, FillRefusesWhatTheDtypeCannotHold) {
  Tensor a = Tensor::zeros<std::int32_t>(3);
  const auto e = error_of<DTypeMismatch>([&] { a.mutable_view().fill(1.5); });
  EXPECT_EQ(e.expected, DType::i32);
  EXPECT_EQ(e.got, DType::f64);
  EXPECT_EQ(a.to_row_major<std::int32_t>(), (std::vector<std::int32_t>{0, 0, 0}));
  Tensor b = Tensor::zeros<float>(3);
  error_of<DTypeMismatch>([&] { b.mutable_view().fill(0.5); });
  error_of<DTypeMismatch>([&] { b.mutable_view().fill(16777217); });
}

TEST(View, AssignCopiesByIndex) {
  Tensor a = Tensor::zeros<double>(2, 3);
  a.mutable_view().permuted({1, 0}).assign(row_numbers({3, 2}));
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(View, ItemIsTheOneElement) {
  const Tensor a = row_numbers({2, 3});
  EXPECT_EQ(a.view({1, 2}).item(), Scalar(5.0));
  EXPECT_EQ(a.view({range(1, end), range(2, end)}).item(), Scalar(5.0));
  EXPECT_EQ(error_of<ElementCountMismatch>([&] { return a.view().item(); }).got, 6);
}

TEST(View, AccessIsChecked) {
  const Tensor a = row_numbers({2, 3});
  EXPECT_EQ(error_of<DTypeMismatch>([&] { return a.view().at<float>({0, 0}); }).got, DType::f64);
  EXPECT_EQ(error_of<RankMismatch>([&] { return a.view().at<double>({0}); }).got, 1);
  EXPECT_EQ(error_of<IndexOutOfBounds>([&] { return a.view().at<double>({0, 3}); }).position, 1);
  EXPECT_EQ(error_of<IndexOutOfBounds>([&] { return a.view().at<double>({-3, 0}); }).index, -3);
}

TEST(View, DeviceMemoryIsNotReadByTheHost) {
  std::vector<double> memory(4);
  const Placement device{DeviceKind::cuda, MemoryKind::device, 1, 0};
  const TensorView v(bytes_of(memory), 4, DType::f64, {{4}, {1}, 0}, device);
  EXPECT_EQ(error_of<PlacementMismatch>([&] { return v.at<double>({0}); }).got, device);
  EXPECT_EQ(error_of<PlacementMismatch>([&] { return v.copy(); }).got, device);
  EXPECT_EQ(error_of<PlacementMismatch>([&] { return v.item(); }).got, device);
}

TEST(View, OperandsCarryShapeStridesAndPlace) {
  Tensor a = row_numbers({2, 3});
  const MutableTensorView v = a.mutable_view({all, range(-1, end, -2)});
  const TensorWrite w = v;
  EXPECT_EQ(w.data, v.data());
  EXPECT_TRUE(same_shape(w.shape(), Shape{2, 2}));
  EXPECT_EQ(w.strides[1], -4);
  EXPECT_EQ(w.read().as<double>()[0], 2);
  EXPECT_EQ(w.count(), 4);
  EXPECT_FALSE(w.compact());
  EXPECT_TRUE(TensorRead(a).compact());
}

TEST(View, DefaultViewHasNoElements) {
  EXPECT_EQ(TensorView().count(), 0);
  EXPECT_EQ(MutableTensorView().shape(), (Shape{0}));
}

TEST(View, DiagonalOfAMutableViewWritesTheDiagonal) {
  Tensor a = Tensor::zeros<double>(3, 3);
  a.mutable_view().diagonal().fill(1.0);
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace tenferro
