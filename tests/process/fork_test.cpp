// SPDX-License-Identifier: MIT OR Apache-2.0
// Pitfall 14: what a child finds after a fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tenferro/cpu/execution_scope.hpp"
#include "tenferro/cpu/session_entry.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Runs `body` in a child and returns its verdict; a child that hangs is killed and counts as false.
bool in_child(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

CpuDomainOptions with(AdmissionClass admission, std::chrono::nanoseconds deadline = seconds(10)) {
  CpuDomainOptions options;
  options.admission = admission;
  options.entry_deadline = deadline;
  options.threads = 3;
  return options;
}

// Whether every index was visited, on this thread alone if `alone`.
bool loop_works(CpuEngine& engine, bool alone) {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> sum{0};
  std::atomic<bool> elsewhere{false};
  engine.parallel_for(100, 1e6, [&](std::int64_t first, std::int64_t last) {
    sum.fetch_add(static_cast<int>(last - first));
    if (std::this_thread::get_id() != here) elsewhere.store(true);
  });
  return sum.load() == 100 && !(alone && elsewhere.load());
}

void start_helpers(CpuEngine& engine) {
  engine.team()->set_tuning(0, 0);
  while (engine.team()->helper_count() == 0) loop_works(engine, false);
}

TEST(Fork, OutsideASessionTheChildComputesInline) {
  CpuEngine engine(with(AdmissionClass::shared));
  {
    const CpuEntry warm_up(engine);
  }
  start_helpers(engine);
  EXPECT_TRUE(in_child([&] {
    const CpuEntry entry(engine);
    return entry && loop_works(engine, true);
  }));
  EXPECT_TRUE(loop_works(engine, false));
}

TEST(Fork, InsideASessionTheChildGoesOnAndLeaves) {
  for (AdmissionClass admission : {AdmissionClass::shared, AdmissionClass::exclusive}) {
    CpuEngine engine(with(admission));
    std::unique_ptr<CpuEntry> entry = std::make_unique<CpuEntry>(engine);
    EXPECT_TRUE(in_child([&] {
      const Buffer buffer(entry->pool().acquire(100));
      if (!loop_works(engine, true) || CpuEntry(engine)) return false;
      entry.reset();
      const CpuEntry again(engine);
      return static_cast<bool>(again);
    }));
    EXPECT_TRUE(*entry);
  }
}

TEST(Fork, InsideAScopeTheChildGoesOn) {
  CpuEngine engine(with(AdmissionClass::exclusive));
  const ExecutionScope scope(engine);
  EXPECT_TRUE(in_child([&] { return static_cast<bool>(CpuEntry(engine)); }));
}

TEST(Fork, AnEngineMadeInTheChildHasAWorkingArbiter) {
  CpuEngine engine(with(AdmissionClass::shared));
  start_helpers(engine);
  EXPECT_TRUE(in_child([&] {
    CpuEngine fresh(with(AdmissionClass::exclusive));
    const CpuEntry entry(fresh);
    return entry && fresh.team() != engine.team();
  }));
}

TEST(Fork, TheChildMayDestroyAnEngineWhoseHelpersItDoesNotHave) {
  auto engine = std::make_unique<CpuEngine>(with(AdmissionClass::shared));
  start_helpers(*engine);
  EXPECT_TRUE(in_child([&] {
    engine.reset();
    return true;
  }));
}

// Keeps `engine` in a session on another thread while `body` runs.
void with_foreign_session(CpuEngine& engine, const std::function<void()>& body) {
  std::atomic<bool> inside{false};
  std::atomic<bool> done{false};
  std::thread other([&] {
    const CpuEntry entry(engine);
    inside.store(true);
    while (!done.load()) std::this_thread::sleep_for(milliseconds(1));
  });
  while (!inside.load()) std::this_thread::yield();
  body();
  done.store(true);
  other.join();
}

TEST(Fork, WhatAVanishedThreadHeldExclusivelyIsPoisonedInTheChild) {
  CpuEngine exclusive(with(AdmissionClass::exclusive));
  CpuEngine shared(with(AdmissionClass::shared));
  with_foreign_session(exclusive, [&] {
    EXPECT_TRUE(in_child([&] {
      const CpuEntry same(exclusive);
      const CpuEntry overlapping(shared);
      const ExecutionScope scope(shared);
      return !same && same.error().kind == SessionEntryKind::resource_poisoned && !overlapping &&
             overlapping.error().kind == SessionEntryKind::resource_poisoned && !scope;
    }));
  });
  EXPECT_TRUE(CpuEntry(exclusive));
}

TEST(Fork, SharedSessionsOfVanishedThreadsHinderNobodyInTheChild) {
  CpuEngine shared(with(AdmissionClass::shared));
  CpuEngine exclusive(with(AdmissionClass::exclusive));
  with_foreign_session(shared, [&] {
    EXPECT_TRUE(in_child([&] {
      const bool together = static_cast<bool>(CpuEntry(shared));
      return together && CpuEntry(exclusive);
    }));
  });
}

TEST(Fork, NoLockIsLeftBehindByThreadsOnTheSlowPath) {
  CpuEngine exclusive(with(AdmissionClass::exclusive, seconds(60)));
  CpuEngine provider(with(AdmissionClass::provider_exclusive, seconds(60)));
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (CpuEngine* engine : {&exclusive, &provider, &exclusive}) {
    threads.emplace_back([&stop, engine] {
      while (!stop.load()) {
        const CpuEntry entry(*engine);
        static_cast<void>(engine->stats());
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(in_child([&] {
      const CpuEntry entry(exclusive);
      const bool allowed = entry || entry.error().kind == SessionEntryKind::resource_poisoned ||
                           entry.error().kind == SessionEntryKind::contended;
      static_cast<void>(exclusive.stats());
      static_cast<void>(exclusive.trim());
      return allowed;
    }));
  }
  stop.store(true);
  for (std::thread& t : threads) t.join();
}

TEST(Fork, InALaneTheChildGetsATypedErrorInsteadOfWaitingForChunksThatNeverEnd) {
  CpuEngine engine(with(AdmissionClass::shared));
  start_helpers(engine);
  engine.team()->set_tuning(0, 1e9);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> helper_inside{false};
  bool verdict = false;
  while (!helper_inside.load()) {
    try {
      engine.team()->run(64, 1e9, 2, [&](std::uint32_t) {
        if (std::this_thread::get_id() != caller) {
          helper_inside.store(true);
          std::this_thread::sleep_for(milliseconds(200));
        } else if (helper_inside.load()) {
          static thread_local bool forked = false;
          if (forked) return;
          forked = true;
          const pid_t child = ::fork();
          if (child == 0) {
            ::alarm(20);
            return;
          }
          int status = 0;
          ::waitpid(child, &status, 0);
          verdict = WIFEXITED(status) && WEXITSTATUS(status) == 42;
        } else {
          std::this_thread::sleep_for(milliseconds(1));
        }
      });
    } catch (const SessionEntryError& error) {
      ::_exit(error.info().kind == SessionEntryKind::resource_poisoned ? 42 : 43);
    }
  }
  EXPECT_TRUE(verdict);
}

}  // namespace
}  // namespace tenferro
