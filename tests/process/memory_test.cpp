// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory of a process that runs for long: it stays flat, caches are bounded, and it is given back on request.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Bytes of this process that are in memory.
std::int64_t resident() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmRSS:") continue;
    std::int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return -1;
}

// MEM-01
TEST(Memory, StaysFlatOverAHundredThousandSteps) {
  CpuBackend cpu;
  const Tensor x = Tensor::full({32}, 0.5);
  double total = 0;
  const auto steps = [&](int n) {
    for (int i = 0; i < n; ++i) {
      total +=
          cpu.with_session([&](BackendSession& s) { return reduce_sum(s, mul(s, exp(s, x), x)); }).item().get<double>();
    }
  };
  steps(2000);
  const std::int64_t before = resident();
  steps(100000);
  EXPECT_LE(resident() - before, 5 * kMiB);
  EXPECT_NEAR(total / 102000, 32 * 0.5 * std::exp(0.5), 1e-9);
}

// MEM-02
TEST(Memory, IsBoundedForInputsOfEveryLength) {
  CpuBackend cpu;
  const std::uint64_t cap = 8 * kMiB;
  cpu.set_pool_cap(cap);
  const Tensor x = Tensor::ones(DType::f64, {5000});
  for (std::int64_t n = 1; n <= 5000; ++n) {
    const TensorView part = x.view({range(0, n)});
    const double inner =
        cpu.with_session([&](BackendSession& s) { return einsum(s, "i,i->", {part, exp(s, sub(s, part, part))}); })
            .item()
            .get<double>();
    ASSERT_EQ(inner, static_cast<double>(n));
  }
  cpu.trim_pool();
  EXPECT_LE(cpu.stats().pool.retained_bytes, cap);
  EXPECT_EQ(cpu.stats().pool.lent_blocks, 0U);
  cpu.clear_pool();
  EXPECT_EQ(cpu.stats().pool.retained_bytes, 0U);
}

// MEM-06
TEST(Memory, IsGivenBackAfterAPeak) {
  CpuBackend cpu;
  const Tensor x = Tensor::zeros(DType::f64, {1 << 20});
  const std::int64_t before = resident();
  cpu.with_session([&](BackendSession& s) {
    std::vector<Tensor> kept;
    for (int i = 0; i < 128; ++i) kept.push_back(add(s, x, x));  // 8 MiB each
    EXPECT_GE(resident(), before + 1000 * kMiB);
  });
  cpu.clear_pool();
  EXPECT_LE(resident(), before + 50 * kMiB);
}

}  // namespace
}  // namespace tenferro
