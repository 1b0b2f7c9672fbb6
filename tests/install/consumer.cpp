// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <tenferro/base/version.hpp>
#include <tenferro/tensor/tensor.hpp>

int main() {
  const tenferro::Tensor a = tenferro::Tensor::eye(tenferro::DType::f64, 3);
  std::printf("tenferro %s\n", tenferro::kVersion);
  return a.at<double>({1, 1}) == 1.0 ? 0 : 1;
}
