// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a session works with: a resource set, taken out of its slot by value and put back at the end. No lock spans user
// code. An empty slot means "taken", never "missing". Exclusive backends have one slot; shared ones have several,
// chosen by thread, and sets are made as threads need them.
//
// Example:
//     struct Plans final : BoundedCache<int, std::string> {};
//     ResourceSlots slots(true);
//     ResourceSet* set = slots.take(0);
//     CHECK(set != nullptr && slots.take(1) == nullptr);       // one set, and it is taken
//     set->caches.of<Plans>().get(1, [] { return std::string("one"); });
//     CHECK(!slots.manage([](ResourceSet&) {}));
//     slots.put(*set);
//     CHECK(slots.manage([](ResourceSet& s) { s.caches.clear(); }) && slots.take_ready(1) == set);
//     CHECK(set->caches.of<Plans>().size() == 0);
//     slots.inspect([](const ResourceSet& s) { CHECK(s.pool->stats().lent_blocks == 0); });
//     slots.strand(*set);                                      // its thread may still free blocks to it
//     CHECK(slots.take(0) != set);
//     slots.budget().set_cap(0);

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tenferro/backend/session_caches.hpp"
#include "tenferro/cpu/buffer_pool.hpp"
#include "tenferro/cpu/internal/counter.hpp"

namespace tenferro {

namespace internal {
/// One for the process, so that a fork can leave it unlocked; used by cold paths only.
extern constinit std::mutex resource_mutex;
}  // namespace internal

/// Pool, caches and counters. Used by one session at a time; the counters are written by that session alone.
struct ResourceSet {
  explicit ResourceSet(RetentionBudget& budget, std::uint32_t home_slot)
      : pool(BufferPool::open(budget)), home(home_slot) {}

  BufferPool::Handle pool;
  /// What families keep here; dies before the pool.
  SessionCaches caches;
  internal::Counter sessions;  ///< entries, inside scopes or not
  internal::Counter direct;    ///< admissions without waiting
  internal::Counter queued;    ///< admissions after waiting
  internal::Counter installs;  ///< calls of the domain's entry hook
  const std::uint32_t home;
};

/// The sets of one engine.
class ResourceSlots {
 public:
  /// `exclusive`: one slot, one set.
  explicit ResourceSlots(bool exclusive);
  ~ResourceSlots();
  ResourceSlots(const ResourceSlots&) = delete;
  ResourceSlots& operator=(const ResourceSlots&) = delete;

  /// The set in the slot of the thread of that number, or null: one exchange.
  ResourceSet* take_ready(std::uint32_t thread) noexcept {
    return slots_[thread & mask_].set.exchange(nullptr, std::memory_order_acquire);
  }
  /// A set for the thread, from another slot or made now if need be. Null if the only set of an exclusive engine is
  /// taken. Throws std::bad_alloc.
  ResourceSet* take(std::uint32_t thread) {
    ResourceSet* set = take_ready(thread);
    return set != nullptr ? set : take_slow(thread & mask_);
  }
  void put(ResourceSet& set) noexcept {
    if (set.home != kOverflow) [[likely]] {
      slots_[set.home].set.store(&set, std::memory_order_release);
    } else {
      put_overflow(set);
    }
  }

  /// Takes a set out of use for ever, because a thread that no longer has its session may still free blocks to the
  /// pool's plain lists. Pool and budget then outlive the engine; whoever asks next gets a new set.
  void strand(ResourceSet& set) noexcept;

  /// Calls f(set) for every set while all are here; false, without a call, if a session has one.
  template <class F>
  bool manage(const F& f) {
    const std::lock_guard lock(internal::resource_mutex);
    if (!begin_management()) return false;
    for (const std::unique_ptr<ResourceSet>& set : sets_) f(*set);
    end_management();
    return true;
  }
  /// Calls f(const set) for every set, also while sessions have them: for counters only.
  template <class F>
  void inspect(const F& f) const {
    const std::lock_guard lock(internal::resource_mutex);
    for (const std::unique_ptr<ResourceSet>& set : sets_) f(static_cast<const ResourceSet&>(*set));
    for (const std::unique_ptr<ResourceSet>& set : stranded_) f(static_cast<const ResourceSet&>(*set));
  }

  RetentionBudget& budget() noexcept { return *budget_; }
  const RetentionBudget& budget() const noexcept { return *budget_; }

 private:
  static constexpr std::uint32_t kSharedSlots = 16;
  static constexpr std::uint32_t kOverflow = ~std::uint32_t{0};
  struct alignas(64) Slot {
    std::atomic<ResourceSet*> set{nullptr};
    std::atomic<bool> made{false};
  };

  ResourceSet* take_slow(std::uint32_t slot);
  ResourceSet* make(std::uint32_t home);
  ResourceSet* take_any() noexcept;
  void put_overflow(ResourceSet& set) noexcept;
  bool begin_management() noexcept;
  void end_management() noexcept;

  std::unique_ptr<RetentionBudget> budget_;
  const std::uint32_t mask_;
  std::array<Slot, kSharedSlots> slots_{};
  std::atomic<std::uint32_t> management_{0};  // odd while in progress
  const std::uint32_t generation_;            // of the process

  // Guarded by the process's resource mutex, which is never held while user code runs.
  std::vector<std::unique_ptr<ResourceSet>> sets_;
  std::vector<std::unique_ptr<ResourceSet>> stranded_;
  std::vector<ResourceSet*> overflow_;
};

}  // namespace tenferro
