// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/scalar_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

#include "tenferro/ops/op_kind.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInf;
using testing::kNan;

constexpr float kInfF = std::numeric_limits<float>::infinity();
constexpr std::int32_t kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

// Catalog against overloads. One value of each dtype goes through each function that accepts it.

template <class T>
constexpr DType result_of(ResultRule rule) {
  switch (rule) {
    case ResultRule::real_part:
      return real_part(dtype_of<T>);
    case ResultRule::complex_partner:
      return complex_partner(dtype_of<T>);
    case ResultRule::boolean:
      return DType::boolean;
    case ResultRule::index:
      return DType::i64;
    case ResultRule::same:
    case ResultRule::attr:
      break;
  }
  return dtype_of<T>;
}

template <class T, class R>
void expect_result(OpKind kind, const R&) {
  EXPECT_EQ(dtype_of<R>, result_of<T>(info(kind).result)) << info(kind).name << " of " << name(dtype_of<T>);
}

template <class T>
void expect_rows_of() {
  [[maybe_unused]] const T one(1);
#define TENFERRO_UNARY(row, ...)                                                                        \
  {                                                                                                     \
    constexpr bool kCallable = requires(T x) { scalar::row(x); };                                       \
    static_assert(kCallable == admitted(info(OpKind::row).dtypes).contains(dtype_of<T>), "row: " #row); \
    if constexpr (kCallable) expect_result<T>(OpKind::row, scalar::row(one));                           \
  }
#define TENFERRO_BINARY(row, ...)                                                                       \
  {                                                                                                     \
    constexpr bool kCallable = requires(T x) { scalar::row(x, x); };                                    \
    static_assert(kCallable == admitted(info(OpKind::row).dtypes).contains(dtype_of<T>), "row: " #row); \
    if constexpr (kCallable) expect_result<T>(OpKind::row, scalar::row(one, one));                      \
  }
#include "tenferro/ops/core_ops.def"
  expect_result<T>(OpKind::select, scalar::select(true, one, one));
  static_assert(requires(T x) { scalar::clamp(x, x, x); } == scalar::RealScalar<T>);
  static_assert(requires(T x) { scalar::fma(x, x, x); } == (scalar::FloatScalar<T> || scalar::ComplexScalar<T>));
}

TEST(ScalarFunctions, EveryElementwiseRowIsDefinedForExactlyItsDtypes) {
#define TENFERRO_DTYPE(enumerator, type, text) expect_rows_of<type>();
#include "tenferro/tensor/dtype.def"
}

// Integers.

TEST(ScalarIntegers, SumDifferenceAndProductWrap) {
  EXPECT_EQ(scalar::add(kMax32, 1), kMin32);
  EXPECT_EQ(scalar::sub(kMin64, std::int64_t{1}), kMax64);
  EXPECT_EQ(scalar::mul(kMin32, -1), kMin32);
  EXPECT_EQ(scalar::square(std::int32_t{65536}), 0);
}

TEST(ScalarIntegers, TheSmallestIsItsOwnNegativeAndAbsoluteValue) {
  EXPECT_EQ(scalar::neg(kMin32), kMin32);
  EXPECT_EQ(scalar::abs(kMin32), kMin32);
  EXPECT_EQ(scalar::abs(kMin64), kMin64);
  EXPECT_EQ(scalar::abs(std::int64_t{-5}), 5);
}

TEST(ScalarIntegers, DivisionTruncatesTowardZero) {
  EXPECT_EQ(scalar::div(7, -2), -3);
  EXPECT_EQ(scalar::div(-7, 2), -3);
  EXPECT_EQ(scalar::rem(7, -2), 1);
  EXPECT_EQ(scalar::rem(-7, 2), -1);
}

TEST(ScalarIntegers, DivisionOfTheSmallestByMinusOneWraps) {
  EXPECT_EQ(scalar::div(kMin32, -1), kMin32);
  EXPECT_EQ(scalar::div(kMin64, std::int64_t{-1}), kMin64);
  EXPECT_EQ(scalar::rem(kMin32, -1), 0);
  EXPECT_EQ(scalar::rem(kMin64, std::int64_t{-1}), 0);
  EXPECT_EQ(scalar::floor_mod(kMin64, std::int64_t{-1}), 0);
}

TEST(ScalarIntegers, FloorModHasTheSignOfTheDivisor) {
  EXPECT_EQ(scalar::floor_mod(7, 3), 1);
  EXPECT_EQ(scalar::floor_mod(-7, 3), 2);
  EXPECT_EQ(scalar::floor_mod(7, -3), -2);
  EXPECT_EQ(scalar::floor_mod(-7, -3), -1);
  EXPECT_EQ(scalar::floor_mod(-6, 3), 0);
  EXPECT_EQ(scalar::floor_mod(kMin64, kMax64), kMax64 - 1);
}

TEST(ScalarIntegers, PowersAreExactThenWrap) {
  EXPECT_EQ(scalar::pow(std::int64_t{3}, std::int64_t{39}), 4052555153018976267);
  EXPECT_EQ(scalar::pow(std::int64_t{3}, std::int64_t{40}), -6289078614652622815);  // 3^40 − 2^64
  EXPECT_EQ(scalar::pow(0, 0), 1);
  EXPECT_EQ(scalar::pow(-2, 31), kMin32);
  EXPECT_EQ(scalar::pow(std::int64_t{-1}, kMax64), -1);
}

TEST(ScalarIntegers, ArgumentsWithoutAnAnswerAreRecognised) {
  EXPECT_TRUE(scalar::invalid_divisor(std::int32_t{0}));
  EXPECT_FALSE(scalar::invalid_divisor(std::int64_t{-1}));
  EXPECT_TRUE(scalar::invalid_exponent(std::int64_t{-1}));
  EXPECT_FALSE(scalar::invalid_exponent(std::int32_t{0}));
  EXPECT_TRUE(scalar::invalid_shift(std::int32_t{-1}));
  EXPECT_TRUE(scalar::invalid_shift(std::int32_t{32}));
  EXPECT_FALSE(scalar::invalid_shift(std::int32_t{31}));
  EXPECT_TRUE(scalar::invalid_shift(std::int64_t{64}));
  EXPECT_FALSE(scalar::invalid_shift(std::int64_t{63}));
}

TEST(ScalarIntegers, ShiftsLoseHighBitsAndKeepTheSign) {
  EXPECT_EQ(scalar::shift_left(std::int32_t{3}, std::int32_t{31}), kMin32);
  EXPECT_EQ(scalar::shift_left(std::int64_t{-1}, std::int64_t{63}), kMin64);
  EXPECT_EQ(scalar::shift_right(std::int32_t{-8}, std::int32_t{1}), -4);
  EXPECT_EQ(scalar::shift_right(kMin64, std::int64_t{63}), -1);
}

TEST(ScalarIntegers, BitOperationsSeeTwosComplement) {
  EXPECT_EQ(scalar::bit_not(std::int32_t{5}), -6);
  EXPECT_EQ(scalar::bit_and(std::int32_t{12}, std::int32_t{10}), 8);
  EXPECT_EQ(scalar::bit_or(std::int64_t{12}, std::int64_t{10}), 14);
  EXPECT_EQ(scalar::bit_xor(std::int32_t{12}, std::int32_t{10}), 6);
  EXPECT_EQ(scalar::popcount(std::int32_t{-1}), 32);
  EXPECT_EQ(scalar::popcount(kMin64), 1);
}

TEST(ScalarIntegers, OrderAndSign) {
  EXPECT_EQ(scalar::maximum(kMin32, kMax32), kMax32);
  EXPECT_EQ(scalar::minimum(kMin64, kMax64), kMin64);
  EXPECT_EQ(scalar::sign(kMin32), -1);
  EXPECT_EQ(scalar::sign(std::int64_t{0}), 0);
  EXPECT_EQ(scalar::clamp(7, 1, 5), 5);
  EXPECT_EQ(scalar::clamp(7, 9, 5), 5);
}

// Floats.

template <class T>
class ScalarFloats : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ScalarFloats, Floats);

TYPED_TEST(ScalarFloats, MaximumAndMinimumGiveNanFromEitherSide) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_TRUE(std::isnan(scalar::maximum(nan, TypeParam{1})));
  EXPECT_TRUE(std::isnan(scalar::maximum(TypeParam{1}, nan)));
  EXPECT_TRUE(std::isnan(scalar::minimum(nan, TypeParam{1})));
  EXPECT_TRUE(std::isnan(scalar::minimum(TypeParam{1}, nan)));
  EXPECT_EQ(scalar::maximum(TypeParam{-2}, TypeParam{3}), TypeParam{3});
  EXPECT_EQ(scalar::minimum(TypeParam{-2}, TypeParam{3}), TypeParam{-2});
}

TYPED_TEST(ScalarFloats, ClampLetsTheUpperBoundWinAndKeepsNan) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_EQ(scalar::clamp(TypeParam{7}, TypeParam{9}, TypeParam{5}), TypeParam{5});
  EXPECT_EQ(scalar::clamp(TypeParam{-7}, TypeParam{-1}, TypeParam{5}), TypeParam{-1});
  EXPECT_TRUE(std::isnan(scalar::clamp(nan, TypeParam{0}, TypeParam{1})));
  EXPECT_TRUE(std::isnan(scalar::clamp(TypeParam{0}, nan, TypeParam{1})));
}

TYPED_TEST(ScalarFloats, SignOfZeroAndNan) {
  EXPECT_EQ(scalar::sign(TypeParam{0}), TypeParam{0});
  EXPECT_EQ(scalar::sign(TypeParam{-3}), TypeParam{-1});
  EXPECT_EQ(scalar::sign(std::numeric_limits<TypeParam>::infinity()), TypeParam{1});
  EXPECT_TRUE(std::isnan(scalar::sign(std::numeric_limits<TypeParam>::quiet_NaN())));
}

TYPED_TEST(ScalarFloats, RemainderIsExactAndKeepsTheDividendsSign) {
  EXPECT_EQ(scalar::rem(TypeParam{-7}, TypeParam{3}), TypeParam{-1});
  EXPECT_EQ(scalar::rem(TypeParam{7}, TypeParam{-3}), TypeParam{1});
  EXPECT_EQ(scalar::rem(static_cast<TypeParam>(0x1p100), TypeParam{3}), TypeParam{1});
  EXPECT_TRUE(std::isnan(scalar::rem(TypeParam{1}, TypeParam{0})));
}

TYPED_TEST(ScalarFloats, FloorModHasTheDivisorsSign) {
  const TypeParam inf = std::numeric_limits<TypeParam>::infinity();
  EXPECT_EQ(scalar::floor_mod(TypeParam{-7}, TypeParam{3}), TypeParam{2});
  EXPECT_EQ(scalar::floor_mod(TypeParam{7}, TypeParam{-3}), TypeParam{-2});
  EXPECT_EQ(scalar::floor_mod(TypeParam{-1}, inf), inf);
  EXPECT_EQ(scalar::floor_mod(TypeParam{1}, inf), TypeParam{1});
  EXPECT_EQ(scalar::floor_mod(TypeParam{1}, -inf), -inf);
  EXPECT_TRUE(std::signbit(scalar::floor_mod(TypeParam{6}, TypeParam{-3})));
  EXPECT_TRUE(std::isnan(scalar::floor_mod(inf, TypeParam{1})));
}

TYPED_TEST(ScalarFloats, RoundTakesTiesToTheEvenNeighbour) {
  EXPECT_EQ(scalar::round(static_cast<TypeParam>(0.5)), TypeParam{0});
  EXPECT_EQ(scalar::round(static_cast<TypeParam>(1.5)), TypeParam{2});
  EXPECT_EQ(scalar::round(static_cast<TypeParam>(2.5)), TypeParam{2});
  EXPECT_EQ(scalar::round(static_cast<TypeParam>(-2.5)), TypeParam{-2});
  EXPECT_TRUE(std::signbit(scalar::round(static_cast<TypeParam>(-0.25))));
  EXPECT_EQ(scalar::trunc(static_cast<TypeParam>(-2.75)), TypeParam{-2});
  EXPECT_EQ(scalar::floor(static_cast<TypeParam>(-2.25)), TypeParam{-3});
  EXPECT_EQ(scalar::ceil(static_cast<TypeParam>(-2.75)), TypeParam{-2});
}

TYPED_TEST(ScalarFloats, ReciprocalRootOfZeroIsInfiniteWithItsSign) {
  EXPECT_EQ(scalar::rsqrt(TypeParam{0}), std::numeric_limits<TypeParam>::infinity());
  EXPECT_EQ(scalar::rsqrt(-TypeParam{0}), -std::numeric_limits<TypeParam>::infinity());
  EXPECT_EQ(scalar::rsqrt(static_cast<TypeParam>(0.0625)), TypeParam{4});
}

TYPED_TEST(ScalarFloats, CubeRootsOfCubesAreExact) {
  using T = TypeParam;
  for (int k = -200; k <= 200; ++k) {
    const T root = static_cast<T>(k);
    EXPECT_EQ(scalar::cbrt(root * root * root), root);
  }
  using Limits = std::numeric_limits<T>;
  for (const T end : {T{0}, Limits::infinity()}) {
    EXPECT_EQ(scalar::cbrt(end), end);
    EXPECT_EQ(scalar::cbrt(-end), -end);
    EXPECT_EQ(std::signbit(scalar::cbrt(-end)), true);
  }
  EXPECT_TRUE(std::isnan(scalar::cbrt(Limits::quiet_NaN())));
  for (const T x : {Limits::min(), Limits::max() / T{2}}) {
    const T root = scalar::cbrt(x);
    EXPECT_NEAR(static_cast<double>(root * root * root / x), 1.0, 8 * static_cast<double>(Limits::epsilon()));
  }
}

TYPED_TEST(ScalarFloats, ExactValuesOfElementaryFunctions) {
  using T = TypeParam;
  EXPECT_EQ(scalar::exp(T{0}), T{1});
  EXPECT_EQ(scalar::exp2(T{10}), T{1024});
  EXPECT_EQ(scalar::log2(T{1024}), T{10});
  EXPECT_EQ(scalar::log10(T{1000}), T{3});
  EXPECT_EQ(scalar::pow(T{2}, T{-3}), static_cast<T>(0.125));
  EXPECT_EQ(scalar::hypot(T{3}, T{4}), T{5});
  EXPECT_EQ(scalar::copysign(T{3}, -T{0}), T{-3});
  EXPECT_EQ(scalar::atan2(T{0}, T{-1}), std::acos(T{-1}));
  EXPECT_EQ(scalar::arg(T{-2}), std::acos(T{-1}));
  EXPECT_EQ(scalar::arg(T{2}), T{0});
  EXPECT_EQ(scalar::make_complex(T{1}, T{-2}), std::complex<T>(1, -2));
}

TYPED_TEST(ScalarFloats, ClassificationIsExclusive) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const T x : {T{0}, std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min()}) {
    EXPECT_TRUE(scalar::is_finite(x));
    EXPECT_FALSE(scalar::is_inf(x));
    EXPECT_FALSE(scalar::is_nan(x));
  }
  EXPECT_TRUE(scalar::is_inf(-inf));
  EXPECT_FALSE(scalar::is_finite(inf));
  EXPECT_TRUE(scalar::is_nan(nan));
  EXPECT_FALSE(scalar::is_finite(nan));
  EXPECT_FALSE(scalar::is_inf(nan));
}

TEST(ScalarFloats, FusedProductRoundsOnce) {
  const double x = 1.0 + 0x1p-30;
  EXPECT_EQ(scalar::fma(x, x, -(1.0 + 0x1p-29)), 0x1p-60);
  EXPECT_EQ(scalar::fma(1.0F + 0x1p-12F, 1.0F + 0x1p-12F, -(1.0F + 0x1p-11F)), 0x1p-24F);
}

TEST(ScalarCompare, ComparisonsWithNanAreFalseAndNeIsTrue) {
  EXPECT_FALSE(scalar::eq(kNan, kNan));
  EXPECT_TRUE(scalar::ne(kNan, kNan));
  EXPECT_FALSE(scalar::lt(kNan, 1.0));
  EXPECT_FALSE(scalar::ge(1.0, kNan));
  EXPECT_TRUE(scalar::ne(std::complex<double>(kNan, 0), std::complex<double>(kNan, 0)));
  EXPECT_TRUE(scalar::eq(std::complex<float>(1, 0), std::complex<float>(1, -0.0F)));
}

TEST(ScalarCompare, ComplexClassificationLooksAtBothParts) {
  EXPECT_TRUE(scalar::is_nan(std::complex<double>(0, kNan)));
  EXPECT_TRUE(scalar::is_inf(std::complex<double>(kNan, -kInf)));
  EXPECT_FALSE(scalar::is_finite(std::complex<float>(0, kInfF)));
  EXPECT_TRUE(scalar::is_finite(std::complex<float>(1, 2)));
}

TEST(ScalarCompare, LogicAndSelection) {
  EXPECT_TRUE(scalar::logical_xor(true, false));
  EXPECT_FALSE(scalar::logical_xor(true, true));
  EXPECT_TRUE(scalar::logical_or(false, true));
  EXPECT_FALSE(scalar::logical_and(false, true));
  EXPECT_FALSE(scalar::logical_not(true));
  EXPECT_EQ(scalar::select(false, 1.0, 2.0), 2.0);
  EXPECT_TRUE(scalar::select(true, true, false));
}

// Casts.

TEST(ScalarCast, FloatToIntegerTruncatesAndSaturates) {
  EXPECT_EQ(scalar::cast<std::int32_t>(-2.9), -2);
  EXPECT_EQ(scalar::cast<std::int32_t>(2147483647.9), kMax32);
  EXPECT_EQ(scalar::cast<std::int32_t>(-2147483648.9), kMin32);
  EXPECT_EQ(scalar::cast<std::int32_t>(kInfF), kMax32);
  EXPECT_EQ(scalar::cast<std::int64_t>(-kInf), kMin64);
  EXPECT_EQ(scalar::cast<std::int64_t>(0x1p63), kMax64);
  EXPECT_EQ(scalar::cast<std::int64_t>(kNan), 0);
}

TEST(ScalarCast, ToBoolMeansNotZeroAndNanIsTrue) {
  EXPECT_TRUE(scalar::cast<bool>(kNan));
  EXPECT_FALSE(scalar::cast<bool>(-0.0));
  EXPECT_TRUE(scalar::cast<bool>(std::complex<float>(0, 1)));
  EXPECT_TRUE(scalar::cast<bool>(kMin64));
  EXPECT_EQ(scalar::cast<float>(true), 1.0F);
}

TEST(ScalarCast, ComplexToRealDropsTheImaginaryPart) {
  EXPECT_EQ(scalar::cast<float>(std::complex<double>(1.5, 9)), 1.5F);
  EXPECT_EQ(scalar::cast<std::int32_t>(std::complex<float>(-7.5F, 9)), -7);
  EXPECT_EQ(scalar::cast<std::complex<float>>(std::int64_t{3}), std::complex<float>(3, 0));
}

}  // namespace
}  // namespace tenferro
