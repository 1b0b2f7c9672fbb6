// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <tenferro/io/npz.hpp>

int main() {
  using namespace tenferro;
  write_npz("component.npz", {{"x", Tensor::vector({1., 2.})}}, {.compress = true});
  const double got = NpzFile("component.npz").read("x").at<double>({1});
  std::remove("component.npz");
  return got == 2.0 ? 0 : 1;
}
