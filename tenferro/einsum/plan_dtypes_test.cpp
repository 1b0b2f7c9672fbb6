// SPDX-License-Identifier: MIT OR Apache-2.0

// Contractions of every dtype on the CPU, against plain loops.

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "tenferro/einsum/einsum.hpp"
#include "tests/support/loop_einsum.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro {
namespace {

using testing::LoopArray;

template <class T>
class EinsumDTypes : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(EinsumDTypes, Numbers);

// Small whole numbers, with an imaginary part where there is one: every order of summation gives the same bits.
template <class T>
LoopArray<T> whole_numbers(std::vector<std::int64_t> shape, unsigned seed) {
  std::mt19937 random(seed);
  LoopArray<T> array(std::move(shape));
  for (T& value : array.data) {
    const auto draw = [&] { return static_cast<int>(random() % 9) - 4; };
    if constexpr (requires { value.imag(); }) {
      const auto re = static_cast<typename T::value_type>(draw());
      value = T(re, static_cast<typename T::value_type>(draw()));
    } else {
      value = static_cast<T>(draw());
    }
  }
  return array;
}

template <class T>
TypedTensor<T> tensor(const LoopArray<T>& array) {
  return TypedTensor<T>::from_col_major(Shape(DimsView(array.shape)), std::span<const T>(array.data));
}

template <class T>
std::vector<T> values(const Tensor& x) {
  return col_major_values<T>(x);
}

TYPED_TEST(EinsumDTypes, MatrixProductBatchAndTrace) {
  using T = TypeParam;
  const auto a = whole_numbers<T>({3, 4, 2}, 1);
  const auto b = whole_numbers<T>({4, 5, 2}, 2);
  const auto expected = testing::loop_einsum<T, char>({{'i', 'j', 'b'}, {'j', 'k', 'b'}}, {a, b}, {'k', 'i', 'b'});
  testing::on_cpu([&](BackendSession& s) {
    const TypedTensor<T> typed_result = einsum(s, "ijb,jkb->kib", tensor(a), tensor(b));
    EXPECT_EQ(values<T>(typed_result), expected.data);
    const auto square = whole_numbers<T>({4, 4}, 3);
    const auto trace = testing::loop_einsum<T, char>({{'i', 'i'}}, {square}, {});
    EXPECT_EQ(values<T>(einsum(s, "ii->", tensor(square))), trace.data);
  });
}

TYPED_TEST(EinsumDTypes, ThreeOperandsAccumulateIntoAView) {
  using T = TypeParam;
  const auto a = whole_numbers<T>({3, 2}, 4);
  const auto b = whole_numbers<T>({2, 4}, 5);
  const auto c = whole_numbers<T>({2}, 6);
  const auto expected = testing::loop_einsum<T, char>({{'i', 'j'}, {'j', 'k'}, {'j'}}, {a, b, c}, {'i', 'k'});
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk,j->ik", dtype_of<T>, {{3, 2}, {2, 4}, {2}});
  Tensor memory = Tensor::full({4, 3}, T(7));
  testing::on_cpu([&](BackendSession& s) {
    plan.execute_into_accum(s, {tensor(a), tensor(b), tensor(c)}, memory.mutable_view().permuted({1, 0}), T(2), T(3));
  });
  std::vector<T> wanted;
  for (const T& value : expected.data) wanted.push_back(static_cast<T>(T(2) * value + T(21)));
  EXPECT_EQ(col_major_values<T>(memory.view().permuted({1, 0})), wanted);
}

TYPED_TEST(EinsumDTypes, BetaZeroDoesNotReadTheOutput) {
  using T = TypeParam;
  if constexpr (!std::is_integral_v<T>) {
    const auto a = whole_numbers<T>({3, 3}, 8);
    for (const char* text : {"ij,jk->ik", "ij,ij->ij", "ij,jk->kik"}) {
      const EinsumPlan plan = EinsumPlan::prepare(text, dtype_of<T>, {{3, 3}, {3, 3}});
      testing::on_cpu([&](BackendSession& s) {
        Tensor out = Tensor::full(plan.result().shape, T(std::numeric_limits<float>::quiet_NaN()));
        plan.execute_into_accum(s, {tensor(a), tensor(a)}, out, T(1), T(0));
        EXPECT_EQ(values<T>(out), values<T>(plan.execute(s, {tensor(a), tensor(a)}))) << text;
      });
    }
  }
}

TEST(EinsumPrecision, LongSumsOfSinglesStayAccurate) {  // EIN-31
  const std::int64_t n = std::int64_t{1} << 25;
  const Tensor ones = Tensor::ones(DType::f32, {n});
  testing::on_cpu([&](BackendSession& s) {
    EXPECT_NEAR(einsum(s, "i,i->", {ones, ones}).item().to<double>() / 33554432.0, 1.0, 1e-6);
    EXPECT_NEAR(einsum(s, "i->", {ones}).item().to<double>() / 33554432.0, 1.0, 1e-6);
  });
}

TEST(EinsumPrecision, IntegersAreSummedAsIntegers) {  // EIN-31
  const auto a = TypedTensor<std::int32_t>::matrix({{-3, -3}, {-3, -3}});
  const auto b = TypedTensor<std::int32_t>::vector({1, 1});
  testing::on_cpu([&](BackendSession& s) { EXPECT_EQ(einsum(s, "ij,i->", a, b)(), -12); });
}

TEST(EinsumPrecision, EveryWidthOfAVectorReduction) {  // EIN-33
  testing::on_cpu([&](BackendSession& s) {
    const auto a = TypedTensor<double>::matrix({{1, 2}, {3, 4}});
    const auto w = TypedTensor<double>::vector({1, 10});
    EXPECT_EQ(values<double>(einsum(s, "ij,i->j", a, w)), (std::vector<double>{31, 42}));
    for (std::int64_t n = 1; n <= 17; ++n) {
      LoopArray<double> m({n, n});
      LoopArray<double> v({n});
      for (std::int64_t i = 0; i < n; ++i) {
        v.at({i}) = static_cast<double>(i + 1);
        for (std::int64_t j = 0; j < n; ++j) m.at({i, j}) = static_cast<double>(i + 2 * j);
      }
      const auto expected = testing::loop_einsum<double, char>({{'i', 'j'}, {'i'}}, {m, v}, {'j'});
      EXPECT_EQ(values<double>(einsum(s, "ij,i->j", tensor(m), tensor(v))), expected.data) << n;
    }
  });
}

TEST(EinsumPrecision, BatchedProductsInBothPrecisions) {  // EIN-37
  const auto a = testing::sequence<float>({2, 3, 4});
  const auto b = testing::sequence<float>({2, 4, 5});
  testing::on_cpu([&](BackendSession& s) {
    const TypedTensor<float> result = einsum(s, "bmk,bkn->bmn", tensor(a), tensor(b));
    float sum = 0;
    for (const float value : result) sum += value;
    EXPECT_EQ(sum, 34860.0F);
    EXPECT_EQ(result(1, 2, 4), 2734.0F);
  });
}

TEST(EinsumPromotion, MixedOperandsBecomeWhatTheyPromoteTo) {
  const Tensor a = Tensor::vector<std::int32_t>({1, 2, 3});
  const Tensor b = Tensor::vector<float>({0.5F, 0.25F, 2.0F});
  const Tensor c = Tensor::vector<std::complex<float>>({{0, 1}, {0, 1}, {0, 1}});
  testing::on_cpu([&](BackendSession& s) {
    const Tensor dot = einsum(s, "i,i->", {a, b});
    EXPECT_EQ(dot.item(), Scalar(7.0));
    EXPECT_EQ(einsum(s, "i,i,i->", {a, b, c}).item(), Scalar(std::complex<double>(0, 7)));
    EXPECT_EQ(tensordot(s, a, b, {0}, {0}).item(), Scalar(7.0));
    const Tensor flags = Tensor::vector({true, false, true});
    EXPECT_EQ(einsum(s, "i,i->", {a, flags}).item(), Scalar(std::int32_t{4}));
    EXPECT_EQ(einsum(s, "i->i", {flags}).dtype(), DType::boolean);
    EXPECT_THROW(einsum(s, "i->", {flags}), OpError);
  });
}

TEST(EinsumPromotion, ConvertedOperandsAreCountedInThePeak) {
  const Shape large{100, 100};
  const Shape small{100};
  const std::vector<MetaView> metas{{DType::f32, large}, {DType::f64, small}};
  EXPECT_EQ(EinsumPlan::prepare("ij,j->i", metas).cost().peak_bytes, 8 * (10000 + 100));
}

}  // namespace
}  // namespace tenferro
