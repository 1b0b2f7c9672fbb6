// SPDX-License-Identifier: MIT OR Apache-2.0
// Order along an axis against std::stable_sort of positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/order_loops.hpp"
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
using testing::sample;
using testing::SerialContext;
using testing::ThreadedContext;
using testing::Values;
using testing::with_every_target;

// Positions of one line in order: NaN last, ties as they stand.
template <class T>
std::vector<std::int64_t> ordered(const std::vector<T>& line, bool descending) {
  std::vector<std::int64_t> positions(line.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(), [&](std::int64_t i, std::int64_t k) {
    const T a = line[static_cast<std::size_t>(i)], b = line[static_cast<std::size_t>(k)];
    if (a != a || b != b) return a == a && b != b;
    return descending ? b < a : a < b;
  });
  return positions;
}

template <class T>
struct Ordered {
  Values<T> values;
  Values<std::int64_t> positions;
};

// The first k of each line, by the oracle.
template <class T>
Ordered<T> plain_order(const Values<T>& x, const Shape& shape, std::size_t axis, bool descending, std::int64_t k) {
  Shape heads(shape), cut(shape);
  heads[axis] = 1;
  cut[axis] = k;
  const auto count = static_cast<std::size_t>(count_of(cut));
  Ordered<T> result{Values<T>(count), Values<std::int64_t>(count)};
  for_each_index(heads, [&](DimsView index, std::int64_t) {
    Dims at(index);
    std::vector<T> line;
    for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis])
      line.push_back(x[static_cast<std::size_t>(linear_of(at, shape))]);
    const auto positions = ordered(line, descending);
    for (at[axis] = 0; at[axis] < k; ++at[axis]) {
      const auto place = static_cast<std::size_t>(linear_of(at, cut));
      result.positions[place] = positions[static_cast<std::size_t>(at[axis])];
      result.values[place] = line[static_cast<std::size_t>(result.positions[place])];
    }
  });
  return result;
}

template <class T>
void expect_order(const Values<T>& x, const Shape& shape, std::size_t axis, bool descending) {
  const Ordered<T> expected = plain_order(x, shape, axis, descending, shape[axis]);
  const SortAttrs attrs{static_cast<std::uint8_t>(axis), descending, true};
  for (const LayoutKind layout : kLayoutKinds) {
    SerialContext context;
    const Laid<T> in(layout, shape, x);
    const LayoutKind out_layout = kLayoutKinds[(static_cast<std::size_t>(layout) + 3) % kLayoutKinds.size()];
    Laid<T> values(out_layout, shape);
    call(internal::kOrderKernels, context, Op(OpKind::sort, attrs), {in.read()}, {values.write()});
    ASSERT_EQ(first_difference(values.values(), expected.values), -1) << name(dtype_of<T>) << testing::name(layout);
    ASSERT_TRUE(values.gaps_intact());
    Laid<std::int64_t> positions(out_layout, shape);
    call(internal::kOrderKernels, context, Op(OpKind::argsort, attrs), {in.read()}, {positions.write()});
    ASSERT_EQ(first_difference(positions.values(), expected.positions), -1) << name(dtype_of<T>);
    ASSERT_TRUE(positions.gaps_intact());
  }
}

template <class T>
void expect_top(const Values<T>& x, const Shape& shape, std::size_t axis, bool largest, std::int64_t k) {
  const Ordered<T> expected = plain_order(x, shape, axis, largest, k);
  Shape cut(shape);
  cut[axis] = k;
  for (const LayoutKind layout : kLayoutKinds) {
    SerialContext context;
    const Laid<T> in(layout, shape, x);
    Laid<T> values(LayoutKind::transposed, cut);
    Laid<std::int64_t> positions(layout, cut);
    call(internal::kOrderKernels, context, Op(OpKind::top_k, TopKAttrs{k, static_cast<std::uint8_t>(axis), largest}),
         {in.read()}, {values.write(), positions.write()});
    ASSERT_EQ(first_difference(values.values(), expected.values), -1) << name(dtype_of<T>) << " k " << k;
    ASSERT_EQ(first_difference(positions.values(), expected.positions), -1) << name(dtype_of<T>) << " k " << k;
    ASSERT_TRUE(values.gaps_intact() && positions.gaps_intact());
  }
}

template <class T>
class OrderTest : public ::testing::Test {};
using RealTypes = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(OrderTest, RealTypes);

// Many equal elements, zeros of both signs, infinities, NaN.
template <class T>
Values<T> rough(std::int64_t n, std::uint32_t seed) {
  Values<T> values = sample<T>(n, seed, true);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = static_cast<T>(static_cast<int>(i) % 7 - 3);
  return values;
}

TYPED_TEST(OrderTest, SortAndArgsortEqualAStableSortInEveryLayout) {
  using T = TypeParam;
  std::uint32_t seed = 0;
  for (const Shape& shape : std::vector<Shape>{{1}, {7}, {24, 3}, {3, 25}, {200}, {2, 3, 60}, {1000}, {0, 2}, {2, 0}}) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      for (const bool descending : {false, true}) {
        expect_order(rough<T>(count_of(shape), ++seed), shape, axis, descending);
      }
    }
  }
}

// Both ways of sorting, by networks and by radix, and the lengths at which one gives way to the other.
TYPED_TEST(OrderTest, LinesOfEveryLengthAreSortedStably) {
  using T = TypeParam;
  std::vector<std::int64_t> lengths{3000, 20'000};
  for (std::int64_t n = 0; n <= 300; ++n) lengths.push_back(n);
  for (const std::int64_t longest :
       {calibration::kNetworkKeys32, calibration::kNetworkKeys64, calibration::kNetworkKeys64Short}) {
    lengths.insert(lengths.end(), {longest - 1, longest, longest + 1});
  }
  for (const std::int64_t n : lengths) {
    const bool descending = n % 2 == 1;
    const Values<T> x = rough<T>(n, static_cast<std::uint32_t>(n) + 100);
    const Ordered<T> expected = plain_order(x, Shape{n}, 0, descending, n);
    SerialContext context;
    const Laid<T> in(LayoutKind::compact, Shape{n}, x);
    Laid<T> values(LayoutKind::compact, Shape{n});
    Laid<std::int64_t> positions(LayoutKind::compact, Shape{n});
    call(internal::kOrderKernels, context, Op(OpKind::sort, SortAttrs{0, descending, true}), {in.read()},
         {values.write()});
    call(internal::kOrderKernels, context, Op(OpKind::argsort, SortAttrs{0, descending, true}), {in.read()},
         {positions.write()});
    ASSERT_EQ(first_difference(values.values(), expected.values), -1) << n;
    ASSERT_EQ(first_difference(positions.values(), expected.positions), -1) << n;
  }
}

TYPED_TEST(OrderTest, TopKEqualsTheHeadOfAStableSortInEveryLayout) {
  using T = TypeParam;
  std::uint32_t seed = 50;
  for (const Shape& shape : std::vector<Shape>{{7}, {100, 3}, {2, 600}}) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      for (const bool largest : {false, true}) {
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, shape[axis] / 9, shape[axis]}) {
          expect_top(rough<T>(count_of(shape), ++seed), shape, axis, largest, k);
        }
      }
    }
  }
}

TEST(Order, NanComesLastInBothDirections) {
  const double nan = std::nan("");
  const Values<double> x{2, nan, -1, std::numeric_limits<double>::infinity(), nan};
  expect_order(x, {5}, 0, false);
  expect_order(x, {5}, 0, true);
  expect_top(x, {5}, 0, true, 5);
  expect_top(Values<double>(nan, 4), {4}, 0, true, 2);
}

TEST(Order, ZerosOfBothSignsKeepTheirOrder) {
  const Values<float> x{0.0F, -0.0F, 1.0F, -0.0F, 0.0F, -1.0F};
  expect_order(x, {6}, 0, false);
  expect_order(x, {6}, 0, true);
}

TEST(Order, ElementsThatDifferInTheirLowestBitsAloneAreSorted) {
  constexpr std::int64_t n = 2000;
  for (const bool descending : {false, true}) {
    Values<std::int64_t> x = sample<std::int64_t>(n, 7, false);
    for (std::int64_t& value : x) value &= 0xFFF;
    x[n / 2] = std::numeric_limits<std::int64_t>::max();
    expect_order<std::int64_t>(x, {n}, 0, descending);
    Values<double> y(n);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1 + static_cast<double>(x[i] % 1000) * 0x1p-52;
    y[3] = -1e300;
    expect_order<double>(y, {n}, 0, descending);
  }
}

TEST(Order, EveryTargetOrdersAlike) {
  with_every_target([&] {
    for (const std::int64_t n : {1, 5, 17, 64, 100, 600}) {
      for (const bool descending : {false, true}) {
        const auto seed = static_cast<std::uint32_t>(n);
        expect_order<double>(rough<double>(n, seed), {n}, 0, descending);
        expect_order<float>(rough<float>(n, seed), {n}, 0, descending);
        expect_order<std::int64_t>(rough<std::int64_t>(n, seed), {n}, 0, descending);
        expect_order<std::int32_t>(rough<std::int32_t>(n, seed), {n}, 0, descending);
      }
    }
  });
}

TEST(Order, ALineInOrderMayEndInNan) {
  with_every_target([&] {
    for (const std::int64_t n : {2, 9, 33, 700}) {
      for (const bool descending : {false, true}) {
        const internal::OrderLoops& loops = internal::order_loops(DType::f64, descending);
        std::vector<double> x(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = descending ? -std::floor(static_cast<double>(i) / 2) : 1.0;
        const auto ordered = [&] { return loops.in_order(reinterpret_cast<const std::byte*>(x.data()), n); };
        EXPECT_TRUE(ordered());
        for (std::size_t i = x.size(); i-- > 0;) {
          x[i] = std::nan("");
          EXPECT_TRUE(ordered()) << n << ' ' << i;
        }
        x.back() = 1;
        EXPECT_FALSE(ordered()) << n;
      }
    }
  });
}

TEST(Order, PositionsOfElementsThatDifferFarBelowTheirRangeAreStable) {
  constexpr std::int64_t n = 5000;
  for (const bool descending : {false, true}) {
    Values<double> x(n);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i * 7919 % 1000) * 0x1p-52;
    x[5] = -1e300;
    x[77] = std::nan("");
    expect_order<double>(x, {n}, 0, descending);
  }
}

TEST(Order, LinesThatAreInOrderAlreadyStaySo) {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 700}) {
    Values<double> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::floor(static_cast<double>(i) / 3);
    x[0] = -0.0;
    for (const bool descending : {false, true}) {
      expect_order<double>(x, {n}, 0, descending);
      expect_order<double>(-x, {n}, 0, descending);
      Values<double> with_nan = x;
      with_nan[x.size() / 2] = std::nan("");
      expect_order<double>(with_nan, {n}, 0, descending);
    }
  }
}

TEST(Order, OneLongLineIsSharedOut) {
  constexpr std::int64_t n = 150'001;
  Values<double> x = sample<double>(n, 21, true);
  for (std::size_t i = 0; i < x.size(); i += 5) x[i] = static_cast<double>(i % 11);
  for (const bool descending : {false, true}) {
    const Ordered<double> expected = plain_order(x, {n}, 0, descending, n);
    for (const int lanes : {1, 2, 3, 8}) {
      ThreadedContext context(lanes);
      const Laid<double> in(LayoutKind::compact, {n}, x);
      Laid<double> values(LayoutKind::reversed, Shape{n});
      Laid<std::int64_t> positions(LayoutKind::compact, Shape{n});
      const SortAttrs attrs{0, descending, true};
      call(internal::kOrderKernels, context, Op(OpKind::sort, attrs), {in.read()}, {values.write()});
      call(internal::kOrderKernels, context, Op(OpKind::argsort, attrs), {in.read()}, {positions.write()});
      EXPECT_EQ(first_difference(values.values(), expected.values), -1) << lanes;
      EXPECT_EQ(first_difference(positions.values(), expected.positions), -1) << lanes;
    }
  }
}

TEST(Order, TopKOfALongLineEqualsTheHeadOfAStableSort) {
  constexpr std::int64_t n = 30'000;
  Values<float> x = sample<float>(n, 8, true);
  for (const int order : {0, 1, 2}) {
    if (order > 0) std::sort(std::begin(x), std::end(x), [&](float a, float b) { return order == 1 ? a < b : b < a; });
    for (std::size_t i = 0; i < x.size(); i += 97) x[i] = i % 2 == 0 ? 0.0F : -0.0F;
    for (const std::int64_t k : {1, 10, 300, 2000}) {
      expect_top(x, {n}, 0, true, k);
      expect_top(x, {n}, 0, false, k);
    }
    x = sample<float>(n, 8, false);
  }
}

TEST(Order, ThreadsChangeNothing) {
  const Shape shape{40, 50};
  const Values<float> x = rough<float>(2000, 9);
  const Ordered<float> expected = plain_order(x, shape, 1, false, 50);
  const Laid<float> in(LayoutKind::compact, shape, x);
  for (const int lanes : {1, 2, 3, 8}) {
    ThreadedContext context(lanes);
    Laid<std::int64_t> positions(LayoutKind::compact, shape);
    call(internal::kOrderKernels, context, Op(OpKind::argsort, SortAttrs{1, false, true}), {in.read()},
         {positions.write()});
    EXPECT_EQ(first_difference(positions.values(), expected.positions), -1);
  }
}

}  // namespace
}  // namespace tenferro
