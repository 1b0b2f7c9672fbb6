// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Recycled tensor memory. On machines where a fresh page costs tens of microseconds the pool decides the speed of every
// large operation. Free lists are plain and belong to the session that holds the pool; a block that dies anywhere else
// goes to a lock-free return stack, which the next acquire that misses empties. Blocks may outlive the pool's owner.
//
// Example:
//     RetentionBudget budget(64 << 20);
//     BufferPool::Handle pool = BufferPool::open(budget);
//     {
//       UninitializedBlock out(*pool, 1000);                   // returned if an exception passes here
//       std::memset(out.data(), 7, out.capacity());
//       Buffer result = std::move(out).commit();
//     }
//     pool->trim();                                            // sees what died outside sessions
//     CHECK(pool->stats().misses == 1 && pool->stats().retained_blocks == 1);
//     Buffer again(pool->acquire(1000));
//     CHECK(pool->stats().hits == 1 && pool->stats().lent_blocks == 1);

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/internal/counter.hpp"
#include "tenferro/cpu/internal/size_class.hpp"
#include "tenferro/tensor/buffer.hpp"

// Checked builds mark recycled memory, so that a kernel which leaves elements unwritten shows.
#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
#define TENFERRO_CHECK_RECYCLED
#endif

namespace tenferro {

/// How much idle memory the pools of one engine may keep together. Outlives every pool opened on it.
///
/// Example:
///     RetentionBudget budget(RetentionBudget::default_cap());
///     budget.set_cap(1 << 20);
///     CHECK(budget.cap() == 1 << 20);
class RetentionBudget {
 public:
  /// 100 MiB, or the value of TENFERRO_POOL_CAP_BYTES (a plain decimal number) where it is set.
  static std::uint64_t default_cap() noexcept;

  explicit RetentionBudget(std::uint64_t cap = default_cap()) noexcept : cap_(cap) {}
  std::uint64_t cap() const noexcept { return cap_.load(std::memory_order_relaxed); }
  void set_cap(std::uint64_t bytes) noexcept { cap_.store(bytes, std::memory_order_relaxed); }

 private:
  friend class BufferPool;
  std::atomic<std::uint64_t> cap_;
  // Sum over the pools, brought up to date by each pool when it misses or takes a large block back.
  std::atomic<std::uint64_t> retained_{0};
};

/// A snapshot of a pool's counters. A block that died outside a session counts as lent until the pool has seen it,
/// which happens at the next miss, trim or clear.
///
/// Example:
///     PoolStats total{.hits = 3, .misses = 1};
///     total += PoolStats{.hits = 1};
///     CHECK(total == PoolStats{.hits = 4, .misses = 1});
struct PoolStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t lent_blocks = 0;
  std::uint64_t lent_bytes = 0;
  std::uint64_t retained_blocks = 0;
  std::uint64_t retained_bytes = 0;
  PoolStats& operator+=(const PoolStats& other) noexcept;
  friend bool operator==(const PoolStats&, const PoolStats&) = default;
};

/// Blocks by size class. Every function except release and stats requires that the caller holds the pool, i.e. that no
/// other thread is in a session on it.
///
/// Example:
///     RetentionBudget budget(1 << 20);
///     BufferPool::Handle pool = BufferPool::open(budget);
///     {
///       Buffer block(pool->acquire(100));
///       CHECK(block.capacity() >= 100 && pool->stats().lent_blocks == 1);
///     }
///     pool->trim();
///     CHECK(pool->stats().retained_blocks == 1);               // within the cap
///     budget.set_cap(0);
///     pool->advance_clock(BufferPool::kIdleAge);
///     pool->trim();
///     CHECK(pool->stats().retained_bytes == 0);
///     pool->clear();
class BufferPool {
 public:
  struct Closer {
    void operator()(BufferPool* pool) const noexcept { pool->close(); }
  };
  /// Closing frees what is idle; the pool itself goes with its last lent block.
  using Handle = std::unique_ptr<BufferPool, Closer>;
  static Handle open(RetentionBudget& budget);

  /// Block of at least `bytes` uninitialised payload bytes. Reuses only blocks of exactly the class of `bytes`. A miss
  /// asks the system, and first frees idle blocks where the budget is exceeded. Throws AllocationError.
  [[nodiscard]] BlockHeader* acquire(std::uint64_t bytes) {
    const std::uint32_t wanted = internal::size_class_of(bytes);
    if (wanted >= internal::kSizeClasses || idle_[wanted] == nullptr) [[unlikely]]
      return acquire_slow(bytes);
    return reuse(wanted);
  }

  /// Takes in what died outside sessions, then frees the blocks that have been idle longest until the budget's cap
  /// holds.
  void trim() noexcept;
  /// Takes in what died outside sessions, then frees every idle block.
  void clear() noexcept;

  PoolStats stats() const noexcept;

  /// How long a block beyond the cap stays idle before it may be freed. Shorter times would free memory that a loop is
  /// about to need again.
  static constexpr std::chrono::seconds kIdleAge{5};
  /// Moves the clock that measures idleness, for tests.
  void advance_clock(std::chrono::nanoseconds by) noexcept { clock_offset_ += static_cast<std::uint64_t>(by.count()); }

  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

 private:
  explicit BufferPool(RetentionBudget& budget) noexcept : budget_(&budget) {}
  ~BufferPool() = default;

  static void release(BlockHeader* block) noexcept;
  BlockHeader* reuse(std::uint32_t size_class) noexcept {
    BlockHeader* block = idle_[size_class];
    idle_[size_class] = block->next;
    hits_.add();
    lent_blocks_.add();
    lent_bytes_.add(block->bytes);
#ifdef TENFERRO_CHECK_RECYCLED
    prepare_recycled(block);
#endif
    return block;
  }
  // Defined in every build, so that a checked program may use an unchecked library.
  static void prepare_recycled(BlockHeader* block) noexcept;
  BlockHeader* acquire_slow(std::uint64_t bytes);
  BlockHeader* allocate(std::uint64_t bytes);
  void put(BlockHeader* block) noexcept;
  void put_large(BlockHeader* block) noexcept;
  void give_back(BlockHeader* block) noexcept;
  void late_return(BlockHeader* block) noexcept;
  void drain() noexcept;
  void take_in(BlockHeader* chain) noexcept;
  void publish_retained() noexcept;
  void age() noexcept;
  void roll_peak(std::uint64_t now) noexcept;
  std::uint64_t free_idle(std::uint64_t goal, std::uint64_t idle_since) noexcept;
  std::uint64_t now() const noexcept;
  std::uint64_t retained_bytes() const noexcept { return owned_bytes_.get() - lent_bytes_.get(); }
  void close() noexcept;

  // Written by the holder only.
  std::array<BlockHeader*, internal::kSizeClasses> idle_{};
  // What is idle is what is owned and not lent: an acquire and a release count the latter alone.
  internal::Counter hits_, misses_, lent_blocks_, lent_bytes_, owned_blocks_, owned_bytes_;
  RetentionBudget* budget_;
  std::uint64_t published_ = 0;
  // Largest lent_bytes_ of the current and of the previous period of kIdleAge: memory that a loop needs again and
  // again.
  std::uint64_t peak_ = 0;
  std::uint64_t previous_peak_ = 0;
  std::uint64_t peak_since_ = 0;
  std::uint64_t last_aged_ = 0;
  std::uint64_t clock_offset_ = 0;

  // Written by any thread.
  alignas(64) std::atomic<BlockHeader*> returned_{nullptr};
  std::atomic<std::int64_t> lent_after_close_{0};
};

/// Memory that is being filled: a block that goes back to its pool unless commit() makes it a buffer.
class UninitializedBlock {
 public:
  UninitializedBlock(BufferPool& pool, std::uint64_t bytes) : block_(pool.acquire(bytes)) {}
  /// From the system instead of a pool.
  explicit UninitializedBlock(std::uint64_t bytes) : block_(heap_block(bytes)) {}

  std::byte* data() noexcept { return block_.data(); }
  std::uint64_t capacity() const noexcept { return block_.capacity(); }
  /// The filled block. Every byte that will be read must have been written.
  [[nodiscard]] Buffer commit() && noexcept { return std::move(block_); }

 private:
  Buffer block_;
};

}  // namespace tenferro
