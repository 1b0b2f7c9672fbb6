// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdint>
#include <limits>

#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

template <class T>
constexpr T kMin = std::numeric_limits<T>::min();
template <class T>
constexpr T kMax = std::numeric_limits<T>::max();

template <class T>
class IntegerCases : public ::testing::Test {
 protected:
  static constexpr std::int64_t kLength = 64;
  static constexpr std::int64_t kPlace = 5;

  /// 64 ordinary numbers with one special among them.
  static Tensor with(T special, T ordinary) {
    Tensor t = Tensor::full({kLength}, ordinary);
    t.data<T>()[kPlace] = special;
    return t;
  }
};
using Integers = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(IntegerCases, Integers);

// DT-01
TYPED_TEST(IntegerCases, DivisionOfTheMinimumByMinusOneWraps) {
  using T = TypeParam;
  const Tensor a = this->with(kMin<T>, 7), b = this->with(-1, 2);
  on_cpu([&](BackendSession& s) {
    const Tensor quotient = div(s, a, b), remainder = rem(s, a, b), modulus = floor_mod(s, a, b);
    EXPECT_EQ(quotient.data<T>()[5], kMin<T>);
    EXPECT_EQ(remainder.data<T>()[5], 0);
    EXPECT_EQ(modulus.data<T>()[5], 0);
    for (const std::size_t i : {0U, 4U, 6U, 63U}) {
      EXPECT_EQ(quotient.data<T>()[i], 3);
      EXPECT_EQ(remainder.data<T>()[i], 1);
    }
  });
}

// DT-01
TYPED_TEST(IntegerCases, AZeroDivisorIsATypedErrorThatNamesTheElement) {
  const Tensor a = this->with(7, 7), b = this->with(0, 2);
  on_cpu([&](BackendSession& s) {
    for (const auto& error :
         {refusal_of<BadElement>([&] { div(s, a, b); }), refusal_of<BadElement>([&] { rem(s, a, b); }),
          refusal_of<BadElement>([&] { floor_mod(s, a, b); })}) {
      EXPECT_EQ(error.position, 5);
      EXPECT_EQ(error.operand, 1);
    }
  });
}

// DT-01, DT-21
TYPED_TEST(IntegerCases, TheMinimumIsItsOwnNegativeAndAbsoluteValue) {
  using T = TypeParam;
  const Tensor a = this->with(kMin<T>, -3);
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(abs(s, a).template data<T>()[5], kMin<T>);
    EXPECT_EQ(neg(s, a).template data<T>()[5], kMin<T>);
    EXPECT_EQ(abs(s, a).template data<T>()[6], 3);
  });
}

// DT-02
TYPED_TEST(IntegerCases, RemainderTakesTheSignOfTheDividendAndModulusOfTheDivisor) {
  using T = TypeParam;
  const Tensor a = Tensor::vector<T>({-4, -7, 7}), b = Tensor::vector<T>({10, 3, -3});
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(values<T>(rem(s, a, b)), (std::vector<T>{-4, -1, 1}));
    EXPECT_EQ(values<T>(floor_mod(s, a, b)), (std::vector<T>{6, 2, -2}));
  });
}

// DT-04
TEST(IntegerPowers, AreExactOrWrapAndRefuseNegativeExponents) {
  on_cpu([&](BackendSession& s) {
    const auto power = [&](std::int64_t base, std::int64_t exponent) {
      return pow(s, Tensor::scalar(base), Tensor::scalar(exponent)).item().get<std::int64_t>();
    };
    EXPECT_EQ(power(0, 0), 1);
    EXPECT_EQ(power(3, 39), 4052555153018976267);
    EXPECT_EQ(power(3, 40), static_cast<std::int64_t>(12157665459056928801ULL));  // modulo 2^64
    EXPECT_EQ(power(-2, 63), kMin<std::int64_t>);
    refusal_of<BadElement>([&] { power(2, -1); });
    refusal_of<BadElement>([&] { power(1, -1); });
    refusal_of<BadElement>([&] { power(0, -1); });
    const Tensor zero = Tensor::scalar(std::complex<double>(0, 0));
    EXPECT_EQ(pow(s, zero, zero).item().get<std::complex<double>>(), std::complex<double>(1, 0));
  });
}

// DT-07
TEST(IntegerSums, KeepTheirDtypeAndWrapSoThatWideningIsExplicit) {
  const Tensor edge = Tensor::vector<std::int32_t>({kMax<std::int32_t>, 1});
  const Tensor truths = Tensor::ones(DType::boolean, {5000});
  on_cpu([&](BackendSession& s) {
    EXPECT_EQ(reduce_sum(s, edge).item().get<std::int32_t>(), kMin<std::int32_t>);
    EXPECT_EQ(reduce_sum(s, convert(s, edge, DType::i64)).item().get<std::int64_t>(), 2147483648);
    EXPECT_EQ(refusal_of<UnsupportedDType>([&] { reduce_sum(s, truths); }).got, DType::boolean);
    EXPECT_EQ(reduce_sum(s, convert(s, truths, DType::i32)).item().get<std::int32_t>(), 5000);
  });
}

}  // namespace
}  // namespace tenferro::testing
