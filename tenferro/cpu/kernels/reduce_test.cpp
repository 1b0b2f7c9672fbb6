// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions: values against a loop over index tuples, the same bits for every layout and number of threads, and the
// growth of rounding errors.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tenferro/base/checked_math.hpp"
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
using testing::magnitude;
using testing::sample;
using testing::SerialContext;
using testing::ThreadedContext;
using testing::Values;

Op reduction(OpKind kind, AxisSet axes, bool keep_dims = false) { return Op(kind, ReduceAttrs{axes, keep_dims}); }

AxisSet axis_set(std::initializer_list<std::size_t> axes) {
  AxisSet set;
  for (const std::size_t axis : axes) set.insert(axis);
  return set;
}

Shape result_shape(const Op& op, DType dtype, const Shape& shape) {
  TensorMeta meta;
  const MetaView in{dtype, shape};
  EXPECT_EQ(infer(op, {&in, 1}, {&meta, 1}), nullptr);
  return meta.shape;
}

template <class Out, class In>
Values<Out> reduced(KernelContext& context, const Op& op, const Laid<In>& x, LayoutKind out_layout) {
  Laid<Out> out(out_layout, result_shape(op, dtype_of<In>, x.shape()));
  call(internal::kReductionKernels, context, op, {x.read()}, {out.write()});
  EXPECT_TRUE(out.gaps_intact());
  return out.values();
}

// What a plain loop finds: fold(acc, x) over the reduced elements of each result, in column-major order.
template <class Acc, class In>
Values<Acc> folded(const Values<In>& x, const Shape& shape, AxisSet axes, Acc start,
                   const std::function<Acc(Acc, In)>& fold) {
  Shape kept(shape);
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = axes.contains(k) ? 1 : kept[k];
  Values<Acc> result(start, static_cast<std::size_t>(count_of(kept)));
  for_each_index(shape, [&](DimsView index, std::int64_t linear) {
    Dims place(index);
    for (std::size_t k = 0; k < place.size(); ++k) place[k] = axes.contains(k) ? 0 : place[k];
    Acc& acc = result[static_cast<std::size_t>(testing::linear_of(place, kept))];
    acc = fold(acc, x[static_cast<std::size_t>(linear)]);
  });
  return result;
}

struct Case {
  Shape shape;
  AxisSet axes;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Shape& shape : std::vector<Shape>{{}, {5}, {3, 4}, {7, 1, 6}, {2, 3, 4, 5}, {17, 9}, {40, 6, 3}}) {
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << shape.size()); ++bits)
      all.push_back({shape, AxisSet(bits)});
  }
  for (const auto& [shape, axes] : std::vector<Case>{{{300, 7}, axis_set({0})},
                                                     {{7, 300}, axis_set({1})},
                                                     {{1500, 3}, axis_set({0, 1})},
                                                     {{3, 1500}, axis_set({0, 1})},
                                                     {{1100, 5, 2}, axis_set({0, 2})},
                                                     {{2, 1100, 3}, axis_set({0, 1})},
                                                     {{600, 5}, axis_set({1})},
                                                     {{9000, 3}, axis_set({1})},
                                                     {{40, 300}, axis_set({1})},
                                                     {{64, 5, 20}, axis_set({1, 2})},
                                                     {{300, 40}, axis_set({0, 1})},
                                                     {{1, 20, 1}, axis_set({0, 2})},
                                                     {{33, 40, 34}, axis_set({0, 1, 2})}}) {
    all.push_back({shape, axes});
  }
  return all;
}

// Same bits whatever the layout of operand and result and whoever takes part.
template <class Out, class In>
Values<Out> same_everywhere(OpKind kind, const Case& c, const Values<In>& x) {
  SerialContext serial;
  const Values<Out> reference =
      reduced<Out>(serial, reduction(kind, c.axes), Laid<In>(LayoutKind::compact, c.shape, x), LayoutKind::compact);
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<In> in(layout, c.shape, x);
    const LayoutKind out_layout = kLayoutKinds[(static_cast<std::size_t>(layout) + 3) % kLayoutKinds.size()];
    EXPECT_EQ(first_difference(reduced<Out>(serial, reduction(kind, c.axes, true), in, out_layout), reference), -1)
        << info(kind).name << ' ' << name(dtype_of<In>) << ' ' << testing::name(layout) << " axes " << c.axes.bits()
        << " rank " << c.shape.size();
  }
  return reference;
}

template <class T>
class ReduceTest : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ReduceTest, Numbers);

TYPED_TEST(ReduceTest, SumsEqualAPlainLoopInEveryLayout) {
  using T = TypeParam;
  for (const Case& c : cases()) {
    const Values<T> x = sample<T>(count_of(c.shape), 1, false);
    const Values<T> sums = same_everywhere<T>(OpKind::reduce_sum, c, x);
    const Values<T> expected = folded<T, T>(x, c.shape, c.axes, T{0}, [](T a, T b) { return static_cast<T>(a + b); });
    const Values<double> sizes =
        folded<double, T>(x, c.shape, c.axes, 0.0, [](double a, T b) { return a + magnitude(b); });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double epsilon = is_integer(dtype_of<T>)                              ? 0
                             : sizeof(T) / (is_complex(dtype_of<T>) ? 2 : 1) == 4 ? 1e-6
                                                                                  : 1e-14;
      ASSERT_LE(magnitude(static_cast<T>(sums[i] - expected[i])), 10 * epsilon * sizes[i]) << c.shape.size();
    }
  }
}

TYPED_TEST(ReduceTest, ProductsEqualAPlainLoopInEveryLayout) {
  using T = TypeParam;
  for (const Case& c : cases()) {
    Values<T> x = sample<T>(count_of(c.shape), 1, false);
    if constexpr (!is_integer(dtype_of<T>)) {
      for (T& value : x) value = value == T{} ? T{1} : value / static_cast<T>(std::abs(value));
    }
    const Values<T> products = same_everywhere<T>(OpKind::reduce_prod, c, x);
    const Values<T> expected = folded<T, T>(x, c.shape, c.axes, T{1}, [](T a, T b) {
      if constexpr (is_integer(dtype_of<T>)) {
        return wrapping_mul(a, b);
      } else {
        return a * b;
      }
    });
    for (std::size_t i = 0; i < products.size(); ++i) {
      if constexpr (is_integer(dtype_of<T>)) {
        ASSERT_EQ(products[i], expected[i]);
      } else {
        ASSERT_LE(std::abs(products[i] - expected[i]), 1e-2);
      }
    }
  }
}

TYPED_TEST(ReduceTest, SumsOfNothingAreZeroAndProductsOne) {
  using T = TypeParam;
  SerialContext context;
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<T> x(layout, {3, 0, 2}, Values<T>());
    const auto sums = reduced<T>(context, reduction(OpKind::reduce_sum, axis_set({1})), x, layout);
    EXPECT_EQ(first_difference(sums, Values<T>(T{0}, 6)), -1);
    const auto products = reduced<T>(context, reduction(OpKind::reduce_prod, axis_set({0, 1, 2})), x, layout);
    EXPECT_EQ(first_difference(products, Values<T>(T{1}, 1)), -1);
    EXPECT_EQ(reduced<T>(context, reduction(OpKind::reduce_sum, axis_set({0})), x, layout).size(), 0U);
  }
}

TYPED_TEST(ReduceTest, NoAxesMeanACopy) {
  using T = TypeParam;
  const Values<T> x = sample<T>(12, 1);
  SerialContext context;
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<T> in(layout, {3, 4}, x);
    EXPECT_EQ(first_difference(reduced<T>(context, reduction(OpKind::reduce_sum, AxisSet()), in, layout), x), -1);
    EXPECT_EQ(first_difference(reduced<T>(context, reduction(OpKind::reduce_prod, AxisSet()), in, layout), x), -1);
  }
}

// Long enough that the work is cut into pieces.
TYPED_TEST(ReduceTest, LongReductionsHaveTheSameBitsForAnyNumberOfThreads) {
  using T = TypeParam;
  for (const auto& [shape, axes] : std::vector<Case>{{{70'001, 2}, axis_set({0})},
                                                     {{2, 70'001}, axis_set({1})},

                                                     {{33, 33'000}, axis_set({1})},
                                                     {{300, 700}, axis_set({0, 1})}}) {
    const Values<T> x = sample<T>(count_of(shape), 1, false);
    SerialContext serial;
    const Op op = reduction(OpKind::reduce_sum, axes);
    const Values<T> reference = reduced<T>(serial, op, Laid<T>(LayoutKind::compact, shape, x), LayoutKind::compact);
    for (const LayoutKind layout : {LayoutKind::compact, LayoutKind::transposed, LayoutKind::mixed}) {
      const Laid<T> in(layout, shape, x);
      for (const int lanes : {1, 2, 3, 8}) {
        ThreadedContext context(lanes);
        ASSERT_EQ(first_difference(reduced<T>(context, op, in, LayoutKind::compact), reference), -1)
            << lanes << ' ' << testing::name(layout);
      }
    }
  }
}

template <class T>
void expect_sums_of_squares() {
  using R = decltype(std::abs(T{}));
  for (const Case& c : cases()) {
    const Values<T> x = sample<T>(count_of(c.shape), 1, false);
    const Values<R> sums = same_everywhere<R>(OpKind::reduce_sum_squares, c, x);
    const Values<double> expected = folded<double, T>(
        x, c.shape, c.axes, 0.0, [](double a, T b) { return a + std::norm(std::complex<double>(b)); });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(sums[i]), expected[i], 1e-5 * expected[i]);
    }
  }
}

TEST(Reduce, SumsOfSquaresEqualAPlainLoopInEveryLayout) {
  expect_sums_of_squares<float>();
  expect_sums_of_squares<double>();
  expect_sums_of_squares<std::complex<float>>();
  expect_sums_of_squares<std::complex<double>>();
}

template <class T>
T larger(T a, T b) {
  return a != a || a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return a != a || a < b ? a : b;
}

template <class T>
void expect_extrema(std::uint32_t seed, bool edges) {
  for (const Case& c : cases()) {
    const Values<T> x = sample<T>(count_of(c.shape), seed, edges) + T{0};  // no −0: which zero comes out is open
    using Limits = std::numeric_limits<T>;
    const T low = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const T high = Limits::has_infinity ? Limits::infinity() : Limits::max();
    const Values<T> largest = same_everywhere<T>(OpKind::reduce_max, c, x);
    ASSERT_EQ(first_difference(largest, folded<T, T>(x, c.shape, c.axes, low, larger<T>)), -1);
    const Values<T> smallest = same_everywhere<T>(OpKind::reduce_min, c, x);
    ASSERT_EQ(first_difference(smallest, folded<T, T>(x, c.shape, c.axes, high, smaller<T>)), -1);
  }
}

TEST(Reduce, ExtremaEqualAPlainLoopInEveryLayout) {
  expect_extrema<float>(1, false);
  expect_extrema<double>(1, false);
  expect_extrema<std::int32_t>(1, true);
  expect_extrema<std::int64_t>(1, true);
}

TEST(Reduce, ExtremaOfNanAreNanInEveryLayout) {
  expect_extrema<float>(2, true);
  expect_extrema<double>(3, true);
}

TEST(Reduce, AnyAndAllEqualAPlainLoopInEveryLayout) {
  for (const Case& c : cases()) {
    for (const bool common : {false, true}) {
      Values<bool> x(common, static_cast<std::size_t>(count_of(c.shape)));
      x[x.size() / 2] = !common;
      EXPECT_EQ(first_difference(same_everywhere<bool>(OpKind::reduce_any, c, x),
                                 folded<bool, bool>(x, c.shape, c.axes, false, std::logical_or<bool>())),
                -1);
      EXPECT_EQ(first_difference(same_everywhere<bool>(OpKind::reduce_all, c, x),
                                 folded<bool, bool>(x, c.shape, c.axes, true, std::logical_and<bool>())),
                -1);
    }
  }
  SerialContext context;
  const Laid<bool> none(LayoutKind::compact, {0}, Values<bool>());
  EXPECT_FALSE(reduced<bool>(context, reduction(OpKind::reduce_any, axis_set({0})), none, LayoutKind::compact)[0]);
  EXPECT_TRUE(reduced<bool>(context, reduction(OpKind::reduce_all, axis_set({0})), none, LayoutKind::compact)[0]);
}

template <class T>
void expect_arg(OpKind kind, const Shape& shape, std::int8_t axis, const Values<T>& x) {
  AxisSet axes = AxisSet::first(shape.size());
  if (axis >= 0) axes = axis_set({static_cast<std::size_t>(axis)});
  const bool largest = kind == OpKind::argmax;
  struct Found {
    T value{};
    std::int64_t index = -1, seen = 0;
  };
  const auto found = folded<Found, T>(x, shape, axes, Found{}, [largest](Found best, T v) {
    const bool ordered = largest ? v > best.value : v < best.value;
    if (best.index < 0 || (best.value == best.value && (v != v || ordered))) {
      best.value = v;
      best.index = best.seen;
    }
    ++best.seen;
    return best;
  });
  Values<std::int64_t> expected(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) expected[i] = found[i].index;
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<T> in(layout, shape, x);
    SerialContext serial;
    ASSERT_EQ(
        first_difference(reduced<std::int64_t>(serial, Op(kind, ArgReduceAttrs{axis, false}), in, layout), expected),
        -1)
        << info(kind).name << ' ' << name(dtype_of<T>) << ' ' << testing::name(layout) << " axis " << int{axis};
    ThreadedContext threads(3);
    ASSERT_EQ(
        first_difference(reduced<std::int64_t>(threads, Op(kind, ArgReduceAttrs{axis, true}), in, LayoutKind::compact),
                         expected),
        -1);
  }
}

template <class T>
void expect_args() {
  for (const OpKind kind : {OpKind::argmax, OpKind::argmin}) {
    for (const Shape& shape : std::vector<Shape>{{}, {6}, {33}, {1105}, {3, 4}, {4, 1, 5}, {300, 3}, {5, 300}}) {
      for (std::int8_t axis = -1; axis < static_cast<std::int8_t>(shape.size()); ++axis) {
        const std::int64_t n = count_of(shape);
        expect_arg<T>(kind, shape, axis, sample<T>(n, 1, true));  // with NaN, infinities and both zeros
        expect_arg<T>(kind, shape, axis, sample<T>(n, 2, false));
        Values<T> few = sample<T>(n, 3, false);  // many equal ones
        for (T& value : few) value = static_cast<T>(static_cast<int>(value) % 3);
        expect_arg<T>(kind, shape, axis, few);
      }
    }
  }
}

TEST(Reduce, ArgumentsOfExtremaAreTheFirstInEveryLayout) {
  testing::with_every_target([] {
    expect_args<float>();
    expect_args<double>();
    expect_args<std::int32_t>();
    expect_args<std::int64_t>();
  });
}

TEST(Reduce, ArgumentsOfLongAxesAreFoundAcrossPieces) {
  for (const Shape& shape : std::vector<Shape>{{200'000}, {8, 100'000}, {2, 100'000}}) {
    Values<double> x(0.5, static_cast<std::size_t>(count_of(shape)));
    x[x.size() - 5] = x[x.size() - 3] = 1;
    expect_arg<double>(OpKind::argmax, shape, static_cast<std::int8_t>(shape.size() - 1), x);
    x[x.size() / 2] = x[x.size() / 2 + 8] = std::nan("");
    expect_arg<double>(OpKind::argmin, shape, -1, x);
  }
}

TEST(Reduce, AnOverflowingIntegerSumWraps) {
  SerialContext context;
  const Laid<std::int32_t> x(LayoutKind::compact, {3}, {2147483647, 1, 1});
  EXPECT_EQ(reduced<std::int32_t>(context, reduction(OpKind::reduce_sum, axis_set({0})), x, LayoutKind::compact)[0],
            -2147483647);
}

TEST(Reduce, StretchedOperandsCountEachIndex) {
  SerialContext context;
  const auto x = Laid<double>::broadcast(Shape{6, 1000}, Shape{6, 1}, {1, 2, 3, 4, 5, 6});
  const auto sums = reduced<double>(context, reduction(OpKind::reduce_sum, axis_set({1})), x, LayoutKind::compact);
  EXPECT_EQ(first_difference(sums, Values<double>{1000, 2000, 3000, 4000, 5000, 6000}), -1);
  const auto all = reduced<double>(context, reduction(OpKind::reduce_sum, axis_set({0, 1})), x, LayoutKind::compact);
  EXPECT_EQ(all[0], 21000);
}

// A sum of n equal terms errs by O(log n) ulp; a running sum in f32 would stand still at 2^24.
TEST(Reduce, StepsOfAxesOfOneElementAreOfNoConsequence) {
  SerialContext context;
  const Values<double> x = sample<double>(64, 9);
  for (const std::int64_t step : {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const std::int64_t extents[] = {4, 4, 1}, strides[] = {8, 2, step}, spread[] = {2, step}, plain[] = {8, 2, 0};
    TensorRead in;
    in.data = reinterpret_cast<const std::byte*>(&x[0]);
    in.extents = extents;
    in.axis_count = 3;
    double got[8] = {}, expected[8] = {};
    const std::int64_t out_extents[] = {4, 1};
    TensorWrite out;
    out.extents = out_extents;
    out.strides = spread;
    out.axis_count = 2;
    for (const OpKind kind : {OpKind::reduce_sum, OpKind::reduce_max}) {
      in.strides = strides;
      out.data = reinterpret_cast<std::byte*>(got);
      call(internal::kReductionKernels, context, reduction(kind, axis_set({0})), {in}, {out});
      in.strides = plain;
      out.data = reinterpret_cast<std::byte*>(expected);
      call(internal::kReductionKernels, context, reduction(kind, axis_set({0})), {in}, {out});
      EXPECT_TRUE(std::equal(got, got + 8, expected));
    }
  }
}

TEST(Reduce, SumsOfManyOnesAreExact) {
  constexpr std::int64_t n = 1 << 25;
  const std::vector<float> ones(2 * n, 1.0F);
  const auto sum = [&](const Shape& shape, const Dims* strides, AxisSet axes) {
    SerialContext context;
    const TensorRead x{{reinterpret_cast<const std::byte*>(ones.data()), shape.data(),
                        strides != nullptr ? strides->data() : nullptr, static_cast<std::uint32_t>(shape.size()),
                        DType::f32, Placement{}}};
    float result[2] = {0, 0};
    const Shape out_shape = result_shape(reduction(OpKind::reduce_sum, axes), DType::f32, shape);
    const TensorWrite out{{reinterpret_cast<std::byte*>(result), out_shape.data(), nullptr,
                           static_cast<std::uint32_t>(out_shape.size()), DType::f32, Placement{}}};
    call(internal::kReductionKernels, context, reduction(OpKind::reduce_sum, axes), {x}, {out});
    return result[0];
  };
  const Dims last_axis_near{2, 1}, far_rows{1, n};
  EXPECT_EQ(sum({n, 2}, nullptr, axis_set({0})), 33554432.0F);
  EXPECT_EQ(sum({n, 2}, &last_axis_near, axis_set({0})), 33554432.0F);
  EXPECT_EQ(sum({2, n}, nullptr, axis_set({1})), 33554432.0F);
  EXPECT_EQ(sum({2 * n}, nullptr, axis_set({0})), 67108864.0F);
}

TEST(Reduce, ErrorsOfSumsGrowWithTheLogarithm) {
  for (const std::int64_t n : {1000, 100'000, 1'000'000}) {
    const Values<float> x(0.1F, static_cast<std::size_t>(n));
    SerialContext context;
    const Laid<float> in(LayoutKind::compact, Shape{n}, x);
    const float sum = reduced<float>(context, reduction(OpKind::reduce_sum, axis_set({0})), in, LayoutKind::compact)[0];
    const double exact = static_cast<double>(0.1F) * static_cast<double>(n);
    const double steps = 16 + 4 + std::log2(static_cast<double>(n) / 256 + 1);
    EXPECT_LE(std::abs(sum - exact), steps * std::numeric_limits<float>::epsilon() / 2 * exact) << n;
  }
}

}  // namespace
}  // namespace tenferro
