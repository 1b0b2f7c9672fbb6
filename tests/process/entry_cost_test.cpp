// SPDX-License-Identifier: MIT OR Apache-2.0
// Pitfall 33: an entry that has been made before allocates nothing and makes no system call. Allocations are counted by
// replacing the global operators, system calls by tracing a child.
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/execution_scope.hpp"
#include "tenferro/cpu/session_entry.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"
#include "tenferro/ops/softmax.hpp"

namespace {
std::atomic<long> allocations{0};
void* counted(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void* counted(std::size_t bytes, std::align_val_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void* operator new(std::size_t bytes, std::align_val_t a) { return counted(bytes, a); }
void* operator new[](std::size_t bytes, std::align_val_t a) { return counted(bytes, a); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace tenferro {
namespace {

// What a program does again and again: sessions, a scope with sessions, refused entries, pooled blocks, results freed
// outside sessions, a short loop.
struct Workload {
  explicit Workload(AdmissionClass admission) : engine(options(admission)) {}
  static CpuDomainOptions options(AdmissionClass admission) {
    CpuDomainOptions o;
    o.admission = admission;
    return o;
  }
  void once() {
    for (int i = 0; i < 10; ++i) {
      Buffer result;
      {
        const CpuEntry entry(engine);
        UninitializedBlock scratch(entry.pool(), 5000);
        UninitializedBlock out(entry.pool(), 64);
        engine.parallel_for(8, 1.0, [](std::int64_t, std::int64_t) {});
        const CpuEntry refused(engine);
        entered += entry && !refused ? 1 : 0;
        result = std::move(out).commit();
      }
    }
    const ExecutionScope scope(engine);
    for (int i = 0; i < 10; ++i) entered += CpuEntry(engine) ? 1 : 0;
  }
  CpuEngine engine;
  int entered = 0;
};

struct EntryCost : ::testing::TestWithParam<AdmissionClass> {};
INSTANTIATE_TEST_SUITE_P(AllClasses, EntryCost,
                         ::testing::Values(AdmissionClass::shared, AdmissionClass::exclusive,
                                           AdmissionClass::provider_exclusive));

TEST_P(EntryCost, NothingIsAllocatedOnceWarm) {
  Workload work(GetParam());
  work.once();
  work.once();
  const std::uint64_t misses = work.engine.stats().pool.misses;
  const long before = allocations.load();
  for (int i = 0; i < 100; ++i) work.once();
  EXPECT_EQ(allocations.load(), before);
  EXPECT_EQ(work.engine.stats().pool.misses, misses);
  EXPECT_EQ(work.entered, 102 * 20);
}

// A traced child that stops before it calls getppid, runs the body and calls getppid again; -1 if it cannot be traced.
pid_t traced_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(3);
    ::raise(SIGSTOP);
    ::syscall(SYS_getppid);
    body();
    ::syscall(SYS_getppid);
    ::_exit(0);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  return child;
}

// System calls that a child makes between two calls of getppid, or -1 if it cannot be traced or fails.
long system_calls_of(const std::function<void()>& body) {
  const pid_t child = traced_child(body);
  if (child < 0) return -1;
  int status = 0;
  long stops_between = 0;
  int markers = 0;
  bool entering = true;
  for (;;) {
    if (::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) return -1;
    if (::waitpid(child, &status, 0) != child) return -1;
    if (WIFEXITED(status)) break;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
    if (entering) {
      __ptrace_syscall_info info{};
      ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
      if (info.entry.nr == SYS_getppid) {
        ++markers;
      } else if (markers == 1) {
        ++stops_between;
      }
    }
    entering = !entering;
  }
  return markers == 2 && WEXITSTATUS(status) == 0 ? stops_between : -1;
}

TEST_P(EntryCost, NoSystemCallIsMadeOnceWarm) {
  Workload work(GetParam());
  work.once();
  const auto steady = [&] {
    for (int i = 0; i < 100; ++i) work.once();
  };
  EXPECT_EQ(system_calls_of(steady), 0);
  // The tracer sees system calls at all.
  EXPECT_EQ(system_calls_of([] { ::syscall(SYS_getuid); }), 1);
}

#if defined(__x86_64__)
// Instructions that a child executes between two calls of getppid, or -1 if it cannot be traced or fails.
long instructions_of(const std::function<void()>& body) {
  const pid_t child = traced_child(body);
  if (child < 0) return -1;
  int status = 0;
  const auto run_to_marker = [&] {
    // Two stops a call: in and out.
    for (int stops = 0; stops < 2; ++stops) {
      if (::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) return false;
      if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return false;
    }
    return true;
  };
  if (!run_to_marker()) return -1;
  long steps = 0;
  for (bool ended = false; !ended; ++steps) {
    if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return -1;
    if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    user_regs_struct registers{};
    iovec area{&registers, sizeof registers};
    if (::ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &area) != 0) return -1;
    const long word = ::ptrace(PTRACE_PEEKTEXT, child, registers.rip, nullptr);
    ended = (word & 0xFFFF) == 0x050F && registers.rax == SYS_getppid;
  }
  ::ptrace(PTRACE_KILL, child, nullptr, nullptr);
  ::waitpid(child, &status, 0);
  return steps;
}

TEST(EntryCostPitfall, TheCacheAwareFormCostsThePlainOneNothing) {
  CpuBackend cpu;
  const auto plain = [&] { cpu.with_session([](BackendSession&) {}); };
  const auto cached = [&] { cpu.with_session_cached(nullptr, [](BackendSession&, SessionCaches&) {}); };
  // The same steps without the form: what a plain entry cannot do without.
  const auto bare = [&] {
    CpuEntry entry(cpu.engine());
    if (entry) CpuSession session(entry);
  };
  for (int i = 0; i < 2; ++i) {
    plain();
    cached();
    bare();
  }
  const long of_plain = instructions_of(plain);
  ASSERT_GT(of_plain, 0);
  EXPECT_EQ(instructions_of(plain), of_plain) << "counts are exact";
  // Calls that optimisation would remove, and what sanitizers add to each, would count here.
#if defined(NDEBUG) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(of_plain, instructions_of(bare) + 16);
  EXPECT_LE(instructions_of(cached), of_plain + 16);
  EXPECT_LE(of_plain, 250);
#endif
}

#endif

// Pitfall 34: an operation inside a session enters no other, whatever it is made of. (The sources are searched for
// hidden entries by tools/check_session_entries.py.)
TEST(EntryCostPitfall, AChainOfOperationsInOneSessionIsOneEntry) {
  CpuBackend cpu;
  const Tensor a = Tensor::ones(DType::f64, {6, 6}), b = Tensor::ones(DType::f64, {6, 6});
  const auto chain = [&](BackendSession& s) {
    Tensor x = matmul(s, add(s, a, b), exp(s, b));
    x = softmax(s, sort(s, cumsum(s, x, 0), 0), 0);
    x = einsum(s, "ij,jk,kl->il", {x, a, b});
    x = tensordot(s, x, b, {1}, {0});
    return reduce_sum(s, where_select(s, Tensor::full({6, 6}, true), x, a));
  };
  cpu.with_session(chain);
  EXPECT_EQ(cpu.stats().sessions, 1u);
  EXPECT_EQ(cpu.stats().admissions(), 1u);
}

TEST(EntryCostPitfall, ARegionOfTheTeamAllocatesNothingOnceWarm) {
  const std::shared_ptr<Team> team = Team::for_set(CpuSet::affinity_of_this_thread());
  team->set_tuning(0, 1e9);
  const auto region = [&] { team->run(16, 1e9, 3, [](std::uint32_t) {}); };
  while (team->helper_count() < 2) region();
  const long before = allocations.load();
  for (int i = 0; i < 100; ++i) region();
  EXPECT_EQ(allocations.load(), before);
}

}  // namespace
}  // namespace tenferro
