// SPDX-License-Identifier: MIT OR Apache-2.0
// Many threads call at once: everything is right, nothing hangs, and the number of threads stays within the setting.
#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/define_family.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/random.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/tensor/compare.hpp"

namespace tenferro {
namespace {

class ManyCallers : public ::testing::Test {
 protected:
  ManyCallers() { ::alarm(120); }  // a hang ends the program
  ~ManyCallers() override { ::alarm(0); }

  static CpuBackend backend_with(std::uint32_t threads) {
    CpuBackend::Options options;
    options.threads = threads;
    return CpuBackend(options);
  }
  static Tensor matrix(CpuBackend& cpu, std::int64_t n, std::int64_t seed) {
    return cpu.with_session([&](BackendSession& s) { return uniform(s, random_key(s, seed), {n, n}); });
  }
  /// f(number of the caller) on `n` threads at once.
  template <class F>
  static void on_threads(int n, F&& f) {
    std::vector<std::thread> callers;
    for (int i = 0; i < n; ++i) callers.emplace_back([&f, i] { f(i); });
    for (std::thread& caller : callers) caller.join();
  }
};

// THR-02
TEST_F(ManyCallers, SixtyFourThreadsGetTheRightSmallProducts) {
  CpuBackend cpu;
  const Tensor a = matrix(cpu, 24, 1), b = matrix(cpu, 24, 2);
  const Tensor expected = cpu.with_session([&](BackendSession& s) { return matmul(s, a, b); });
  std::atomic<int> right{0};
  on_threads(64, [&](int) {
    for (int i = 0; i < 200; ++i) {
      const Tensor c = cpu.with_session([&](BackendSession& s) { return matmul(s, a, b); });
      if (same_bits(c, expected)) right.fetch_add(1);
    }
  });
  EXPECT_EQ(right.load(), 64 * 200);
}

// THR-10
TEST_F(ManyCallers, ShareInputsAndPlans) {
  CpuBackend cpu = backend_with(2);
  const Tensor a = matrix(cpu, 48, 1), b = matrix(cpu, 48, 2);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk,kl->il", {a, b, a});
  const auto work = [&](BackendSession& s) {
    return reduce_sum(s, exp(s, mul(s, plan.execute(s, {a, b, a}), 1e-3)), 0);
  };
  const Tensor expected = cpu.with_session(work);
  std::atomic<int> right{0};
  on_threads(8, [&](int caller) {
    CpuBackend own = backend_with(1);
    CpuBackend& mine = caller % 2 == 0 ? cpu : own;
    for (int i = 0; i < 50; ++i) {
      if (same_bits(mine.with_session(work), expected)) right.fetch_add(1);
    }
  });
  EXPECT_EQ(right.load(), 8 * 50);
}

int live_threads() {
  int n = 0;
  DIR* folder = ::opendir("/proc/self/task");
  while (const dirent* entry = ::readdir(folder)) n += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(folder);
  return n;
}

/// The most threads that the process had beside those of before while f ran.
template <class F>
int most_more_threads(F&& f) {
  const int before = live_threads() + 1;  // the watcher itself
  std::atomic<int> peak{before};
  std::atomic<bool> stop{false};
  std::thread watch([&] {
    while (!stop.load()) {
      peak.store(std::max(peak.load(), live_threads()));
      ::usleep(200);
    }
  });
  f();
  stop.store(true);
  watch.join();
  return peak.load() - before;
}

// THR-06
TEST_F(ManyCallers, DoNotMultiplyThreads) {
  CpuBackend cpu = backend_with(2);
  const Tensor a = matrix(cpu, 500, 1), b = matrix(cpu, 500, 2);
  const int more = most_more_threads([&] {
    on_threads(8, [&](int) {
      for (int i = 0; i < 4; ++i) cpu.with_session([&](BackendSession& s) { matmul(s, a, b); });
    });
  });
  EXPECT_LE(more, 8 + 2) << "the callers and the helpers of one team";
}

// Pitfall 11.
TEST_F(ManyCallers, ABatchOfProductsHasOneLevelOfThreads) {
  CpuBackend cpu = backend_with(3);
  const int more = most_more_threads([&] {
    cpu.with_session([&](BackendSession& s) {
      const Tensor batch = uniform(s, random_key(s, 3), {96, 96, 64});
      for (int i = 0; i < 20; ++i) einsum(s, "ijb,jkb->ikb", {batch, batch});
    });
  });
  EXPECT_LE(more, 2) << "helpers beside the caller";
}

// A family whose kernel runs a callback on every lane.
enum class CallbackOp : std::uint16_t { call };
struct Callback {
  void (*run)(void*);
  void* argument;
};
OpFailure same_as_operand(const Op&, std::span<const MetaView> in, std::span<TensorMeta> out) {
  out[0] = {in[0].dtype, Shape(in[0].shape)};
  return nullptr;
}
void call_on_lanes(KernelContext& context, const Op& op, std::span<const TensorRead>, std::span<const TensorWrite>) {
  const auto callback = std::get<ExtensionAttrs>(op.attrs).get<Callback>();
  context.parallel_for(8, 1e6, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) callback.run(callback.argument);
  });
}
constexpr KernelFn kCallbackKernels[] = {call_on_lanes};
constexpr ExtensionOp kCallbackRows[] = {{"call", "Runs a callback on every lane.", 1, 1, same_as_operand, {}}};
const ExtensionFamily kCallbackFamily{"callback", kCallbackRows,
                                      [](BackendKind) { return std::span<const KernelFn>(kCallbackKernels); }};

// THR-04
TEST_F(ManyCallers, NestedEntryFromALaneIsATypedErrorAndNeverWaits) {
  struct Attempts {
    CpuBackend cpu = backend_with(3), other;
    std::atomic<int> refused{0}, ran{0};
    static void run(void* self) {
      auto& attempts = *static_cast<Attempts*>(self);
      for (CpuBackend* backend : {&attempts.cpu, &attempts.other}) {
        const auto result = backend->try_with_session([&](BackendSession&) { attempts.ran.fetch_add(1); });
        if (!result && result.error().kind == SessionEntryKind::reentered) attempts.refused.fetch_add(1);
      }
    }
  } attempts;
  const Tensor x = Tensor::ones(DType::f64, {3});
  const Op call = family_op(kCallbackFamily, CallbackOp::call, Callback{Attempts::run, &attempts});
  std::atomic<bool> done{false};
  std::thread independent([&] {
    CpuBackend own;
    own.with_session([&](BackendSession& s) { exp(s, x); });
    done.store(true);
  });
  attempts.cpu.with_session([&](BackendSession& s) {
    for (int i = 0; i < 20; ++i) bind1(s, call, TensorRead(x));
  });
  independent.join();
  EXPECT_TRUE(done.load());
  EXPECT_EQ(attempts.ran.load(), 0);
  EXPECT_EQ(attempts.refused.load(), 2 * 8 * 20);
  attempts.cpu.with_session([&](BackendSession& s) { exp(s, x); });
}

// THR-08
TEST_F(ManyCallers, TheNumberOfThreadsChangesNoBit) {
  CpuBackend one = backend_with(1);
  const Tensor a =
      one.with_session([](BackendSession& s) { return normal(s, random_key(s, 1), {64, 444}, DType::f32); });
  const Tensor b =
      one.with_session([](BackendSession& s) { return normal(s, random_key(s, 2), {444, 56}, DType::f32); });
  const Tensor long_vector =
      one.with_session([](BackendSession& s) { return normal(s, random_key(s, 3), {1000000}, DType::f32); });
  const EinsumPlan plan =
      EinsumPlan::prepare("ij,jk,ik->j", {a, b, one.with_session([&](BackendSession& s) { return matmul(s, a, b); })});
  const auto work = [&](BackendSession& s) {
    std::vector<Tensor> results;
    results.push_back(matmul(s, a, b));
    results.push_back(reduce_sum(s, long_vector));
    results.push_back(plan.execute(s, {a, b, results[0]}));
    return results;
  };
  const std::vector<Tensor> expected = one.with_session(work);
  for (const std::uint32_t threads : {2U, 3U, 8U}) {
    CpuBackend many = backend_with(threads);
    const std::vector<Tensor> got = many.with_session(work);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(same_bits(got[i], expected[i])) << threads << ' ' << i;
  }
}

}  // namespace
}  // namespace tenferro
