// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One admission for many sessions, one after another. While a scope is open on a thread, sessions of the same engine
// enter without the arbiter; every other session is refused. Between sessions the scope holds no buffers and no caches.
//
// Example (tenferro/cpu/session_entry.hpp):
//     CpuEngine engine{CpuDomainOptions{}}, other{CpuDomainOptions{}};
//     ExecutionScope scope(engine);
//     CHECK(scope && &scope.engine() == &engine);
//     for (int step = 0; step < 3; ++step) CHECK(CpuEntry(engine));
//     CHECK(engine.stats().admissions() == 1);
//     ExecutionScope nested(other);
//     CHECK(!nested && std::get<SessionEntryInfo>(nested.error()).kind == SessionEntryKind::reentered);

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/engine.hpp"

namespace tenferro {

/// An admission of the calling thread on a managed engine, which must outlive it. Not copyable, not movable. Must end
/// on the thread that began it, after the sessions inside. If it ends elsewhere, its admission ends and the thread that
/// began it stays refused.
class ExecutionScope {
 public:
  /// Opens, or is refused: ScopeUnsupported for external domains, whose executor is not touched; `reentered` inside a
  /// session, a lane or another scope; `contended`, `resource_poisoned` and `executor` as for sessions.
  explicit ExecutionScope(CpuEngine& engine) : engine_(engine), record_(internal::thread_record) { open(); }
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope&) = delete;
  ExecutionScope& operator=(const ExecutionScope&) = delete;

  explicit operator bool() const noexcept { return open_; }
  /// Why the scope was refused. Requires !*this.
  const ScopeErrorInfo& error() const noexcept { return refusal_; }
  const CpuEngine& engine() const noexcept { return engine_; }

 private:
  void open();
  void refuse(SessionEntryKind why) noexcept;

  CpuEngine& engine_;
  internal::ThreadRecord& record_;
  PresenceLine* line_ = nullptr;
  bool open_ = false;
  ScopeErrorInfo refusal_;
};

}  // namespace tenferro
