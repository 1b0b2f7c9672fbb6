// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/scalar_complex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tenferro/ops/scalar_complex_exp.hpp"
#include "tenferro/ops/scalar_complex_trig.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInf;
using testing::kNan;
using C = std::complex<double>;
using C32 = std::complex<float>;
constexpr double kPi = std::numbers::pi;

// Equal with the signs of zeros.
void expect_same(C got, C want) {
  EXPECT_EQ(got, want);
  EXPECT_EQ(std::signbit(got.real()), std::signbit(want.real())) << got << " " << want;
  EXPECT_EQ(std::signbit(got.imag()), std::signbit(want.imag())) << got << " " << want;
}

void expect_close(C got, C want, double tolerance = 8 * 0x1p-52) {
  EXPECT_LE(std::abs(got - want), tolerance * std::abs(want)) << got << " " << want;
}

TEST(ScalarComplex, ModulusDoesNotOverflowHalfway) {
  EXPECT_NEAR(scalar::abs(C(3e200, 4e200)) / 5e200, 1.0, 1e-15);
  EXPECT_NEAR(scalar::abs(C(3e-200, 4e-200)) / 5e-200, 1.0, 1e-15);
  EXPECT_EQ(scalar::abs(C32(3e30F, 4e30F)), 5e30F);
  EXPECT_EQ(scalar::abs(C(kNan, kInf)), kInf);
}

TEST(ScalarComplex, DivisionDoesNotOverflowHalfway) {
  expect_close(scalar::div(C(1e201, 1e201), C(1e200, 1e200)), C(10, 0));
  expect_close(scalar::div(C(1e-320, 1e-320), C(1e-320, 1e-320)), C(1, 0));
  expect_close(scalar::div(C(1e308, 1e308), C(1e-5, 1e300)), C(1e8, -1e8));
  expect_close(scalar::div(C(0x1p-1000, 0), C(0x1p1000, 0)), C(0, 0));
  EXPECT_EQ(scalar::div(C32(1e38F, 1e38F), C32(1e38F, 1e38F)), C32(1, 0));
}

TEST(ScalarComplex, DivisionByZeroAndInfinity) {
  EXPECT_EQ(scalar::div(C(1, -1), C(0, 0)), C(kInf, -kInf));
  EXPECT_EQ(scalar::div(C(1, 2), C(kInf, -kInf)), C(0, 0));
  EXPECT_EQ(scalar::div(C(kInf, 0), C(2, 0)).real(), kInf);
  EXPECT_TRUE(std::isnan(scalar::div(C(kNan, 0), C(2, 0)).real()));
  EXPECT_TRUE(std::isnan(scalar::div(C(0, 0), C(0, 0)).real()));
}

TEST(ScalarComplex, ReciprocalOfExtremes) {
  expect_same(scalar::reciprocal(C(0, 2)), C(0, -0.5));
  expect_close(scalar::reciprocal(C(1e-300, 1e-300)), C(5e299, -5e299));
  expect_close(scalar::reciprocal(C(0x1p1000, 0)), C(0x1p-1000, 0));
  EXPECT_EQ(scalar::reciprocal(C(kInf, 1)), C(0, 0));
  EXPECT_EQ(scalar::reciprocal(C(0, 0)).real(), kInf);
}

TEST(ScalarComplex, SignIsTheDirection) {
  expect_close(scalar::sign(C(3, -4)), C(0.6, -0.8));
  expect_close(scalar::sign(C(1e308, 1e308)), C(std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2));
  EXPECT_EQ(scalar::sign(C(0, 0)), C(0, 0));
  EXPECT_EQ(scalar::sign(C(-kInf, 5)), C(-1, 0));
  EXPECT_TRUE(std::isnan(scalar::sign(C(kNan, 0)).real()));
}

TEST(ScalarComplex, SquareRootOnBothSidesOfTheCut) {
  expect_same(scalar::sqrt(C(-4, 0.0)), C(0, 2));
  expect_same(scalar::sqrt(C(-4, -0.0)), C(0, -2));
  expect_same(scalar::sqrt(C(-0.0, -0.0)), C(0, -0.0));
  expect_same(scalar::rsqrt(C(-4, 0.0)), C(0, -0.5));
  expect_same(scalar::rsqrt(C(-4, -0.0)), C(0, 0.5));
  EXPECT_EQ(scalar::sqrt(C32(-1, -0.0F)), C32(0, -1));
}

TEST(ScalarComplex, SquareRootOfExtremes) {
  expect_close(scalar::sqrt(C(0, 0x1p1001)), C(0x1p500, 0x1p500));
  expect_close(scalar::sqrt(C(0, 0x1p-1073)), C(0x1p-537, 0x1p-537));
  EXPECT_EQ(scalar::sqrt(C(kNan, kInf)), C(kInf, kInf));
  EXPECT_EQ(scalar::sqrt(C(-kInf, 1)), C(0, kInf));
}

TEST(ScalarComplexExp, LogarithmOnBothSidesOfTheCut) {
  expect_same(scalar::log(C(-1, 0.0)), C(0, kPi));
  expect_same(scalar::log(C(-1, -0.0)), C(0, -kPi));
  expect_same(scalar::log1p(C(-2, -0.0)), C(0, -kPi));
  EXPECT_EQ(scalar::log(C(0, 0)).real(), -kInf);
}

TEST(ScalarComplexExp, LogarithmKeepsItsRealPartOnTheUnitCircle) {
  expect_close(scalar::log(C(1, 1e-10)).real(), 5e-21);
  // As stored, (0.6, 0.8) is off the circle: |z|² − 1 is 2⁻⁵⁴·0.8 within a part in 10¹⁶, from the exact binary
  // fractions.
  expect_close(scalar::log(C(0.6, 0.8)).real(), 0x1p-55 * 0.8);
  expect_close(scalar::log(C(1e308, 1e308)).real(), 308 * std::numbers::ln10 + std::numbers::ln2 / 2);
  expect_close(scalar::log(C(1e-320, 0)).real(), std::log(1e-320));
}

TEST(ScalarComplexExp, SmallArgumentsKeepTheirDigits) {
  expect_close(scalar::log1p(C(1e-18, 1e-18)), C(1e-18, 1e-18));
  const C e = scalar::expm1(C(1e-10, 1e-10));
  EXPECT_NEAR(e.real() / 1e-10, 1.0, 4e-16);
  EXPECT_NEAR(e.imag() / 1.0000000001e-10, 1.0, 4e-16);
}

TEST(ScalarComplexExp, ExponentialsReachTheEdgeOfTheRange) {
  const C e = scalar::exp(C(710, 1.5));
  EXPECT_NEAR(e.real() / (std::exp(700.0) * std::cos(1.5)), std::exp(10.0), 1e-9);
  EXPECT_EQ(scalar::exp(C(1e4, 0)), C(kInf, 0));
  EXPECT_EQ(scalar::exp(C(-kInf, kNan)), C(0, 0));
  expect_same(scalar::exp(C(0, -0.0)), C(1, -0.0));
}

TEST(ScalarComplexExp, BasesTwoAndTen) {
  expect_close(scalar::exp2(C(3, 0)), C(8, 0));
  expect_close(scalar::exp2(C(1, kPi / std::numbers::ln2)), C(-2, 0), 1e-15);
  expect_close(scalar::log2(C(0, 8)), C(3, kPi / 2 * std::numbers::log2e));
  expect_close(scalar::log10(C(0, 1000)), C(3, kPi / 2 * std::numbers::log10e));
}

// 2^(iy) turns: its modulus is 1 however large y is. The last value is from 80 digits.
TEST(ScalarComplexExp, PowersOfTwoOfLongImaginaryNumbersTurnOnly) {
  for (const double y : {1e7, 1e8, 1e10, 1e15, 1e17, 1e22, 1e300}) {
    EXPECT_NEAR(std::abs(scalar::exp2(C(0, y))), 1.0, 1e-15) << y;
  }
  expect_close(scalar::exp2(C(0, 1e10)), C(0.0832059539924358642, -0.996532372389481709));
}

// |z|² is 1 but for rounding, where squares just below a half lose a bit beside 1.
TEST(ScalarComplexExp, LogarithmsOfDiagonalNumbersOfModulusOneKeepTheirRealPart) {
  const double x = 0x1.6a09e667f3bcap-1;
  EXPECT_DOUBLE_EQ(scalar::log(C(x, x)).real(), -0x1.d03f1a9e7512ap-52);
}

TEST(ScalarComplexExp, SmallWholePowersOfGaussianIntegersAreExact) {
  EXPECT_EQ(scalar::pow(C(1, 2), C(3, 0)), C(-11, -2));
  EXPECT_EQ(scalar::pow(C32(1, 1), C32(8, 0)), C32(16, 0));
  EXPECT_EQ(scalar::pow(C(1, 1), C(-2, 0)), C(0, -0.5));
}

TEST(ScalarComplexExp, PowersOfZeroAndToZero) {
  EXPECT_EQ(scalar::pow(C(0, 0), C(0, 0)), C(1, 0));
  EXPECT_EQ(scalar::pow(C(kNan, 1), C(0, 0)), C(1, 0));
  EXPECT_EQ(scalar::pow(C(0, 0), C(2, 1)), C(0, 0));
  EXPECT_EQ(scalar::pow(C(0, 0), C(-1, 0)).real(), kInf);
  EXPECT_TRUE(std::isnan(scalar::pow(C(0, 0), C(0, 1)).real()));
}

TEST(ScalarComplexExp, PowersOfNegativeNumbersFollowTheSideOfTheCut) {
  expect_same(scalar::pow(C(-4, -0.0), C(0.5, 0)), C(0, -2));
  EXPECT_EQ(scalar::pow(C(-4, 0.0), C(0.5, 0)), C(0, 2));
  expect_close(scalar::pow(C(-1, 0.0), C(0, 1)), C(std::exp(-kPi), 0));
  expect_close(scalar::pow(C(-1, -0.0), C(0, 1)), C(std::exp(kPi), 0));
}

TEST(ScalarComplexTrig, CircularAndHyperbolicFunctionsAgreeByAQuarterTurn) {
  const C i(0, 1);
  for (const C z : {C(0.3, -0.7), C(-2, 1.5), C(25, 3), C(-0.01, 12)}) {
    expect_close(scalar::sin(scalar::mul(i, z)), scalar::mul(i, scalar::sinh(z)));
    expect_close(scalar::cos(scalar::mul(i, z)), scalar::cosh(z));
    expect_close(scalar::tan(scalar::mul(i, z)), scalar::mul(i, scalar::tanh(z)));
  }
}

TEST(ScalarComplexTrig, KnownValues) {
  const double s1 = std::sin(1.0), c1 = std::cos(1.0), sh2 = std::sinh(2.0), ch2 = std::cosh(2.0);
  expect_close(scalar::sin(C(1, 2)), C(s1 * ch2, c1 * sh2));
  expect_close(scalar::cos(C(1, 2)), C(c1 * ch2, -s1 * sh2));
  expect_close(scalar::tanh(C(0, kPi / 4)), C(0, 1));
  expect_close(scalar::tanh(C(400, 1)), C(1, 0));
  expect_close(scalar::tanh(C(-20, 1)).real(), -1.0);
}

TEST(ScalarComplexTrig, HyperbolicFunctionsReachTheEdgeOfTheRange) {
  EXPECT_TRUE(std::isfinite(scalar::sinh(C(710.4, 1.5)).real()));
  EXPECT_NEAR(scalar::cosh(C(710.4, 1.5)).real() / (0.5 * std::exp(700.0) * std::cos(1.5)), std::exp(10.4), 1e-8);
  EXPECT_EQ(scalar::sinh(C(-kInf, 0)), C(-kInf, 0));
}

TEST(ScalarComplexTrig, InverseSineOnBothSidesOfItsCuts) {
  const double wide = std::acosh(2.0);
  expect_close(scalar::asin(C(2, 0.0)), C(kPi / 2, wide));
  expect_close(scalar::asin(C(2, -0.0)), C(kPi / 2, -wide));
  expect_close(scalar::asin(C(-2, 0.0)), C(-kPi / 2, wide));
  expect_close(scalar::acos(C(2, 0.0)), C(0, -wide));
  expect_close(scalar::acos(C(-2, -0.0)), C(kPi, wide));
  expect_close(scalar::acosh(C(-2, -0.0)), C(wide, -kPi));
  expect_close(scalar::acosh(C(0.5, 0.0)), C(0, std::acos(0.5)));
  expect_close(scalar::asinh(C(0.0, 2)), C(wide, kPi / 2));
  expect_close(scalar::asinh(C(-0.0, 2)), C(-wide, kPi / 2));
}

TEST(ScalarComplexTrig, InverseTangentOnBothSidesOfItsCuts) {
  const double wide = 0.5 * std::log(3.0);
  expect_close(scalar::atanh(C(2, 0.0)), C(wide, kPi / 2));
  expect_close(scalar::atanh(C(2, -0.0)), C(wide, -kPi / 2));
  expect_close(scalar::atan(C(0.0, 2)), C(kPi / 2, wide));
  expect_close(scalar::atan(C(-0.0, 2)), C(-kPi / 2, wide));
  EXPECT_EQ(scalar::atanh(C(1, 0)), C(kInf, 0));
  expect_close(scalar::atanh(C(1, 1e-200)).real(), 0.5 * (std::numbers::ln2 + 200 * std::numbers::ln10));
}

TEST(ScalarComplexTrig, InverseFunctionsUndoTheForwardOnes) {
  for (const C z : {C(0.3, 0.4), C(-0.9, 1.2), C(1e-9, -1e-9), C(1.25, -0.01)}) {
    expect_close(scalar::sin(scalar::asin(z)), z, 4e-15);
    expect_close(scalar::cos(scalar::acos(z)), z, 1e-6);  // acos loses the digits of small z
    expect_close(scalar::tan(scalar::atan(z)), z, 4e-15);
    expect_close(scalar::sinh(scalar::asinh(z)), z, 4e-15);
    expect_close(scalar::tanh(scalar::atanh(z)), z, 4e-15);
  }
}

TEST(ScalarComplexTrig, InverseFunctionsOfLargeAndInfiniteArguments) {
  const double big = 300 * std::numbers::ln10 + std::numbers::ln2;
  expect_close(scalar::asinh(C(1e300, 0)), C(big, 0));
  expect_close(scalar::acos(C(-1e300, 0.0)), C(kPi, -big));
  expect_close(scalar::atanh(C(1e200, 1e200)), C(5e-201, kPi / 2));
  EXPECT_EQ(scalar::asin(C(kInf, kInf)), C(kPi / 4, kInf));
  EXPECT_EQ(scalar::atanh(C(kInf, 1)), C(0, kPi / 2));
}

}  // namespace
}  // namespace tenferro
