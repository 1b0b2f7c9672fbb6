// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstdio>
#include <tenferro/base/version.hpp>
#include <tenferro/cpu/cpu_backend.hpp>
#include <tenferro/einsum/einsum.hpp>

int main() {
  using namespace tenferro;
  const Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}});
  CpuBackend cpu;
  const Tensor c = cpu.with_session([&](BackendSession& s) { return einsum(s, "ij,jk->ik", {a, a}); });
  std::printf("tenferro %s: %g\n", kVersion, c.at<double>({1, 1}));

  // A typed error that a library threw is caught by its type here.
  bool caught = false;
  try {
    cpu.with_session([&](BackendSession& s) { return einsum(s, "ij,jk->iq", {a, a}); });
  } catch (const NotationError& error) {
    caught = std::holds_alternative<UnknownOutputLabel>(error.info());
  }
  return c.at<double>({1, 1}) == 22.0 && caught ? 0 : 1;
}
