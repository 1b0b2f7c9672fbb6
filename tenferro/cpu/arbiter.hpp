// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Who may execute on which CPUs. Requests are of three classes: shared sessions of one CPU set run together; an
// exclusive session has its CPU set, and every overlapping one, to itself; a provider-exclusive session is alone in the
// process. An uncontended acquire and release are a handful of instructions without system call, lock or allocation.
// Sessions use it through CpuEntry.
//
// Example:
//     #include <memory>
//     auto arbiter = std::make_unique<Arbiter>();              // that of the process is process_arbiter()
//     const std::uint8_t set = arbiter->register_set(CpuSet{0, 1});
//     PresenceLine &mine = arbiter->lines().claim(), &other = arbiter->lines().claim();      // a line a thread
//     const AdmissionRequest alone{AdmissionClass::exclusive, set}, together{AdmissionClass::shared, set};
//     CHECK(is_admitted(arbiter->acquire(alone, mine)) && !arbiter->is_idle() && arbiter->active_threads(set) == 1);
//     CHECK(arbiter->acquire(together, other) == Admitted::contended);                       // deadline 0: no waiting
//     arbiter->release(alone, mine);
//     CHECK(arbiter->acquire(together, other) == Admitted::direct);
//     CHECK(arbiter->acquire(together, mine) == Admitted::direct);
//     arbiter->set_strict_fifo(true);
//     const Arbiter::Stats stats = arbiter->stats();
//     CHECK(stats.waiting == 0 && process_arbiter().stats().waiting == 0);
//
// How it works. Each distinct CPU set has a bit. `word_` holds the bits that are held exclusively and a few flags. An
// exclusive request sets its bit if no conflicting bit is set, then waits until no presence line names a conflicting
// set. A shared request writes its presence line, then looks at the word and backs out if a conflicting bit is set.
// Both orders are sequentially consistent, so at least one side sees the other. Requests that cannot be granted spin
// for some microseconds, then queue in order of arrival under a mutex and park. While something is queued, kSlow is set
// in the same word that releases write, so no wake-up can be lost. Others may overtake the queue until its head has
// waited for a millisecond; then kFair makes newcomers queue, so nobody starves and yet nobody marches in lock-step.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "tenferro/cpu/cpu_set.hpp"
#include "tenferro/cpu/internal/futex.hpp"
#include "tenferro/cpu/presence.hpp"

namespace tenferro {

enum class AdmissionClass : std::uint8_t {
  shared,              ///< with other shared sessions; conflicts with exclusive ones on an overlapping set
  exclusive,           ///< conflicts with every session on an overlapping set
  provider_exclusive,  ///< conflicts with every session in the process
};

struct AdmissionRequest {
  AdmissionClass admission = AdmissionClass::shared;
  /// From Arbiter::register_set.
  std::uint8_t set = 0;
  /// How long to wait at most; 0 or less: not at all.
  std::chrono::nanoseconds deadline{0};
};

enum class Admitted : std::uint8_t {
  direct,     ///< granted without waiting
  queued,     ///< granted after waiting
  contended,  ///< not granted before the deadline, or at once to a helper thread, which never waits
  poisoned,   ///< the state is corrupt, or its holder vanished in a fork
};
constexpr bool is_admitted(Admitted a) noexcept { return a == Admitted::direct || a == Admitted::queued; }

/// See above. One arbiter serves the process; others exist in tests only. Lives for ever: it has nothing to destroy.
class Arbiter {
 public:
  constexpr Arbiter() noexcept = default;
  Arbiter(const Arbiter&) = delete;
  Arbiter& operator=(const Arbiter&) = delete;

  /// Number of a CPU set; equal sets have equal numbers. When all numbers are taken, further sets share one that
  /// conflicts with every other.
  std::uint8_t register_set(const CpuSet& cpus) noexcept;

  /// `line` belongs to the calling thread and is not occupied.
  Admitted acquire(const AdmissionRequest& request, PresenceLine& line) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << index_of(request);
    if (request.admission == AdmissionClass::shared) {
      line.shared.store(bit, std::memory_order_seq_cst);
      internal::interleave();
      const std::uint64_t word = word_.load(std::memory_order_seq_cst);
      if ((word & (conflicts(request) | kFair | kPoison)) == 0) [[likely]]
        return Admitted::direct;
      line.shared.store(0, std::memory_order_release);
    } else {
      std::uint64_t word = word_.load(std::memory_order_acquire);
      internal::interleave();
      if ((word & (conflicts(request) | kSlow | kPoison)) == 0 &&
          word_.compare_exchange_strong(word, word | bit, std::memory_order_seq_cst)) [[likely]] {
        line.exclusive.store(bit, std::memory_order_relaxed);
        internal::interleave();
        if (!lines_.any_shared(conflicts_[index_of(request)])) [[likely]]
          return Admitted::direct;
        return drain_slow(request, line);
      }
    }
    return acquire_slow(request, line);
  }

  /// Gives back what `acquire` granted for the same request and line; any thread may do it.
  void release(const AdmissionRequest& request, PresenceLine& line) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << index_of(request);
    if (request.admission == AdmissionClass::shared) {
      line.shared.store(0, std::memory_order_release);
      internal::interleave();
      // A conflicting bit means that somebody waits for lines to become empty. A look too early to see the bit costs
      // that thread one polling period.
      if ((word_.load(std::memory_order_relaxed) & conflicts(request)) != 0) [[unlikely]]
        wake_drainers();
    } else {
      line.exclusive.store(0, std::memory_order_relaxed);
      internal::interleave();
      const std::uint64_t before = word_.fetch_and(~bit, std::memory_order_seq_cst);
      if ((before & (kSlow | bit)) != bit) [[unlikely]]
        release_slow(before, bit);
    }
  }

  PresenceTable& lines() noexcept { return lines_; }
  /// Number of threads inside sessions on sets that overlap `set`; a snapshot.
  std::uint32_t active_threads(std::uint8_t set) const noexcept {
    return lines_.occupied(conflicts_[set].load(std::memory_order_relaxed));
  }

  /// With `on`, no request overtakes an older one that it conflicts with. Off by default, because strict order makes
  /// every short session of two threads a round of parking.
  void set_strict_fifo(bool on) noexcept { strict_.store(on, std::memory_order_relaxed); }

  /// Counts of the slow path since the start; an uncontended acquire or release changes none of them.
  struct Stats {
    std::uint64_t queued = 0;
    std::uint64_t parks = 0;
    std::uint64_t wakes = 0;
    std::uint32_t waiting = 0;
  };
  Stats stats() noexcept;
  /// Whether nothing is held exclusively and nobody waits.
  bool is_idle() const noexcept { return word_.load(std::memory_order_acquire) == 0; }

  /// Makes every later acquire answer `poisoned`, as a broken invariant does. For tests, which also undo it.
  ///
  /// Example:
  ///     #include <memory>
  ///     auto arbiter = std::make_unique<Arbiter>();
  ///     PresenceLine& line = arbiter->lines().claim();
  ///     arbiter->poison();
  ///     const AdmissionRequest request{AdmissionClass::shared, arbiter->register_set(CpuSet{0})};
  ///     CHECK(arbiter->acquire(request, line) == Admitted::poisoned);
  ///     arbiter->clear_poison_for_test();
  ///     CHECK(arbiter->is_idle());
  void poison() noexcept { word_.fetch_or(kPoison, std::memory_order_seq_cst); }
  void clear_poison_for_test() noexcept { word_.fetch_and(~kPoison, std::memory_order_seq_cst); }

  /// To be called around fork: the child forgets waiters and sessions of threads that it does not have. What such a
  /// thread held exclusively stays held, and conflicting requests are answered `poisoned`.
  ///
  /// Example:
  ///     #include <memory>
  ///     #include <sys/wait.h>
  ///     #include <unistd.h>
  ///     auto arbiter = std::make_unique<Arbiter>();
  ///     arbiter->before_fork();
  ///     const pid_t child = fork();
  ///     if (child == 0) {
  ///       arbiter->after_fork_in_child(nullptr);
  ///       _exit(arbiter->is_idle() ? 0 : 1);
  ///     }
  ///     arbiter->after_fork_in_parent();
  ///     int status = -1;
  ///     CHECK(waitpid(child, &status, 0) == child && status == 0);
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork_in_parent() noexcept { mutex_.unlock(); }
  void after_fork_in_child(const PresenceLine* own) noexcept;

 private:
  struct Waiter;

  static constexpr std::uint64_t kSlow = std::uint64_t{1} << 63;    // something is queued: releases take the mutex
  static constexpr std::uint64_t kFair = std::uint64_t{1} << 62;    // newcomers must queue
  static constexpr std::uint64_t kPoison = std::uint64_t{1} << 61;  // nothing is granted any more
  static constexpr std::uint8_t kAlone = 60;                        // the provider-exclusive class
  static constexpr std::uint8_t kCatchAll = 59;                     // all CPU sets beyond the first 59
  static constexpr std::uint64_t kHolders = (std::uint64_t{1} << (kAlone + 1)) - 1;

  static std::uint8_t index_of(const AdmissionRequest& request) noexcept {
    return request.admission == AdmissionClass::provider_exclusive ? kAlone : request.set;
  }
  // Read after the word: who registered a new overlapping set and holds its bit has published the mask before.
  std::uint64_t conflicts(const AdmissionRequest& request) const noexcept {
    return conflicts_[index_of(request)].load(std::memory_order_acquire);
  }

  Admitted acquire_slow(const AdmissionRequest& request, PresenceLine& line) noexcept;
  Admitted drain_slow(const AdmissionRequest& request, PresenceLine& line) noexcept;
  Admitted drain(const AdmissionRequest& request, PresenceLine& line, std::int64_t limit) noexcept;
  Admitted park(const AdmissionRequest& request, PresenceLine& line, std::int64_t start, std::int64_t limit) noexcept;
  bool try_take(const AdmissionRequest& request, PresenceLine& line, std::uint64_t barred) noexcept;
  bool is_poisoned(const AdmissionRequest& request) const noexcept;
  bool is_blocked_by_older(const Waiter& waiter) const noexcept;
  void enqueue(Waiter& waiter) noexcept;
  void dequeue(Waiter& waiter) noexcept;
  void signal(Waiter& waiter) noexcept;
  void signal_eligible() noexcept;
  void release_slow(std::uint64_t before, std::uint64_t bit) noexcept;
  void wake_drainers() noexcept;

  alignas(64) std::atomic<std::uint64_t> word_{0};
  alignas(64) std::array<std::atomic<std::uint64_t>, kAlone + 1> conflicts_{};
  std::atomic<bool> strict_{false};
  std::atomic<std::uint64_t> abandoned_{0};  // bits whose holder vanished in a fork
  std::atomic<std::uint32_t> drainers_{0};   // parked in drain
  std::atomic<std::uint32_t> drain_epoch_{0};

  std::mutex mutex_;  // guards what follows
  Waiter* head_ = nullptr;
  Waiter* tail_ = nullptr;
  std::uint8_t set_count_ = 0;
  std::array<CpuSet, kCatchAll> sets_{};
  Stats stats_{};

  PresenceTable lines_;
};

/// The arbiter of the process.
Arbiter& process_arbiter() noexcept;

namespace internal {

extern constinit Arbiter the_arbiter;

/// Gives the calling thread a presence line in the process's arbiter; it is returned when the thread ends.
PresenceLine& attach_presence_line();

}  // namespace internal

inline Arbiter& process_arbiter() noexcept { return internal::the_arbiter; }

}  // namespace tenferro
