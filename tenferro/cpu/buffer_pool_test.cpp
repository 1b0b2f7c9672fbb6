// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/buffer_pool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tenferro {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// Makes the pool that of the current session, as session entry does.
class InSession {
 public:
  explicit InSession(const BufferPool& pool) { internal::thread_record.session_pool = &pool; }
  ~InSession() { internal::thread_record.session_pool = nullptr; }
};

struct BufferPoolTest : ::testing::Test {
  RetentionBudget budget{100 * kMiB};
  BufferPool::Handle pool = BufferPool::open(budget);
  Buffer take(std::uint64_t bytes) { return Buffer(pool->acquire(bytes)); }
};

TEST_F(BufferPoolTest, ReusesABlockOfTheSameClass) {
  const InSession session(*pool);
  const std::byte* first = nullptr;
  {
    Buffer a = take(1000);
    first = a.data();
  }
  Buffer b = take(900);
  EXPECT_EQ(b.data(), first);
  EXPECT_EQ(pool->stats().hits, 1u);
  EXPECT_EQ(pool->stats().misses, 1u);
}

TEST_F(BufferPoolTest, BlocksHoldWhatWasAskedForAndAtMostAQuarterMore) {
  const InSession session(*pool);
  for (std::uint64_t bytes = 1; bytes < 200000; bytes = bytes * 5 / 4 + 1) {
    const Buffer a = take(bytes);
    EXPECT_GE(a.capacity(), bytes);
    EXPECT_LE(a.capacity(), std::max<std::uint64_t>(64, bytes + bytes / 4 + 1));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
  }
}

// Pitfall 24.
TEST_F(BufferPoolTest, AHugeIdleBlockIsNeverHandedToATinyRequest) {
  const InSession session(*pool);
  take(64 * kMiB);
  Buffer tiny = take(64);
  EXPECT_EQ(tiny.capacity(), 64u);
  EXPECT_EQ(pool->stats().retained_bytes, 64 * kMiB);
}

TEST_F(BufferPoolTest, FreedOutsideASessionIsReusedByTheNextMiss) {
  const std::byte* data = nullptr;
  {
    Buffer a = take(4096);
    data = a.data();
  }
  EXPECT_EQ(pool->stats().retained_blocks, 0u);
  Buffer b = take(4096);
  EXPECT_EQ(b.data(), data);
}

TEST_F(BufferPoolTest, FreedOnAnotherThreadComesBack) {
  Buffer a = take(4096);
  const std::byte* data = a.data();
  std::thread([taken = std::move(a)] {}).join();
  Buffer b = take(4096);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(pool->stats().lent_blocks, 1u);
}

// Pitfall 15.
TEST_F(BufferPoolTest, ABlockMayOutliveItsPoolItsProducerAndItsBudget) {
  Buffer survivor;
  Buffer released_after_close;
  std::thread([&] {
    RetentionBudget own(kMiB);
    BufferPool::Handle local = BufferPool::open(own);
    survivor = Buffer(local->acquire(3 * kMiB));
    released_after_close = Buffer(local->acquire(100));
    Buffer idle(local->acquire(100));
  }).join();
  std::memset(survivor.data(), 1, 3 * kMiB);
  std::thread([taken = std::move(survivor)] {}).join();
}

// Pitfall 15.
TEST_F(BufferPoolTest, ClosingRacesWithReturnsFromOtherThreads) {
  constexpr int kRounds = 300;
  constexpr int kBlocks = 8;
  for (int round = 0; round < kRounds; ++round) {
    BufferPool::Handle racing = BufferPool::open(budget);
    std::vector<Buffer> mine;
    std::vector<Buffer> theirs;
    for (int i = 0; i < kBlocks; ++i) {
      mine.emplace_back(racing->acquire(256));
      theirs.emplace_back(racing->acquire(256));
    }
    std::atomic<bool> go{false};
    std::thread other([&] {
      while (!go.load()) {
      }
      theirs.clear();
    });
    mine.resize(kBlocks / 2);
    go.store(true);
    racing.reset();
    mine.clear();
    other.join();
  }
}

// Pitfall 22.
TEST_F(BufferPoolTest, RecycledPayloadIsPoisonedInDebugBuilds) {
  const InSession session(*pool);
  {
    Buffer a = take(256);
    std::memset(a.data(), 0, 256);
  }
  Buffer b = take(256);
  double as_f64 = 0;
  float as_f32[2] = {};
  std::memcpy(&as_f64, b.data() + 248, 8);
  std::memcpy(as_f32, b.data(), 8);
#ifdef NDEBUG
  EXPECT_EQ(as_f64, 0.0);
#else
  EXPECT_TRUE(std::isnan(as_f64));
  EXPECT_TRUE(std::isnan(as_f32[0]));
  EXPECT_TRUE(std::isnan(as_f32[1]));
#endif
}

// Pitfall 23.
TEST_F(BufferPoolTest, AFailingLoopLeavesTheAccountingAsItWas) {
  const InSession session(*pool);
  const auto fail = [&] {
    UninitializedBlock out(*pool, 10000);
    UninitializedBlock scratch(*pool, 500);
    std::memset(out.data(), 0, 5000);
    throw std::runtime_error("from the kernel");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  const PoolStats before = pool->stats();
  for (int i = 0; i < 100; ++i) EXPECT_THROW(fail(), std::runtime_error);
  PoolStats after = pool->stats();
  EXPECT_EQ(after.hits, before.hits + 200);
  after.hits = before.hits;
  EXPECT_EQ(after, before);
  EXPECT_EQ(after.lent_blocks, 0u);
}

TEST_F(BufferPoolTest, ACommittedBlockStaysLent) {
  const InSession session(*pool);
  UninitializedBlock out(*pool, 100);
  std::byte* data = out.data();
  const Buffer buffer = std::move(out).commit();
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(pool->stats().lent_blocks, 1u);
}

TEST_F(BufferPoolTest, ALeaseFromTheSystemNeedsNoPool) {
  UninitializedBlock out(1000);
  std::memset(out.data(), 7, 1000);
  EXPECT_EQ(std::to_integer<int>(std::move(out).commit().data()[999]), 7);
}

TEST_F(BufferPoolTest, TrimHonoursTheCapAndClearKeepsNothing) {
  const InSession session(*pool);
  {
    std::vector<Buffer> many;
    for (int i = 0; i < 30; ++i) many.push_back(take(8 * kMiB));
  }
  EXPECT_EQ(pool->stats().retained_bytes, 240 * kMiB);
  pool->trim();
  EXPECT_LE(pool->stats().retained_bytes, 100 * kMiB);
  EXPECT_GE(pool->stats().retained_bytes, 92 * kMiB);
  budget.set_cap(10 * kMiB);
  pool->trim();
  EXPECT_EQ(pool->stats().retained_bytes, 8 * kMiB);
  pool->clear();
  EXPECT_EQ(pool->stats().retained_blocks, 0u);
}

TEST_F(BufferPoolTest, TheCapIsSharedByThePoolsOfAnEngine) {
  budget.set_cap(20 * kMiB);
  BufferPool::Handle second = BufferPool::open(budget);
  Buffer(pool->acquire(16 * kMiB));
  Buffer(second->acquire(16 * kMiB));
  pool->trim();
  second->trim();
  EXPECT_LE(pool->stats().retained_bytes + second->stats().retained_bytes, 20 * kMiB);
}

// Pitfall 25.
TEST_F(BufferPoolTest, ASteadyLoopOfLargeBlocksCausesNoPageFaults) {
  const InSession session(*pool);
  const auto iterate = [&] {
    Buffer a = take(64 * kMiB);
    Buffer b = take(64 * kMiB);
    for (std::uint64_t i = 0; i < 64 * kMiB; i += 4096) a.data()[i] = b.data()[i] = std::byte{1};
  };
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  iterate();
  iterate();
  const long before = faults();
  for (int i = 0; i < 4; ++i) {
    pool->advance_clock(std::chrono::seconds(3));
    iterate();
  }
  EXPECT_LT(faults() - before, 16);
  EXPECT_EQ(pool->stats().misses, 2u);
}

TEST_F(BufferPoolTest, WhatExceedsTheCapIsFreedOnceItHasBeenIdleForLong) {
  const InSession session(*pool);
  budget.set_cap(10 * kMiB);
  {
    std::vector<Buffer> many;
    for (int i = 0; i < 8; ++i) many.push_back(take(8 * kMiB));
  }
  EXPECT_EQ(pool->stats().retained_bytes, 64 * kMiB);
  pool->advance_clock(std::chrono::seconds(60));
  take(kMiB);
  EXPECT_LE(pool->stats().retained_bytes, 10 * kMiB);
}

TEST_F(BufferPoolTest, GrowingSizesDoNotPileUpBeyondWhatWasLentOut) {
  const InSession session(*pool);
  budget.set_cap(8 * kMiB);
  std::uint64_t largest = 0;
  for (std::uint64_t mib = 1; mib <= 64; ++mib) {
    take(mib * kMiB);
    largest = std::max(largest, pool->stats().retained_bytes);
  }
  EXPECT_LE(largest, (64 + 8) * kMiB + 16 * kMiB);
}

TEST_F(BufferPoolTest, ImpossibleSizesAreTypedErrorsAndChangeNothing) {
  const PoolStats before = pool->stats();
  for (std::uint64_t bytes : {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 46}) {
    EXPECT_FALSE(attempt<AllocationFailed>([&] { return take(bytes); })) << bytes;
  }
  EXPECT_EQ(pool->stats(), before);
}

TEST(RetentionBudget, TheDefaultCapComesFromTheEnvironment) {
  ::unsetenv("TENFERRO_POOL_CAP_BYTES");
  EXPECT_EQ(RetentionBudget().cap(), 100 * kMiB);
  ::setenv("TENFERRO_POOL_CAP_BYTES", "12345", 1);
  EXPECT_EQ(RetentionBudget().cap(), 12345u);
  ::setenv("TENFERRO_POOL_CAP_BYTES", "12 MB", 1);
  EXPECT_EQ(RetentionBudget().cap(), 100 * kMiB);
  ::unsetenv("TENFERRO_POOL_CAP_BYTES");
}

}  // namespace
}  // namespace tenferro
