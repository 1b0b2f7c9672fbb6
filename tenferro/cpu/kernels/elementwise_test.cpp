// SPDX-License-Identifier: MIT OR Apache-2.0
// Every element-by-element row, dtype and memory layout against a loop over index tuples that calls the formula.
#include <gtest/gtest.h>

#include "tenferro/cpu/kernels/element_loop.hpp"
#include "tenferro/ops/scalar_functions.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::count_of;
using testing::first_difference;
using testing::kLayoutKinds;
using testing::Laid;
using testing::LayoutKind;
using testing::sample;
using testing::SerialContext;
using testing::ThreadedContext;
using testing::Values;

const std::vector<Shape> kShapes{{}, {5}, {3, 4}, {2, 3, 4}, {0, 3}, {70, 3}, {2, 1, 3, 1, 2}};

LayoutKind next(LayoutKind kind, std::size_t steps) {
  return kLayoutKinds[(static_cast<std::size_t>(kind) + steps) % kLayoutKinds.size()];
}

// Values that every row accepts as its second operand.
template <class T>
Values<T> second_operand(std::int64_t n, bool data_checked) {
  Values<T> values = sample<T>(n, 2);
  if constexpr (is_integer(dtype_of<T>)) {
    for (std::size_t i = 0; data_checked && i < values.size(); ++i) values[i] = static_cast<T>(1 + i % 20);
  }
  return values;
}

// What a row gives for one element: the formula, or for functions that vectors compute with other roundings (how far
// from the formula is seen in vector_loops_test.cpp) their loop on this element alone.
template <class Out, class... In>
Out element(OpKind kind, Out (*formula)(In...), In... x) {
  if (has(info(kind).traits, Traits::cheap)) return formula(x...);
  Out out;
  const auto bytes = [](const auto& value) { return reinterpret_cast<const std::byte*>(&value); };
  const std::byte* in[2] = {bytes(x)...};
  const DType d = dtype_of<std::common_type_t<In...>>;
  internal::element_loops().row(kind, d)(reinterpret_cast<std::byte*>(&out), in[0], in[1], nullptr, 1);
  return out;
}

template <class Out, class In>
void expect_unary(OpKind kind, Out (*formula)(In)) {
  for (const Shape& shape : kShapes) {
    const Values<In> x = sample<In>(count_of(shape), 1);
    Values<Out> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = element(kind, formula, x[i]);
    for (const LayoutKind layout : kLayoutKinds) {
      for (const LayoutKind out_layout : {LayoutKind::compact, next(layout, 1)}) {
        SerialContext context;
        const Laid<In> in(layout, shape, x);
        Laid<Out> out(out_layout, shape);
        call(internal::kUnaryKernels, context, Op(kind), {in.read()}, {out.write()});
        ASSERT_EQ(first_difference(out.values(), expected), -1)
            << info(kind).name << ' ' << name(dtype_of<In>) << ' ' << testing::name(layout) << " rank " << shape.size();
        ASSERT_TRUE(out.gaps_intact()) << info(kind).name;
      }
    }
  }
}

template <class Out, class In>
void expect_binary(OpKind kind, Out (*formula)(In, In)) {
  for (const Shape& shape : kShapes) {
    const Values<In> x = sample<In>(count_of(shape), 1);
    const Values<In> y = second_operand<In>(count_of(shape), has(info(kind).traits, Traits::data_checked));
    Values<Out> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = element(kind, formula, x[i], y[i]);
    for (const LayoutKind layout : kLayoutKinds) {
      for (const std::size_t step : {0U, 1U, 3U}) {
        SerialContext context;
        const Laid<In> a(layout, shape, x), b(next(layout, step), shape, y);
        Laid<Out> out(step == 1 ? LayoutKind::compact : next(layout, 2 * step), shape);
        call(internal::kBinaryKernels, context, Op(kind), {a.read(), b.read()}, {out.write()});
        ASSERT_EQ(first_difference(out.values(), expected), -1)
            << info(kind).name << ' ' << name(dtype_of<In>) << ' ' << testing::name(layout) << " rank " << shape.size();
        ASSERT_TRUE(out.gaps_intact()) << info(kind).name;
      }
    }
  }
}

template <class A, class T>
void expect_ternary(OpKind kind, T (*formula)(A, T, T)) {
  for (const Shape& shape : kShapes) {
    const Values<A> x = sample<A>(count_of(shape), 1);
    const Values<T> y = sample<T>(count_of(shape), 2), z = sample<T>(count_of(shape), 3);
    Values<T> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = formula(x[i], y[i], z[i]);
    for (const LayoutKind layout : kLayoutKinds) {
      for (const std::size_t step : {0U, 1U, 3U}) {
        SerialContext context;
        const Laid<A> a(layout, shape, x);
        const Laid<T> b(next(layout, step), shape, y), c(next(layout, 2 * step), shape, z);
        Laid<T> out(step == 1 ? LayoutKind::compact : next(layout, 3 * step), shape);
        call(internal::kTernaryKernels, context, Op(kind), {a.read(), b.read(), c.read()}, {out.write()});
        ASSERT_EQ(first_difference(out.values(), expected), -1)
            << info(kind).name << ' ' << name(dtype_of<T>) << ' ' << testing::name(layout) << " rank " << shape.size();
        ASSERT_TRUE(out.gaps_intact()) << info(kind).name;
      }
    }
  }
}

#define TENFERRO_UNARY(name, ...)                                              \
  template <class T>                                                           \
  void unary_##name() {                                                        \
    if constexpr (admitted(info(OpKind::name).dtypes).contains(dtype_of<T>)) { \
      expect_unary(OpKind::name, +[](T x) { return scalar::name(x); });        \
    }                                                                          \
  }
#define TENFERRO_BINARY(name, ...)                                               \
  template <class T>                                                             \
  void binary_##name() {                                                         \
    if constexpr (admitted(info(OpKind::name).dtypes).contains(dtype_of<T>)) {   \
      expect_binary(OpKind::name, +[](T x, T y) { return scalar::name(x, y); }); \
    }                                                                            \
  }
#include "tenferro/ops/core_ops.def"

template <class T>
class ElementwiseTest : public ::testing::Test {};
using AllTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t, bool>;
TYPED_TEST_SUITE(ElementwiseTest, AllTypes);

TYPED_TEST(ElementwiseTest, UnaryRowsEqualTheFormulaInEveryLayout) {
#define TENFERRO_UNARY(name, ...) unary_##name<TypeParam>();
#include "tenferro/ops/core_ops.def"
}

TYPED_TEST(ElementwiseTest, BinaryRowsEqualTheFormulaInEveryLayout) {
#define TENFERRO_BINARY(name, ...) binary_##name<TypeParam>();
#include "tenferro/ops/core_ops.def"
}

TYPED_TEST(ElementwiseTest, TernaryRowsEqualTheFormulaInEveryLayout) {
  using T = TypeParam;
  expect_ternary(OpKind::select, +[](bool m, T x, T y) { return scalar::select(m, x, y); });
  if constexpr (admitted(info(OpKind::clamp).dtypes).contains(dtype_of<T>)) {
    expect_ternary(OpKind::clamp, +[](T x, T lo, T hi) { return scalar::clamp(x, lo, hi); });
  }
  if constexpr (admitted(info(OpKind::fma).dtypes).contains(dtype_of<T>)) {
    expect_ternary(OpKind::fma, +[](T x, T y, T z) { return scalar::fma(x, y, z); });
  }
}

// A zero-stride operand stands for the value it repeats.
template <class T>
void expect_stretched(const Shape& shape, const Shape& stored_a, const Shape& stored_b, LayoutKind out_layout) {
  const Values<T> x = sample<T>(count_of(stored_a), 1, false), y = sample<T>(count_of(stored_b), 2, false);
  const auto a = Laid<T>::broadcast(shape, stored_a, x), b = Laid<T>::broadcast(shape, stored_b, y);
  const Values<T> xs = a.values(), ys = b.values();
  Values<T> expected(xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) expected[i] = scalar::sub(xs[i], ys[i]);
  SerialContext context;
  Laid<T> out(out_layout, shape);
  call(internal::kBinaryKernels, context, Op(OpKind::sub), {a.read(), b.read()}, {out.write()});
  EXPECT_EQ(first_difference(out.values(), expected), -1);
  EXPECT_TRUE(out.gaps_intact());
}

TEST(Elementwise, StretchedOperandsRepeatTheirValues) {
  for (const LayoutKind layout : kLayoutKinds) {
    expect_stretched<double>({7, 5}, {1, 1}, {7, 5}, layout);
    expect_stretched<double>({7, 5}, {7, 5}, {1, 1}, layout);
    expect_stretched<double>({7, 5}, {1, 1}, {1, 1}, layout);
    expect_stretched<float>({7, 5, 3}, {7, 1, 3}, {1, 5, 1}, layout);
    expect_stretched<std::int32_t>({7, 5, 3}, {1, 5, 3}, {7, 5, 1}, layout);
    expect_stretched<std::complex<double>>({70, 2}, {1, 2}, {70, 1}, layout);
  }
}

TEST(Elementwise, StretchedOperandsOfTernaryRowsRepeatTheirValues) {
  const Shape shape{9, 4};
  const std::vector<Shape> stored{{9, 4}, {1, 1}, {9, 1}, {1, 4}};
  for (const Shape& sa : stored) {
    for (const Shape& sb : stored) {
      for (const Shape& sc : stored) {
        const auto a = Laid<double>::broadcast(shape, sa, sample<double>(count_of(sa), 1));
        const auto b = Laid<double>::broadcast(shape, sb, sample<double>(count_of(sb), 2));
        const auto c = Laid<double>::broadcast(shape, sc, sample<double>(count_of(sc), 3));
        const Values<double> x = a.values(), y = b.values(), z = c.values();
        Values<double> expected(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) expected[i] = scalar::clamp(x[i], y[i], z[i]);
        SerialContext context;
        Laid<double> out(LayoutKind::compact, shape);
        call(internal::kTernaryKernels, context, Op(OpKind::clamp), {a.read(), b.read(), c.read()}, {out.write()});
        EXPECT_EQ(first_difference(out.values(), expected), -1);
      }
    }
  }
}

// Long axes go in blocks, and an operand that lies across the output in tiles.
TEST(Elementwise, TilesCoverEveryElementOnce) {
  for (const Shape& shape :
       std::vector<Shape>{{130, 70}, {200, 3, 65}, {40'000}, {17'000, 2}, {3, 1500}, {2, 700, 3}, {7, 28}}) {
    const std::int64_t n = count_of(shape);
    const Values<float> x = sample<float>(n, 1), y = sample<float>(n, 2);
    Values<float> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = x[i] + y[i];
    for (const LayoutKind layout : kLayoutKinds) {
      const Laid<float> a(layout, shape, x), b(next(layout, 2), shape, y);
      for (const int lanes : {1, 2, 3, 8}) {
        ThreadedContext context(lanes, 3);
        Laid<float> out(next(layout, 4), shape);
        call(internal::kBinaryKernels, context, Op(OpKind::add), {a.read(), b.read()}, {out.write()});
        ASSERT_EQ(first_difference(out.values(), expected), -1) << testing::name(layout);
        ASSERT_TRUE(lanes > 1 || out.gaps_intact());
      }
    }
  }
}

TEST(Elementwise, RankSixtyFourWorks) {
  Shape shape(64U, 1);
  shape[3] = shape[40] = shape[63] = 3;
  const Values<double> x = sample<double>(27, 1);
  for (const LayoutKind layout : kLayoutKinds) {
    SerialContext context;
    const Laid<double> in(layout, shape, x);
    Laid<double> out(next(layout, 3), shape);
    call(internal::kUnaryKernels, context, Op(OpKind::neg), {in.read()}, {out.write()});
    EXPECT_EQ(first_difference(out.values(), Values<double>(-x)), -1);
  }
  Shape twos(64U, 1);
  for (std::size_t k = 0; k < 64; k += 7) twos[k] = 2;
  const Values<float> y = sample<float>(count_of(twos), 1);
  SerialContext context;
  const Laid<float> in(LayoutKind::mixed, twos, y);
  Laid<float> out(LayoutKind::rotated, twos);
  call(internal::kUnaryKernels, context, Op(OpKind::neg), {in.read()}, {out.write()});
  EXPECT_EQ(first_difference(out.values(), Values<float>(-y)), -1);
}

TEST(Elementwise, OutputMayBeAnOperandItself) {
  const Shape shape{37, 5};
  for (const LayoutKind layout : kLayoutKinds) {
    const Values<double> x = sample<double>(count_of(shape), 1), y = sample<double>(count_of(shape), 2);
    SerialContext context;
    Laid<double> a(layout, shape, x);
    const Laid<double> b(LayoutKind::compact, shape, y);
    call(internal::kBinaryKernels, context, Op(OpKind::sub), {b.read(), a.read()}, {a.write()});
    EXPECT_EQ(first_difference(a.values(), Values<double>(y - x)), -1);
    call(internal::kUnaryKernels, context, Op(OpKind::exp), {a.read()}, {a.write()});
    EXPECT_TRUE(a.gaps_intact());
  }
}

TEST(Elementwise, SmallCompactWorkAsksForNothing) {
  const Shape shape{8};
  SerialContext context;
  const Laid<double> a(LayoutKind::compact, shape, sample<double>(8, 1));
  Laid<double> out(LayoutKind::compact, shape);
  call(internal::kBinaryKernels, context, Op(OpKind::add), {a.read(), a.read()}, {out.write()});
  EXPECT_EQ(context.scratch_calls, 0);
  EXPECT_EQ(context.parallel_calls, 0);
}

// The first bad element in column-major order is named, whatever the layout, and nothing is written.
template <class T>
void expect_refused(OpKind kind, T bad) {
  const Shape shape{5, 3};
  for (const LayoutKind layout : kLayoutKinds) {
    Values<T> y(T{2}, 15);
    y[7] = bad;
    y[11] = bad;
    const Laid<T> a(LayoutKind::compact, shape, Values<T>(T{9}, 15)), b(layout, shape, y);
    Laid<T> out(next(layout, 1), shape, Values<T>(T{77}, 15));
    SerialContext context;
    const auto result = attempt<OpErrorInfo>(
        [&] { call(internal::kBinaryKernels, context, Op(kind), {a.read(), b.read()}, {out.write()}); });
    ASSERT_FALSE(result.has_value()) << info(kind).name;
    const auto& error = std::get<BadElement>(result.error());
    EXPECT_EQ(error.op, info(kind).name);
    EXPECT_EQ(error.operand, 1);
    EXPECT_EQ(error.position, 7);
    EXPECT_EQ(first_difference(out.values(), Values<T>(T{77}, 15)), -1);
  }
}

TEST(Elementwise, IntegerRowsRefuseBadElementsBeforeWriting) {
  const auto both = [](OpKind kind, std::int32_t small, std::int64_t large) {
    expect_refused<std::int32_t>(kind, small);
    expect_refused<std::int64_t>(kind, large);
  };
  for (const OpKind kind : {OpKind::div, OpKind::rem, OpKind::floor_mod}) both(kind, 0, 0);
  both(OpKind::pow, -1, -1);
  for (const OpKind kind : {OpKind::shift_left, OpKind::shift_right}) {
    both(kind, 32, 64);
    both(kind, -1, -1);
  }
}

TEST(Elementwise, ABadElementInALargeOperandIsFoundByHelpersToo) {
  const Shape shape{300, 400};
  Values<std::int64_t> y(3, 120'000);
  y[100'001] = 0;
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<std::int64_t> a(LayoutKind::compact, shape, Values<std::int64_t>(9, 120'000)), b(layout, shape, y);
    Laid<std::int64_t> out(LayoutKind::compact, shape, y);
    ThreadedContext context(3);
    const auto result = attempt<OpErrorInfo>(
        [&] { call(internal::kBinaryKernels, context, Op(OpKind::div), {a.read(), b.read()}, {out.write()}); });
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(std::get<BadElement>(result.error()).position, 100'001);
    EXPECT_EQ(first_difference(out.values(), y), -1);
  }
}

TEST(Elementwise, ABadStretchedElementIsNamedByItsFirstPosition) {
  const Shape shape{4, 3};
  const auto b = Laid<std::int32_t>::broadcast(shape, Shape{1, 3}, Values<std::int32_t>{1, 0, 2});
  const Laid<std::int32_t> a(LayoutKind::compact, shape, Values<std::int32_t>(1, 12));
  Laid<std::int32_t> out(LayoutKind::compact, shape);
  SerialContext context;
  const auto result = attempt<OpErrorInfo>(
      [&] { call(internal::kBinaryKernels, context, Op(OpKind::rem), {a.read(), b.read()}, {out.write()}); });
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(std::get<BadElement>(result.error()).position, 4);
}

TEST(Elementwise, FloatsAndEmptyTensorsAreNeverRefused) {
  SerialContext context;
  const Laid<double> zero(LayoutKind::compact, {2}, {0.0, 0.0});
  Laid<double> quotient(LayoutKind::compact, Shape{2});
  call(internal::kBinaryKernels, context, Op(OpKind::div), {zero.read(), zero.read()}, {quotient.write()});
  EXPECT_TRUE(std::isnan(quotient.values()[0]));
  for (const LayoutKind layout : kLayoutKinds) {
    const Laid<std::int32_t> none(layout, {0, 4}, Values<std::int32_t>());
    Laid<std::int32_t> out(layout, Shape{0, 4});
    call(internal::kBinaryKernels, context, Op(OpKind::div), {none.read(), none.read()}, {out.write()});
  }
}

}  // namespace
}  // namespace tenferro
