// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/execution_scope.hpp"

#include <cxxabi.h>

namespace tenferro {

void ExecutionScope::open() {
  const CpuDomain& domain = engine_.domain();
  if (domain.kind() != DomainKind::managed) {
    refusal_ = ScopeUnsupported{domain.backend()};
    return;
  }
  if (record_.owner != nullptr || record_.scope != nullptr) return refuse(SessionEntryKind::reentered);
  line_ = static_cast<PresenceLine*>(record_.presence);
  if (line_ == nullptr) line_ = &internal::attach_presence_line();
  const Admitted admitted = process_arbiter().acquire(domain.request(), *line_);
  if (!is_admitted(admitted)) {
    return refuse(admitted == Admitted::poisoned ? SessionEntryKind::resource_poisoned : SessionEntryKind::contended);
  }
  if (const EntryHook& hook = domain.entry_hook(); hook.call != nullptr) {
    try {
      hook.call(hook.context);
      engine_.scope_installs_.fetch_add(1, std::memory_order_relaxed);
    } catch (const abi::__forced_unwind&) {
      process_arbiter().release(domain.request(), *line_);
      throw;
    } catch (...) {
      process_arbiter().release(domain.request(), *line_);
      return refuse(SessionEntryKind::executor);
    }
  }
  engine_.scopes_.fetch_add(1, std::memory_order_relaxed);
  (admitted == Admitted::direct ? engine_.scope_direct_ : engine_.scope_queued_)
      .fetch_add(1, std::memory_order_relaxed);
  open_ = true;
  record_.scope = &engine_;
}

ExecutionScope::~ExecutionScope() {
  if (!open_) return;
  // Another thread's record is not touched: that thread finds its presence line empty and refuses to enter.
  const bool here = &record_ == &internal::thread_record;
  if (here) record_.scope = nullptr;
  process_arbiter().release(engine_.domain().request(), *line_);
  if (here && record_.orphaned) engine_.end_orphan();
}

void ExecutionScope::refuse(SessionEntryKind why) noexcept {
  refusal_ = SessionEntryInfo{why, engine_.domain().backend()};
}

}  // namespace tenferro
