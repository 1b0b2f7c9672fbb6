// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/team.hpp"

#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <new>
#include <utility>

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/arbiter.hpp"
#include "tenferro/cpu/internal/lane_mark.hpp"
#include "tenferro/cpu/internal/process.hpp"

namespace tenferro {
namespace {

using internal::LaneMark;
using internal::monotonic_ns;
using internal::thread_record;

// How long a caller spins for claimed chunks, and a helper for more work, before sleeping. With one other CPU at most,
// a spinning helper is more likely in somebody's way.
constexpr std::int64_t kCallerSpinNs = 40'000;
constexpr std::int64_t kHelperSpinNs = 40'000;
constexpr std::int64_t kHelperSpinFewCpusNs = 20'000;

// Rounding mode and flush-to-zero, without the sticky exception flags.
std::uint32_t fp_control() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_stmxcsr() & ~0x3Fu;
#elif defined(__aarch64__)
  std::uint64_t fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return static_cast<std::uint32_t>(fpcr);
#else
  return 0;
#endif
}

void set_fp_control(std::uint32_t control) noexcept {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(control);
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{control}));
#else
  static_cast<void>(control);
#endif
}

cpu_set_t system_mask(const CpuSet& cpus) noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (std::uint32_t cpu = 0; cpu < CpuSet::kLimit; ++cpu) {
    if (cpus.contains(cpu)) CPU_SET(cpu, &mask);
  }
  return mask;
}

struct HelperStart {
  Team* team;
  std::uint32_t index;
};

// All teams that somebody holds. A plain list, so that there is nothing to destroy at the end of the process.
constinit std::mutex registry_mutex;
constinit Team* registry = nullptr;

}  // namespace

namespace internal {

void lock_team_registry() noexcept { registry_mutex.lock(); }
void unlock_team_registry() noexcept { registry_mutex.unlock(); }
void forget_teams_in_child() noexcept { registry = nullptr; }

}  // namespace internal

// The caller's part in a region. The destructor joins, so that a body that throws or a thread that is cancelled leaves
// no helper behind on a stack that is gone.
class Team::Caller {
 public:
  Caller(Team& team, internal::RegionSlot& slot, internal::Region& region) noexcept
      : team_(team), slot_(slot), region_(region) {}
  ~Caller() {
    if (joined_) return;
    region_.failed.store(true, std::memory_order_relaxed);  // unwinding: chunks that have not begun are left out
    join();
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void work() {
    const LaneMark mark(region_.owner);
    while (!region_.failed.load(std::memory_order_relaxed)) {
      const std::uint32_t chunk = slot_.claim();
      if (chunk == internal::RegionSlot::kNone) return;
      ++mine_;
      region_.body(chunk);
    }
  }

  /// False in a child that was forked inside the region: chunks claimed by helpers never end there.
  bool join() noexcept {
    joined_ = true;
    const std::uint32_t claimed = slot_.close();
    if (!wait_for_helpers(claimed - mine_)) return false;
    team_.free_slot(slot_);
    return true;
  }

 private:
  bool wait_for_helpers(std::uint32_t expected) noexcept {
    const auto finished = [&] {
      return (slot_.done.load(std::memory_order_acquire) & ~internal::RegionSlot::kParked) == expected;
    };
    if (finished()) return true;
    for (const std::int64_t limit = monotonic_ns() + kCallerSpinNs; monotonic_ns() < limit;) {
      for (int i = 0; i < 16; ++i) {
        if (finished()) return true;
        internal::spin_pause();
      }
    }
    while (!finished()) {
      if (team_.generation_ != internal::process_generation.load(std::memory_order_relaxed)) return false;
      const std::uint32_t seen = slot_.done.fetch_or(internal::RegionSlot::kParked, std::memory_order_acq_rel);
      if ((seen & ~internal::RegionSlot::kParked) == expected) break;
      // The time limit is for a child forked between the check above and here; the wake itself cannot be missed.
      internal::futex_wait(slot_.done, seen | internal::RegionSlot::kParked, 100'000'000);
    }
    return true;
  }

  Team& team_;
  internal::RegionSlot& slot_;
  internal::Region& region_;
  std::uint32_t mine_ = 0;
  bool joined_ = false;
};

std::shared_ptr<Team> Team::for_set(const CpuSet& cpus) {
  internal::install_fork_handlers();
  std::shared_ptr<Team> made;  // declared first: if it must die, it does so after the lock is gone
  const std::lock_guard lock(registry_mutex);
  for (Team* team = registry; team != nullptr; team = team->next_) {
    if (team->cpus_ == cpus) {
      if (std::shared_ptr<Team> held = team->self_.lock()) return held;
    }
  }
  made.reset(new Team(cpus));
  made->self_ = made;
  made->next_ = registry;
  registry = made.get();
  return made;
}

Team::Team(const CpuSet& cpus)
    : cpus_(cpus),
      cpu_count_(cpus.size()),
      set_(process_arbiter().register_set(cpus)),
      generation_(internal::process_generation.load(std::memory_order_relaxed)),
      spin_ns_(cpus.size() > 2 ? kHelperSpinNs : kHelperSpinFewCpusNs) {}

Team::~Team() {
  {
    const std::lock_guard lock(registry_mutex);
    for (Team** link = &registry; *link != nullptr; link = &(*link)->next_) {
      if (*link == this) {
        *link = next_;
        break;
      }
    }
  }
  if (generation_ != internal::process_generation.load(std::memory_order_relaxed)) return;  // no helpers here
  stop_.store(true, std::memory_order_seq_cst);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  internal::futex_wake(epoch_, static_cast<int>(kMaxHelpers));
  // Joining is a cancellation point, and a destructor must not be left half-way.
  int cancel_state = 0;
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  for (const pthread_t helper : helpers_) ::pthread_join(helper, nullptr);
  ::pthread_setcancelstate(cancel_state, nullptr);
}

bool Team::in_lane() noexcept { return thread_record.lane; }

Team::Stats Team::stats() const noexcept {
  Stats s;
  s.regions = regions_.load(std::memory_order_relaxed);
  s.helper_chunks = helper_chunks_.load(std::memory_order_relaxed);
  s.wakes = wakes_.load(std::memory_order_relaxed);
  s.sleeping = sleepers_.load(std::memory_order_relaxed);
  return s;
}

void Team::set_tuning(double wake_cost_ns, double spin_ns) noexcept {
  fixed_wake_cost_.store(true, std::memory_order_relaxed);
  wake_cost_ns_.store(static_cast<std::int64_t>(wake_cost_ns), std::memory_order_relaxed);
  spin_ns_.store(static_cast<std::int64_t>(spin_ns), std::memory_order_relaxed);
  alone_ns_.store(0, std::memory_order_relaxed);
}

void Team::set_generation_for_test(std::uint32_t generation) noexcept {
  for (internal::RegionSlot& slot : slots_) slot.generation = generation;
}

void Team::run_inline(std::uint32_t chunks, FunctionRef<void(std::uint32_t)> body) {
  const LaneMark mark(this);
  for (std::uint32_t c = 0; c < chunks; ++c) body(c);
}

void Team::run(std::uint32_t chunks, double estimated_ns, std::uint32_t lanes, FunctionRef<void(std::uint32_t)> body) {
  const bool alone = chunks <= 1 || lanes <= 1 || !(estimated_ns >= calibration::kMinRegionNs) || thread_record.lane ||
                     generation_ != internal::process_generation.load(std::memory_order_relaxed);
  if (alone) return run_inline(chunks, body);
  const std::uint32_t wanted = std::min({lanes, chunks, kMaxHelpers + 1}) - 1;
  const bool all_asleep = sleepers_.load(std::memory_order_relaxed) >= helper_count_.load(std::memory_order_relaxed);
  const bool worth_waking =
      estimated_ns >= kWakeFactor * wake_cost_ns() || (all_asleep && ends_a_row_worth_waking(estimated_ns));
  if (!worth_waking && all_asleep) {
    run_inline(chunks, body);
    alone_until_.store(monotonic_ns(), std::memory_order_relaxed);
    return;
  }
  internal::RegionSlot* slot = take_slot();
  if (slot == nullptr) return run_inline(chunks, body);

  internal::Region region{body, thread_record.owner != nullptr ? thread_record.owner : this, fp_control()};
  regions_.fetch_add(1, std::memory_order_relaxed);
  slot->open(region, chunks, lanes);
  Caller caller(*this, *slot, region);
  if (worth_waking) call_helpers(wanted, lanes);
  caller.work();
  if (!caller.join()) {
    raise<SessionEntryInfo>(SessionEntryInfo{SessionEntryKind::resource_poisoned, "cpu"});
  }
  if (region.error != nullptr) std::rethrow_exception(std::move(region.error));
}

// Several callers may spoil each other's count, which then is off by a piece or two.
bool Team::ends_a_row_worth_waking(double estimated_ns) noexcept {
  const std::int64_t idle = monotonic_ns() - alone_until_.load(std::memory_order_relaxed);
  const bool at_once = idle < spin_ns_.load(std::memory_order_relaxed);
  const double row = estimated_ns + (at_once ? alone_ns_.load(std::memory_order_relaxed) : 0);
  const bool enough = row >= kWakeFactor * wake_cost_ns();
  alone_ns_.store(enough ? 0 : row, std::memory_order_relaxed);
  return enough;
}

void Team::parallel_for(std::uint32_t lanes, std::int64_t count, double ns_per_item,
                        FunctionRef<void(std::int64_t, std::int64_t)> body) {
  if (count <= 0) return;
  const ChunkPlan plan = plan_chunks(count, ns_per_item);
  run(plan.chunks, static_cast<double>(count) * ns_per_item, lanes,
      [&](std::uint32_t c) { body(plan.begin(c), plan.end(c)); });
}

internal::RegionSlot* Team::take_slot() noexcept {
  std::uint32_t free = free_slots_.load(std::memory_order_relaxed);
  while (free != 0) {
    const std::uint32_t lowest = free & (~free + 1);
    if (free_slots_.compare_exchange_weak(free, free & ~lowest, std::memory_order_acquire, std::memory_order_relaxed)) {
      return &slots_[static_cast<std::size_t>(std::countr_zero(lowest))];
    }
  }
  return nullptr;
}

void Team::free_slot(internal::RegionSlot& slot) noexcept {
  const auto index = static_cast<std::uint32_t>(&slot - slots_.data());
  free_slots_.fetch_or(1u << index, std::memory_order_release);
}

// Whether one more helper finds a CPU of the set free of sessions and of other helpers. Callers asked for more lanes
// than CPUs get them.
bool Team::has_room(std::uint32_t running, std::uint32_t lanes) const noexcept {
  const std::uint32_t callers = std::max(process_arbiter().active_threads(set_), 1u);
  return callers + running < std::max(cpu_count_, lanes);
}

void Team::call_helpers(std::uint32_t wanted, std::uint32_t lanes) noexcept {
  if (!has_room(running_.load(std::memory_order_relaxed), lanes)) return;
  if (helper_count_.load(std::memory_order_relaxed) < wanted) start_helpers(wanted);
  if (sleepers_.load(std::memory_order_relaxed) == 0) return;
  // Helpers with numbers beyond the caller's lanes would sleep on: with such helpers around, wake all.
  const bool all = helper_count_.load(std::memory_order_relaxed) > wanted;
  woken_at_.store(monotonic_ns(), std::memory_order_relaxed);
  wakes_.fetch_add(1, std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  internal::futex_wake(epoch_, static_cast<int>(all ? kMaxHelpers : wanted));
}

// Fewer helpers than wanted are no error: the caller can always finish alone.
void Team::start_helpers(std::uint32_t wanted) noexcept {
  const std::unique_lock lock(start_mutex_, std::try_to_lock);
  if (!lock) return;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  const cpu_set_t mask = system_mask(cpus_);
  ::pthread_attr_setaffinity_np(&attributes, sizeof mask, &mask);
  // Helpers inherit a mask that blocks every signal: handlers run on the program's own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    helpers_.reserve(wanted);
    while (helpers_.size() < wanted) {
      const auto index = static_cast<std::uint32_t>(helpers_.size());
      auto start = std::make_unique<HelperStart>(HelperStart{this, index});
      pthread_t helper{};
      if (::pthread_create(&helper, &attributes, &Team::helper_entry, start.get()) != 0) break;
      static_cast<void>(start.release());
      char name[24];  // the index is below kMaxHelpers, so the system's 15 characters suffice
      std::snprintf(name, sizeof name, "tenferro-%u", index);
      ::pthread_setname_np(helper, name);
      helpers_.push_back(helper);
      helper_count_.fetch_add(1, std::memory_order_relaxed);
    }
  } catch (const std::bad_alloc&) {
    // as with a thread that could not be made
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_attr_destroy(&attributes);
}

void* Team::helper_entry(void* argument) noexcept {
  const std::unique_ptr<HelperStart> start(static_cast<HelperStart*>(argument));
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  thread_record.team_worker = true;
  Team& team = *start->team;
  if (CpuSet::affinity_of_this_thread() != team.cpus_) team.misplaced_.fetch_add(1, std::memory_order_relaxed);
  team.helper_loop(start->index);
  return nullptr;
}

void Team::helper_loop(std::uint32_t index) noexcept {
  std::int64_t idle_since = monotonic_ns();
  for (;;) {
    // Read before looking for work, so that a call that comes while looking ends the sleep at once.
    const std::uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
    if (stop_.load(std::memory_order_acquire)) return;
    if (serve_any(index)) {
      idle_since = monotonic_ns();
      continue;
    }
    constexpr std::uint32_t kAllFree = (1u << kSlots) - 1;
    for (int i = 0; i < 32; ++i) {
      if (free_slots_.load(std::memory_order_relaxed) != kAllFree && any_open()) break;
      internal::spin_pause();
    }
    // On a busy set this thread's spinning would cost a session its CPU.
    const bool patient = monotonic_ns() - idle_since < spin_ns_.load(std::memory_order_relaxed) &&
                         process_arbiter().active_threads(set_) < cpu_count_;
    if (patient) continue;
    sleep(epoch);
    idle_since = monotonic_ns();
  }
}

bool Team::any_open() const noexcept {
  return std::any_of(slots_.begin(), slots_.end(), [](const internal::RegionSlot& slot) { return slot.is_open(); });
}

void Team::sleep(std::uint32_t epoch) noexcept {
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  internal::futex_wait(epoch_, epoch, -1);
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  if (epoch_.load(std::memory_order_relaxed) != epoch) {
    note_wake(monotonic_ns() - woken_at_.load(std::memory_order_relaxed));
  }
}

// A moving average; single outliers of a busy machine are cut off.
void Team::note_wake(std::int64_t latency_ns) noexcept {
  if (fixed_wake_cost_.load(std::memory_order_relaxed)) return;
  const std::int64_t cost = std::clamp<std::int64_t>(latency_ns, 2'000, 100'000);
  const std::int64_t average = wake_cost_ns_.load(std::memory_order_relaxed);
  wake_cost_ns_.store(average + (cost - average) / 8, std::memory_order_relaxed);
}

bool Team::serve_any(std::uint32_t index) noexcept {
  bool served = false;
  for (internal::RegionSlot& slot : slots_) {
    if (!slot.is_open()) continue;
    const std::uint32_t lanes = slot.lanes.load(std::memory_order_relaxed);
    if (index + 1 >= lanes) continue;
    const std::uint32_t running = running_.fetch_add(1, std::memory_order_relaxed);
    if (has_room(running, lanes)) served = serve(slot) || served;
    running_.fetch_sub(1, std::memory_order_relaxed);
  }
  return served;
}

bool Team::serve(internal::RegionSlot& slot) noexcept {
  const std::uint32_t own_control = fp_control();
  std::uint64_t served = 0;
  for (;;) {
    if (void (*hook)() = claim_hook_.load(std::memory_order_acquire)) hook();
    const std::uint32_t chunk = slot.claim();
    if (chunk == internal::RegionSlot::kNone) break;
    ++served;
    run_chunk(*slot.region, chunk);
    slot.finish_chunk();  // the region may be gone from here on
  }
  if (served == 0) return false;
  set_fp_control(own_control);
  helper_chunks_.fetch_add(served, std::memory_order_relaxed);
  return true;
}

void Team::run_chunk(internal::Region& region, std::uint32_t chunk) noexcept {
  if (region.failed.load(std::memory_order_relaxed)) return;
  set_fp_control(region.fp_control);
  const LaneMark mark(region.owner);
  try {
    region.body(chunk);
  } catch (...) {
    if (!region.has_error.exchange(true, std::memory_order_relaxed)) region.error = std::current_exception();
    region.failed.store(true, std::memory_order_relaxed);
  }
}

}  // namespace tenferro
