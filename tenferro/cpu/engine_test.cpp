// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tenferro/cpu/session_entry.hpp"
#include "tests/support/executors.hpp"
#include "tests/support/thread_state.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::BrokenExecutor;

CpuDomainOptions external(DomainKind kind, std::shared_ptr<ExternalExecutor> executor) {
  CpuDomainOptions options;
  options.kind = kind;
  options.executor = std::move(executor);
  options.threads = 4;
  return options;
}

template <class Payload>
Payload rejection(CpuDomainOptions options) {
  const auto made = attempt<DomainErrorInfo>([&] { CpuDomain domain(std::move(options)); });
  EXPECT_FALSE(made.has_value());
  return std::get<Payload>(made.error());
}

TEST(CpuDomain, ContradictionsAreTypedErrors) {
  CpuDomainOptions no_cpus;
  no_cpus.cpus = CpuSet{};
  EXPECT_EQ(rejection<DomainRejected>(no_cpus).problem, DomainProblem::no_cpus);
  EXPECT_EQ(rejection<DomainRejected>(external(DomainKind::cooperative_external, nullptr)).problem,
            DomainProblem::executor_missing);
  EXPECT_EQ(rejection<DomainRejected>(external(DomainKind::managed, std::make_shared<testing::ThreadPerJob>())).problem,
            DomainProblem::executor_unexpected);
}

TEST(CpuDomain, ExternalDomainsRefuseProvidersTheyCannotHold) {
  CpuDomainOptions options = external(DomainKind::cooperative_external, std::make_shared<testing::ThreadPerJob>());
  options.provider = {"wild", ThreadControl::uncontrolled, ThreadPlacement::calling_thread, kModeSequential};
  EXPECT_EQ(rejection<ProviderRefused>(options), (ProviderRefused{"wild", ProviderProblem::count_not_enforceable}));
  options.provider = {"pool", ThreadControl::per_call_bound, ThreadPlacement::own_workers, kModeSequential};
  EXPECT_EQ(rejection<ProviderRefused>(options).problem, ProviderProblem::placement_not_enforceable);
  options.provider.modes = 0;
  EXPECT_EQ(rejection<ProviderRefused>(options).problem, ProviderProblem::mode_not_supported);
}

TEST(CpuDomain, AdmissionFollowsKindAndProvider) {
  CpuDomainOptions options;
  options.threads = 2;
  EXPECT_EQ(CpuDomain(options).request().admission, AdmissionClass::shared);
  options.provider = {"wild", ThreadControl::uncontrolled, ThreadPlacement::none, kModeSequential};
  EXPECT_EQ(CpuDomain(options).request().admission, AdmissionClass::provider_exclusive);
  options.provider = {"bounded", ThreadControl::per_call_bound, ThreadPlacement::own_workers, kModeSequential};
  EXPECT_EQ(CpuDomain(options).request().admission, AdmissionClass::provider_exclusive);
  options.threads = 1;
  EXPECT_EQ(CpuDomain(options).request().admission, AdmissionClass::shared);
  EXPECT_EQ(CpuDomain(external(DomainKind::cooperative_external, std::make_shared<testing::ThreadPerJob>()))
                .request()
                .admission,
            AdmissionClass::exclusive);
}

TEST(CpuDomain, ReportsWhetherTheThreadStaysInside) {
  std::thread([] {
    const CpuDomain whole{CpuDomainOptions{}};
    EXPECT_TRUE(whole.contains_this_thread());
    CpuDomainOptions one_cpu;
    for (std::uint32_t cpu = 0; !one_cpu.cpus; ++cpu) {
      if (whole.cpus().contains(cpu)) one_cpu.cpus = CpuSet{cpu};
    }
    const CpuDomain narrow(one_cpu);
    EXPECT_EQ(narrow.contains_this_thread(), whole.cpus().size() == 1);
    ASSERT_TRUE(narrow.cpus().bind_this_thread());
    EXPECT_TRUE(narrow.contains_this_thread());
  }).join();
}

TEST(Provider, AnUncontrolledOneIsRefusedInsideAFanOutBeforeItRuns) {
  const ProviderDeclaration wild{"wild", ThreadControl::uncontrolled, ThreadPlacement::none, kModeSequential};
  const ProviderDeclaration inner_only{"inner", ThreadControl::per_call_bound, ThreadPlacement::engine_workers,
                                       kModeSequential | kModeInner};
  const ProviderDeclaration ours;
  EXPECT_NO_THROW(require_usable_here(wild));
  EXPECT_TRUE(inner_work_allowed(inner_only));
  EXPECT_FALSE(inner_work_allowed(ours));
  CpuEngine engine(CpuDomainOptions{});
  engine.parallel_for(2, 1.0, [&](std::int64_t, std::int64_t) {
    const auto problem = [](const ProviderDeclaration& p) {
      return attempt<ProviderRefused>([&] { require_usable_here(p); }).error().problem;
    };
    EXPECT_EQ(problem(wild), ProviderProblem::count_not_enforceable);
    EXPECT_EQ(problem(inner_only), ProviderProblem::mode_not_supported);
    EXPECT_NO_THROW(require_usable_here(ours));
    EXPECT_FALSE(inner_work_allowed(inner_only));
    EXPECT_EQ(engine.lanes(), 1u);
  });
}

TEST(CpuEngine, ABusyCallerManagedDomainRefusesWithoutWaiting) {
  CpuEngine engine(external(DomainKind::caller_managed_external, std::make_shared<testing::ThreadPerJob>()));
  CpuEngine other(external(DomainKind::caller_managed_external, std::make_shared<testing::ThreadPerJob>()));
  {
    const CpuEntry entry(engine);
    ASSERT_TRUE(entry);
    EXPECT_TRUE(process_arbiter().is_idle());
    std::thread([&] {
      const CpuEntry second(engine);
      ASSERT_FALSE(second);
      EXPECT_EQ(second.error().kind, SessionEntryKind::contended);
      EXPECT_TRUE(CpuEntry(other));
    }).join();
    const CpuEntry nested(engine);
    ASSERT_FALSE(nested);
    EXPECT_EQ(nested.error().kind, SessionEntryKind::reentered);
  }
  EXPECT_TRUE(CpuEntry(engine));
  EXPECT_TRUE(testing::thread_is_clear());
}

TEST(CpuEngine, AnExternalExecutorRunsEveryRangeAndItsLanesCannotEnter) {
  auto executor = std::make_shared<testing::ThreadPerJob>();
  CpuEngine engine(external(DomainKind::cooperative_external, executor));
  const CpuEntry entry(engine);
  std::vector<std::atomic<int>> seen(1000);
  std::atomic<int> entered{0};
  engine.parallel_for(1000, 100.0, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) seen[static_cast<std::size_t>(i)].fetch_add(1);
    if (CpuEntry(engine)) entered.fetch_add(1);
    engine.parallel_for(100, 1000.0, [](std::int64_t, std::int64_t) {});
  });
  for (const std::atomic<int>& s : seen) ASSERT_EQ(s.load(), 1);
  EXPECT_EQ(entered.load(), 0);
  EXPECT_EQ(executor->calls, 1);
  EXPECT_EQ(engine.stats().external_runs, 1u);
}

TEST(CpuEngine, SchedulingViolationsOfAnExecutorAreTypedErrors) {
  const auto problem = [](BrokenExecutor::Way way) {
    CpuEngine engine(external(DomainKind::cooperative_external, std::make_shared<BrokenExecutor>(way)));
    const CpuEntry entry(engine);
    return attempt<SchedulingViolation>([&] { engine.parallel_for(100, 1000.0, [](std::int64_t, std::int64_t) {}); })
        .error()
        .problem;
  };
  EXPECT_EQ(problem(BrokenExecutor::Way::skips_one), SchedulingProblem::not_run);
  EXPECT_EQ(problem(BrokenExecutor::Way::repeats_one), SchedulingProblem::run_twice);
  EXPECT_EQ(problem(BrokenExecutor::Way::invents_one), SchedulingProblem::index_out_of_range);
}

TEST(CpuEngine, AnExecutorThatFailsBeforeItRunsAnythingIsAnEntryError) {
  CpuEngine engine(external(DomainKind::cooperative_external,
                            std::make_shared<BrokenExecutor>(BrokenExecutor::Way::throws_at_once)));
  const CpuEntry entry(engine);
  const auto result =
      attempt<SessionEntryInfo>([&] { engine.parallel_for(100, 1000.0, [](std::int64_t, std::int64_t) {}); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, SessionEntryKind::executor);
}

TEST(CpuEngine, NoJobRunsAfterAnExecutorThatReturnedTooEarly) {
  for (const bool throws : {false, true}) {
    auto executor = std::make_shared<testing::EarlyExecutor>(throws);
    CpuEngine engine(external(DomainKind::cooperative_external, executor));
    const auto call = [&] {
      const CpuEntry entry(engine);
      std::vector<int> of_this_frame(64, 0);
      engine.parallel_for(64, 1000.0, [&](std::int64_t first, std::int64_t last) {
        std::this_thread::sleep_for(milliseconds(1));
        for (std::int64_t i = first; i < last; ++i) of_this_frame[static_cast<std::size_t>(i)] = 1;
      });
    };
    if (throws) {
      EXPECT_THROW(call(), std::runtime_error);
    } else {
      EXPECT_EQ(attempt<SchedulingViolation>(call).error().problem, SchedulingProblem::not_run);
    }
    executor->finish();
    EXPECT_TRUE(CpuEntry(engine));
  }
}

TEST(CpuEngine, AnExceptionInAnExternalJobReachesTheCaller) {
  CpuEngine engine(external(DomainKind::cooperative_external, std::make_shared<testing::ThreadPerJob>()));
  const CpuEntry entry(engine);
  EXPECT_THROW(engine.parallel_for(100, 1000.0, [](std::int64_t, std::int64_t) { throw std::runtime_error("job"); }),
               std::runtime_error);
  EXPECT_FALSE(internal::thread_record.lane);
}

// Pitfall 36.
TEST(CpuEngine, ManagementIsRefusedWhileASessionHasTheResources) {
  for (AdmissionClass admission : {AdmissionClass::shared, AdmissionClass::exclusive}) {
    CpuDomainOptions options;
    options.admission = admission;
    CpuEngine engine(options);
    const auto start = std::chrono::steady_clock::now();
    const auto manage = [&](bool allowed) {
      EXPECT_EQ(engine.trim().has_value(), allowed);
      EXPECT_EQ(engine.clear().has_value(), allowed);
      EXPECT_EQ(engine.set_pool_cap(1 << 20).has_value(), allowed);
      if (!allowed) {
        EXPECT_EQ(engine.trim().error(), ResourcesBusy{"cpu"});
      }
      EXPECT_GE(engine.stats().sessions, 1u);
    };
    {
      const CpuEntry entry(engine);
      manage(false);
      std::thread(manage, false).join();
      const Buffer works(entry.pool().acquire(100));
    }
    manage(true);
    std::thread(manage, true).join();
    EXPECT_EQ(engine.pool_cap(), 1u << 20);
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(2));
  }
}

TEST(CpuEngine, ManagementBesideSessionsNeverMakesOneFail) {
  CpuDomainOptions options;
  options.admission = AdmissionClass::exclusive;
  options.entry_deadline = seconds(60);
  CpuEngine engine(options);
  std::atomic<bool> stop{false};
  std::thread manager([&] {
    while (!stop.load()) static_cast<void>(engine.trim());
  });
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    const CpuEntry entry(engine);
    if (!entry) ++refused;
  }
  stop.store(true);
  manager.join();
  EXPECT_EQ(refused, 0);
}

struct CountedCache final : SessionCache {
  void clear() noexcept override { ++clears; }
  int uses = 0;
  int clears = 0;
};

TEST(CpuEngine, CachesStayWithTheResourcesAndAreClearedWithThem) {
  CpuDomainOptions options;
  options.admission = AdmissionClass::exclusive;
  CpuEngine engine(options);
  for (int round = 1; round <= 2; ++round) {
    const CpuEntry entry(engine);
    EXPECT_EQ(++entry.caches().of<CountedCache>().uses, round);
  }
  EXPECT_TRUE(engine.clear().has_value());
  const CpuEntry entry(engine);
  EXPECT_EQ(entry.caches().of<CountedCache>().clears, 1);
}

TEST(CpuEngine, MoreThreadsThanSlotsAllGetResources) {
  CpuEngine engine(CpuDomainOptions{});
  constexpr int kThreads = 40;
  for (int round = 0; round < 2; ++round) {
    std::atomic<int> inside{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        const CpuEntry entry(engine);
        ASSERT_TRUE(entry);
        const Buffer buffer(entry.pool().acquire(100));
        inside.fetch_add(1);
        while (inside.load() < kThreads) std::this_thread::yield();
      });
    }
    for (std::thread& t : threads) t.join();
  }
  // Whoever finds no free set while others change theirs makes one; the second round makes no second lot.
  EXPECT_GE(engine.stats().resource_sets, static_cast<std::uint64_t>(kThreads));
  EXPECT_LT(engine.stats().resource_sets, static_cast<std::uint64_t>(2 * kThreads));
  EXPECT_EQ(engine.stats().pool.lent_blocks, 0u);
  EXPECT_TRUE(engine.trim().has_value());
}

// Pitfall 29.
TEST(CpuEngine, TheMaskIsThatOfTheThreadAndTheTimeOfCreation) {
  std::thread([] {
    const CpuSet whole = CpuSet::affinity_of_this_thread();
    CpuSet one;
    for (std::uint32_t cpu = 0; one.empty(); ++cpu) {
      if (whole.contains(cpu)) one.insert(cpu);
    }
    ASSERT_TRUE(one.bind_this_thread());
    CpuEngine narrow(CpuDomainOptions{});
    ASSERT_TRUE(whole.bind_this_thread());
    CpuEngine wide(CpuDomainOptions{});
    EXPECT_EQ(narrow.domain().cpus(), one);
    EXPECT_EQ(narrow.domain().threads(), 1u);
    EXPECT_EQ(wide.domain().cpus(), whole);
  }).join();
}

}  // namespace
}  // namespace tenferro
