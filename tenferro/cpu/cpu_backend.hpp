// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The CPU backend: an engine (threads, admission, memory) and the ways into it.
//
// Example (tenferro/ops/elementwise.hpp):
//     CpuBackend cpu;                                          // all CPUs that the process may use
//     Tensor a = Tensor::scalar(1.0);
//     Tensor y = cpu.with_session([&](BackendSession& s) { return neg(s, add(s, a, a)); });
//     CHECK(y.item() == Scalar(-2.0));
//     cpu.with_execution_scope([&] {                           // one admission for many sessions
//       for (int step = 0; step < 3; ++step) cpu.with_session([&](BackendSession& s) { y = add(s, y, a); });
//     });
//     CHECK(y.item() == Scalar(1.0) && cpu.stats().sessions == 4 && cpu.stats().admissions() == 2);
//
// Copies are clones of one backend: they share engine, pools and statistics. A closure runs on the calling thread,
// exactly once, before the call returns; helpers take part only inside large operations. A closure may assign to the
// backend that it was entered through, or destroy it: the engine ends with the session. Other threads may not
// meanwhile.

#include <concepts>
#include <memory>
#include <optional>

#include "tenferro/backend/backend.hpp"
#include "tenferro/cpu/execution_scope.hpp"
#include "tenferro/cpu/session.hpp"
#include "tenferro/cpu/session_entry.hpp"

namespace tenferro {

/// The backend of the host. Copies share one engine; equal are copies of one another. Moving copies, so that a backend
/// always has an engine.
///
/// Example:
///     CpuBackend::Options options;
///     options.threads = 1;
///     CpuBackend one(options), clone = one;
///     CHECK(one.kind() == BackendKind{"cpu"} && one.threads() == 1 && one.domain().backend() == "cpu");
///     CHECK(clone == one && &clone.engine() == &one.engine() && !(one == CpuBackend()));
///     one.set_pool_cap(1 << 20);
///     one.trim_pool();
///     one.clear_pool();
///     CHECK(one.stats().pool.retained_bytes == 0);
///     tl::expected<int, SessionEntryInfo> three = one.try_with_session([](BackendSession&) { return 3; });
///     CHECK(three && *three == 3);
class CpuBackend final : public Backend {
 public:
  /// Threads (0 or none: TENFERRO_NUM_THREADS, else affinity and CPU quota), CPUs, admission, entry deadline, executor.
  using Options = CpuDomainOptions;

  CpuBackend() : CpuBackend(Options{}) {}
  /// Throws DomainError if the options contradict themselves.
  explicit CpuBackend(Options options) : engine_(CpuEngine::make(std::move(options))) {}
  CpuBackend(const CpuBackend&) = default;
  CpuBackend& operator=(const CpuBackend&) = default;

  BackendKind kind() const noexcept override { return {"cpu"}; }
  /// Threads of one operation, the caller included.
  std::uint32_t threads() const noexcept { return engine_->domain().threads(); }

  /// See Backend::with_session. Costs some tens of nanoseconds: no lock, system call or allocation once a thread has
  /// been here before.
  template <std::invocable<BackendSession&> F>
  SessionResult<F> with_session(F&& f) {
    CpuEntry entry(*engine_);
    if (!entry) [[unlikely]]
      refuse(entry.error());
    CpuSession session(entry);
    return std::forward<F>(f)(static_cast<BackendSession&>(session));
  }
  template <std::invocable<BackendSession&> F>
  tl::expected<SessionResult<F>, SessionEntryInfo> try_with_session(F&& f) {
    CpuEntry entry(*engine_);
    if (!entry) [[unlikely]]
      return tl::unexpected(entry.error());
    CpuSession session(entry);
    if constexpr (std::is_void_v<SessionResult<F>>) {
      std::forward<F>(f)(static_cast<BackendSession&>(session));
      return {};
    } else {
      return std::forward<F>(f)(static_cast<BackendSession&>(session));
    }
  }

  /// with_session for code that keeps plans and analyses from session to session, such as a scheduler: runs
  /// f(session, caches) with `own`, or if that is null with the caches of this backend that belong to the resources of
  /// the session. Access to caches is all the difference; `own` must be in one session at a time. clear_pool empties
  /// the backend's caches.
  /// Example (tenferro/ops/elementwise.hpp):
  ///     struct Ramps final : BoundedCache<std::int64_t, Tensor> {};  // by length
  ///     CpuBackend cpu;
  ///     for (int round = 0; round < 2; ++round) {
  ///       Tensor e = cpu.with_session_cached(nullptr, [&](BackendSession& s, SessionCaches& caches) {
  ///         const Tensor& ramp = caches.of<Ramps>().get(5, [] { return Tensor::linspace(0.0, 1.0, 5); });
  ///         return exp(s, ramp);  // the ramp is made in the first round only
  ///       });
  ///     }
  ///     SessionCaches own;
  ///     const auto ramps = [](BackendSession&, SessionCaches& caches) { return caches.of<Ramps>().size(); };
  ///     CHECK(cpu.try_with_session_cached(&own, ramps) == 0u && cpu.with_session_cached(nullptr, ramps) == 1u);
  template <std::invocable<BackendSession&, SessionCaches&> F>
  CachedSessionResult<F> with_session_cached(SessionCaches* own, F&& f) {
    CpuEntry entry(*engine_);
    if (!entry) [[unlikely]]
      refuse(entry.error());
    CpuSession session(entry);
    return std::forward<F>(f)(static_cast<BackendSession&>(session), own != nullptr ? *own : entry.caches());
  }
  template <std::invocable<BackendSession&, SessionCaches&> F>
  tl::expected<CachedSessionResult<F>, SessionEntryInfo> try_with_session_cached(SessionCaches* own, F&& f) {
    CpuEntry entry(*engine_);
    if (!entry) [[unlikely]]
      return tl::unexpected(entry.error());
    CpuSession session(entry);
    SessionCaches& caches = own != nullptr ? *own : entry.caches();
    if constexpr (std::is_void_v<CachedSessionResult<F>>) {
      std::forward<F>(f)(static_cast<BackendSession&>(session), caches);
      return {};
    } else {
      return std::forward<F>(f)(static_cast<BackendSession&>(session), caches);
    }
  }

  /// Runs f() with one admission held: sessions of this backend and its clones inside, one after another, skip it.
  /// Other backends' sessions, nested scopes and scopes over external executors are refused. Throws ScopeError before f
  /// runs.
  template <std::invocable F>
  std::invoke_result_t<F> with_execution_scope(F&& f) const {
    const ExecutionScope scope(*engine_);
    if (!scope) [[unlikely]]
      throw ScopeError(scope.error());
    return std::forward<F>(f)();
  }

  /// The engine's counters: entries, admissions, pool. Always readable.
  EngineStats stats() const { return engine_->stats(); }
  /// Frees idle blocks beyond the cap, or all of them and what the caches hold; sets the cap on idle bytes. Throw
  /// ResourcesBusyError while a session is open.
  void trim_pool() { value_or_throw(engine_->trim()); }
  void clear_pool() { value_or_throw(engine_->clear()); }
  void set_pool_cap(std::uint64_t bytes) { value_or_throw(engine_->set_pool_cap(bytes)); }

  const CpuDomain& domain() const noexcept { return engine_->domain(); }
  CpuEngine& engine() const noexcept { return *engine_; }
  friend bool operator==(const CpuBackend& a, const CpuBackend& b) noexcept { return a.engine_ == b.engine_; }

 private:
  [[noreturn]] static void refuse(SessionEntryInfo info);
  std::optional<SessionEntryInfo> enter(SessionCaches* own,
                                        FunctionRef<void(BackendSession&, SessionCaches&)> body) override;

  std::shared_ptr<CpuEngine> engine_;
};

/// A session held open by an object instead of a closure. Must end on the thread that began it; operations on another
/// one are refused. Not copyable, not movable.
///
/// Example (tenferro/ops/elementwise.hpp):
///     CpuBackend cpu;
///     HeldCpuSession held(cpu), second(cpu);
///     CHECK(held && !second && second.error().kind == SessionEntryKind::reentered);
///     CHECK(add(*held, Tensor::scalar(1.0), 2).item() == Scalar(3.0));
///     held.caches().clear();
class HeldCpuSession {
 public:
  explicit HeldCpuSession(const CpuBackend& backend);

  explicit operator bool() const noexcept { return static_cast<bool>(entry_); }
  /// Why entry was refused. Requires !*this.
  SessionEntryInfo error() const noexcept { return entry_.error(); }
  /// The session. Requires *this.
  BackendSession& operator*() noexcept { return *session_; }
  /// What families keep from session to session. Requires *this.
  SessionCaches& caches() noexcept { return entry_.caches(); }

 private:
  CpuBackend backend_;
  CpuEntry entry_;
  std::optional<CpuSession> session_;
};

}  // namespace tenferro
