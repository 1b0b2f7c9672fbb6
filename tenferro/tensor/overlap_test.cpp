// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/overlap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

// Ground truth: the addresses of all bytes of an operand.
std::set<const std::byte*> bytes_of(TensorRead x) {
  const Dims strides = x.compact() ? col_major_strides(x.shape()) : Dims(std::span(x.strides, x.rank()));
  const auto width = static_cast<std::int64_t>(element_size(x.dtype));
  std::set<const std::byte*> out;
  for (std::int64_t n = 0; n < x.count(); ++n) {
    std::int64_t rest = n;
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      offset += rest % x.extents[k] * strides[k];
      rest /= x.extents[k];
    }
    for (std::int64_t b = 0; b < width; ++b) out.insert(x.data + offset * width + b);
  }
  return out;
}

bool truly_overlap(TensorRead a, TensorRead b) {
  const auto first = bytes_of(a);
  for (const std::byte* p : bytes_of(b)) {
    if (first.count(p) != 0) return true;
  }
  return false;
}

TEST(Overlap, ColumnsOfOneTensorAreApart) {
  const Tensor x = Tensor::zeros<double>(4, 6);
  EXPECT_FALSE(may_overlap(x.view({all, 0}), x.view({all, 1})));
  EXPECT_FALSE(may_overlap(x.view({0, all}), x.view({1, all})));
  EXPECT_FALSE(may_overlap(x.view({range(0, end, 2)}), x.view({range(1, end, 2)})));
  EXPECT_TRUE(may_overlap(x.view({0, all}), x.view({all, 5})));
  EXPECT_TRUE(may_overlap(x, x.view({3, 5})));
  EXPECT_TRUE(may_overlap(x, x));
}

TEST(Overlap, SeparateTensorsAndEmptyViewsAreApart) {
  const Tensor x = Tensor::zeros<double>(4, 6);
  EXPECT_FALSE(may_overlap(x, Tensor::zeros<double>(4, 6)));
  EXPECT_FALSE(may_overlap(x, x.view({range(2, 2)})));
}

TEST(Overlap, StepsTooLongForTheArithmeticAreTakenToMeetUnlessThereIsNoElement) {
  const Tensor x = Tensor::zeros<double>(4);
  constexpr std::int64_t kLong = std::int64_t{1} << 62;
  const std::int64_t steps[] = {kLong, kLong}, some[] = {4, 4}, none[] = {4, 0};
  TensorRead far = x;
  far.axis_count = 2;
  far.strides = steps;
  far.extents = some;
  EXPECT_TRUE(may_overlap(far, x));
  const std::int64_t before_all[] = {-(std::int64_t{1} << 58), -(std::int64_t{1} << 58)};
  far.strides = before_all;
  EXPECT_TRUE(may_overlap(far, x));
  far.strides = steps;
  far.extents = none;
  EXPECT_FALSE(may_overlap(far, x));
}

TEST(Overlap, PartsOfOneComplexTensorOverlapByBytes) {
  std::vector<std::complex<double>> z(6);
  const auto zs = TypedView<std::complex<double>>::col_major(z, {6});
  auto* reals = reinterpret_cast<double*>(z.data());
  const auto imaginary = TypedView<double>::strided(std::span(reals, 12), {{6}, {2}, 1});
  const auto real = TypedView<double>::strided(std::span(reals, 12), {{6}, {2}, 0});
  EXPECT_TRUE(may_overlap(zs, imaginary));
  EXPECT_FALSE(may_overlap(real, imaginary));
}

TEST(Overlap, AgreesWithListingAllBytes) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
  const Tensor f32 = Tensor::zeros<float>(400);
  int together = 0;
  const auto any_view = [&]() -> TensorView {
    const bool wide = pick(0, 1) != 0;
    Layout layout{{pick(1, 4), pick(1, 4), pick(1, 3)}, {pick(-6, 6), pick(-13, 13), pick(-20, 20)}, 0};
    const std::int64_t middle = wide ? 100 : 200;
    layout.offset = middle + pick(-20, 20);
    if (wide) return TensorView(f32.bytes(), 200, DType::f64, std::move(layout));
    return TensorView(f32.bytes(), 400, DType::f32, std::move(layout));
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const TensorView a = any_view();
    const TensorView b = any_view();
    const bool expected = truly_overlap(a, b);
    together += expected ? 1 : 0;
    ASSERT_EQ(may_overlap(a, b), expected) << trial;
    ASSERT_EQ(may_overlap(b, a), expected) << trial;
  }
  EXPECT_GT(together, 300);
  EXPECT_LT(together, 2700);
}

}  // namespace
}  // namespace tenferro
