// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What all clones of one CPU backend share: its domain, its team or executor, and its resources. The engine's address
// is the identity of the backend: a scope admits sessions of this engine only, whatever CPUs another one has.
//
// Example (tenferro/cpu/session_entry.hpp):
//     auto engine = CpuEngine::make(CpuDomainOptions{});
//     {
//       CpuEntry entry(*engine);
//       std::vector<int> marks(1000);
//       engine->parallel_for(1000, 100.0, [&](std::int64_t first, std::int64_t last) {
//         std::fill(marks.begin() + first, marks.begin() + last, 1);
//       });
//       CHECK(std::count(marks.begin(), marks.end(), 1) == 1000);
//       const auto busy = engine->clear();
//       CHECK(describe(busy.error()) == "resources of cpu: a session has them (expected no active session)");
//     }
//     CHECK(engine->clear() && engine->trim());
//     const EngineStats stats = engine->stats();
//     CHECK(stats.sessions == 1 && stats.admissions() == 1 && stats.pool.lent_bytes == 0);

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tenferro/base/error.hpp"
#include "tenferro/base/function_ref.hpp"
#include "tenferro/cpu/domain.hpp"
#include "tenferro/cpu/resource_slots.hpp"
#include "tenferro/cpu/team.hpp"

namespace tenferro {

/// A snapshot of an engine's counters; always readable.
struct EngineStats {
  std::uint64_t sessions = 0;           ///< entries, inside scopes or not
  std::uint64_t scopes = 0;             ///< execution scopes opened
  std::uint64_t direct_admissions = 0;  ///< of sessions outside scopes and of scopes, without waiting
  std::uint64_t queued_admissions = 0;  ///< the same, after waiting
  std::uint64_t installs = 0;           ///< calls of the entry hook
  std::uint64_t external_runs = 0;      ///< parallel loops given to an external executor
  std::uint64_t resource_sets = 0;
  PoolStats pool;
  std::uint64_t admissions() const noexcept { return direct_admissions + queued_admissions; }
};

/// A management call found a session that has the resources.
struct ResourcesBusy {
  std::string_view backend;
  friend bool operator==(const ResourcesBusy&, const ResourcesBusy&) = default;
};
std::string describe(const ResourcesBusy& info);
using ResourcesBusyError = TypedError<ResourcesBusy>;

/// See above. Not copyable, not movable: its address is its identity.
///
/// Example:
///     CpuEngine engine{CpuDomainOptions{}};
///     CHECK(engine.lanes() == engine.domain().threads() && engine.team()->cpus() == engine.domain().cpus());
///     CHECK(engine.set_pool_cap(1 << 20) && engine.pool_cap() == 1 << 20);
///     CHECK(engine.resources().budget().cap() == 1 << 20);
///     CHECK(engine.occupy() && !engine.occupy());              // as entries of a caller-managed domain do
///     engine.vacate();
class CpuEngine {
 public:
  /// Throws DomainError.
  explicit CpuEngine(CpuDomainOptions options);
  /// One that ends with its last handle; where a session or scope on it is open on the thread that lets go, with that.
  static std::shared_ptr<CpuEngine> make(CpuDomainOptions options);
  CpuEngine(const CpuEngine&) = delete;
  CpuEngine& operator=(const CpuEngine&) = delete;

  const CpuDomain& domain() const noexcept { return domain_; }
  ResourceSlots& resources() noexcept { return slots_; }
  /// Null for external domains.
  Team* team() const noexcept { return team_.get(); }

  /// body(first, last) over ranges that cover 0 … count−1 and depend on count and ns_per_item alone, on the caller and
  /// on the domain's threads; inline inside a lane. The first exception is rethrown after the join. Throws
  /// SchedulingError where an external executor breaks its contract.
  void parallel_for(std::int64_t count, double ns_per_item, FunctionRef<void(std::int64_t, std::int64_t)> body);
  /// Threads that a loop started here may use, the caller included.
  std::uint32_t lanes() const noexcept { return Team::in_lane() ? 1 : domain_.threads(); }

  EngineStats stats() const;

  /// Management of the pools and caches of all sets. Refused, at once, while a session has one of them.
  tl::expected<void, ResourcesBusy> trim();
  tl::expected<void, ResourcesBusy> clear();
  tl::expected<void, ResourcesBusy> set_pool_cap(std::uint64_t bytes);
  std::uint64_t pool_cap() const noexcept { return slots_.budget().cap(); }

  /// Admission of a caller-managed domain: true if nobody was inside.
  bool occupy() noexcept { return !occupied_.exchange(true, std::memory_order_acquire); }
  void vacate() noexcept { occupied_.store(false, std::memory_order_release); }

 private:
  friend class CpuEntry;
  friend class ExecutionScope;
  static void drop(CpuEngine* engine) noexcept;
  // After a session or scope has left an engine whose last handle is gone: ends it, unless a scope is still open.
  void end_orphan() noexcept;

  const CpuDomain domain_;
  const std::shared_ptr<Team> team_;
  ResourceSlots slots_;
  std::atomic<bool> occupied_{false};  // admission of a caller-managed domain
  std::atomic<std::uint64_t> scopes_{0}, scope_direct_{0}, scope_queued_{0}, scope_installs_{0}, external_runs_{0};
};

}  // namespace tenferro
