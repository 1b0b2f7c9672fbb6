// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/arbiter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tenferro/backend/thread_record.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

#if defined(TENFERRO_INJECT_DELAYS)
constexpr int kScale = 50;
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kScale = 10;
#else
constexpr int kScale = 1;
#endif

struct ArbiterTest : ::testing::Test {
  std::unique_ptr<Arbiter> arbiter = std::make_unique<Arbiter>();
  PresenceLine& line() { return arbiter->lines().claim(); }
  AdmissionRequest request(AdmissionClass admission, const CpuSet& cpus, std::chrono::nanoseconds deadline = {}) {
    return {admission, arbiter->register_set(cpus), deadline};
  }
  AdmissionRequest shared(const CpuSet& cpus, std::chrono::nanoseconds deadline = {}) {
    return request(AdmissionClass::shared, cpus, deadline);
  }
  AdmissionRequest exclusive(const CpuSet& cpus, std::chrono::nanoseconds deadline = {}) {
    return request(AdmissionClass::exclusive, cpus, deadline);
  }
  AdmissionRequest alone(std::chrono::nanoseconds deadline = {}) {
    return request(AdmissionClass::provider_exclusive, {0}, deadline);
  }
  // Whether `second` is granted while `first` is held; both are released again.
  bool together(const AdmissionRequest& first, const AdmissionRequest& second) {
    PresenceLine& a = line();
    PresenceLine& b = line();
    EXPECT_TRUE(is_admitted(arbiter->acquire(first, a)));
    const bool granted = is_admitted(arbiter->acquire(second, b));
    if (granted) arbiter->release(second, b);
    arbiter->release(first, a);
    EXPECT_TRUE(arbiter->is_idle());
    return granted;
  }
  void wait_for_waiters(std::uint32_t count) {
    while (arbiter->stats().waiting != count) std::this_thread::yield();
  }
};

TEST_F(ArbiterTest, TheClassesExcludeEachOtherOnOverlappingSetsOnly) {
  const CpuSet a{0, 1}, b{1, 2}, c{3};
  EXPECT_TRUE(together(shared(a), shared(a)));
  EXPECT_TRUE(together(shared(a), shared(b)));
  EXPECT_FALSE(together(shared(a), exclusive(b)));
  EXPECT_FALSE(together(exclusive(a), shared(b)));
  EXPECT_FALSE(together(exclusive(a), exclusive(a)));
  EXPECT_FALSE(together(exclusive(a), exclusive(b)));
  EXPECT_TRUE(together(exclusive(a), exclusive(c)));
  EXPECT_TRUE(together(exclusive(a), shared(c)));
  EXPECT_TRUE(together(shared(c), exclusive(a)));
}

TEST_F(ArbiterTest, ProviderExclusiveIsAloneInTheProcess) {
  const CpuSet far{77};
  EXPECT_FALSE(together(alone(), shared(far)));
  EXPECT_FALSE(together(alone(), exclusive(far)));
  EXPECT_FALSE(together(alone(), alone()));
  EXPECT_FALSE(together(shared(far), alone()));
  EXPECT_FALSE(together(exclusive(far), alone()));
}

TEST_F(ArbiterTest, EqualSetsHaveEqualNumbers) {
  const std::uint8_t a = arbiter->register_set({0, 1});
  EXPECT_EQ(arbiter->register_set({1, 0}), a);
  EXPECT_NE(arbiter->register_set({0}), a);
}

TEST_F(ArbiterTest, SetsBeyondTheLastNumberConflictWithEverything) {
  for (std::uint32_t cpu = 0; cpu < 59; ++cpu) arbiter->register_set({cpu});
  const CpuSet late{200}, later{201};
  EXPECT_EQ(arbiter->register_set(late), arbiter->register_set(later));
  EXPECT_FALSE(together(exclusive(late), exclusive(later)));
  EXPECT_FALSE(together(exclusive({5}), exclusive(late)));
  EXPECT_FALSE(together(shared(late), exclusive({5})));
  EXPECT_TRUE(together(shared(late), shared({5})));
}

TEST_F(ArbiterTest, ASetRegisteredWhileAnOverlappingOneIsHeldIsExcluded) {
  PresenceLine& a = line();
  const AdmissionRequest held = exclusive({0, 1});
  ASSERT_EQ(arbiter->acquire(held, a), Admitted::direct);
  EXPECT_EQ(arbiter->acquire(exclusive({1, 2}), line()), Admitted::contended);
  EXPECT_EQ(arbiter->acquire(shared({1, 3}), line()), Admitted::contended);
  arbiter->release(held, a);
}

// Sets are registered while sessions begin and end: nobody may work with the conflicts of yesterday.
TEST_F(ArbiterTest, RegistrationRacesWithAdmission) {
  for (int round = 0; round < 100 / kScale; ++round) {
    Arbiter& fresh = *(arbiter = std::make_unique<Arbiter>());
    std::atomic<int> writers{0}, readers{0}, violations{0}, ready{0};
    const auto work = [&](std::uint32_t own, AdmissionClass admission) {
      PresenceLine& mine = fresh.lines().claim();
      ready.fetch_add(1);
      while (ready.load() != 4) std::this_thread::yield();
      const AdmissionRequest r{admission, fresh.register_set({0, own}), seconds(60)};
      for (int i = 0; i < 20; ++i) {
        if (!is_admitted(fresh.acquire(r, mine))) violations.fetch_add(1000);
        if (admission == AdmissionClass::shared) {
          readers.fetch_add(1);
          if (writers.load() != 0) violations.fetch_add(1);
          readers.fetch_sub(1);
        } else {
          if (writers.fetch_add(1) != 0 || readers.load() != 0) violations.fetch_add(1);
          writers.fetch_sub(1);
        }
        fresh.release(r, mine);
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
      threads.emplace_back(work, t + 1, t % 2 == 0 ? AdmissionClass::shared : AdmissionClass::exclusive);
    }
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(violations.load(), 0);
  }
}

TEST_F(ArbiterTest, UncontendedUseTouchesNoSlowPath) {
  PresenceLine& a = line();
  for (const AdmissionRequest& r : {shared({0}), exclusive({0}), alone()}) {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(arbiter->acquire(r, a), Admitted::direct);
      arbiter->release(r, a);
    }
  }
  const Arbiter::Stats stats = arbiter->stats();
  EXPECT_EQ(stats.queued + stats.parks + stats.wakes, 0u);
}

TEST_F(ArbiterTest, AWaiterIsGrantedOnRelease) {
  for (const AdmissionRequest& waiting : {exclusive({0}, seconds(30)), shared({0}, seconds(30)), alone(seconds(30))}) {
    PresenceLine& a = line();
    const AdmissionRequest held = exclusive({0});
    ASSERT_EQ(arbiter->acquire(held, a), Admitted::direct);
    std::thread other([&] {
      PresenceLine& b = line();
      EXPECT_EQ(arbiter->acquire(waiting, b), Admitted::queued);
      arbiter->release(waiting, b);
    });
    wait_for_waiters(1);
    arbiter->release(held, a);
    other.join();
    EXPECT_TRUE(arbiter->is_idle());
  }
}

TEST_F(ArbiterTest, AnExclusiveRequestWaitsForSharedSessionsAndHoldsOffNewOnes) {
  PresenceLine& a = line();
  const AdmissionRequest session = shared({0});
  ASSERT_EQ(arbiter->acquire(session, a), Admitted::direct);
  std::thread other([&] {
    PresenceLine& b = line();
    const AdmissionRequest wanted = exclusive({0}, seconds(30));
    EXPECT_EQ(arbiter->acquire(wanted, b), Admitted::queued);
    arbiter->release(wanted, b);
  });
  while (arbiter->is_idle()) std::this_thread::yield();
  EXPECT_EQ(arbiter->acquire(session, line()), Admitted::contended);
  arbiter->release(session, a);
  other.join();
  EXPECT_TRUE(arbiter->is_idle());
}

TEST_F(ArbiterTest, TheDeadlineEndsTheWait) {
  PresenceLine& a = line();
  for (const AdmissionRequest& held : {exclusive({0}), shared({0})}) {
    ASSERT_EQ(arbiter->acquire(held, a), Admitted::direct);
    const auto start = steady_clock::now();
    EXPECT_EQ(arbiter->acquire(exclusive({0}, milliseconds(20)), line()), Admitted::contended);
    EXPECT_GE(steady_clock::now() - start, milliseconds(20));
    arbiter->release(held, a);
    EXPECT_TRUE(arbiter->is_idle());
  }
}

// Pitfall 10: helper threads never park.
TEST_F(ArbiterTest, AHelperThreadGetsContendedInsteadOfWaiting) {
  PresenceLine& a = line();
  for (const AdmissionRequest& held : {exclusive({0}), shared({0})}) {
    ASSERT_EQ(arbiter->acquire(held, a), Admitted::direct);
    std::thread([&] {
      internal::thread_record.team_worker = true;
      EXPECT_EQ(arbiter->acquire(exclusive({0}, seconds(30)), line()), Admitted::contended);
    }).join();
    arbiter->release(held, a);
  }
  EXPECT_EQ(arbiter->stats().parks, 0u);
}

TEST_F(ArbiterTest, PoisonIsAnsweredByEveryClassAndReachesWaiters) {
  PresenceLine& a = line();
  const AdmissionRequest held = exclusive({0});
  ASSERT_EQ(arbiter->acquire(held, a), Admitted::direct);
  std::thread other([&] { EXPECT_EQ(arbiter->acquire(exclusive({0}, seconds(30)), line()), Admitted::poisoned); });
  wait_for_waiters(1);
  arbiter->poison();
  other.join();
  for (const AdmissionRequest& r : {shared({9}), exclusive({9}), alone()}) {
    EXPECT_EQ(arbiter->acquire(r, line()), Admitted::poisoned);
  }
  arbiter->release(held, a);
  arbiter->clear_poison_for_test();
  EXPECT_TRUE(together(shared({9}), shared({9})));
}

TEST_F(ArbiterTest, ReleasingWhatIsNotHeldPoisons) {
  PresenceLine& a = line();
  arbiter->release(exclusive({0}), a);
  EXPECT_EQ(arbiter->acquire(shared({0}), a), Admitted::poisoned);
}

TEST_F(ArbiterTest, InStrictOrderAnOlderWaiterBlocksYoungerConflictingRequestsOnly) {
  arbiter->set_strict_fifo(true);
  PresenceLine& a = line();
  const AdmissionRequest node0 = exclusive({0});
  ASSERT_EQ(arbiter->acquire(node0, a), Admitted::direct);
  std::vector<int> order;
  const auto wait_for = [&](const AdmissionRequest& r, int name) {
    PresenceLine& own = line();
    EXPECT_EQ(arbiter->acquire(r, own), Admitted::queued);
    order.push_back(name);
    arbiter->release(r, own);
  };
  std::thread all([&] { wait_for(exclusive({0, 1}, seconds(30)), 1); });
  wait_for_waiters(1);
  // CPU 1 is free, but an older request for all CPUs waits; CPU 2 concerns nobody.
  std::thread young([&] { wait_for(exclusive({1}, seconds(30)), 2); });
  wait_for_waiters(2);
  EXPECT_EQ(arbiter->acquire(shared({1}), line()), Admitted::contended);
  PresenceLine& b = line();
  const AdmissionRequest other = exclusive({2}, milliseconds(100));
  EXPECT_TRUE(is_admitted(arbiter->acquire(other, b)));
  arbiter->release(other, b);
  arbiter->release(node0, a);
  all.join();
  young.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(ArbiterTest, AWaiterThatGivesUpUnblocksTheYoungerOnes) {
  arbiter->set_strict_fifo(true);
  PresenceLine& a = line();
  const AdmissionRequest node0 = exclusive({0});
  ASSERT_EQ(arbiter->acquire(node0, a), Admitted::direct);
  std::thread all(
      [&] { EXPECT_EQ(arbiter->acquire(exclusive({0, 1}, milliseconds(50)), line()), Admitted::contended); });
  wait_for_waiters(1);
  PresenceLine& b = line();
  const AdmissionRequest young = exclusive({1}, seconds(30));
  EXPECT_EQ(arbiter->acquire(young, b), Admitted::queued);
  arbiter->release(young, b);
  all.join();
  arbiter->release(node0, a);
}

// Pitfall 1. The plain counters are guarded by nothing but admission, so a sanitizer sees a missing order as well.
TEST_F(ArbiterTest, NoWakeUpIsLostAmongRandomOverlappingSets) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 250'000 / kScale;
  const std::vector<CpuSet> sets{{0}, {1}, {0, 1}, {2}, {1, 2}, {0, 1, 2}};
  struct Cell {
    int writers = 0;
    std::atomic<int> readers{0};
  };
  std::array<Cell, 3> cells;
  std::atomic<int> violations{0};
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    PresenceLine& own = line();
    for (int i = 0; i < kRounds; ++i) {
      const std::uint32_t draw = static_cast<std::uint32_t>(random());
      const CpuSet& cpus = sets[draw % sets.size()];
      const bool wants_all = draw >> 8 & 1;
      const AdmissionRequest r = wants_all ? exclusive(cpus, seconds(60)) : shared(cpus, seconds(60));
      if (!is_admitted(arbiter->acquire(r, own))) {
        violations.fetch_add(1'000'000);
        return;
      }
      for (std::uint32_t cpu = 0; cpu < 3; ++cpu) {
        if (!cpus.contains(cpu)) continue;
        if (wants_all) {
          if (++cells[cpu].writers != 1 || cells[cpu].readers.load() != 0) violations.fetch_add(1);
          --cells[cpu].writers;
        } else {
          cells[cpu].readers.fetch_add(1);
          if (cells[cpu].writers != 0) violations.fetch_add(1);
          cells[cpu].readers.fetch_sub(1);
        }
      }
      arbiter->release(r, own);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(work, t + 1);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(violations.load(), 0);
  EXPECT_TRUE(arbiter->is_idle());
  EXPECT_EQ(arbiter->stats().waiting, 0u);
}

// Pitfall 2: a store to the own line and a load of the word, against a store to the word and a load of the lines.
TEST_F(ArbiterTest, SharedAndExclusiveSessionsNeverSeeEachOtherInside) {
  const AdmissionRequest reader = shared({0}, seconds(60));
  const AdmissionRequest writer = alone(seconds(60));
  constexpr int kRounds = 100'000 / kScale;
  long value = 0;
  std::atomic<int> torn{0};
  std::thread other([&] {
    PresenceLine& own = line();
    for (int i = 0; i < kRounds; ++i) {
      if (!is_admitted(arbiter->acquire(writer, own))) torn.fetch_add(1'000'000);
      value += 1;
      value += 1;
      arbiter->release(writer, own);
    }
  });
  PresenceLine& own = line();
  for (int i = 0; i < kRounds; ++i) {
    if (!is_admitted(arbiter->acquire(reader, own))) torn.fetch_add(1'000'000);
    if (value % 2 != 0) torn.fetch_add(1);
    arbiter->release(reader, own);
  }
  other.join();
  EXPECT_EQ(torn.load(), 0);
  EXPECT_EQ(value, 2 * kRounds);
}

// Pitfall 26: after a thread has parked once, short sessions of two threads go on without parking each time.
TEST_F(ArbiterTest, ShortExclusiveSessionsDoNotFormAConvoy) {
  const AdmissionRequest r = exclusive({0}, seconds(60));
  PresenceLine& a = line();
  ASSERT_EQ(arbiter->acquire(r, a), Admitted::direct);
  constexpr int kRounds = 100'000 / kScale;
  long total = 0;
  std::thread other([&] {
    PresenceLine& b = line();
    for (int i = 0; i < kRounds; ++i) {
      if (!is_admitted(arbiter->acquire(r, b))) break;
      ++total;
      arbiter->release(r, b);
    }
  });
  wait_for_waiters(1);
  arbiter->release(r, a);
  for (int i = 0; i < kRounds; ++i) {
    if (!is_admitted(arbiter->acquire(r, a))) break;
    ++total;
    arbiter->release(r, a);
  }
  other.join();
  EXPECT_EQ(total, 2 * kRounds);
  EXPECT_LT(arbiter->stats().parks, static_cast<std::uint64_t>(kRounds) / 5);
}

// Pitfall 27.
TEST_F(ArbiterTest, AWaiterAmongBargingThreadsIsServedInBoundedTime) {
  const AdmissionRequest r = exclusive({0}, seconds(60));
  std::atomic<bool> stop{false};
  std::vector<std::thread> barging;
  for (int t = 0; t < 3; ++t) {
    barging.emplace_back([&] {
      PresenceLine& own = line();
      while (!stop.load(std::memory_order_relaxed)) {
        if (!is_admitted(arbiter->acquire(r, own))) return;
        arbiter->release(r, own);
      }
    });
  }
  PresenceLine& own = line();
  steady_clock::duration longest{};
  for (int i = 0; i < 20; ++i) {
    const auto start = steady_clock::now();
    ASSERT_TRUE(is_admitted(arbiter->acquire(r, own)));
    longest = std::max(longest, steady_clock::now() - start);
    arbiter->release(r, own);
    std::this_thread::sleep_for(milliseconds(1));
  }
  stop.store(true);
  for (std::thread& t : barging) t.join();
  EXPECT_LT(longest, seconds(2));
}

TEST_F(ArbiterTest, AStreamOfSharedSessionsDoesNotStarveAnExclusiveOne) {
  const AdmissionRequest session = shared({0}, seconds(60));
  const AdmissionRequest wanted = exclusive({0}, seconds(30));
  std::atomic<bool> stop{false};
  std::vector<std::thread> stream;
  for (int t = 0; t < 2; ++t) {
    stream.emplace_back([&] {
      PresenceLine& own = line();
      while (!stop.load(std::memory_order_relaxed)) {
        if (!is_admitted(arbiter->acquire(session, own))) return;
        arbiter->release(session, own);
      }
    });
  }
  PresenceLine& own = line();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(is_admitted(arbiter->acquire(wanted, own)));
    arbiter->release(wanted, own);
  }
  stop.store(true);
  for (std::thread& t : stream) t.join();
  EXPECT_TRUE(arbiter->is_idle());
}

TEST_F(ArbiterTest, CountsThreadsInsideSessionsOnOverlappingSets) {
  const AdmissionRequest a = shared({0, 1});
  const AdmissionRequest b = exclusive({4});
  PresenceLine& first = line();
  PresenceLine& second = line();
  PresenceLine& third = line();
  ASSERT_EQ(arbiter->acquire(a, first), Admitted::direct);
  ASSERT_EQ(arbiter->acquire(a, second), Admitted::direct);
  ASSERT_EQ(arbiter->acquire(b, third), Admitted::direct);
  EXPECT_EQ(arbiter->active_threads(arbiter->register_set({1, 2})), 2u);
  EXPECT_EQ(arbiter->active_threads(b.set), 1u);
  arbiter->release(a, first);
  arbiter->release(a, second);
  arbiter->release(b, third);
  EXPECT_EQ(arbiter->active_threads(a.set), 0u);
}

TEST(PresenceTable, LinesAreUsedAgainAndGrowBeyondTheFirstChunk) {
  static PresenceTable table;  // lines are never freed
  std::vector<PresenceLine*> lines;
  for (std::uint32_t i = 0; i < 200; ++i) {
    lines.push_back(&table.claim());
    EXPECT_EQ(lines.back()->index, i);
  }
  lines[150]->shared.store(4);
  EXPECT_TRUE(table.any_shared(std::atomic<std::uint64_t>(4)));
  EXPECT_FALSE(table.any_shared(std::atomic<std::uint64_t>(3)));
  EXPECT_EQ(table.occupied(4), 1u);
  table.give_back(*lines[150]);
  table.give_back(*lines[70]);
  EXPECT_EQ(&table.claim(), lines[70]);
  EXPECT_EQ(table.claim().index, 200u);
}

}  // namespace
}  // namespace tenferro
