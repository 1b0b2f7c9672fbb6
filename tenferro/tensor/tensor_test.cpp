// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "tenferro/tensor/testing/error_of.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();

template <class T>
std::vector<T> values(const Tensor& t) {
  const auto d = t.data<T>();
  return {d.begin(), d.end()};
}

// ---- makers

TEST(Tensor, RowMajorInputIsStoredColumnMajor) {
  const Tensor a = Tensor::from_row_major<double>({2, 3}, {0, 1, 2, 10, 11, 12});
  EXPECT_EQ(values<double>(a), (std::vector<double>{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(a.at<double>({1, 2}), 12);
}

TEST(Tensor, ColumnMajorInputIsStoredAsItIs) {
  const Tensor a = Tensor::from_col_major<std::int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(a.at<std::int32_t>({1, 0}), 2);
  EXPECT_EQ(a.at<std::int32_t>({0, 1}), 3);
}

TEST(Tensor, ElementCountsAreCheckedBeforeAllocation) {
  EXPECT_EQ(error_of<ElementCountMismatch>([] { return Tensor::from_row_major<double>({2, 2}, {1, 2, 3}); }).expected,
            4);
  EXPECT_EQ(error_of<ElementCountMismatch>([] { return Tensor::from_col_major<bool>({1 << 30, 1 << 30}, {true}); }).got,
            1);
}

TEST(Tensor, BoolTensorsRoundTrip) {
  const Tensor a = Tensor::from_row_major<bool>({2, 2}, {true, true, false, false});
  EXPECT_EQ(values<bool>(a), (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(a.to_row_major<bool>(), (std::vector<bool>{true, true, false, false}));
}

TEST(Tensor, NestedBraces) {
  const Tensor v = Tensor::vector({1.0, 2.0});
  EXPECT_EQ(v.shape(), (Shape{2}));
  const Tensor m = Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(m.shape(), (Shape{2, 3}));
  EXPECT_EQ(m.to_row_major<double>(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  const Tensor c = Tensor::cube<std::int32_t>({{{0, 1, 2}, {3, 4, 5}}, {{6, 7, 8}, {9, 10, 11}}});
  EXPECT_EQ(c.shape(), (Shape{2, 2, 3}));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(c.at<std::int32_t>({i, j, k}), 6 * i + 3 * j + k);
    }
  }
  EXPECT_EQ(Tensor::matrix<bool>({{true}, {false}}).shape(), (Shape{2, 1}));
  EXPECT_EQ(Tensor::matrix<double>({}).shape(), (Shape{0, 0}));
}

TEST(Tensor, RaggedBracesAreATypedError) {
  const auto e = error_of<ElementCountMismatch>([] { return Tensor::matrix({{1., 2.}, {3.}}); });
  EXPECT_EQ(e.expected, 2);
  EXPECT_EQ(e.got, 1);
  error_of<ElementCountMismatch>([] { return Tensor::cube<double>({{{1}}, {{1}, {2}}}); });
}

TEST(Tensor, ZerosOnesFullForEveryDtype) {
  for (const DType d : kDTypes) {
    const Tensor zero = Tensor::zeros(d, {2, 3});
    for (std::size_t i = 0; i < zero.byte_size(); ++i) ASSERT_EQ(std::to_integer<int>(zero.bytes()[i]), 0);
    const Tensor one = Tensor::ones(d, {3});
    EXPECT_EQ(one.view({1}).item(), Scalar(1.0).as(d)) << name(d);
    EXPECT_EQ(Tensor::full({2}, Scalar(1.0).as(d)).dtype(), d);
  }
  EXPECT_EQ(Tensor::zeros<float>(2, 3).dtype(), DType::f32);
  EXPECT_EQ(Tensor::zeros<float>(2, 3).shape(), (Shape{2, 3}));
  EXPECT_EQ(Tensor::ones<bool>().item(), Scalar(true));
}

TEST(Tensor, LargeZerosAreZero) {
  const Tensor t = Tensor::zeros(DType::f64, {1 << 18, 2});
  EXPECT_GE(t.byte_size(), kHugeBlock);
  for (const double v : t.data<double>()) ASSERT_EQ(v, 0);
}

TEST(Tensor, EyeHasOnesOnTheMainDiagonal) {
  EXPECT_EQ(Tensor::eye(DType::f64, 2, 3).to_row_major<double>(), (std::vector<double>{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(Tensor::eye(DType::i32, 3, 2).to_row_major<std::int32_t>(), (std::vector<std::int32_t>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(Tensor::eye(DType::c32, 3).shape(), (Shape{3, 3}));
  EXPECT_EQ(Tensor::eye(DType::f64, 0).count(), 0);
  error_of<InvalidShape>([] { return Tensor::eye(DType::f64, -3); });
}

TEST(Tensor, ArangeHasTheLengthOfTheRoundedQuotient) {
  EXPECT_EQ(Tensor::arange(0, 1, 0.1).count(), 10);
  EXPECT_EQ(Tensor::arange(1, 1.3, 0.1).count(), static_cast<std::int64_t>(std::ceil((1.3 - 1) / 0.1)));
  EXPECT_EQ(Tensor::arange(5, 0, -2).to_row_major<double>(), (std::vector<double>{5, 3, 1}));
  EXPECT_EQ(Tensor::arange(0, 0).count(), 0);
  EXPECT_EQ(Tensor::arange(0, 5, -1).count(), 0);
  const Tensor t = Tensor::arange(0, 1, 0.1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(t.at<double>({i}), 0 + i * 0.1);
}

TEST(Tensor, ArangeRefusesEndlessRanges) {
  error_of<BadArgument>([] { return Tensor::arange(0, 1, 0); });
  error_of<BadArgument>([] { return Tensor::arange(0, std::numeric_limits<double>::infinity()); });
  error_of<BadArgument>([] { return Tensor::arange(std::nan(""), 1); });
  error_of<ShapeOverflow>([] { return Tensor::arange(0, 1e300); });
  error_of<ShapeOverflow>([] { return Tensor::arange(-1e308, 1e308, 1e-10); });
}

TEST(Tensor, IntegerArangeIsExact) {
  EXPECT_EQ(values<std::int64_t>(Tensor::arange(DType::i64, 3, 10, 3)), (std::vector<std::int64_t>{3, 6, 9}));
  EXPECT_EQ(values<std::int32_t>(Tensor::arange(DType::i32, 3, -4, -3)), (std::vector<std::int32_t>{3, 0, -3}));
  EXPECT_EQ(values<float>(Tensor::arange(DType::f32, 0, 3)), (std::vector<float>{0, 1, 2}));
  const std::int64_t far = std::int64_t{1} << 53;
  EXPECT_EQ(values<std::int64_t>(Tensor::arange(DType::i64, far, far + 3)),
            (std::vector<std::int64_t>{far, far + 1, far + 2}));
}

TEST(Tensor, IntegerArangeAtTheEndsOfItsType) {
  EXPECT_EQ(values<std::int64_t>(Tensor::arange(DType::i64, kMin64, kMax64, kMax64)),
            (std::vector<std::int64_t>{kMin64, -1, kMax64 - 1}));
  EXPECT_EQ(values<std::int64_t>(Tensor::arange(DType::i64, kMax64, kMin64, kMin64)),
            (std::vector<std::int64_t>{kMax64, -1}));
  error_of<ShapeOverflow>([] { return Tensor::arange(DType::i64, kMin64, kMax64, 1); });
  error_of<BadArgument>([] { return Tensor::arange(DType::i32, 0, std::int64_t{1} << 33, std::int64_t{1} << 32); });
  error_of<BadArgument>([] { return Tensor::arange(DType::i64, 0, 1, 0); });
  error_of<UnsupportedDType>([] { return Tensor::arange(DType::boolean, 0, 2); });
}

TEST(Tensor, LinspaceEndsExactly) {
  const Tensor t = Tensor::linspace(0, 100, 50);
  EXPECT_EQ(t.count(), 50);
  EXPECT_EQ(t.at<double>({0}), 0);
  EXPECT_EQ(t.at<double>({-1}), 100);
  const Tensor tenths = Tensor::linspace(0, 1, 11);
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(tenths.at<double>({i}), i / 10.0, 2e-16);
  EXPECT_EQ(tenths.at<double>({10}), 1);
  EXPECT_EQ(values<double>(Tensor::linspace(3, 3, 3)), (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(values<double>(Tensor::linspace(2, 9, 1)), (std::vector<double>{2}));
  EXPECT_EQ(Tensor::linspace(0, 1, 0).count(), 0);
  error_of<InvalidShape>([] { return Tensor::linspace(0, 1, -1); });
}

TEST(Tensor, LinspaceOfIntegersTruncates) {
  const Tensor t = Tensor::linspace(DType::i64, 0, 100, 50);
  EXPECT_EQ(t.at<std::int64_t>({-1}), 100);
  for (int i = 0; i < 49; ++i) EXPECT_EQ(t.at<std::int64_t>({i}), static_cast<std::int64_t>(i * (100.0 / 49)));
  EXPECT_EQ(values<std::int32_t>(Tensor::linspace(DType::i32, -3, 3, 4)), (std::vector<std::int32_t>{-3, -1, 1, 3}));
}

TEST(Tensor, LinspaceOverTheWholeRangeStaysFinite) {
  const Tensor t = Tensor::linspace(-1.7e308, 1.7e308, 5);
  for (const double v : t.data<double>()) EXPECT_TRUE(std::isfinite(v));
  EXPECT_EQ(t.at<double>({-1}), 1.7e308);
}

TEST(Tensor, OverflowingShapesAreRefusedBeforeAllocation) {
  const std::int64_t big = std::int64_t{1} << 40;
  for (const DType d : kDTypes) {
    error_of<ShapeOverflow>([&] { return Tensor::zeros(d, {std::int64_t{1} << 62, 4}); });
    error_of<ShapeOverflow>([&] { return Tensor::uninitialized(d, {big, big, 0}); });
    EXPECT_EQ(Tensor::zeros(d, {2147483647, 2, 0}).count(), 0);
  }
  error_of<InvalidShape>([] { return Tensor::zeros(DType::f64, {2, -1}); });
  error_of<InvalidShape>([] { return Tensor::zeros(DType::f64, Shape(65, 1)); });
  EXPECT_EQ(Tensor::zeros(DType::f64, Shape(64, 1)).rank(), 64u);
}

TEST(Tensor, SizesThatNoMachineHasAreAllocationErrors) {
  const auto r = attempt<AllocationFailed>([] { return Tensor::zeros(DType::f64, {std::int64_t{1} << 55}); });
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().bytes, std::uint64_t{1} << 58);
}

TEST(Tensor, ExternalHasNoKnownSize) {
  error_of<UnsupportedDType>([] { return Tensor::zeros(DType::external, {2}); });
  error_of<UnsupportedDType>([] { return Tensor::ones(DType::external, {2}); });
  error_of<UnsupportedDType>([] { return Tensor::adopt(DType::external, {2}, heap_block(64)); });
}

// ---- memory of others

TEST(Tensor, WrapRunsItsDeleterOnce) {  // API-01
  int released = 0;
  auto* raw = new double[6]{1, 2, 3, 4, 5, 6};
  {
    const Tensor t = Tensor::wrap(DType::f64, {2, 3}, raw, [&](void* p) {
      ++released;
      delete[] static_cast<double*>(p);
    });
    EXPECT_EQ(t.data<double>().data(), raw);
    EXPECT_EQ(t.at<double>({1, 0}), 2);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST(Tensor, WrappedMemoryOutlivesTheFunctionThatWrappedIt) {  // API-01
  const auto make = [] {
    std::vector<double> local{1, 2, 3};
    return Tensor::wrap({3}, std::move(local));
  };
  const Tensor t = make();
  EXPECT_EQ(values<double>(t), (std::vector<double>{1, 2, 3}));
}

TEST(Tensor, WrapOfAVectorMovesNothing) {
  std::vector<float> v{1, 2, 3, 4};
  const float* data = v.data();
  const Tensor t = Tensor::wrap({2, 2}, std::move(v));
  EXPECT_EQ(t.data<float>().data(), data);
}

TEST(Tensor, FailedWrapLeavesTheMemoryToItsOwner) {
  double memory[4] = {};
  int released = 0;
  const auto count = [&](void*) { ++released; };
  error_of<BadArgument>([&] { return Tensor::wrap(DType::f64, {2}, nullptr, count); });
  error_of<BadArgument>([&] { return Tensor::wrap(DType::f64, {2}, reinterpret_cast<char*>(memory) + 1, count); });
  error_of<InvalidShape>([&] { return Tensor::wrap(DType::f64, {-2}, memory, count); });
  EXPECT_EQ(released, 0);
  std::vector<double> v{1, 2, 3};
  EXPECT_EQ(error_of<ElementCountMismatch>([&] { return Tensor::wrap({2}, std::move(v)); }).got, 3);
  EXPECT_EQ(v.size(), 3u);  // NOLINT(bugprone-use-after-move): the failed call took nothing
}

TEST(Tensor, AdoptChecksTheCapacity) {
  EXPECT_EQ(Tensor::adopt(DType::f64, {8}, heap_block(64)).count(), 8);
  error_of<BadArgument>([] { return Tensor::adopt(DType::f64, {9}, heap_block(64)); });
}

// ---- life

TEST(Tensor, MovedFromTensorsAreEmpty) {
  Tensor a = Tensor::full({2, 2}, 1.5);
  const Tensor b = std::move(a);
  EXPECT_EQ(a.count(), 0);  // NOLINT(bugprone-use-after-move): the moved-from state is the subject
  EXPECT_EQ(a.shape(), (Shape{0}));
  EXPECT_TRUE(a.data<double>().empty());
  EXPECT_EQ(b.at<double>({1, 1}), 1.5);
  a = Tensor::full({1}, 2.5);
  EXPECT_EQ(a.item(), Scalar(2.5));
}

TEST(Tensor, SelfMoveKeepsTheTensor) {
  Tensor a = Tensor::full({2}, 1.5);
  Tensor& same = a;
  a = std::move(same);
  EXPECT_EQ(values<double>(a), (std::vector<double>{1.5, 1.5}));
}

TEST(Tensor, DuplicateIsDeep) {
  Tensor a = Tensor::full({2}, 1.5);
  const Tensor b = a.duplicate();
  a.at<double>({0}) = 9;
  EXPECT_EQ(b.at<double>({0}), 1.5);
}

TEST(Tensor, DefaultTensorBehavesAsAnEmptyOne) {
  const Tensor a;
  EXPECT_EQ(a.count(), 0);
  EXPECT_EQ(a.duplicate().shape(), (Shape{0}));
  EXPECT_EQ(a.view().copy().count(), 0);
}

TEST(Tensor, MayBeFreedOnAnotherThread) {
  int released = 0;
  Tensor own = Tensor::full({1000}, 1.0);
  Tensor wrapped = Tensor::wrap(DType::f64, {0}, nullptr, [&](void*) { ++released; });
  std::thread([a = std::move(own), b = std::move(wrapped)] {}).join();
  EXPECT_EQ(released, 1);
}

TEST(Tensor, IsMovableAndNotCopyable) {
  static_assert(!std::is_copy_constructible_v<Tensor>);
  static_assert(!std::is_copy_assignable_v<Tensor>);
  static_assert(std::is_nothrow_move_constructible_v<Tensor>);
  static_assert(std::is_nothrow_move_assignable_v<Tensor>);
}

// ---- access

TEST(Tensor, ElementAccessIsChecked) {
  Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}});
  a.at<double>({-1, 0}) = 30;
  EXPECT_EQ(a.at<double>({1, 0}), 30);
  const auto e = error_of<IndexOutOfBounds>([&] { return a.at<double>({0, 2}); });
  EXPECT_EQ(e.position, 1);
  EXPECT_EQ(e.index, 2);
  EXPECT_EQ(e.extent, 2);
  error_of<IndexOutOfBounds>([&] { return a.at<double>({kMin64, 0}); });
  EXPECT_EQ(error_of<RankMismatch>([&] { return a.at<double>({0}); }).got, 1);
  EXPECT_EQ(error_of<DTypeMismatch>([&] { return a.at<float>({0, 0}); }).expected, DType::f32);
  EXPECT_EQ(error_of<DTypeMismatch>([&] { return a.data<std::int64_t>(); }).got, DType::f64);
}

TEST(Tensor, ItemIsTheOnlyElement) {
  EXPECT_EQ(Tensor::scalar(2.5F).item(), Scalar(2.5F));
  EXPECT_EQ(Tensor::full({1, 1, 1}, true).item(), Scalar(true));
  EXPECT_EQ(error_of<ElementCountMismatch>([] { return Tensor::zeros<double>(2).item(); }).got, 2);
}

TEST(Tensor, ExtentTakesNegativeAxes) {
  const Tensor a = Tensor::zeros<double>(2, 3);
  EXPECT_EQ(a.extent(-1), 3);
  EXPECT_EQ(error_of<AxisOutOfRange>([&] { return a.extent(2); }).rank, 2);
}

TEST(Tensor, MemoryOfADeviceIsNotOpened) {
  const Placement device{DeviceKind::cuda, MemoryKind::device, 0, 0};
  const Tensor t = Tensor::adopt(DType::f64, {2}, heap_block(16), device);
  EXPECT_EQ(error_of<PlacementMismatch>([&] { return t.data<double>(); }).got, device);
  EXPECT_EQ(error_of<PlacementMismatch>([&] { return t.duplicate(); }).got, device);
  EXPECT_EQ(t.view().placement(), device);
}

// ---- other shapes of one block

TEST(Tensor, ReshapedKeepsTheBlockAndTheOrder) {
  Tensor a = Tensor::from_col_major<double>({2, 3}, {0, 1, 2, 3, 4, 5});
  const std::byte* block = a.bytes();
  const Tensor b = std::move(a).reshaped({3, 2});
  EXPECT_EQ(b.bytes(), block);
  EXPECT_EQ(b.at<double>({2, 0}), 2);
  EXPECT_EQ(b.at<double>({0, 1}), 3);
}

TEST(Tensor, FailedReshapeGivesTheTensorBack) {
  Tensor a = Tensor::full({2, 3}, 1.5);
  EXPECT_EQ(error_of<ElementCountMismatch>([&] { return std::move(a).reshaped({4}); }).expected, 6);
  EXPECT_EQ(a.shape(), (Shape{2, 3}));  // NOLINT(bugprone-use-after-move): the failed call took nothing
  EXPECT_EQ(a.at<double>({1, 2}), 1.5);
}

TEST(Tensor, ComplexAndRealShareTheBlock) {
  Tensor z = Tensor::vector<std::complex<double>>({{1, 2}, {3, 4}, {5, 6}});
  const std::byte* block = z.bytes();
  Tensor x = std::move(z).reinterpret_as_real();
  EXPECT_EQ(x.dtype(), DType::f64);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.bytes(), block);
  EXPECT_EQ(x.at<double>({0, 2}), 5);
  EXPECT_EQ(x.at<double>({1, 0}), 2);
  const Tensor back = std::move(x).reinterpret_as_complex();
  EXPECT_EQ(back.dtype(), DType::c64);
  EXPECT_EQ(back.shape(), (Shape{3}));
  EXPECT_EQ(back.bytes(), block);
  EXPECT_EQ(back.at<std::complex<double>>({1}), std::complex<double>(3, 4));
}

TEST(Tensor, ReinterpretOfScalarsAndEmpties) {
  EXPECT_EQ(Tensor::scalar(std::complex<float>(1, 2)).reinterpret_as_real().shape(), (Shape{2}));
  EXPECT_EQ(Tensor::zeros<float>(2).reinterpret_as_complex().shape(), Shape{});
  EXPECT_EQ(Tensor::zeros<float>(2, 0).reinterpret_as_complex().count(), 0);
}

TEST(Tensor, FailedReinterpretGivesTheOwnerBack) {
  Tensor a = Tensor::full({3, 2}, 1.5);
  error_of<BadArgument>([&] { return std::move(a).reinterpret_as_complex(); });
  error_of<UnsupportedDType>([&] { return std::move(a).reinterpret_as_real(); });
  EXPECT_EQ(a.shape(), (Shape{3, 2}));  // NOLINT(bugprone-use-after-move): the failed call took nothing
  Tensor b = Tensor::zeros<std::int64_t>(2, 2);
  EXPECT_EQ(error_of<UnsupportedDType>([&] { return std::move(b).reinterpret_as_complex(); }).got, DType::i64);
  EXPECT_EQ(b.count(), 4);  // NOLINT(bugprone-use-after-move)
  error_of<BadArgument>([] { return Tensor::scalar(1.0).reinterpret_as_complex(); });
  Tensor deep = Tensor::zeros(DType::c32, Shape(64, 1));
  error_of<InvalidShape>([&] { return std::move(deep).reinterpret_as_real(); });
}

}  // namespace
}  // namespace tenferro
