// SPDX-License-Identifier: MIT OR Apache-2.0
#include <tenferro/tensor/print.hpp>
#include <tenferro/tensor/tensor.hpp>

int main() {
  using namespace tenferro;
  return to_text(Tensor::vector({1., 20.})).find("20") != std::string::npos ? 0 : 1;
}
