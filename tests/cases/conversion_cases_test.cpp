// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cmath>
#include <cstdint>
#include <limits>

#include "tenferro/ops/creation.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

// DT-05
TEST(Casts, GiveOneAnswerForEveryLengthAndPosition) {
  const double inf = std::numeric_limits<double>::infinity();
  const double from[] = {std::nan(""), inf, -inf, 3e9, -3e9, 2.9, -2.9, -0.9};
  const std::int32_t narrow[] = {0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 2, -2, 0};
  const std::int64_t wide[] = {0, INT64_MAX, INT64_MIN, 3000000000, -3000000000, 2, -2, 0};
  on_cpu([&](BackendSession& s) {
    for (const std::int64_t n : {1, 3, 8, 33}) {
      for (std::size_t value = 0; value < std::size(from); ++value) {
        Tensor x = Tensor::uninitialized(DType::f64, {n});
        for (std::int64_t i = 0; i < n; ++i) {
          x.data<double>()[static_cast<std::size_t>(i)] = from[(value + static_cast<std::size_t>(i)) % std::size(from)];
        }
        const Tensor a = cast(s, x, DType::i32), b = cast(s, x, DType::i64);
        for (std::int64_t i = 0; i < n; ++i) {
          const std::size_t which = (value + static_cast<std::size_t>(i)) % std::size(from);
          EXPECT_EQ(a.at<std::int32_t>({i}), narrow[which]) << from[which] << " at " << i << " of " << n;
          EXPECT_EQ(b.at<std::int64_t>({i}), wide[which]) << from[which] << " at " << i << " of " << n;
        }
      }
    }
  });
}

// DT-05
TEST(Conversions, AreRefusedWhereTheyCouldLose) {
  const Tensor x = Tensor::vector<double>({1.0});
  on_cpu([&](BackendSession& s) {
    const auto error = refusal_of<UnsupportedConversion>([&] { convert(s, x, DType::i32); });
    EXPECT_EQ(error.from, DType::f64);
    EXPECT_EQ(error.to, DType::i32);
    refusal_of<UnsupportedConversion>([&] { convert(s, x, DType::f32); });
    refusal_of<UnsupportedConversion>([&] { convert(s, Tensor::scalar(std::complex<double>(1, 0)), DType::f64); });
    refusal_of<UnsupportedConversion>([&] { convert(s, Tensor::scalar(std::int32_t{1}), DType::boolean); });
    EXPECT_EQ(convert(s, Tensor::scalar(std::int64_t{7}), DType::c64).item().get<std::complex<double>>(),
              std::complex<double>(7, 0));
  });
}

// DT-08
TEST(Promotion, DependsNeitherOnOrderNorOnRank) {
  const struct {
    DType a, b, result;
  } rows[] = {{DType::c32, DType::f64, DType::c64},
              {DType::i64, DType::f32, DType::f64},
              {DType::boolean, DType::i32, DType::i32}};
  on_cpu([&](BackendSession& s) {
    for (const auto& row : rows) {
      for (const Shape& first : {Shape{}, Shape{3}}) {
        for (const Shape& second : {Shape{}, Shape{3}}) {
          const Tensor a = Tensor::ones(row.a, first), b = Tensor::ones(row.b, second);
          EXPECT_EQ(add(s, a, b).dtype(), row.result);
          EXPECT_EQ(add(s, b, a).dtype(), row.result);
        }
      }
    }
    const Tensor t = Tensor::ones(DType::boolean, {3});
    EXPECT_EQ(refusal_of<UnsupportedDType>([&] { add(s, t, t); }).got, DType::boolean);
  });
}

// DT-15
TEST(Ranges, HaveTheAskedLengthAndEndExactly) {
  on_cpu([&](BackendSession& s) {
    const Tensor line = linspace(s, 0.0, 100.0, 50);
    EXPECT_EQ(line.count(), 50);
    EXPECT_EQ(line.at<double>({-1}), 100.0);
    EXPECT_EQ(linspace(s, 0.0, 1.0, 11).at<double>({-1}), 1.0);
    EXPECT_EQ(values<double>(linspace(s, 3.5, 3.5, 3)), (std::vector<double>{3.5, 3.5, 3.5}));
    EXPECT_EQ(values<double>(linspace(s, 2.0, 9.0, 1)), std::vector<double>{2.0});
    EXPECT_EQ(linspace(s, 2.0, 9.0, 0).count(), 0);
    EXPECT_EQ(arange(s, 0.0, 1.0, 0.1).count(), 10);
    EXPECT_EQ(arange(s, 1.0, 1.3, 0.1).count(), Tensor::arange(1.0, 1.3, 0.1).count());
    EXPECT_EQ(arange(s, 1.0, 1.0).count(), 0);
  });
}

}  // namespace
}  // namespace tenferro::testing
