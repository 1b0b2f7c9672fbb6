// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/tensor.hpp"

#include <gtest/gtest.h>

namespace tenferro {
namespace {

TEST(Tensor, RowMajorInputIsStoredColumnMajor) {
  const Tensor a = Tensor::from_row_major<double>({2, 3}, {0, 1, 2, 10, 11, 12});
  const auto data = a.data<double>();
  EXPECT_EQ(std::vector<double>(data.begin(), data.end()), (std::vector<double>{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{0, 1, 2, 10, 11, 12}));
}

TEST(Tensor, CopyOfReadsAnyStrides) {
  const Tensor a = Tensor::from_row_major<double>({2, 3}, {0, 1, 2, 10, 11, 12});
  const Tensor b = Tensor::copy_of(a.view({range(-1, end, -1), range(0, end, 2)}).permuted({1, 0}));
  EXPECT_EQ(b.shape(), (Shape{2, 2}));
  EXPECT_EQ(b.to_row_major<double>(), (std::vector<double>{10, 0, 12, 2}));
}

}  // namespace
}  // namespace tenferro
