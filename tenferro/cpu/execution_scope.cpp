// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/execution_scope.hpp"

#include <cxxabi.h>

namespace tenferro {

using internal::thread_record;

void ExecutionScope::open() {
  const CpuDomain& domain = engine_.domain();
  if (domain.kind() != DomainKind::managed) {
    refusal_ = ScopeUnsupported{domain.backend()};
    return;
  }
  if (thread_record.owner != nullptr || thread_record.scope != nullptr) return refuse(SessionEntryKind::reentered);
  line_ = static_cast<PresenceLine*>(thread_record.presence);
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
  thread_record.scope = this;
}

ExecutionScope::~ExecutionScope() {
  if (!open_) return;
  thread_record.scope = nullptr;
  process_arbiter().release(engine_.domain().request(), *line_);
}

void ExecutionScope::refuse(SessionEntryKind why) noexcept {
  refusal_ = SessionEntryInfo{why, engine_.domain().backend()};
}

}  // namespace tenferro
