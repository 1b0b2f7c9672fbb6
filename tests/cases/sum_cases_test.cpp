// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cmath>

#include "tenferro/ops/reduction.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

constexpr std::int64_t kLong = std::int64_t{1} << 25;

void expect_close(const Tensor& sums, double expected) {
  for (const float sum : sums.data<float>()) EXPECT_NEAR(sum, expected, 1e-6 * expected);
}

// DT-10: adding ones to an f32 stops at 16777216 where one running sum is kept.
TEST(LongSums, OfF32OnesReachTheirLengthOnEveryAxisAndLayout) {
  const Tensor x = Tensor::ones(DType::f32, {kLong, 2});
  on_cpu([&](BackendSession& s) {
    expect_close(reduce_sum(s, x, 0), kLong);
    expect_close(reduce_sum(s, x.view().permuted({1, 0}), 1), kLong);
    expect_close(reduce_sum(s, x.view().reshaped_view({2, kLong}), 1), kLong);
    expect_close(reduce_sum(s, x.view().reversed({0}), 0), kLong);
    expect_close(reduce_sum(s, x), 2 * kLong);
  });
}

// DT-10
TEST(LongSums, OfStretchedOnesReachTheirLength) {
  const Tensor one = Tensor::ones(DType::f32, {1});
  on_cpu([&](BackendSession& s) { expect_close(reduce_sum(s, one.view().broadcast_to({100'000'000})), 1e8); });
}

// DT-18
TEST(EmptyReductions, AreNeutralOrTypedErrors) {
  const Tensor none = Tensor::zeros(DType::f64, {0}), rows = Tensor::zeros(DType::f64, {0, 3});
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(reduce_sum(s, none).item().get<double>(), 0);
    EXPECT_EQ(reduce_prod(s, none).item().get<double>(), 1);
    EXPECT_TRUE(std::isnan(reduce_mean(s, none).item().get<double>()));
    EXPECT_EQ(refusal_of<EmptyReduction>([&] { reduce_max(s, none); }).shape, Shape{0});
    refusal_of<EmptyReduction>([&] { reduce_min(s, none); });
    refusal_of<EmptyReduction>([&] { argmax(s, none); });
    EXPECT_EQ(values<double>(reduce_sum(s, rows, 0)), (std::vector<double>{0, 0, 0}));
  });
}

}  // namespace
}  // namespace tenferro::testing
