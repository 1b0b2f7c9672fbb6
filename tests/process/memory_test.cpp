// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory of a process that runs for long: it stays flat, caches are bounded, and it is given back on request.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Bytes of this process that are in memory. Fails the test if the system does not say.
std::int64_t resident(const char* path = "/proc/self/status") {
  std::ifstream status(path);
  std::string word;
  while (status >> word) {
    if (word != "VmRSS:") continue;
    std::int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  ADD_FAILURE() << "no VmRSS in " << path;
  return -1;
}

TEST(Memory, CannotBeJudgedWhereTheSystemDoesNotSayHowMuchThereIs) {
  EXPECT_NONFATAL_FAILURE(resident("/proc/self/nothing"), "no VmRSS");
  EXPECT_NONFATAL_FAILURE(resident("/proc/self/cmdline"), "no VmRSS");
  EXPECT_GT(resident(), kMiB / 4);
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

// Pitfall 23.
TEST(Memory, OperationsThatFailGiveBackWhatTheyTook) {
  CpuBackend cpu;
  const Tensor x = Tensor::vector<std::int32_t>({1, 2, 3}), zero = Tensor::vector<std::int32_t>({1, 0, 1});
  const Tensor beyond = Tensor::vector<std::int64_t>({0, 3});
  const auto fail = [&] {
    cpu.with_session([&](BackendSession& s) {
      const Tensor sum = add(s, x, x);
      EXPECT_THROW(div(s, sum, zero), OpError);
      EXPECT_THROW(take_axis(s, sum, beyond, 0), OpError);
      EXPECT_THROW(einsum(s, "i,i->", {sum, beyond}), Error);
    });
  };
  fail();
  const auto warm = cpu.stats().pool;
  EXPECT_EQ(warm.lent_blocks, 0U);
  for (int i = 0; i < 100; ++i) fail();
  EXPECT_EQ(cpu.stats().pool.lent_blocks, 0U);
  EXPECT_EQ(cpu.stats().pool.retained_bytes, warm.retained_bytes);
}

struct Plans final : BoundedCache<std::int64_t, EinsumPlan, 16> {};

// MEM-02, for plans that a scheduler keeps in the backend's caches.
TEST(Memory, CachedPlansAreBoundedAndMadeOnceWhileTheyAreKept) {
  CpuBackend::Options one;
  one.threads = 1;
  CpuBackend cpu(one);
  const Tensor x = Tensor::ones(DType::f64, {1000});
  int made = 0;
  const auto inner = [&](std::int64_t n) {
    return cpu.with_session_cached(nullptr, [&](BackendSession& s, SessionCaches& caches) {
      const TensorView part = x.view({range(0, n)});
      const EinsumPlan& plan = caches.of<Plans>().get(n, [&] {
        ++made;
        return EinsumPlan::prepare("i,i->", {part, part});
      });
      EXPECT_LE(caches.of<Plans>().size(), 16U);
      return plan.execute(s, {part, part});
    });
  };
  for (std::int64_t n = 1; n <= 1000; ++n) ASSERT_EQ(inner(n).item().get<double>(), static_cast<double>(n));
  EXPECT_EQ(made, 1000);
  for (int round = 0; round < 3; ++round) {
    for (std::int64_t n = 990; n <= 1000; ++n) inner(n);
  }
  EXPECT_EQ(made, 1000);
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
#ifdef __SANITIZE_ADDRESS__
  constexpr std::int64_t kShadow = 1024 / 8 * kMiB;  // a byte for eight of the peak, which stays
#else
  constexpr std::int64_t kShadow = 0;
#endif
  EXPECT_LE(resident(), before + 50 * kMiB + kShadow);
}

}  // namespace
}  // namespace tenferro
