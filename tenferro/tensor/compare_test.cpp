// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/compare.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

TEST(Compare, EqualElementsGoesByIndexNotByMemory) {
  const Tensor a = Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}});
  const Tensor b = Tensor::matrix({{1., 4.}, {2., 5.}, {3., 6.}});
  EXPECT_TRUE(equal_elements(a, b.view().permuted({1, 0})));
  EXPECT_FALSE(equal_elements(a, a.view().reversed({0})));
  EXPECT_FALSE(equal_elements(a, b));
}

TEST(Compare, DtypeAndShapeMustAgree) {
  EXPECT_FALSE(equal_elements(Tensor::zeros<double>(2), Tensor::zeros<float>(2)));
  EXPECT_FALSE(equal_elements(Tensor::zeros<double>(2, 3), Tensor::zeros<double>(6)));
  EXPECT_FALSE(same_bits(Tensor::zeros<double>(0, 3), Tensor::zeros<double>(3, 0)));
  EXPECT_TRUE(equal_elements(Tensor::zeros<double>(0, 3), Tensor::zeros<double>(0, 3)));
}

TEST(Compare, NanAndSignedZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor a = Tensor::vector({nan, 0.0});
  EXPECT_FALSE(equal_elements(a, a));
  EXPECT_TRUE(same_bits(a, a.duplicate()));
  EXPECT_TRUE(equal_elements(Tensor::scalar(0.0), Tensor::scalar(-0.0)));
  EXPECT_FALSE(same_bits(Tensor::scalar(0.0), Tensor::scalar(-0.0)));
}

TEST(Compare, EveryDtype) {
  for (const DType d : kDTypes) {
    EXPECT_TRUE(equal_elements(Tensor::ones(d, {2, 2}), Tensor::ones(d, {2, 2}))) << name(d);
    EXPECT_FALSE(equal_elements(Tensor::ones(d, {2, 2}), Tensor::zeros(d, {2, 2}))) << name(d);
  }
}

}  // namespace
}  // namespace tenferro
