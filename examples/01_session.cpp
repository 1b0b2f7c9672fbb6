// SPDX-License-Identifier: MIT OR Apache-2.0
// Sessions: one entry carries any number of operations.
#include <cstdio>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;

int main() {
  CpuBackend cpu;  // all CPUs that the process may use; CpuBackend::Options says otherwise
  const Tensor x = Tensor::matrix<double>({{0, 1, 2}, {3, 4, 5}});
  const Tensor scale = Tensor::vector<double>({1, 10, 100});

  // Operands stretch by NumPy's rule, numbers take the dtype beside them, dtypes promote.
  const Tensor y = cpu.with_session([&](BackendSession& s) {
    const Tensor scaled = mul(s, x, scale);
    return add(s, scaled, 0.5);
  });
  std::printf("%s\n", to_text(y).c_str());

  // The same session may also reduce; -1 is the last axis, no axes are all of them.
  const auto [rows, total] = cpu.with_session(
      [&](BackendSession& s) { return std::pair(reduce_sum(s, y, -1), reduce_sum(s, y).item().get<double>()); });
  std::printf("%s\ntotal %g\n", to_text(rows).c_str(), total);

  // A refused call is a typed error, and the session serves on.
  bool refused = false;
  cpu.with_session([&](BackendSession& s) {
    try {
      add(s, x, Tensor::vector<double>({1, 2}));
    } catch (const OpError& error) {
      refused = std::holds_alternative<ShapeMismatch>(error.info());
      std::printf("%s\n", error.what());
    }
  });

  // Many sessions, one admission.
  cpu.with_execution_scope([&] {
    for (int i = 0; i < 16; ++i) cpu.with_session([&](BackendSession& s) { exp(s, x); });
  });
  return refused && total == 753 + 3 ? 0 : 1;
}
