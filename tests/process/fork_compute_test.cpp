// SPDX-License-Identifier: MIT OR Apache-2.0
// A child computes large contractions after its parent did, alone and while other threads of the parent compute.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/random.hpp"
#include "tenferro/tensor/compare.hpp"

namespace tenferro {
namespace {

CpuBackend backend_with(std::uint32_t threads) {
  CpuBackend::Options options;
  options.threads = threads;
  return CpuBackend(options);
}

Tensor matrix(CpuBackend& cpu, std::int64_t seed) {
  return cpu.with_session([&](BackendSession& s) { return uniform(s, random_key(s, seed), {200, 200}); });
}

Tensor product(CpuBackend& cpu, const Tensor& a, const Tensor& b) {
  return cpu.with_session([&](BackendSession& s) { return matmul(s, a, b); });
}

/// Whether a child finds the same product, within 30 seconds.
bool child_agrees(CpuBackend& cpu, const Tensor& a, const Tensor& b, const Tensor& expected) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    bool agrees = true;
    for (int i = 0; i < 3; ++i) agrees = agrees && same_bits(product(cpu, a, b), expected);
    CpuBackend own = backend_with(2);
    agrees = agrees && same_bits(product(own, a, b), expected);
    ::_exit(agrees ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// THR-01
TEST(ForkAndCompute, TheChildGetsTheParentsProduct) {
  CpuBackend cpu = backend_with(2);
  const Tensor a = matrix(cpu, 1), b = matrix(cpu, 2);
  const Tensor expected = product(cpu, a, b);
  EXPECT_TRUE(child_agrees(cpu, a, b, expected));
  EXPECT_TRUE(same_bits(product(cpu, a, b), expected)) << "the parent computes on";
}

// THR-01
TEST(ForkAndCompute, AlsoWhileAnotherThreadOfTheParentComputes) {
  CpuBackend cpu = backend_with(2);
  const Tensor a = matrix(cpu, 1), b = matrix(cpu, 2);
  const Tensor expected = product(cpu, a, b);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    CpuBackend own = backend_with(2);
    while (!stop.load()) product(own, a, b);
  });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(child_agrees(cpu, a, b, expected));
  stop.store(true);
  busy.join();
}

}  // namespace
}  // namespace tenferro
