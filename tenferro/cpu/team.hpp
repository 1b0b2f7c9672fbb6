// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Opportunistic fork and join. The caller of a region works on its chunks like everybody else and waits only for chunks
// that a helper has claimed; it never waits for a helper to arrive. A region on a busy machine therefore costs what the
// plain loop costs. There is one team for each distinct set of CPUs, shared by all backends on that set; its helper
// threads are started when work first deserves them and sleep when there is none.
//
// Example:
//     const CpuSet cpus = CpuSet::affinity_of_this_thread();
//     std::shared_ptr<Team> team = Team::for_set(cpus);
//     CHECK(team == Team::for_set(cpus) && team->cpus() == cpus);
//     std::vector<int> squares(1000);
//     team->parallel_for(4, 1000, 100.0, [&](std::int64_t first, std::int64_t last) {
//       for (std::int64_t i = first; i < last; ++i) squares[static_cast<std::size_t>(i)] = static_cast<int>(i * i);
//     });
//     CHECK(squares[999] == 998001);
//     std::array<bool, 8> in_lane{};
//     team->run(8, 50'000, 2, [&](std::uint32_t chunk) { in_lane[chunk] = Team::in_lane(); });
//     CHECK(std::count(in_lane.begin(), in_lane.end(), true) == 8 && !Team::in_lane());

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/cpu/chunk_plan.hpp"
#include "tenferro/cpu/cpu_set.hpp"
#include "tenferro/cpu/internal/region_slot.hpp"
#include "tenferro/cpu/topology.hpp"

namespace tenferro {

/// Helper threads of one CPU set. All functions may be called from any thread.
class Team {
 public:
  /// The team of the set; made if no one holds it. Its helpers end when the last holder lets go.
  static std::shared_ptr<Team> for_set(const CpuSet& cpus);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Calls body(c) once for each chunk c < chunks, in any order, on the caller and on at most lanes − 1 helpers, and
  /// returns when all calls have ended. `estimated_ns` is the duration of all of it on one thread; it decides only
  /// whether helpers are asked. Runs inline, in order, if that is short, if lanes is 1, inside another region, and in a
  /// forked child. The first exception is rethrown; chunks that have not begun by then are left out. Bodies run with
  /// the caller's floating-point control and as part of the caller's session: entering another one is refused.
  void run(std::uint32_t chunks, double estimated_ns, std::uint32_t lanes, FunctionRef<void(std::uint32_t)> body);

  /// body(first, last) over the ranges of plan_chunks(count, ns_per_item), as in run.
  void parallel_for(std::uint32_t lanes, std::int64_t count, double ns_per_item,
                    FunctionRef<void(std::int64_t, std::int64_t)> body);

  /// Whether this thread is inside a chunk; regions then run inline.
  static bool in_lane() noexcept;

  const CpuSet& cpus() const noexcept { return cpus_; }
  std::uint32_t helper_count() const noexcept { return helper_count_.load(std::memory_order_relaxed); }
  /// Whether every helper was seen to have exactly the mask of the set.
  bool placement_verified() const noexcept { return misplaced_.load(std::memory_order_relaxed) == 0; }

  /// Sleeping helpers are woken for work above kWakeFactor times this cost, be it one piece or a row of pieces that
  /// follow each other so closely that a helper stays awake between them. Measured at each wake, from the wake to the
  /// helper's first look for work.
  double wake_cost_ns() const noexcept { return static_cast<double>(wake_cost_ns_.load(std::memory_order_relaxed)); }
  static constexpr double kWakeFactor = calibration::kWakeFactor;

  /// Snapshot of what happened since the team was made.
  struct Stats {
    std::uint64_t regions = 0;        ///< opened to helpers
    std::uint64_t helper_chunks = 0;  ///< run by helpers
    std::uint64_t wakes = 0;
    std::uint32_t sleeping = 0;
  };
  /// Example:
  ///     std::shared_ptr<Team> team = Team::for_set(CpuSet::affinity_of_this_thread());
  ///     team->set_tuning(20'000, 50'000);
  ///     CHECK(team->wake_cost_ns() == 20'000 && team->placement_verified());
  ///     const Team::Stats stats = team->stats();
  ///     CHECK(stats.sleeping <= team->helper_count());
  Stats stats() const noexcept;

  /// Fixes the wake cost instead of measuring it, and the time a helper spins before it sleeps.
  void set_tuning(double wake_cost_ns, double spin_ns) noexcept;
  /// Generation of every slot's last region; requires that no region runs.
  void set_generation_for_test(std::uint32_t generation) noexcept;
  /// Called by helpers between seeing an open region and claiming a chunk.
  void set_claim_hook_for_test(void (*hook)()) noexcept { claim_hook_.store(hook, std::memory_order_release); }

 private:
  class Caller;
  static constexpr std::uint32_t kSlots = 8;
  static constexpr std::uint32_t kMaxHelpers = kMostThreads - 1;

  explicit Team(const CpuSet& cpus);
  static void* helper_entry(void* start) noexcept;
  void helper_loop(std::uint32_t index) noexcept;
  bool serve_any(std::uint32_t index) noexcept;
  bool serve(internal::RegionSlot& slot) noexcept;
  static void run_chunk(internal::Region& region, std::uint32_t chunk) noexcept;
  void sleep(std::uint32_t epoch) noexcept;
  bool any_open() const noexcept;
  bool has_room(std::uint32_t running, std::uint32_t lanes) const noexcept;
  void start_helpers(std::uint32_t wanted) noexcept;
  void call_helpers(std::uint32_t wanted, std::uint32_t lanes) noexcept;
  internal::RegionSlot* take_slot() noexcept;
  void free_slot(internal::RegionSlot& slot) noexcept;
  void run_inline(std::uint32_t chunks, FunctionRef<void(std::uint32_t)> body);
  void note_wake(std::int64_t latency_ns) noexcept;
  bool ends_a_row_worth_waking(double estimated_ns) noexcept;

  const CpuSet cpus_;
  const std::uint32_t cpu_count_;
  const std::uint8_t set_;
  const std::uint32_t generation_;  // of the process
  std::array<internal::RegionSlot, kSlots> slots_{};

  alignas(64) std::atomic<std::uint32_t> free_slots_{(1u << kSlots) - 1};
  std::atomic<std::uint32_t> epoch_{0};  // helpers sleep on it
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<std::uint32_t> running_{0};  // helpers inside regions
  std::atomic<std::uint32_t> helper_count_{0};
  std::atomic<std::uint32_t> misplaced_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> fixed_wake_cost_{false};
  std::atomic<std::int64_t> wake_cost_ns_{25'000};
  std::atomic<std::int64_t> spin_ns_;
  std::atomic<std::int64_t> woken_at_{0};
  std::atomic<std::int64_t> alone_until_{0};  // when a caller last ended work that no helper was woken for
  std::atomic<double> alone_ns_{0};           // such work in a row
  std::atomic<std::uint64_t> regions_{0}, helper_chunks_{0}, wakes_{0};
  std::atomic<void (*)()> claim_hook_{nullptr};

  std::mutex start_mutex_;
  std::vector<pthread_t> helpers_;

  // The registry's list.
  Team* next_ = nullptr;
  std::weak_ptr<Team> self_;
};

}  // namespace tenferro
