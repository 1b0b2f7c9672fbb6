// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cmath>
#include <complex>
#include <limits>

#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/random.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/tensor/compare.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

using C = std::complex<double>;

/// |a − b| ≤ n spacings of b.
void expect_within(double a, double b, double n) {
  EXPECT_LE(std::abs(a - b), n * std::numeric_limits<double>::epsilon() * std::abs(b)) << a << " for " << b;
}

template <class F>
C one(F&& f, C z) {
  return on_cpu([&](BackendSession& s) { return f(s, Tensor::scalar(z)).item().template get<C>(); });
}

// DT-02
TEST(FloatRemainder, HasTheRuleOfIntegers) {
  const Tensor a = Tensor::vector<double>({-4, -7, 7, 5.5}), b = Tensor::vector<double>({10, 3, -3, -2});
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(values<double>(rem(s, a, b)), (std::vector<double>{-4, -1, 1, 1.5}));
    EXPECT_EQ(values<double>(floor_mod(s, a, b)), (std::vector<double>{6, 2, -2, -0.5}));
  });
}

// DT-12
TEST(ComplexNearZero, KeepsEveryDigit) {
  const C log = one([](BackendSession& s, const Tensor& x) { return log1p(s, x); }, C(1e-18, 1e-18));
  expect_within(log.real(), 1e-18, 2);
  expect_within(log.imag(), 1e-18, 2);
  const C exp = one([](BackendSession& s, const Tensor& x) { return expm1(s, x); }, C(1e-10, 1e-10));
  expect_within(exp.real(), 1e-10, 2);  // the second-order terms of the real part cancel
  expect_within(exp.imag(), 1.0000000001e-10, 2);
}

// DT-14
TEST(ComplexMagnitudes, DoNotOverflowOrVanishInTheMiddle) {
  on_cpu([&](BackendSession& s) {
    const Tensor z = Tensor::vector<C>({{3e200, 4e200}, {3e-200, 4e-200}});
    const Tensor size = abs(s, z);
    EXPECT_EQ(size.dtype(), DType::f64);
    expect_within(size.at<double>({0}), 5e200, 2);
    expect_within(size.at<double>({1}), 5e-200, 2);
    const C quotient = div(s, Tensor::scalar(C(1e201, 1e201)), Tensor::scalar(C(1e200, 1e200))).item().get<C>();
    expect_within(quotient.real(), 10, 2);
    EXPECT_LE(std::abs(quotient.imag()), 1e-14);
  });
}

// DT-14
TEST(ComplexRoots, LieOnTheSideThatTheSignOfZeroSays) {
  const auto root = [](BackendSession& s, const Tensor& x) { return sqrt(s, x); };
  EXPECT_EQ(one(root, C(-1, 0.0)), C(0, 1));
  EXPECT_EQ(one(root, C(-1, -0.0)), C(0, -1));
}

// DT-16
TEST(NanInMaxAndMin, WinsAtEveryPositionAndLength) {
  const double nan = std::nan("");
  on_cpu([&](BackendSession& s) {
    for (std::int64_t n = 1; n <= 40; ++n) {
      for (std::int64_t place = 0; place < n; ++place) {
        Tensor x = Tensor::ones(DType::f64, {n});
        x.at<double>({place}) = nan;
        EXPECT_TRUE(std::isnan(reduce_max(s, x).item().get<double>())) << place << " of " << n;
        EXPECT_TRUE(std::isnan(reduce_min(s, x).item().get<double>())) << place << " of " << n;
        const Tensor ones = Tensor::ones(DType::f64, {n});
        for (const Tensor& y : {maximum(s, x, ones), maximum(s, ones, x), minimum(s, x, ones), minimum(s, ones, x)}) {
          for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(std::isnan(y.at<double>({i})), i == place);
        }
      }
    }
  });
}

// DT-21
TEST(AbsoluteValue, OfNegativeZeroIsPositiveZero) {
  on_cpu([&](BackendSession& s) {
    EXPECT_FALSE(std::signbit(abs(s, Tensor::scalar(-0.0)).item().get<double>()));
    EXPECT_FALSE(std::signbit(abs(s, Tensor::scalar(-0.0F)).item().get<float>()));
  });
}

// DT-20
TEST(SeededNumbers, AreTheSameForEveryShapeAndThreadCount) {
  const auto drawn = [](std::uint32_t threads, const Shape& shape, bool uniformly) {
    CpuBackend::Options options;
    options.threads = threads;
    CpuBackend cpu(options);
    return cpu.with_session([&](BackendSession& s) {
      const Tensor key = random_key(s, 42);
      return (uniformly ? uniform(s, key, shape) : normal(s, key, shape)).reshaped({1000});
    });
  };
  for (const bool uniformly : {true, false}) {
    const Tensor first = drawn(1, {1000}, uniformly);
    EXPECT_TRUE(same_bits(first, drawn(1, {10, 100}, uniformly)));
    EXPECT_TRUE(same_bits(first, drawn(8, {1000}, uniformly)));
    EXPECT_TRUE(same_bits(first, drawn(8, {10, 100}, uniformly)));
    const double golden[2][4] = {
        {0x1.42dc65ce0ff95p-4, 0x1.a3f4a5b3e502bp-2, 0x1.caca1d20ed48ap-2, 0x1.d61412d6e26a3p-4},
        {0x1.dfd524ee73abcp-2, 0x1.5d0acf5c4afd4p-2, 0x1.4ee9b3f7f36c8p-2, 0x1.d1381bee0e3d6p-2}};
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(first.at<double>({i}), golden[uniformly ? 1 : 0][i]);
  }
}

}  // namespace
}  // namespace tenferro::testing
