// SPDX-License-Identifier: MIT OR Apache-2.0
// Views: parts of a tensor without a copy, for reading and for writing, and memory of your own.
#include <cstdio>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/tensor/compare.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;

int main() {
  Tensor x = Tensor::from_row_major<double>({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});

  // Memory runs down the columns; views show any part, in any direction.
  std::printf("%s\n", to_text(x.view({range(0, end, 2), all})).c_str());  // rows 0 and 2
  std::printf("%s\n", to_text(x.view({-1, all}).reversed({0})).c_str());  // the last row, backwards
  std::printf("%s\n", to_text(x.view().diagonal()).c_str());

  // Every operation takes views of any strides, and the _into forms write them.
  CpuBackend cpu;
  cpu.with_session([&](BackendSession& s) {
    const MutableTensorView column = x.mutable_view({all, 1});
    mul_into(s, column, column, 10.0);
  });
  std::printf("%s\n", to_text(x).c_str());

  // Row-major memory that somebody else owns is a view with row-major strides.
  const std::vector<double> rows = {1, 2, 3, 4, 5, 6};  // 2×3 as C lays it out
  const Layout layout{{2, 3}, row_major_strides(Shape{2, 3}), 0};
  const TensorView outside(reinterpret_cast<const std::byte*>(rows.data()), 6, DType::f64, layout);
  const Tensor gram = cpu.with_session([&](BackendSession& s) { return matmul(s, outside, outside.permuted({1, 0})); });
  std::printf("%s\n", to_text(gram).c_str());
  return x.at<double>({2, 1}) == 90 && equal_elements(gram, Tensor::matrix<double>({{14, 32}, {32, 77}})) ? 0 : 1;
}
