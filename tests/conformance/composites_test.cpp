// SPDX-License-Identifier: MIT OR Apache-2.0
// Composites against their definitions in long double, and at the edges where libraries differ.
#include "tenferro/ops/composites.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tests/conformance/suite.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro::testing {
namespace {

using Real = long double;
using Function = std::function<Tensor(BackendSession&, const Tensor&)>;

template <class T>
Tensor vector_of(const std::vector<T>& values) {
  return Tensor::from_col_major<T>({static_cast<std::int64_t>(values.size())}, std::span<const T>(values));
}

std::vector<double> results(const Tensor& t) {
  const auto data = t.data<double>();
  return {data.begin(), data.end()};
}

void expect_same(const Tensor& got, const std::vector<double>& wanted, double tolerance = 4e-16) {
  const auto values = results(got);
  ASSERT_EQ(values.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::isnan(wanted[i])) {
      EXPECT_TRUE(std::isnan(values[i])) << i << ": " << values[i];
    } else if (std::isinf(wanted[i])) {
      EXPECT_EQ(values[i], wanted[i]) << i;
    } else {
      EXPECT_NEAR(values[i], wanted[i], tolerance * std::abs(wanted[i])) << i;
    }
  }
}

/// The error in units in the last place of T, subnormal results included.
template <class T>
Real ulps(T got, Real wanted) {
  const T rounded = static_cast<T>(wanted);
  const T magnitude = std::abs(rounded);
  const Real unit = magnitude < std::numeric_limits<T>::min()
                        ? static_cast<Real>(std::numeric_limits<T>::denorm_min())
                        : std::ldexp(static_cast<Real>(std::numeric_limits<T>::epsilon()), std::ilogb(magnitude));
  return std::abs(static_cast<Real>(got) - wanted) / unit;
}

template <class T>
std::vector<T> grid(double from, double to, int count) {
  std::vector<T> points;
  for (int i = 0; i <= count; ++i) points.push_back(static_cast<T>(from + (to - from) * i / count));
  return points;
}

template <class T>
void expect_within(const Function& f, const std::vector<T>& points, Real (*wanted)(Real), double bound) {
  on_every_backend([&](BackendSession& session) {
    const Tensor y = f(session, vector_of(points));
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LE(ulps(y.data<T>()[i], wanted(static_cast<Real>(points[i]))), bound) << "at " << points[i];
    }
  });
}

void expect_values(const Function& f, const std::vector<double>& points, const std::vector<double>& wanted) {
  on_every_backend([&](BackendSession& session) { expect_same(f(session, vector_of(points)), wanted); });
}

const Function kSigmoid = [](BackendSession& s, const Tensor& x) { return sigmoid(s, x); };

TEST(SigmoidTest, FourUlpsIncludingBothTails) {
  const auto exact = [](Real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); };
  expect_within<double>(kSigmoid, grid<double>(-745.0, 745.0, 4001), exact, 4.0);
  expect_within<double>(kSigmoid, grid<double>(-2.0, 2.0, 2000), exact, 4.0);
  expect_within<float>(kSigmoid, grid<float>(-103.0, 103.0, 4001), exact, 4.0);
}

TEST(SigmoidTest, Edges) { expect_values(kSigmoid, {-kInf, kInf, kNan, 0.0, -800.0}, {0.0, 1.0, kNan, 0.5, 0.0}); }

TEST(ActivationTest, SiluVanishesAtMinusInfinity) {
  const Function f = [](BackendSession& s, const Tensor& x) { return silu(s, x); };
  expect_within<double>(f, grid<double>(-700.0, 50.0, 999), [](Real x) { return x / (1 + std::exp(-x)); }, 6.0);
  expect_values(f, {-kInf, kInf, kNan, 0.0}, {0.0, kInf, kNan, 0.0});
}

TEST(ActivationTest, SoftplusNeitherOverflowsNorCancels) {
  const Function f = [](BackendSession& s, const Tensor& x) { return softplus(s, x); };
  expect_within<double>(
      f, grid<double>(-740.0, 740.0, 999),
      [](Real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }, 4.0);
  expect_values(f, {-kInf, kInf, kNan, 1e300}, {0.0, kInf, kNan, 1e300});
}

TEST(ActivationTest, GeluKeepsItsNegativeTail) {
  const Function f = [](BackendSession& s, const Tensor& x) { return gelu(s, x); };
  const auto exact = [](Real x) { return x / 2 * std::erfc(-x / std::sqrt(Real{2})); };
  expect_within<double>(f, grid<double>(-3.0, 10.0, 999), exact, 24.0);
  // The argument of erfc is rounded, which its steep tail magnifies by x².
  expect_within<double>(f, grid<double>(-37.0, -3.0, 999), exact, 3000.0);
  expect_values(f, {-kInf, kInf, kNan, 0.0}, {0.0, kInf, kNan, 0.0});
}

TEST(ActivationTest, GeluTanhIsTheTanhFormula) {
  const Function f = [](BackendSession& s, const Tensor& x) { return gelu_tanh(s, x); };
  const auto exact = [](Real x) {
    const Real z = std::sqrt(2 / std::acos(Real{-1})) * (x + Real{0.044715} * x * x * x);
    return x / (1 + std::exp(-2 * z));
  };
  expect_within<double>(f, grid<double>(-3.0, 10.0, 999), exact, 32.0);
  expect_values(f, {-kInf, kInf, kNan, 1e200, -1e200}, {0.0, kInf, kNan, 1e200, 0.0});
}

TEST(ActivationTest, ReluAndEluPassNan) {
  expect_values([](BackendSession& s, const Tensor& x) { return relu(s, x); }, {-kInf, -2.0, 0.0, 3.0, kInf, kNan},
                {0.0, 0.0, 0.0, 3.0, kInf, kNan});
  expect_values([](BackendSession& s, const Tensor& x) { return elu(s, x, 2.0); }, {-kInf, -1e-20, 0.0, 800.0, kNan},
                {-2.0, -2e-20, 0.0, 800.0, kNan});
  on_every_backend([](BackendSession& s) {
    const Tensor y = relu(s, vector_of<std::int32_t>({-3, 0, 7}));
    EXPECT_EQ(y.data<std::int32_t>()[0], 0);
    EXPECT_EQ(y.data<std::int32_t>()[2], 7);
  });
}

const Function kSoftmax = [](BackendSession& s, const Tensor& x) { return softmax(s, x); };
const Function kLogSoftmax = [](BackendSession& s, const Tensor& x) { return log_softmax(s, x); };
const Function kLogSumExp = [](BackendSession& s, const Tensor& x) { return logsumexp(s, x); };

TEST(SoftmaxTest, AgreesWithTheDefinition) {
  const std::vector<double> x{0.5, -1.25, 3.0, 2.0};
  Real sum = 0;
  for (const double v : x) sum += std::exp(static_cast<Real>(v));
  std::vector<double> softmaxes, logs;
  for (const double v : x) {
    softmaxes.push_back(static_cast<double>(std::exp(static_cast<Real>(v)) / sum));
    logs.push_back(static_cast<double>(v - std::log(sum)));
  }
  on_every_backend([&](BackendSession& s) {
    expect_same(softmax(s, vector_of(x)), softmaxes, 1e-15);
    expect_same(log_softmax(s, vector_of(x)), logs, 2e-15);
    expect_same(logsumexp(s, vector_of(x)), {static_cast<double>(std::log(sum))}, 1e-15);
  });
}

TEST(SoftmaxTest, LargeInputsDoNotOverflow) {
  expect_values(kSoftmax, {1e300, 1e300, -1e300}, {0.5, 0.5, 0.0});
  expect_values(kLogSoftmax, {1000.0, 1000.0}, {-std::log(2.0), -std::log(2.0)});
  expect_values(kLogSumExp, {1000.0, 1000.0}, {1000.0 + std::log(2.0)});
}

TEST(SoftmaxTest, SliceOfMinusInfinityOnly) {
  expect_values(kSoftmax, {-kInf, -kInf, -kInf}, {0.0, 0.0, 0.0});
  expect_values(kLogSoftmax, {-kInf, -kInf}, {-kInf, -kInf});
  expect_values(kLogSumExp, {-kInf, -kInf}, {-kInf});
}

TEST(SoftmaxTest, SomeMinusInfinityTakesNoShare) {
  expect_values(kSoftmax, {-kInf, 2.0, 2.0}, {0.0, 0.5, 0.5});
  expect_values(kLogSoftmax, {-kInf, 2.0}, {-kInf, 0.0});
  expect_values(kLogSumExp, {-kInf, 2.0}, {2.0});
}

TEST(SoftmaxTest, NanAndInfinityPoisonTheirSlice) {
  expect_values(kSoftmax, {1.0, kNan, 2.0}, {kNan, kNan, kNan});
  expect_values(kSoftmax, {1.0, kInf, -kInf}, {kNan, kNan, kNan});
  expect_values(kLogSoftmax, {1.0, kInf}, {kNan, kNan});
  expect_values(kLogSoftmax, {1.0, kNan}, {kNan, kNan});
  expect_values(kLogSumExp, {1.0, kInf}, {kInf});
  expect_values(kLogSumExp, {kInf, kNan}, {kNan});
}

TEST(SoftmaxTest, OtherSlicesStayClean) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = Tensor::from_row_major<double>({3, 2}, {kNan, 1.0, -kInf, -kInf, 3.0, 3.0});
    const Tensor y = softmax(s, x, -1);
    EXPECT_TRUE(std::isnan(y.at<double>({0, 1})));
    EXPECT_EQ(y.at<double>({1, 0}), 0.0);
    EXPECT_EQ(y.at<double>({2, 1}), 0.5);
  });
}

TEST(SoftmaxTest, MaskedElementsHaveNoInfluence) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = vector_of<double>({kNan, 1.0, kInf, 1.0});
    const Tensor mask = Tensor::from_col_major<bool>({4}, {false, true, false, true});
    expect_same(masked_softmax(s, x, mask), {0.0, 0.5, 0.0, 0.5});
    expect_same(masked_log_softmax(s, x, mask), {-kInf, -std::log(2.0), -kInf, -std::log(2.0)});
    const Tensor none = Tensor::zeros(DType::boolean, {4});
    expect_same(masked_softmax(s, x, none), {0.0, 0.0, 0.0, 0.0});
    expect_same(masked_log_softmax(s, x, none), {-kInf, -kInf, -kInf, -kInf});
    const Tensor poisoned = Tensor::from_col_major<bool>({4}, {true, true, false, true});
    EXPECT_TRUE(std::isnan(masked_softmax(s, x, poisoned).data<double>()[1]));
  });
}

TEST(SoftmaxTest, SeveralAxesNormaliseTogether) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = Tensor::zeros(DType::f64, {2, 3, 2});
    expect_same(softmax(s, x, {0, 1}), std::vector<double>(12, 1.0 / 6));
    expect_same(logsumexp(s, x, std::nullopt), {std::log(12.0)}, 1e-15);
  });
}

TEST(SoftmaxTest, EmptySlices) {
  on_every_backend([](BackendSession& s) {
    EXPECT_EQ(softmax(s, Tensor::zeros(DType::f64, {3, 0})).count(), 0);
    expect_same(logsumexp(s, Tensor::zeros(DType::f64, {2, 0}), -1), {-kInf, -kInf});
  });
}

TEST(StatisticsTest, MeanAndVarianceAgreeWithTheDefinition) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = Tensor::from_row_major<double>({2, 3}, {1, 2, 6, -1, 0, 7});
    expect_same(reduce_mean(s, x, -1), {3.0, 2.0});
    expect_same(variance(s, x, 1), {14.0 / 3, 38.0 / 3});
    expect_same(variance(s, x, 1, 1), {7.0, 19.0});
    expect_same(stddev(s, x, 1, 1), {std::sqrt(7.0), std::sqrt(19.0)});
    expect_same(variance(s, x, {}), std::vector<double>(6, 0.0));
  });
}

TEST(StatisticsTest, VarianceOfALargeOffsetDoesNotCancel) {
  expect_values([](BackendSession& s, const Tensor& x) { return variance(s, x); }, {1e9 + 1, 1e9 + 2, 1e9 + 3},
                {2.0 / 3});
}

TEST(StatisticsTest, ComplexVarianceIsReal) {
  on_every_backend([](BackendSession& s) {
    const Tensor z = vector_of<std::complex<double>>({{1, 1}, {-1, 3}});
    expect_same(variance(s, z), {2.0});
    EXPECT_EQ(reduce_mean(s, z).item(), Scalar(std::complex<double>(0.0, 2.0)));
  });
}

TEST(StatisticsTest, NothingHasNoMean) {
  on_every_backend([](BackendSession& s) {
    expect_same(reduce_mean(s, Tensor::zeros(DType::f64, {2, 0}), 1), {kNan, kNan});
    expect_same(variance(s, Tensor::zeros(DType::f64, {0})), {kNan});
    expect_same(variance(s, vector_of<double>({5.0}), std::nullopt, 1), {kNan});
    EXPECT_TRUE(std::isnan(reduce_mean(s, Tensor::zeros(DType::c64, {0})).item().to<std::complex<double>>().real()));
  });
}

TEST(NormalizationTest, LayerNormAgreesWithTheDefinition) {
  const std::vector<double> x{0.5, -1.0, 2.5, 4.0};
  Real mean = 0, spread = 0;
  for (const double v : x) mean += v;
  mean /= 4;
  for (const double v : x) spread += (v - mean) * (v - mean) / 4;
  std::vector<double> wanted, scaled;
  for (std::size_t i = 0; i < 4; ++i) {
    wanted.push_back(static_cast<double>((x[i] - mean) / std::sqrt(spread + Real{1e-5})));
    scaled.push_back(wanted[i] * static_cast<double>(i + 1) + 0.5);
  }
  on_every_backend([&](BackendSession& s) {
    expect_same(layer_norm(s, vector_of(x)), wanted, 2e-15);
    const Tensor gain = vector_of<double>({1, 2, 3, 4}), offset = Tensor::full({4}, 0.5);
    expect_same(layer_norm(s, vector_of(x), -1, gain, offset), scaled, 4e-15);
    // Parameters lie along the normalised axis, wherever it is.
    const Tensor columns = Tensor::from_row_major<double>({4, 2}, {.5, .5, -1, -1, 2.5, 2.5, 4, 4});
    const Tensor y = layer_norm(s, columns, 0, gain, offset);
    for (std::int64_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(y.at<double>({i, 1}), scaled[static_cast<std::size_t>(i)], 4e-15);
    }
  });
}

TEST(NormalizationTest, RmsNormAgreesWithTheDefinition) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = vector_of<double>({3.0, -4.0});
    const double scale = 1.0 / std::sqrt(12.5 + 1e-6);
    expect_same(rms_norm(s, x, -1, 1e-6), {3.0 * scale, -4.0 * scale}, 1e-15);
    expect_same(rms_norm(s, x, -1, vector_of<double>({2.0, 0.5}), 1e-6), {6.0 * scale, -2.0 * scale}, 1e-15);
    expect_same(rms_norm(s, Tensor::zeros(DType::f64, {2})), {0.0, 0.0});
  });
}

TEST(NormalizationTest, ConstantSliceGivesZero) {
  expect_values([](BackendSession& s, const Tensor& x) { return layer_norm(s, x); }, {7.0, 7.0, 7.0}, {0.0, 0.0, 0.0});
}

}  // namespace
}  // namespace tenferro::testing
