// SPDX-License-Identifier: MIT OR Apache-2.0
#include <sys/mman.h>

#include <cstdint>
#include <limits>

#include "tenferro/ops/arrangement.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

// IDX-01
TEST(BroadcastSums, LieColumnMajor) {
  const Tensor column = Tensor::matrix<double>({{0}, {10}}), row = Tensor::matrix<double>({{0, 1, 2}});
  on_cpu([&](BackendSession& s) {
    const Tensor sum = add(s, column, row);
    EXPECT_EQ(values<double>(sum), (std::vector<double>{0, 10, 1, 11, 2, 12}));
    EXPECT_EQ(sum.at<double>({1, 2}), 12);
  });
}

// IDX-02
TEST(InPlaceUpdates, OfOneColumnTouchThatColumnAlone) {
  Tensor x = Tensor::from_row_major<double>({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  on_cpu([&](BackendSession& s) {
    const MutableTensorView column = x.mutable_view({all, 1});
    mul_into(s, column, column, 2.0);
  });
  EXPECT_EQ(x.to_row_major<double>(), (std::vector<double>{0, 2, 2, 3, 4, 10, 6, 7, 8, 18, 10, 11}));
}

// IDX-06: a stretched view is for reading, so nothing can be applied to it several times.
TEST(InPlaceUpdates, OfAStretchedViewAreRefused) {
  Tensor x = Tensor::matrix<double>({{1, 2, 3}});
  const Layout stretched{{4, 3}, {0, 1}, 0};
  EXPECT_THROW(MutableTensorView(x.bytes(), 3, DType::f64, stretched), TensorError);
  on_cpu([&](BackendSession& s) {
    Tensor out = Tensor::zeros(DType::f64, {4, 3});
    cos_into(s, out, x.view().broadcast_to({4, 3}));
    EXPECT_EQ(out.at<double>({0, 1}), out.at<double>({3, 1}));
  });
}

// IDX-11
TEST(RowMajorBuffers, MultiplyAsTheMatricesTheyAre) {
  const double a[] = {1, 0, 0, 0, 1, 1}, b[] = {1, 0, 3, 0, 1, 1, 2, 2, -1, 1, -2, 2};
  const auto view = [](const double* data, std::int64_t rows, std::int64_t columns) {
    return TensorView(reinterpret_cast<const std::byte*>(data), rows * columns, DType::f64,
                      Layout{{rows, columns}, row_major_strides(Shape{rows, columns}), 0});
  };
  on_cpu([&](BackendSession& s) {
    const Tensor product = matmul(s, view(a, 2, 3), view(b, 3, 4));
    EXPECT_EQ(product.to_row_major<double>(), (std::vector<double>{1, 0, 3, 0, 0, 2, 0, 4}));
  });
}

// IDX-12: two gigabytes of address space of which three pages are touched.
TEST(MoreThanTwoToThe31Elements, AreAddressedIn64Bits) {
  const std::int64_t n = (std::int64_t{1} << 31) + 64;
  const auto bytes = static_cast<std::size_t>(n);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  Tensor x = Tensor::wrap(DType::boolean, {n}, memory, [bytes](void* p) { ::munmap(p, bytes); });
  x.at<bool>({n - 3}) = true;
  x.at<bool>({std::int64_t{1} << 31}) = true;
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(values<bool>(slice(s, x, {n - 4}, {n})), (std::vector<bool>{false, true, false, false}));
    const Tensor places = Tensor::vector<std::int64_t>({0, std::int64_t{1} << 31, n - 3, n - 1});
    EXPECT_EQ(values<bool>(take_axis(s, x, places, 0)), (std::vector<bool>{false, true, true, false}));
    // Half of them in each of two columns, the second reached by a stride of 2^30 + 32.
    const TensorView columns = x.view().reshaped_view({n / 2, 2});
    EXPECT_EQ(values<bool>(slice(s, columns, {n / 2 - 3, 0}, {n / 2 - 2, 2})), (std::vector<bool>{false, true}));
    EXPECT_EQ(values<bool>(slice(s, columns.permuted({1, 0}).reversed({1}), {1, 2}, {2, 3})), std::vector<bool>{true});
  });
}

// IDX-14
TEST(ShapesThatOverflow, AreTypedErrorsBeforeAnyAllocation) {
  const std::int64_t huge = std::int64_t{1} << 40;
  const Tensor one = Tensor::ones(DType::f64, {1});
  ShapeEvaluator shapes;
  on_cpu([&](BackendSession& s) {
    refusal_of<ShapeOverflow>([&] { broadcast_in_dim(s, one, {huge, huge}, {0}); });
    refusal_of<ShapeOverflow>([&] { pad(s, one, {0}, {std::numeric_limits<std::int64_t>::max()}); });
    refusal_of<ShapeOverflow>([&] { tile(s, one, {huge, huge}); });
  });
  const TensorMeta wide{DType::f64, {std::int64_t{1} << 59}};
  refusal_of<ShapeOverflow>([&] { stack(shapes, {wide, wide, wide, wide}); });
  refusal_of<ShapeOverflow>([&] { concatenate(shapes, {wide, wide}, 0); });
  refusal_of<ShapeOverflow>([&] { outer(shapes, wide, wide); });
}

// IDX-16
TEST(ZeroExtents, HideNoOverflowOfTheOthers) {
  EXPECT_EQ(Tensor::zeros(DType::f64, {2147483647, 2, 0}).count(), 0);
  EXPECT_THROW(Tensor::zeros(DType::f64, {std::int64_t{1} << 40, std::int64_t{1} << 40, 0}), TensorError);
}

// IDX-16
TEST(Rolls, TakeTheirShiftModuloTheExtent) {
  const Tensor x = Tensor::vector<double>({0, 1, 2, 3, 4});
  on_cpu([&](BackendSession& s) {
    // −2^63 is 2 modulo 5.
    EXPECT_EQ(values<double>(roll(s, x, std::numeric_limits<std::int64_t>::min(), 0)),
              (std::vector<double>{3, 4, 0, 1, 2}));
    EXPECT_EQ(values<double>(roll(s, x, -6, 0)), (std::vector<double>{1, 2, 3, 4, 0}));
    EXPECT_EQ(roll(s, Tensor::zeros(DType::f64, {0}), 3, 0).count(), 0);
  });
}

// IDX-17: a result owns its elements, however short its operands live.
TEST(Results, OutliveTheTemporariesTheyCameFrom) {
  on_cpu([&](BackendSession& s) {
    const auto sum = add(s, exp(s, Tensor::zeros(DType::f64, {1000})), exp(s, Tensor::zeros(DType::f64, {1000})));
    const Tensor other = Tensor::full({1000}, 7.0);
    for (const double x : sum.data<double>()) EXPECT_EQ(x, 2.0);
  });
}

}  // namespace
}  // namespace tenferro::testing
