// SPDX-License-Identifier: MIT OR Apache-2.0
// Contractions in index notation: at once, and prepared.
#include <cstdio>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/tensor/compare.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;

int main() {
  CpuBackend cpu;
  const Tensor a = Tensor::matrix<double>({{1, 2}, {3, 4}}), b = Tensor::matrix<double>({{0, 1}, {1, 0}});
  const Tensor w = Tensor::vector<double>({1, -1});

  const Tensor product = cpu.with_session([&](BackendSession& s) { return einsum(s, "ij,jk->ik", {a, b}); });
  std::printf("%s\n", to_text(product).c_str());

  // A plan chooses the order once; it runs on any operands of its shapes, on any backend, from any thread.
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk,kl,l->i", {a, b, a, w});
  std::printf("%s\n", plan.to_text().c_str());
  Tensor out = Tensor::zeros(DType::f64, {2});
  cpu.with_session([&](BackendSession& s) {
    plan.execute_into(s, {a, b, a, w}, out);
    plan.execute_into_accum(s, {a, b, a, w}, out, 1.0, 1.0);  // once more on top
  });

  // Repeated labels are diagonals, `...` stands for the other axes, parentheses choose the order.
  const double trace = cpu.with_session([&](BackendSession& s) { return einsum(s, "ii->", {a}); }).item().get<double>();
  const Tensor by_hand =
      cpu.with_session([&](BackendSession& s) { return einsum(s, "(ij,jk),(kl,l)->i", {a, b, a, w}); });
  std::printf("trace %g\n%s\n", trace, to_text(by_hand).c_str());
  return trace == 5 && equal_elements(out, Tensor::vector<double>({-6, -14})) ? 0 : 1;
}
