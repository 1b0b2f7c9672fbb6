// SPDX-License-Identifier: MIT OR Apache-2.0
// NumPy's files: what t.at({i, j}) is here is a[i, j] there.
#include <cstdio>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/io/npy.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/tensor/compare.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;

int main() {
  const char* path = "example_03.npy";
  const Tensor x = Tensor::matrix<double>({{1, 4, 9}, {16, 25, 36}});
  write_npy(path, x);  // appears whole or not at all

  CpuBackend cpu;
  const Tensor root = cpu.with_session([&](BackendSession& s) { return sqrt(s, read_npy(path)); });
  std::printf("%s\n", to_text(root).c_str());

  write_npy(path, root.view().permuted({1, 0}));  // views are written as what they show
  const Tensor back = read_npy(path);
  std::remove(path);

  // What cannot be read is a typed error that names the file.
  bool refused = false;
  try {
    read_npy("no such file.npy");
  } catch (const IoError& error) {
    refused = true;
    std::printf("%s\n", error.what());
  }
  return refused && equal_elements(back, root.view().permuted({1, 0})) ? 0 : 1;
}
