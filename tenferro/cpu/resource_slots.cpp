// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/resource_slots.hpp"

#include <sched.h>

#include <algorithm>

#include "tenferro/cpu/internal/process.hpp"

namespace tenferro {

namespace internal {
constinit std::mutex resource_mutex;
}  // namespace internal

namespace {

// Pools that a thread without its session may still touch, and what they point to: kept for ever, and in reach of leak
// checkers.
struct Stranded {
  std::unique_ptr<RetentionBudget> budget;
  std::vector<std::unique_ptr<ResourceSet>> sets;
};
std::vector<Stranded>& all_stranded() {
  static auto* const all = new std::vector<Stranded>;
  return *all;
}

}  // namespace

ResourceSlots::ResourceSlots(bool exclusive)
    : budget_(std::make_unique<RetentionBudget>()),
      mask_(exclusive ? 0 : kSharedSlots - 1),
      generation_(internal::process_generation.load(std::memory_order_relaxed)) {}

ResourceSlots::~ResourceSlots() {
  if (stranded_.empty()) return;
  const std::lock_guard lock(internal::resource_mutex);
  all_stranded().push_back({std::move(budget_), std::move(stranded_)});
}

// A thread's first entry makes the set of its slot. Later, a slot is empty when another thread of the same slot is in a
// session, or when the sets are under management for a moment.
ResourceSet* ResourceSlots::take_slow(std::uint32_t slot) {
  for (;;) {
    const std::uint32_t before = management_.load(std::memory_order_seq_cst);
    if (!slots_[slot].made.exchange(true, std::memory_order_acq_rel)) return make(slot);
    if (ResourceSet* set = take_any()) return set;
    const std::uint32_t after = management_.load(std::memory_order_seq_cst);
    // In a forked child the managing thread may not exist.
    const bool forked = generation_ != internal::process_generation.load(std::memory_order_relaxed);
    const bool managed = before != after || after % 2 != 0;
    if (forked || !managed) return mask_ == 0 ? nullptr : make(kOverflow);
    ::sched_yield();
  }
}

ResourceSet* ResourceSlots::take_any() noexcept {
  for (std::uint32_t i = 0; i <= mask_; ++i) {
    if (ResourceSet* set = slots_[i].set.exchange(nullptr, std::memory_order_acquire)) return set;
  }
  if (mask_ == 0) return nullptr;
  const std::unique_lock lock(internal::resource_mutex, std::try_to_lock);
  if (!lock || overflow_.empty()) return nullptr;
  ResourceSet* set = overflow_.back();
  overflow_.pop_back();
  return set;
}

ResourceSet* ResourceSlots::make(std::uint32_t home) {
  try {
    auto made = std::make_unique<ResourceSet>(*budget_, home);
    const std::lock_guard lock(internal::resource_mutex);
    // So that putting back and stranding need no memory.
    overflow_.reserve(sets_.size() + 1);
    stranded_.reserve(stranded_.size() + sets_.size() + 1);
    sets_.push_back(std::move(made));
    return sets_.back().get();
  } catch (...) {
    if (home != kOverflow) slots_[home].made.store(false, std::memory_order_release);
    throw;
  }
}

void ResourceSlots::strand(ResourceSet& set) noexcept {
  const std::lock_guard lock(internal::resource_mutex);
  const auto own = std::find_if(sets_.begin(), sets_.end(), [&](const auto& s) { return s.get() == &set; });
  stranded_.push_back(std::move(*own));
  sets_.erase(own);
  if (set.home != kOverflow) slots_[set.home].made.store(false, std::memory_order_release);
}

void ResourceSlots::put_overflow(ResourceSet& set) noexcept {
  const std::lock_guard lock(internal::resource_mutex);
  overflow_.push_back(&set);
}

// Takes every set out of its slot; if one is missing, puts back what was taken.
bool ResourceSlots::begin_management() noexcept {
  management_.fetch_add(1, std::memory_order_seq_cst);
  std::size_t present = overflow_.size();
  std::array<ResourceSet*, kSharedSlots> taken{};
  for (std::uint32_t i = 0; i <= mask_; ++i) {
    taken[i] = slots_[i].set.exchange(nullptr, std::memory_order_acquire);
    present += taken[i] != nullptr ? 1u : 0u;
  }
  if (present == sets_.size()) return true;
  for (ResourceSet* set : taken) {
    if (set != nullptr) put(*set);
  }
  management_.fetch_add(1, std::memory_order_seq_cst);
  return false;
}

void ResourceSlots::end_management() noexcept {
  for (const std::unique_ptr<ResourceSet>& set : sets_) {
    if (set->home != kOverflow) slots_[set->home].set.store(set.get(), std::memory_order_release);
  }
  management_.fetch_add(1, std::memory_order_seq_cst);
}

}  // namespace tenferro
