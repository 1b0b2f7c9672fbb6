// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Entry into a session on the CPU: the one place where a thread is admitted, gets resources and is marked. CpuEntry is
// a local variable; while it lives and tests true, the thread is in a session. It runs nothing, so the closure is
// simply what follows it, on the same thread:
//
//   template <class F> auto CpuBackend::try_with_session(F&& f) -> tl::expected<R, SessionEntryInfo> {
//     CpuEntry entry(*engine_);
//     if (!entry) [[unlikely]] return tl::unexpected(entry.error());
//     CpuSession session(entry);                    // plain pointers: entry.engine(), entry.resources(), …
//     return std::forward<F>(f)(session);
//   }                                               // return, exception and cancellation all leave here
//
// What a session finds in it:
//   entry.pool()       the buffer pool; allocate with pool().acquire(bytes) or an UninitializedBlock
//   entry.resources()  pool, counters and caches
//   entry.caches()     what families keep from session to session
//   entry.engine()     domain, lanes(), parallel_for
//   entry.is_usable_here()  false on any thread but the one that entered: answer with error_elsewhere()
// Management (trim, clear, cap, stats) is CpuEngine's; ExecutionScope (execution_scope.hpp) keeps the admission over
// several entries, which then skip the arbiter. Nothing here knows tensors or operations.
//
// Steps, in this order: the thread's record (an owner means `reentered`; a scope means its loan, or
// `incompatible_context`), admission, the resource set, owner and pool in the record. Leaving undoes pool, resources,
// owner, admission: the admission last, so that the next entrant finds the resources in their slot. An uncontended
// entry and exit makes no system call, takes no lock and allocates nothing once the thread has been here before.

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/engine.hpp"

namespace tenferro {

class ExecutionScope;

/// A session of the calling thread on an engine, which must outlive it or be of CpuEngine::make. Not copyable, not
/// movable. Should end on the thread that began it; if it ends elsewhere, that thread stays refused for ever.
///
/// Example:
///     CpuEngine engine{CpuDomainOptions{}};
///     CpuEntry entry(engine);
///     CHECK(entry && entry.is_usable_here() && &entry.engine() == &engine);
///     UninitializedBlock work(entry.pool(), 4096);
///     CHECK(entry.resources().pool->stats().lent_blocks == 1);
///     entry.caches().clear();
///     CHECK(entry.error_elsewhere().kind == SessionEntryKind::incompatible_context);
///     CpuEntry second(engine);
///     CHECK(!second && second.error().kind == SessionEntryKind::reentered);
class CpuEntry {
 public:
  /// Enters, or is refused: reentered, contended, incompatible_context, resource_poisoned, or executor where the entry
  /// hook failed. Throws std::bad_alloc where a thread's first entry finds no memory.
  explicit CpuEntry(CpuEngine& engine) : engine_(engine), record_(internal::thread_record) { enter(); }
  ~CpuEntry() {
    if (resources_ != nullptr) leave();
  }
  CpuEntry(const CpuEntry&) = delete;
  CpuEntry& operator=(const CpuEntry&) = delete;

  explicit operator bool() const noexcept { return resources_ != nullptr; }
  /// Why entry was refused. Requires !*this.
  SessionEntryInfo error() const noexcept { return {refusal_, engine_.domain().backend()}; }

  CpuEngine& engine() const noexcept { return engine_; }
  /// The following require *this.
  ResourceSet& resources() const noexcept { return *resources_; }
  BufferPool& pool() const noexcept { return *resources_->pool; }
  SessionCaches& caches() const noexcept { return resources_->caches; }

  /// Whether this is the thread that entered. A coroutine may have carried the session elsewhere.
  bool is_usable_here() const noexcept { return &record_ == &internal::thread_record; }
  SessionEntryInfo error_elsewhere() const noexcept {
    return {SessionEntryKind::incompatible_context, engine_.domain().backend()};
  }

 private:
  void enter() {
    if (record_.owner != nullptr) [[unlikely]]
      return;  // refusal_ says reentered
    if (record_.scope != nullptr || record_.presence == nullptr || !engine_.domain().is_plain()) [[unlikely]] {
      return enter_slow();
    }
    line_ = static_cast<PresenceLine*>(record_.presence);
    const Admitted admitted = process_arbiter().acquire(engine_.domain().request(), *line_);
    if (admitted != Admitted::direct) [[unlikely]]
      return enter_waited(admitted);
    resources_ = engine_.resources().take_ready(record_.presence_index);
    if (resources_ == nullptr) [[unlikely]]
      return enter_without_set(Admitted::direct);
    resources_->direct.add();
    mark();
  }
  void mark() noexcept {
    record_.owner = &engine_;
    record_.session_pool = resources_->pool.get();
    resources_->sessions.add();
  }
  void leave() noexcept {
    if (!is_usable_here()) [[unlikely]]
      return leave_elsewhere();
    record_.session_pool = nullptr;
    engine_.resources().put(*resources_);
    record_.owner = nullptr;
    if (way_ == Way::arbiter) [[likely]] {
      process_arbiter().release(engine_.domain().request(), *line_);
    } else {
      leave_slow();
    }
    if (record_.orphaned) [[unlikely]]
      engine_.end_orphan();
  }

  enum class Way : std::uint8_t { arbiter, scope, occupied };

  void enter_slow();
  void enter_waited(Admitted admitted);
  void enter_without_set(Admitted admitted);
  void enter_scope() noexcept;
  void give_up(SessionEntryKind why) noexcept;
  void run_hook();
  void leave_slow() noexcept;
  void leave_elsewhere() noexcept;

  CpuEngine& engine_;
  internal::ThreadRecord& record_;
  PresenceLine* line_ = nullptr;
  ResourceSet* resources_ = nullptr;
  SessionEntryKind refusal_ = SessionEntryKind::reentered;
  Way way_ = Way::arbiter;
};

}  // namespace tenferro
