// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/arbiter.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "tenferro/backend/thread_record.hpp"

namespace tenferro {
namespace {

// Spinning this long bridges the usual short session: without it two threads with short sessions park at every entry,
// which costs each of them a thousand times what the session does.
constexpr std::int64_t kSpinNs = 4'000;
// The head of the queue is overtaken for this long at most.
constexpr std::int64_t kPatienceNs = 1'000'000;
// Longest sleep of a thread that waits for presence lines to become empty.
constexpr std::int64_t kDrainPollNs = 1'000'000;

std::int64_t limit_of(std::int64_t start, std::chrono::nanoseconds deadline) noexcept {
  const std::int64_t wait = std::max<std::int64_t>(deadline.count(), 0);
  return wait > std::numeric_limits<std::int64_t>::max() - start ? std::numeric_limits<std::int64_t>::max()
                                                                 : start + wait;
}

// Calls done() until it is true or the time is over. Looks at the clock every few rounds only.
template <class F>
bool spin_until(std::int64_t limit, const F& done) noexcept {
  for (;;) {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      internal::spin_pause();
    }
    if (internal::monotonic_ns() >= limit) return false;
  }
}

}  // namespace

namespace internal {
constinit Arbiter the_arbiter;
}  // namespace internal

// On the stack of a thread in park(). Everything but `wake` is guarded by the mutex.
struct Arbiter::Waiter {
  const AdmissionRequest* request;
  std::int64_t since;
  Waiter* older = nullptr;
  Waiter* younger = nullptr;
  bool signalled = false;
  std::atomic<std::uint32_t> wake{0};
};

std::uint8_t Arbiter::register_set(const CpuSet& cpus) noexcept {
  const std::lock_guard lock(mutex_);
  const auto known = std::find(sets_.begin(), sets_.begin() + set_count_, cpus);
  const auto index = static_cast<std::uint8_t>(known - sets_.begin());
  if (index < set_count_) return index;

  constexpr std::uint64_t kOne = 1;
  const std::uint64_t alone = kOne << kAlone;
  const std::uint64_t catch_all = kOne << kCatchAll;
  conflicts_[kAlone].store(kHolders, std::memory_order_release);
  conflicts_[kCatchAll].store(kHolders, std::memory_order_release);
  if (index == kCatchAll) return kCatchAll;

  std::uint64_t mask = alone | catch_all | kOne << index;
  for (std::uint8_t other = 0; other < index; ++other) {
    if (!sets_[other].overlaps(cpus)) continue;
    mask |= kOne << other;
    conflicts_[other].fetch_or(kOne << index, std::memory_order_acq_rel);
  }
  conflicts_[index].store(mask, std::memory_order_release);
  sets_[index] = cpus;
  ++set_count_;
  return index;
}

bool Arbiter::is_poisoned(const AdmissionRequest& request) const noexcept {
  return (word_.load(std::memory_order_relaxed) & kPoison) != 0 ||
         (abandoned_.load(std::memory_order_relaxed) & conflicts(request)) != 0;
}

// Takes what is asked for unless a conflicting bit or one of `barred` is set. Does not wait for presence lines.
bool Arbiter::try_take(const AdmissionRequest& request, PresenceLine& line, std::uint64_t barred) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << index_of(request);
  std::uint64_t word = word_.load(std::memory_order_seq_cst);
  while ((word & (conflicts(request) | barred | kPoison)) == 0) {
    internal::interleave();
    if (request.admission == AdmissionClass::shared) {
      line.shared.store(bit, std::memory_order_seq_cst);
      internal::interleave();
      word = word_.load(std::memory_order_seq_cst);
      if ((word & (conflicts(request) | barred | kPoison)) == 0) return true;
      line.shared.store(0, std::memory_order_release);
      wake_drainers();
    } else if (word_.compare_exchange_weak(word, word | bit, std::memory_order_seq_cst)) {
      line.exclusive.store(bit, std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

Admitted Arbiter::acquire_slow(const AdmissionRequest& request, PresenceLine& line) noexcept {
  const std::int64_t start = internal::monotonic_ns();
  const std::int64_t limit = limit_of(start, request.deadline);
  const bool may_wait = request.deadline.count() > 0 && !internal::thread_record.team_worker;
  // In strict order nobody may be overtaken: with anything queued, queue.
  const std::uint64_t barred = strict_.load(std::memory_order_relaxed) ? kFair | kSlow : kFair;
  wake_drainers();  // the fast path of a shared request has shown a presence line for a moment
  if (is_poisoned(request)) return Admitted::poisoned;
  const auto attempt = [&] { return try_take(request, line, barred); };
  if (attempt()) return drain(request, line, limit);
  if (!may_wait) return is_poisoned(request) ? Admitted::poisoned : Admitted::contended;
  if (spin_until(std::min(limit, start + kSpinNs), attempt)) return drain(request, line, limit);
  return park(request, line, start, limit);
}

Admitted Arbiter::drain_slow(const AdmissionRequest& request, PresenceLine& line) noexcept {
  const std::int64_t limit = limit_of(internal::monotonic_ns(), request.deadline);
  return drain(request, line, limit);
}

// An exclusive request holds its bit and waits here for shared sessions to end; none can begin any more.
Admitted Arbiter::drain(const AdmissionRequest& request, PresenceLine& line, std::int64_t limit) noexcept {
  if (request.admission == AdmissionClass::shared) return Admitted::queued;
  const auto drained = [&] { return !lines_.any_shared(conflicts_[index_of(request)]); };
  const bool may_wait = request.deadline.count() > 0 && !internal::thread_record.team_worker;
  if (drained()) return Admitted::queued;
  if (may_wait && spin_until(std::min(limit, internal::monotonic_ns() + kSpinNs), drained)) return Admitted::queued;
  // Seen empty once is enough: what shows up later is a request that is about to back out.
  bool done = false;
  drainers_.fetch_add(1, std::memory_order_seq_cst);
  while (may_wait && !done) {
    const std::uint32_t epoch = drain_epoch_.load(std::memory_order_seq_cst);
    done = drained();
    const std::int64_t left = limit - internal::monotonic_ns();
    if (done || left <= 0) break;
    internal::futex_wait(drain_epoch_, epoch, std::min(left, kDrainPollNs));
  }
  drainers_.fetch_sub(1, std::memory_order_seq_cst);
  if (done) return Admitted::queued;
  release(request, line);
  return Admitted::contended;
}

void Arbiter::wake_drainers() noexcept {
  if (drainers_.load(std::memory_order_seq_cst) == 0) return;
  drain_epoch_.fetch_add(1, std::memory_order_seq_cst);
  internal::futex_wake(drain_epoch_, std::numeric_limits<int>::max());
}

// Whether an older waiter conflicts with this one: it then keeps its place. Shared waiters do not conflict with each
// other.
bool Arbiter::is_blocked_by_older(const Waiter& waiter) const noexcept {
  const std::uint64_t conflicting = conflicts(*waiter.request);
  const bool shared = waiter.request->admission == AdmissionClass::shared;
  for (const Waiter* w = waiter.older; w != nullptr; w = w->older) {
    if (shared && w->request->admission == AdmissionClass::shared) continue;
    if ((conflicting >> index_of(*w->request) & 1) != 0) return true;
  }
  return false;
}

void Arbiter::enqueue(Waiter& waiter) noexcept {
  waiter.older = tail_;
  (tail_ != nullptr ? tail_->younger : head_) = &waiter;
  tail_ = &waiter;
  ++stats_.waiting;
  word_.fetch_or(strict_.load(std::memory_order_relaxed) ? kSlow | kFair : kSlow, std::memory_order_seq_cst);
}

void Arbiter::dequeue(Waiter& waiter) noexcept {
  const bool was_head = head_ == &waiter;
  (waiter.older != nullptr ? waiter.older->younger : head_) = waiter.younger;
  (waiter.younger != nullptr ? waiter.younger->older : tail_) = waiter.older;
  --stats_.waiting;
  if (head_ == nullptr) {
    word_.fetch_and(~(kSlow | kFair), std::memory_order_seq_cst);
    return;
  }
  if (was_head) {
    // The next head earns fairness by its own patience, which it times itself.
    const bool impatient = internal::monotonic_ns() - head_->since >= kPatienceNs;
    if (!impatient && !strict_.load(std::memory_order_relaxed)) word_.fetch_and(~kFair, std::memory_order_seq_cst);
    signal(*head_);
  }
  // Younger waiters may have been blocked by this one alone.
  signal_eligible();
}

void Arbiter::signal(Waiter& waiter) noexcept {
  if (waiter.signalled) return;
  waiter.signalled = true;
  ++stats_.wakes;
  waiter.wake.store(1, std::memory_order_release);
  internal::futex_wake(waiter.wake, 1);
}

// Wakes, once each, the waiters that nothing stands in the way of.
void Arbiter::signal_eligible() noexcept {
  const std::uint64_t word = word_.load(std::memory_order_seq_cst);
  for (Waiter* w = head_; w != nullptr; w = w->younger) {
    if ((word & conflicts(*w->request)) == 0 && !is_blocked_by_older(*w)) signal(*w);
  }
}

Admitted Arbiter::park(const AdmissionRequest& request, PresenceLine& line, std::int64_t start,
                       std::int64_t limit) noexcept {
  Waiter waiter{&request, start};
  std::unique_lock lock(mutex_);
  ++stats_.queued;
  enqueue(waiter);
  Admitted result = Admitted::queued;
  for (;;) {
    internal::interleave();
    const bool eligible = !is_blocked_by_older(waiter);
    if (eligible && try_take(request, line, 0)) break;
    const std::int64_t now = internal::monotonic_ns();
    if (is_poisoned(request) || now >= limit) {
      result = is_poisoned(request) ? Admitted::poisoned : Admitted::contended;
      break;
    }
    const bool is_head = head_ == &waiter;
    const bool fair = (word_.load(std::memory_order_relaxed) & kFair) != 0;
    if (is_head && !fair && now - start >= kPatienceNs) {
      word_.fetch_or(kFair, std::memory_order_seq_cst);
      continue;  // what was released before the flag was set is caught by another try
    }
    waiter.wake.store(0, std::memory_order_relaxed);
    waiter.signalled = false;
    ++stats_.parks;
    // The head comes back to set kFair; all others are woken in their turn. Poison wakes nobody, so look now and then.
    std::int64_t sleep = std::min(limit - now, std::int64_t{100} * kPatienceNs);
    if (is_head && !fair) sleep = std::min(sleep, start + kPatienceNs - now);
    lock.unlock();
    internal::futex_wait(waiter.wake, 0, sleep);
    // Newcomers may overtake unless kFair is set, so an eligible waiter tries for a while before it sleeps again.
    const bool taken = eligible && spin_until(std::min(limit, internal::monotonic_ns() + kSpinNs),
                                              [&] { return try_take(request, line, 0); });
    lock.lock();
    if (taken) break;
  }
  dequeue(waiter);
  lock.unlock();
  return is_admitted(result) ? drain(request, line, limit) : result;
}

void Arbiter::release_slow(std::uint64_t before, std::uint64_t bit) noexcept {
  if ((before & bit) == 0) poison();  // released twice, or never acquired
  const std::lock_guard lock(mutex_);
  signal_eligible();
}

Arbiter::Stats Arbiter::stats() noexcept {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void Arbiter::after_fork_in_child(const PresenceLine* own) noexcept {
  head_ = tail_ = nullptr;
  stats_.waiting = 0;
  drainers_.store(0, std::memory_order_relaxed);
  const std::uint64_t mine = own != nullptr ? own->exclusive.load(std::memory_order_relaxed) : 0;
  word_.fetch_and(~(kSlow | kFair), std::memory_order_relaxed);
  abandoned_.fetch_or(word_.load(std::memory_order_relaxed) & kHolders & ~mine, std::memory_order_relaxed);
  lines_.keep_only(own);
  mutex_.unlock();
}

}  // namespace tenferro
