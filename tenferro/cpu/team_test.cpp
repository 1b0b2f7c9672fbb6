// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/team.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/arbiter.hpp"
#include "tests/support/helper_threads.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Work that is always worth a region, and worth waking helpers for.
constexpr double kLongNs = 1e9;
constexpr double kSpinForEverNs = 1e12;

using testing::helper_threads;
using testing::helpers_vanish;

void spin_for(std::chrono::microseconds time) {
  for (const auto end = steady_clock::now() + time; steady_clock::now() < end;) {
  }
}

struct TeamTest : ::testing::Test {
  std::shared_ptr<Team> team = Team::for_set(CpuSet::affinity_of_this_thread());
  void SetUp() override { team->set_tuning(0, 20'000); }

  // Runs regions until a helper has taken part, so that helpers exist and are awake.
  void warm_up(std::uint32_t lanes) {
    const std::uint64_t before = team->stats().helper_chunks;
    while (team->stats().helper_chunks == before) {
      team->run(16, kLongNs, lanes, [](std::uint32_t) { spin_for(milliseconds(1)); });
    }
  }
};

TEST_F(TeamTest, EveryChunkRunsExactlyOnce) {
  for (std::uint32_t lanes : {1u, 2u, 4u}) {
    for (std::uint32_t chunks : {0u, 1u, 2u, 7u, 128u}) {
      std::vector<std::atomic<int>> runs(chunks);
      team->run(chunks, kLongNs, lanes, [&](std::uint32_t c) { runs[c].fetch_add(1); });
      for (const std::atomic<int>& r : runs) EXPECT_EQ(r.load(), 1);
    }
  }
}

TEST_F(TeamTest, HelpersTakePartAndTheCallerToo) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  while (threads.size() < 2) {
    team->run(16, kLongNs, 2, [&](std::uint32_t) {
      spin_for(milliseconds(1));
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 1u);
  EXPECT_TRUE(team->placement_verified());
}

TEST_F(TeamTest, ShortWorkAndOneLaneRunInlineInOrder) {
  const std::uint64_t regions = team->stats().regions;
  std::vector<std::uint32_t> order;
  const auto note = [&](std::uint32_t c) { order.push_back(c); };
  team->run(4, calibration::kMinRegionNs - 1, 4, note);
  team->run(4, kLongNs, 1, note);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(team->stats().regions, regions);
}

TEST_F(TeamTest, NobodyIsWokenForWorkBelowFourTimesTheWakeCost) {
  warm_up(2);
  team->set_tuning(1e6, 0);
  while (team->stats().sleeping != team->helper_count()) std::this_thread::yield();
  const std::uint64_t wakes = team->stats().wakes;
  team->run(4, 3.9e6, 2, [](std::uint32_t) {});
  EXPECT_EQ(team->stats().wakes, wakes);
  team->run(4, 4.1e6, 2, [](std::uint32_t) {});
  EXPECT_EQ(team->stats().wakes, wakes + 1);
}

TEST_F(TeamTest, WorkInARowIsWorthWakingForTogether) {
  warm_up(2);
  constexpr double kSpinForMinutesNs = 1e12;
  team->set_tuning(1e6, 0);
  while (team->stats().sleeping != team->helper_count()) std::this_thread::yield();
  team->set_tuning(1e6, kSpinForMinutesNs);
  const std::uint64_t wakes = team->stats().wakes;
  const auto piece = [&] { team->run(4, 1.5e6, 2, [](std::uint32_t) {}); };
  piece();
  piece();
  EXPECT_EQ(team->stats().wakes, wakes);
  piece();
  EXPECT_EQ(team->stats().wakes, wakes + 1);
  team->set_tuning(1e6, 0);
}

TEST_F(TeamTest, WorkWithPausesIsNotTakenTogether) {
  warm_up(2);
  team->set_tuning(1e6, 0);
  while (team->stats().sleeping != team->helper_count()) std::this_thread::yield();
  const std::uint64_t wakes = team->stats().wakes;
  for (int i = 0; i < 5; ++i) team->run(4, 1.5e6, 2, [](std::uint32_t) {});
  EXPECT_EQ(team->stats().wakes, wakes);
}

TEST_F(TeamTest, TheFirstExceptionIsRethrownAndTheTeamStaysUsable) {
  for (std::uint32_t lanes : {1u, 2u, 4u}) {
    std::atomic<int> begun{0};
    const auto fail = [&] {
      team->run(64, kLongNs, lanes, [&](std::uint32_t c) {
        begun.fetch_add(1);
        spin_for(milliseconds(1));
        if (c == 3) throw std::runtime_error("chunk 3");
      });
    };
    EXPECT_THROW(fail(), std::runtime_error);
    EXPECT_LT(begun.load(), 64);
    EXPECT_EQ(internal::thread_record.owner, nullptr);
    EXPECT_FALSE(internal::thread_record.lane);
    std::atomic<int> after{0};
    team->run(64, kLongNs, lanes, [&](std::uint32_t) { after.fetch_add(1); });
    EXPECT_EQ(after.load(), 64);
  }
}

TEST_F(TeamTest, AnExceptionOnAHelperReachesTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  const auto run_until_a_helper_throws = [&] {
    for (;;) {
      team->run(32, kLongNs, 2, [&](std::uint32_t) {
        spin_for(milliseconds(1));
        if (std::this_thread::get_id() != caller) throw std::runtime_error("on a helper");
      });
    }
  };
  EXPECT_THROW(run_until_a_helper_throws(), std::runtime_error);
}

void delay_claim() { std::this_thread::sleep_for(std::chrono::microseconds(300)); }

// Pitfall 7. The region lies on this stack; helpers look at it and claim much later, when it is long gone.
TEST_F(TeamTest, ALateHelperNeverTouchesARegionThatHasEnded) {
  team->set_tuning(0, kSpinForEverNs);
  warm_up(4);
  team->set_claim_hook_for_test(delay_claim);
  for (int i = 0; i < 500; ++i) {
    std::array<std::uint32_t, 64> local{};
    team->run(64, kLongNs, 4, [&local](std::uint32_t c) { local[c] = c + 1; });
    EXPECT_EQ(std::accumulate(local.begin(), local.end(), 0u), 64u * 65u / 2);
  }
  team->set_claim_hook_for_test(nullptr);
}

// Pitfall 8.
TEST_F(TeamTest, TheGenerationMayWrap) {
  warm_up(2);
  team->set_generation_for_test(std::numeric_limits<std::uint32_t>::max() - 50);
  for (int i = 0; i < 200; ++i) {
    std::atomic<std::uint32_t> sum{0};
    team->run(10, kLongNs, 2, [&](std::uint32_t c) { sum.fetch_add(c); });
    ASSERT_EQ(sum.load(), 45u);
  }
}

std::atomic<bool> thawed{false};
void freeze() {
  while (!thawed.load()) std::this_thread::sleep_for(milliseconds(1));
}

// Pitfall 9: a helper that is held up before it has claimed anything holds up nobody. Here helpers are held up until
// all regions are over; a caller that waited for them would wait for ever.
TEST_F(TeamTest, TheCallerDoesNotWaitForAHelperThatHasClaimedNothing) {
  warm_up(4);
  thawed.store(false);
  team->set_claim_hook_for_test(freeze);
  for (int i = 0; i < 50; ++i) {
    std::atomic<std::uint32_t> sum{0};
    team->run(8, kLongNs, 4, [&](std::uint32_t c) { sum.fetch_add(c); });
    ASSERT_EQ(sum.load(), 28u);
  }
  team->set_claim_hook_for_test(nullptr);
  thawed.store(true);
}

// Pitfall 11.
TEST_F(TeamTest, ThereIsOneLevelOfFanOut) {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> foreign{0};
  for (int round = 0; round < 20; ++round) {
    team->run(8, kLongNs, 4, [&](std::uint32_t) {
      const std::thread::id here = std::this_thread::get_id();
      EXPECT_TRUE(Team::in_lane());
      team->run(8, kLongNs, 4, [&](std::uint32_t) {
        const int now = inside.fetch_add(1) + 1;
        for (int seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        if (std::this_thread::get_id() != here) foreign.fetch_add(1);
        spin_for(milliseconds(0));
        inside.fetch_sub(1);
      });
    });
  }
  EXPECT_EQ(foreign.load(), 0);
  EXPECT_LE(most.load(), 4);
}

// Pitfall 12.
TEST(TeamRegistry, ManyHoldersOfOneSetShareOneTeam) {
  const CpuSet cpus = CpuSet::affinity_of_this_thread();
  std::vector<std::shared_ptr<Team>> holders;
  for (int i = 0; i < 50; ++i) {
    holders.push_back(Team::for_set(cpus));
    holders.back()->set_tuning(0, 0);
    holders.back()->run(8, kLongNs, cpus.size(), [](std::uint32_t) {});
    EXPECT_EQ(holders.back(), holders.front());
  }
  EXPECT_LT(helper_threads(), std::max(cpus.size(), 2u));
  holders.clear();
  EXPECT_TRUE(helpers_vanish());
}

TEST(TeamRegistry, HelpersEndWithTheLastHolder) {
  for (int i = 0; i < 20; ++i) {
    const std::shared_ptr<Team> team = Team::for_set(CpuSet::affinity_of_this_thread());
    team->set_tuning(0, 0);
    team->run(8, kLongNs, 3, [](std::uint32_t) {});
    EXPECT_GE(helper_threads(), 1u);
  }
  EXPECT_TRUE(helpers_vanish());
}

// Pitfall 13.
TEST_F(TeamTest, IdleHelpersUseNoProcessorTime) {
  warm_up(4);
  team->set_tuning(0, 40'000);
  team->run(8, kLongNs, 4, [](std::uint32_t) {});
  while (team->stats().sleeping != team->helper_count()) std::this_thread::yield();
  const auto used_in = [](milliseconds time) {
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(time);
    return std::clock() - before;
  };
  // The thread that OpenBLAS starts when it is loaded spins for a while of its own.
  for (int i = 0; i < 30 && used_in(milliseconds(100)) > CLOCKS_PER_SEC / 1000; ++i) {
  }
  EXPECT_LT(used_in(milliseconds(300)), CLOCKS_PER_SEC * 5 / 1000);
}

std::atomic<int> signals_on_helpers{0};
std::atomic<int> signals{0};
void on_alarm(int) {
  signals.fetch_add(1);
  if (internal::thread_record.team_worker) signals_on_helpers.fetch_add(1);
}

// Pitfall 17.
TEST_F(TeamTest, SignalsReachUserThreadsOnlyAndDisturbNoWait) {
  warm_up(4);
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = on_alarm;
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  const itimerval fast{{0, 1000}, {0, 1000}};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &fast, nullptr), 0);
  for (const auto end = steady_clock::now() + milliseconds(200); steady_clock::now() < end;) {
    std::atomic<std::uint32_t> sum{0};
    team->run(16, kLongNs, 4, [&](std::uint32_t c) { sum.fetch_add(c); });
    ASSERT_EQ(sum.load(), 120u);
  }
  while (signals.load() == 0) std::this_thread::yield();
  const itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(signals_on_helpers.load(), 0);
}

// Pitfall 28: with a busy user thread for every CPU, helpers stay away.
TEST_F(TeamTest, HelpersStayAwayWhileSessionsFillTheSet) {
  Arbiter& arbiter = process_arbiter();
  const CpuSet cpus = team->cpus();
  const AdmissionRequest session{AdmissionClass::shared, arbiter.register_set(cpus), {}};
  warm_up(2);
  team->set_tuning(0, 0);
  while (team->stats().sleeping != team->helper_count()) std::this_thread::yield();
  std::vector<PresenceLine*> busy;
  for (std::uint32_t i = 0; i < std::max(cpus.size(), 2u); ++i) {
    busy.push_back(&arbiter.lines().claim());
    ASSERT_EQ(arbiter.acquire(session, *busy.back()), Admitted::direct);
  }
  const Team::Stats before = team->stats();
  for (int i = 0; i < 100; ++i) team->run(8, kLongNs, std::max(cpus.size(), 2u), [](std::uint32_t) {});
  EXPECT_EQ(team->stats().helper_chunks, before.helper_chunks);
  EXPECT_EQ(team->stats().wakes, before.wakes);
  for (PresenceLine* line : busy) {
    arbiter.release(session, *line);
    arbiter.lines().give_back(*line);
  }
}

#if defined(__x86_64__)
// Pitfall 30.
TEST_F(TeamTest, HelpersComputeWithTheCallersFloatingPointControl) {
  const std::uint32_t before = __builtin_ia32_stmxcsr();
  const auto halves = [&](std::uint32_t lanes) {
    std::vector<double> out(64, 1.0);
    team->run(64, kLongNs, lanes, [&](std::uint32_t c) {
      spin_for(std::chrono::microseconds(100));
      volatile double tiny = std::numeric_limits<double>::min();
      out[c] = tiny / 2;
    });
    return out;
  };
  const std::uint64_t helper_chunks = team->stats().helper_chunks;
  do {
    EXPECT_EQ(halves(4), std::vector<double>(64, std::numeric_limits<double>::min() / 2));
    __builtin_ia32_ldmxcsr(before | 0x8040);  // flush results and operands to zero
    const std::vector<double> alone = halves(1);
    const std::vector<double> together = halves(4);
    __builtin_ia32_ldmxcsr(before);
    EXPECT_EQ(alone, std::vector<double>(64, 0.0));
    EXPECT_EQ(together, alone);
  } while (team->stats().helper_chunks == helper_chunks);
}
#endif

TEST_F(TeamTest, ManyCallersShareTheHelpers) {
  std::vector<std::thread> callers;
  for (int t = 0; t < 12; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        std::atomic<std::uint32_t> sum{0};
        team->run(20, kLongNs, 3, [&](std::uint32_t c) { sum.fetch_add(c); });
        ASSERT_EQ(sum.load(), 190u);
      }
    });
  }
  for (std::thread& t : callers) t.join();
}

TEST_F(TeamTest, ParallelForCoversTheRangeOnce) {
  for (std::int64_t count : {0, 1, 5, 1000, 100'003}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
    team->parallel_for(4, count, 1000.0, [&](std::int64_t first, std::int64_t last) {
      EXPECT_LT(first, last);
      for (std::int64_t i = first; i < last; ++i) seen[static_cast<std::size_t>(i)].fetch_add(1);
    });
    for (const std::atomic<int>& s : seen) ASSERT_EQ(s.load(), 1);
  }
}

// Pitfall 10: a lane is marked as executing on whatever thread it runs.
TEST_F(TeamTest, LanesCarryTheOwnerOfTheRegion) {
  internal::thread_record.owner = &team;
  std::atomic<int> unmarked{0};
  for (int i = 0; i < 20; ++i) {
    team->run(16, kLongNs, 4, [&](std::uint32_t) {
      if (internal::thread_record.owner != &team || !internal::thread_record.lane) unmarked.fetch_add(1);
    });
  }
  EXPECT_EQ(internal::thread_record.owner, &team);
  internal::thread_record.owner = nullptr;
  EXPECT_EQ(unmarked.load(), 0);
}

struct CancelState {
  std::shared_ptr<Team> team;
  std::atomic<int> bodies{0};
  std::atomic<int> finished{0};
  std::atomic<bool> started{false};
};

void* run_until_cancelled(void* argument) {
  auto& state = *static_cast<CancelState*>(argument);
  const pthread_t self = ::pthread_self();
  for (;;) {
    state.team->run(64, kLongNs, 4, [&](std::uint32_t) {
      state.bodies.fetch_add(1);
      state.started.store(true);
      if (::pthread_equal(self, ::pthread_self()) != 0) ::pthread_testcancel();
      spin_for(milliseconds(1));
      state.finished.fetch_add(1);
    });
  }
}

// Pitfall 19. Cancellation unwinds through the region; no helper is left behind in it.
TEST_F(TeamTest, CancellingTheCallerUnwindsThroughItsRegion) {
  CancelState state;
  state.team = team;
  pthread_t thread{};
  ASSERT_EQ(::pthread_create(&thread, nullptr, run_until_cancelled, &state), 0);
  while (!state.started.load()) std::this_thread::yield();
  ASSERT_EQ(::pthread_cancel(thread), 0);
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(state.bodies.load(), state.finished.load() + 1);
  std::atomic<std::uint32_t> sum{0};
  team->run(10, kLongNs, 4, [&](std::uint32_t c) { sum.fetch_add(c); });
  EXPECT_EQ(sum.load(), 45u);
}

TEST(ChunkPlan, DependsOnTheWorkAloneAndCoversIt) {
  EXPECT_EQ(plan_chunks(1000, 1.0).chunks, 1u);
  EXPECT_EQ(plan_chunks(16'000, 1.0).chunks, 4u);
  EXPECT_EQ(plan_chunks(1'000'000'000, 1.0).chunks, calibration::kMaxChunks);
  EXPECT_EQ(plan_chunks(3, 1e9).chunks, 3u);
  EXPECT_EQ(plan_chunks(0, 1e9).chunks, 1u);
  for (std::int64_t count : {1, 7, 1000, 99'991}) {
    const ChunkPlan plan = plan_chunks(count, 1e4);
    std::int64_t next = 0;
    for (std::uint32_t c = 0; c < plan.chunks; ++c) {
      EXPECT_EQ(plan.begin(c), next);
      EXPECT_LT(plan.begin(c), plan.end(c));
      next = plan.end(c);
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace tenferro
