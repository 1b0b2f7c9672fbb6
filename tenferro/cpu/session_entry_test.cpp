// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/session_entry.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "tenferro/backend/entry_guard.hpp"
#include "tenferro/cpu/execution_scope.hpp"
#include "tests/support/handoff.hpp"
#include "tests/support/thread_state.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::thread_is_clear;

static_assert(!std::is_copy_constructible_v<CpuEntry> && !std::is_move_constructible_v<CpuEntry>);
static_assert(!std::is_copy_constructible_v<ExecutionScope> && !std::is_move_constructible_v<ExecutionScope>);

CpuDomainOptions with(AdmissionClass admission, std::chrono::nanoseconds deadline = seconds(5)) {
  CpuDomainOptions options;
  options.admission = admission;
  options.entry_deadline = deadline;
  return options;
}

CpuDomainOptions uncontrolled_provider() {
  CpuDomainOptions options;
  options.provider = {"threaded", ThreadControl::uncontrolled, ThreadPlacement::own_workers, kModeSequential};
  return options;
}

struct SessionEntry : ::testing::TestWithParam<AdmissionClass> {
  CpuEngine engine{with(GetParam())};
  void TearDown() override {
    EXPECT_TRUE(thread_is_clear());
    EXPECT_TRUE(process_arbiter().is_idle());
    EXPECT_TRUE(engine.trim().has_value()) << "a resource set is missing";
  }
};
INSTANTIATE_TEST_SUITE_P(AllClasses, SessionEntry,
                         ::testing::Values(AdmissionClass::shared, AdmissionClass::exclusive,
                                           AdmissionClass::provider_exclusive),
                         [](const auto& parameter) {
                           return parameter.param == AdmissionClass::shared      ? "Shared"
                                  : parameter.param == AdmissionClass::exclusive ? "Exclusive"
                                                                                 : "ProviderExclusive";
                         });

TEST_P(SessionEntry, MarksTheThreadAndLendsResources) {
  const CpuEntry entry(engine);
  ASSERT_TRUE(entry);
  EXPECT_EQ(internal::thread_record.owner, &engine);
  EXPECT_EQ(internal::thread_record.session_pool, &entry.pool());
  EXPECT_TRUE(entry.is_usable_here());
}

TEST_P(SessionEntry, CountsEntriesAndAdmissions) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(CpuEntry(engine));
  const EngineStats stats = engine.stats();
  EXPECT_EQ(stats.sessions, 10u);
  EXPECT_EQ(stats.direct_admissions, 10u);
  EXPECT_EQ(stats.queued_admissions, 0u);
  EXPECT_EQ(stats.resource_sets, 1u);
}

TEST_P(SessionEntry, TheSameResourcesComeBackToTheSameThread) {
  const std::byte* data = nullptr;
  {
    const CpuEntry entry(engine);
    const Buffer a(entry.pool().acquire(1000));
    data = a.data();
  }
  const CpuEntry entry(engine);
  const Buffer b(entry.pool().acquire(1000));
  EXPECT_EQ(b.data(), data);
}

// Pitfall 5, and the typed refusal of nested entry in every combination of classes.
TEST_P(SessionEntry, NestedEntryIsRefusedForEveryPairOfBackends) {
  CpuEngine shared(with(AdmissionClass::shared));
  CpuEngine exclusive(with(AdmissionClass::exclusive));
  CpuEngine provider(uncontrolled_provider());
  const auto start = steady_clock::now();
  {
    const CpuEntry outer(engine);
    ASSERT_TRUE(outer);
    for (CpuEngine* inner : {&engine, &shared, &exclusive, &provider}) {
      const CpuEntry nested(*inner);
      ASSERT_FALSE(nested);
      EXPECT_EQ(nested.error(), (SessionEntryInfo{SessionEntryKind::reentered, "cpu"}));
      EXPECT_FALSE(ExecutionScope(*inner));
    }
    const EntryGuard device("device");
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().kind, SessionEntryKind::reentered);
    // The outer session still works.
    const Buffer buffer(outer.pool().acquire(64));
    EXPECT_EQ(internal::thread_record.owner, &engine);
  }
  EXPECT_LT(steady_clock::now() - start, seconds(2));
}

TEST_P(SessionEntry, IsRefusedInsideASessionOfAnotherFamily) {
  const EntryGuard device("device");
  ASSERT_TRUE(device);
  const CpuEntry entry(engine);
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().kind, SessionEntryKind::reentered);
  EXPECT_EQ(engine.stats().sessions, 0u);
}

// Pitfall 3.
TEST_P(SessionEntry, EveryStateIsRestoredAfterAnException) {
  const auto from_closure = [&] {
    const CpuEntry entry(engine);
    throw std::runtime_error("closure");
  };
  const auto from_operation = [&] {
    const CpuEntry entry(engine);
    const UninitializedBlock out(entry.pool(), 100);
    throw std::runtime_error("operation");
  };
  const auto from_lane = [&] {
    const CpuEntry entry(engine);
    engine.team()->set_tuning(0, 0);
    engine.team()->run(8, 1e9, 4, [](std::uint32_t c) {
      if (c == 2) throw std::runtime_error("lane");
    });
  };
  const auto from_scope = [&] {
    const ExecutionScope scope(engine);
    throw std::runtime_error("scope");
  };
  const auto from_session_in_scope = [&] {
    const ExecutionScope scope(engine);
    EXPECT_THROW(from_closure(), std::runtime_error);
    EXPECT_FALSE(internal::thread_record.scope_loan);
    from_lane();
  };
  const std::vector<std::function<void()>> ways{from_closure, from_operation, from_lane, from_scope,
                                                from_session_in_scope};
  for (const auto& way : ways) {
    EXPECT_THROW(way(), std::runtime_error);
    EXPECT_TRUE(thread_is_clear());
    EXPECT_TRUE(process_arbiter().is_idle());
    EXPECT_TRUE(CpuEntry(engine));
  }
  EXPECT_EQ(engine.stats().pool.lent_blocks, 0u);
}

// Pitfall 10.
TEST_P(SessionEntry, ALaneCannotEnter) {
  std::atomic<int> wrong{0};
  std::atomic<int> asked{0};
  engine.team()->set_tuning(0, 20'000);
  for (int round = 0; round < 20; ++round) {
    const bool in_session = round % 2 == 0;
    std::optional<CpuEntry> entry;
    if (in_session) entry.emplace(engine);
    engine.team()->run(16, 1e9, 3, [&](std::uint32_t) {
      const CpuEntry nested(engine);
      asked.fetch_add(1);
      if (nested || nested.error().kind != SessionEntryKind::reentered) wrong.fetch_add(1);
      if (ExecutionScope(engine)) wrong.fetch_add(1);
    });
  }
  EXPECT_EQ(asked.load(), 320);
  EXPECT_EQ(wrong.load(), 0);
}

// Pitfall 10.
TEST_P(SessionEntry, AHelperWithoutARegionEntersOrIsRefusedAtOnce) {
  std::thread([&] {
    internal::thread_record.team_worker = true;
    EXPECT_TRUE(CpuEntry(engine));
  }).join();
  CpuEngine blocker(with(AdmissionClass::provider_exclusive));
  const CpuEntry held(blocker);
  std::thread([&] {
    internal::thread_record.team_worker = true;
    const auto start = steady_clock::now();
    const CpuEntry entry(engine);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().kind, SessionEntryKind::contended);
    EXPECT_LT(steady_clock::now() - start, seconds(2));
  }).join();
}

// Pitfall 4: the admission comes back after the resources, so the next entrant always finds them.
TEST_P(SessionEntry, AnotherThreadNeverFindsTheResourcesMissing) {
  CpuEngine hammered(with(GetParam(), seconds(60)));
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 4000; ++i) {
        if (!CpuEntry(hammered)) refused.fetch_add(1);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(refused.load(), 0);
  EXPECT_EQ(hammered.stats().sessions, 12'000u);
}

TEST_P(SessionEntry, PoisonIsATypedError) {
  process_arbiter().poison();
  {
    const CpuEntry entry(engine);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().kind, SessionEntryKind::resource_poisoned);
    const ExecutionScope scope(engine);
    ASSERT_FALSE(scope);
    EXPECT_EQ(std::get<SessionEntryInfo>(scope.error()).kind, SessionEntryKind::resource_poisoned);
  }
  process_arbiter().clear_poison_for_test();
}

// Pitfall 20.
TEST_P(SessionEntry, UseOnAnotherThreadIsDetected) {
  const CpuEntry entry(engine);
  EXPECT_TRUE(entry.is_usable_here());
  std::thread([&] {
    EXPECT_FALSE(entry.is_usable_here());
    EXPECT_EQ(entry.error_elsewhere().kind, SessionEntryKind::incompatible_context);
  }).join();
}

// A coroutine that runs until its first suspension when called.
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Task suspended_session(CpuEngine& engine, bool* usable) {
  const CpuEntry entry(engine);
  co_await std::suspend_always{};
  *usable = entry.is_usable_here();
}

// Pitfall 21.
TEST_P(SessionEntry, ACoroutineResumedElsewhereIsDetectedAndFreesItsResources) {
  bool usable = true;
  std::coroutine_handle<> handle;
  std::thread([&] { handle = suspended_session(engine, &usable).handle; }).join();
  handle.resume();
  handle.destroy();
  EXPECT_FALSE(usable);
  EXPECT_TRUE(CpuEntry(engine));
}

// The thread that entered goes on: it frees blocks of the pool that its record still names, while others have sessions.
TEST_P(SessionEntry, AThreadWhoseSessionEndedElsewhereMayStillFreeItsBlocks) {
  std::atomic<int> step{0};
  std::coroutine_handle<> handle;
  const BufferPool* pool = nullptr;
  bool usable = true;
  std::vector<Buffer> blocks;
  std::thread entering([&] {
    handle = suspended_session(engine, &usable).handle;
    pool = static_cast<const BufferPool*>(internal::thread_record.session_pool);
    for (int i = 0; i < 200; ++i) blocks.emplace_back(const_cast<BufferPool*>(pool)->acquire(1000));
    step.store(1);
    while (step.load() != 2) std::this_thread::yield();
    for (Buffer& block : blocks) {
      block = {};
      std::this_thread::yield();
    }
    const CpuEntry again(engine);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, SessionEntryKind::reentered);
  });
  while (step.load() != 1) std::this_thread::yield();
  handle.resume();
  handle.destroy();
  step.store(2);
  for (int i = 0; i < 200; ++i) {
    const CpuEntry entry(engine);
    ASSERT_TRUE(entry);
    EXPECT_NE(&entry.pool(), pool);
    const Buffer block(entry.pool().acquire(1000));
    std::this_thread::yield();
  }
  entering.join();
  EXPECT_EQ(engine.stats().pool.lent_blocks, 0u);
}

TEST(SessionEntryPitfall, AThreadWhoseSessionEndedElsewhereMayFreeBlocksAfterTheEngine) {
  auto engine = std::make_unique<CpuEngine>(CpuDomainOptions{});
  std::atomic<int> step{0};
  std::coroutine_handle<> handle;
  bool usable = true;
  std::thread entering([&] {
    handle = suspended_session(*engine, &usable).handle;
    auto* pool = static_cast<BufferPool*>(const_cast<void*>(internal::thread_record.session_pool));
    Buffer large(pool->acquire(3 << 20));
    step.store(1);
    while (step.load() != 2) std::this_thread::yield();
    large = {};
  });
  while (step.load() != 1) std::this_thread::yield();
  handle.resume();
  handle.destroy();
  engine.reset();
  step.store(2);
  entering.join();
}

volatile std::sig_atomic_t refused_in_handler = 0;
CpuEngine* engine_of_handler = nullptr;
void enter_from_handler(int) {
  const CpuEntry entry(*engine_of_handler);
  if (!entry && entry.error().kind == SessionEntryKind::reentered) refused_in_handler = 1;
}

// Pitfall 18: the check comes before anything that could block.
TEST_P(SessionEntry, EntryFromASignalHandlerInsideASessionIsRefused) {
  engine_of_handler = &engine;
  refused_in_handler = 0;
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = enter_from_handler;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  {
    const CpuEntry entry(engine);
    ::raise(SIGUSR1);
  }
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(refused_in_handler, 1);
}

struct Cancelled {
  CpuEngine* engine;
  std::atomic<bool> inside{false};
};
void* wait_in_session(void* argument) {
  auto& state = *static_cast<Cancelled*>(argument);
  const CpuEntry entry(*state.engine);
  const UninitializedBlock out(entry.pool(), 100);
  state.inside.store(true);
  for (;;) {
    ::pthread_testcancel();
    std::this_thread::yield();
  }
}

// Pitfall 19.
TEST_P(SessionEntry, CancellationLeavesTheSession) {
  Cancelled state{&engine, {}};
  pthread_t thread{};
  ASSERT_EQ(::pthread_create(&thread, nullptr, wait_in_session, &state), 0);
  while (!state.inside.load()) std::this_thread::yield();
  ::pthread_cancel(thread);
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_TRUE(CpuEntry(engine));
  EXPECT_EQ(engine.stats().pool.lent_blocks, 0u);
}

// Pitfall 6.
TEST(SessionEntryPitfall, AParentMayJoinAChildThatEnters) {
  CpuEngine shared(with(AdmissionClass::shared));
  {
    const CpuEntry parent(shared);
    std::thread([&] { EXPECT_TRUE(CpuEntry(shared)); }).join();
  }
  CpuEngine exclusive(with(AdmissionClass::exclusive, milliseconds(50)));
  CpuEngine shared_with_deadline(with(AdmissionClass::shared, milliseconds(50)));
  const CpuEntry parent(exclusive);
  for (CpuEngine* engine : {&exclusive, &shared_with_deadline}) {
    std::thread([&] {
      const CpuEntry child(*engine);
      ASSERT_FALSE(child);
      EXPECT_EQ(child.error().kind, SessionEntryKind::contended);
    }).join();
  }
}

TEST(SessionEntryPitfall, EveryBackendHasADeadlineByDefault) {
  EXPECT_EQ(CpuDomainOptions{}.entry_deadline, seconds(5));
}

// Pitfall 12.
TEST(SessionEntryPitfall, ManyBackendsShareOneTeam) {
  std::vector<std::unique_ptr<CpuEngine>> engines;
  for (int i = 0; i < 50; ++i) {
    engines.push_back(std::make_unique<CpuEngine>(CpuDomainOptions{}));
    const CpuEntry entry(*engines.back());
    engines.back()->team()->set_tuning(0, 0);
    engines.back()->team()->run(8, 1e9, engines.back()->domain().threads(), [](std::uint32_t) {});
    EXPECT_EQ(engines.back()->team(), engines.front()->team());
  }
  EXPECT_LT(engines.front()->team()->helper_count(), engines.front()->domain().cpus().size());
}

// Pitfall 15.
TEST(SessionEntryPitfall, ABlockOutlivesItsThreadAndItsBackend) {
  auto engine = std::make_unique<CpuEngine>(CpuDomainOptions{});
  Buffer in_session;
  Buffer held;
  std::thread([&] {
    const CpuEntry entry(*engine);
    in_session = Buffer(entry.pool().acquire(1000));
    held = Buffer(entry.pool().acquire(3 << 20));
  }).join();
  std::thread([taken = std::move(in_session)] {}).join();
  engine.reset();
  std::thread([taken = std::move(held)] {}).join();
}

TEST(SessionEntryHandOff, EachEntryCrossesToTheExecutorOnceAndTheClosureStaysHere) {
  testing::HandOffThread thread;
  CpuDomainOptions options;
  options.entry_hook = thread.hook();
  CpuEngine engine(options);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(CpuEntry(engine));
  EXPECT_EQ(thread.answered(), 5u);
  EXPECT_EQ(engine.stats().installs, 5u);
  {
    const ExecutionScope scope(engine);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(CpuEntry(engine));
  }
  EXPECT_EQ(engine.stats().installs, 6u);
  EXPECT_TRUE(CpuEntry(engine));
  EXPECT_EQ(engine.stats().installs, 7u);
}

TEST(SessionEntryHandOff, AnExecutorThatFailsAtEntryIsATypedError) {
  CpuDomainOptions options;
  options.entry_hook = {[](void*) { throw std::runtime_error("no executor"); }, nullptr};
  CpuEngine engine(options);
  const CpuEntry entry(engine);
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().kind, SessionEntryKind::executor);
  const ExecutionScope scope(engine);
  ASSERT_FALSE(scope);
  EXPECT_EQ(std::get<SessionEntryInfo>(scope.error()).kind, SessionEntryKind::executor);
  EXPECT_TRUE(thread_is_clear());
  EXPECT_TRUE(engine.trim().has_value());
}

}  // namespace
}  // namespace tenferro
