// SPDX-License-Identifier: MIT OR Apache-2.0
// Running reductions against a plain loop over each line, with the same bits in every layout.
#include <gtest/gtest.h>

#include <functional>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/simd.hpp"
#include "tests/support/every_target.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::count_of;
using testing::first_difference;
using testing::for_each_index;
using testing::kLayoutKinds;
using testing::Laid;
using testing::LayoutKind;
using testing::linear_of;
using testing::magnitude;
using testing::sample;
using testing::SerialContext;
using testing::ThreadedContext;
using testing::Values;
using testing::with_every_target;

Op scan(OpKind kind, std::size_t axis, bool reverse = false, bool exclusive = false) {
  return Op(kind, ScanAttrs{static_cast<std::uint8_t>(axis), reverse, exclusive});
}

template <class T>
Values<T> scanned(KernelContext& context, const Op& op, const Laid<T>& x, LayoutKind out_layout) {
  Laid<T> out(out_layout, x.shape());
  call(internal::kScanKernels, context, op, {x.read()}, {out.write()});
  EXPECT_TRUE(out.gaps_intact());
  return out.values();
}

// Result i of each line is fold(…fold(start, x₀)…, xᵢ), or without xᵢ; from the other end with `reverse`.
template <class Acc, class T>
Values<Acc> plain_scan(const Values<T>& x, const Shape& shape, const Op& op, Acc start,
                       const std::function<Acc(Acc, T)>& fold) {
  const auto& attrs = op.as<ScanAttrs>();
  Values<Acc> result(start, x.size());
  Shape heads(shape);
  if (heads[attrs.axis] > 0) heads[attrs.axis] = 1;
  for_each_index(heads, [&](DimsView index, std::int64_t) {
    Dims at(index);
    Acc acc = start;
    for (std::int64_t i = 0; i < shape[attrs.axis]; ++i) {
      at[attrs.axis] = attrs.reverse ? shape[attrs.axis] - 1 - i : i;
      const auto place = static_cast<std::size_t>(linear_of(at, shape));
      const Acc next = fold(acc, x[place]);
      result[place] = attrs.exclusive ? acc : next;
      acc = next;
    }
  });
  return result;
}

const std::vector<Shape> kShapes{{5}, {1}, {3, 4}, {300, 3}, {40, 150}, {2, 1, 7, 9}, {2100, 2}, {0, 3}, {3, 0}};

template <class F>
void for_each_scan(OpKind kind, const Shape& shape, F&& f) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    for (const bool reverse : {false, true}) {
      for (const bool exclusive : {false, true}) f(scan(kind, axis, reverse, exclusive));
    }
  }
}

template <class T>
Values<T> same_everywhere(const Op& op, const Shape& shape, const Values<T>& x) {
  SerialContext serial;
  const Values<T> reference = scanned(serial, op, Laid<T>(LayoutKind::compact, shape, x), LayoutKind::compact);
  for (const LayoutKind layout : kLayoutKinds) {
    const LayoutKind out_layout = kLayoutKinds[(static_cast<std::size_t>(layout) + 3) % kLayoutKinds.size()];
    EXPECT_EQ(first_difference(scanned(serial, op, Laid<T>(layout, shape, x), out_layout), reference), -1)
        << op.name() << ' ' << name(dtype_of<T>) << ' ' << testing::name(layout);
  }
  return reference;
}

template <class T>
class ScanTest : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ScanTest, Numbers);

template <class T>
constexpr double tolerance() {
  if constexpr (is_integer(dtype_of<T>)) return 0;
  return dtype_of<T> == DType::f32 || dtype_of<T> == DType::c32 ? 1e-4 : 1e-12;
}

TYPED_TEST(ScanTest, SumsEqualAPlainLoopInEveryLayout) {
  using T = TypeParam;
  for (const Shape& shape : kShapes) {
    const Values<T> x = sample<T>(count_of(shape), 1, false);
    for_each_scan(OpKind::cumsum, shape, [&](const Op& op) {
      const Values<T> sums = same_everywhere(op, shape, x);
      const Values<T> expected = plain_scan<T, T>(x, shape, op, T{0}, [](T a, T b) { return static_cast<T>(a + b); });
      for (std::size_t i = 0; i < sums.size(); ++i) {
        ASSERT_LE(magnitude(static_cast<T>(sums[i] - expected[i])), 100 * tolerance<T>()) << op.name();
      }
    });
  }
}

TYPED_TEST(ScanTest, ProductsEqualAPlainLoopInEveryLayout) {
  using T = TypeParam;
  for (const Shape& shape : kShapes) {
    Values<T> x = sample<T>(count_of(shape), 1, false);
    if constexpr (!is_integer(dtype_of<T>)) {
      for (T& value : x) value = value == T{} ? T{1} : value / static_cast<T>(std::abs(value));
    }
    for_each_scan(OpKind::cumprod, shape, [&](const Op& op) {
      const Values<T> products = same_everywhere(op, shape, x);
      const Values<T> expected = plain_scan<T, T>(x, shape, op, T{1}, [](T a, T b) {
        if constexpr (is_integer(dtype_of<T>)) {
          return wrapping_mul(a, b);
        } else {
          return a * b;
        }
      });
      EXPECT_EQ(first_difference(products, expected), -1) << op.name();
    });
  }
}

template <class T>
void expect_extrema() {
  using Limits = std::numeric_limits<T>;
  const T low = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  const T high = Limits::has_infinity ? Limits::infinity() : Limits::max();
  for (const Shape& shape : kShapes) {
    for (const bool edges : {false, true}) {
      const Values<T> x = sample<T>(count_of(shape), 1, edges) + T{0};
      for_each_scan(OpKind::cummax, shape, [&](const Op& op) {
        const auto larger = [](T a, T b) { return a != a || a > b ? a : b; };
        EXPECT_EQ(first_difference(same_everywhere(op, shape, x), plain_scan<T, T>(x, shape, op, low, larger)), -1);
      });
      for_each_scan(OpKind::cummin, shape, [&](const Op& op) {
        const auto smaller = [](T a, T b) { return a != a || a < b ? a : b; };
        EXPECT_EQ(first_difference(same_everywhere(op, shape, x), plain_scan<T, T>(x, shape, op, high, smaller)), -1);
      });
    }
  }
}

TEST(Scan, ExtremaPropagateNanAndEqualAPlainLoop) {
  expect_extrema<float>();
  expect_extrema<double>();
  expect_extrema<std::int32_t>();
  expect_extrema<std::int64_t>();
}

template <class T>
void expect_log_sums(double bound) {
  for (const Shape& shape : kShapes) {
    const Values<T> x = sample<T>(count_of(shape), 1, false);
    for_each_scan(OpKind::cumlogsumexp, shape, [&](const Op& op) {
      const Values<T> logs = same_everywhere(op, shape, x);
      const Values<long double> expected = plain_scan<long double, T>(
          x, shape, op, 0.0L, [](long double a, T b) { return a + std::exp(static_cast<long double>(b)); });
      for (std::size_t i = 0; i < logs.size(); ++i) {
        if (expected[i] == 0) {
          ASSERT_EQ(logs[i], -std::numeric_limits<T>::infinity());
        } else {
          ASSERT_NEAR(static_cast<double>(logs[i]), static_cast<double>(std::log(expected[i])), bound);
        }
      }
    });
  }
}

TEST(Scan, LogsOfSumsOfExponentialsEqualAPlainLoop) {
  expect_log_sums<float>(1e-6);
  expect_log_sums<double>(4e-15);
}

TEST(Scan, LogsOfSumsOfExponentialsNeitherOverflowNorStumbleOverInfinities) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  SerialContext context;
  const auto logs = [&](const Values<double>& x) {
    const Laid<double> in(LayoutKind::compact, {static_cast<std::int64_t>(x.size())}, x);
    return scanned(context, scan(OpKind::cumlogsumexp, 0), in, LayoutKind::compact);
  };
  EXPECT_EQ(first_difference(logs({1000, 1000, -inf}), {1000, 1000 + std::log(2.0), 1000 + std::log(2.0)}), -1);
  EXPECT_EQ(first_difference(logs({-inf, -inf, 3, inf, 1}), {-inf, -inf, 3, inf, inf}), -1);
  EXPECT_EQ(first_difference(logs({inf, inf, -inf}), {inf, inf, inf}), -1);
  const double nan = std::nan("");
  EXPECT_EQ(first_difference(logs({1, nan, inf, 2}), {1, nan, nan, nan}), -1);
}

TEST(Scan, SumsPassThroughInfinities) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  SerialContext context;
  Values<float> x(1.0F, 300);
  x[70] = inf;
  Values<float> sums =
      scanned(context, scan(OpKind::cumsum, 0), Laid<float>(LayoutKind::compact, {300}, x), LayoutKind::compact);
  EXPECT_EQ(sums[69], 70);
  for (std::size_t i = 70; i < 300; ++i) ASSERT_EQ(sums[i], inf) << i;
  x[200] = -inf;
  sums = scanned(context, scan(OpKind::cumsum, 0), Laid<float>(LayoutKind::compact, {300}, x), LayoutKind::compact);
  EXPECT_EQ(sums[199], inf);
  for (std::size_t i = 200; i < 300; ++i) ASSERT_TRUE(std::isnan(sums[i])) << i;
  Values<float> large(std::numeric_limits<float>::max(), 200);
  sums = scanned(context, scan(OpKind::cumsum, 0), Laid<float>(LayoutKind::compact, {200}, large), LayoutKind::compact);
  EXPECT_EQ(sums[199], inf);
}

TEST(Scan, LongSumsKeepTheirAccuracy) {
  constexpr std::int64_t n = (1 << 24) + 5000;
  const std::vector<float> ones(n, 1.0F);
  std::vector<float> sums(n);
  const Shape shape{n};
  SerialContext context;
  call(internal::kScanKernels, context, scan(OpKind::cumsum, 0),
       {{{reinterpret_cast<const std::byte*>(ones.data()), shape.data(), nullptr, 1, DType::f32, {}}}},
       {{{reinterpret_cast<std::byte*>(sums.data()), shape.data(), nullptr, 1, DType::f32, {}}}});
  for (std::int64_t i = 0; i < n; i += 997) {
    ASSERT_EQ(sums[static_cast<std::size_t>(i)], static_cast<float>(i + 1)) << i;
  }
  EXPECT_EQ(sums.back(), static_cast<float>(n));
}

// The tree of running sums, written out for one line.
template <class T>
Values<T> tree_of_sums(const Values<T>& x) {
  Values<T> sums(x.size());
  T total = static_cast<T>(-0.0), part = total;
  for (std::size_t first = 0; first < x.size(); first += 8) {
    std::vector<T> row;
    for (std::size_t i = first; i < std::min(first + 8, x.size()); ++i) row.push_back(x[i]);
    for (std::size_t k = 1; k < row.size(); k *= 2) {
      const std::vector<T> before = row;
      for (std::size_t i = k; i < row.size(); ++i) row[i] = before[i - k] + before[i];
    }
    for (std::size_t i = 0; i < row.size(); ++i) sums[first + i] = total + (part + row[i]);
    part = part + row.back();
    if ((first + 8) % 64 != 0) continue;
    const T sum = total + part, lost = part - (sum - total);
    part = std::isfinite(lost) ? lost : T{0};
    total = sum;
  }
  return sums;
}

template <class T>
void expect_tree_of_sums() {
  with_every_target([&](std::string_view target) {
    for (const std::int64_t n : {1, 2, 7, 8, 9, 63, 64, 65, 200, 700}) {
      const Values<T> x = sample<T>(n, static_cast<std::uint32_t>(n), false);
      const Values<T> expected = tree_of_sums(x);
      const Op op = scan(OpKind::cumsum, 1);
      for (const std::int64_t lines : {1, 3, 8, 21}) {
        const Shape shape{lines, n};
        Values<T> all(static_cast<std::size_t>(lines * n)), repeated = all;
        for (std::size_t i = 0; i < all.size(); ++i) {
          all[i] = x[i / static_cast<std::size_t>(lines)];
          repeated[i] = expected[i / static_cast<std::size_t>(lines)];
        }
        for (const LayoutKind layout : {LayoutKind::compact, LayoutKind::transposed}) {
          SerialContext context;
          EXPECT_EQ(first_difference(scanned(context, op, Laid<T>(layout, shape, all), LayoutKind::compact), repeated),
                    -1)
              << target << ' ' << n << ' ' << lines;
        }
      }
    }
  });
}

TEST(Scan, SumsHaveTheBitsOfTheTreeByEveryTarget) {
  expect_tree_of_sums<float>();
  expect_tree_of_sums<double>();
}

TEST(Scan, ExtremaHaveTheSameBitsByEveryTarget) {
  const Shape shape{9, 150};
  const Values<double> x = sample<double>(count_of(shape), 5, true);
  for (const std::size_t axis : {0U, 1U}) {
    std::vector<Values<double>> found;
    with_every_target([&] {
      SerialContext context;
      found.push_back(scanned(context, scan(OpKind::cummax, axis), Laid<double>(LayoutKind::compact, shape, x),
                              LayoutKind::compact));
    });
    for (const auto& values : found) EXPECT_EQ(first_difference(values, found.back()), -1);
  }
}

TEST(Scan, ProductsOfIntegersWrapByEveryTarget) {
  const Shape shape{9, 150};
  Values<std::int64_t> x = sample<std::int64_t>(count_of(shape), 6, true);
  for (std::int64_t& value : x) value |= 1;
  with_every_target([&](std::string_view target) {
    for_each_scan(OpKind::cumprod, shape, [&](const Op& op) {
      const auto expected = plain_scan<std::int64_t, std::int64_t>(
          x, shape, op, 1, [](std::int64_t a, std::int64_t b) { return wrapping_mul(a, b); });
      EXPECT_EQ(first_difference(same_everywhere(op, shape, x), expected), -1) << target;
    });
  });
}

TEST(Scan, ExclusiveScansOfOneElementAreTheStartWhateverItIs) {
  SerialContext context;
  for (const OpKind kind : {OpKind::cumsum, OpKind::cumprod, OpKind::cumlogsumexp}) {
    const Laid<double> x(LayoutKind::padded, Shape{3, 1}, Values<double>{5, std::nan(""), INFINITY});
    const double start = kind == OpKind::cumsum ? 0 : kind == OpKind::cumprod ? 1 : -INFINITY;
    for (const double value : scanned(context, scan(kind, 1, false, true), x, LayoutKind::padded)) {
      EXPECT_EQ(value, start);
    }
  }
}

template <class T>
void expect_shared_line(OpKind kind, std::int64_t n) {
  Values<T> x = sample<T>(n, 12, kind == OpKind::cummin);
  if (kind == OpKind::cumprod) {
    for (T& value : x) value = static_cast<T>(static_cast<std::int64_t>(value) | 1);
  }
  for (const bool exclusive : {false, true}) {
    const Op op = scan(kind, 0, false, exclusive);
    const Laid<T> in(LayoutKind::compact, Shape{n}, x);
    SerialContext serial;
    const Values<T> reference = scanned(serial, op, in, LayoutKind::compact);
    for (const int lanes : {2, 3}) {
      ThreadedContext context(lanes);
      EXPECT_EQ(first_difference(scanned(context, op, in, LayoutKind::compact), reference), -1) << op.name();
    }
  }
}

// Of three pieces by the best target: what two of them give is combined before the third; of two by the others.
TEST(Scan, OneLongLineGivesTheSameBitsByAnyNumberOfThreads) {
  with_every_target([&](std::string_view target) {
    const std::int64_t n = (target == simd_targets().front() ? 3 : 2) * calibration::kLinePiece + 1703;
    expect_shared_line<std::int64_t>(OpKind::cumsum, n);
    expect_shared_line<std::int32_t>(OpKind::cumprod, n);
    expect_shared_line<double>(OpKind::cummax, n);
    expect_shared_line<float>(OpKind::cummin, n);
    expect_shared_line<double>(OpKind::cumsum, n);
  });
}

TEST(Scan, ThreadsChangeNoBit) {
  const Shape shape{300, 700};
  const Values<double> x = sample<double>(count_of(shape), 1, false);
  for (const Op& op :
       {scan(OpKind::cumsum, 0), scan(OpKind::cumsum, 1), scan(OpKind::cummax, 0), scan(OpKind::cummin, 1)}) {
    SerialContext serial;
    const Laid<double> in(LayoutKind::compact, shape, x);
    const Values<double> reference = scanned(serial, op, in, LayoutKind::compact);
    for (const int lanes : {1, 2, 3, 8}) {
      ThreadedContext context(lanes);
      EXPECT_EQ(first_difference(scanned(context, op, in, LayoutKind::transposed), reference), -1);
    }
  }
}

}  // namespace
}  // namespace tenferro
