// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/session_entry.hpp"

#include <cxxabi.h>

namespace tenferro {

// Everything but a plain domain outside a scope on a thread that has entered before.
void CpuEntry::enter_slow() {
  if (record_.scope != nullptr) {
    if (record_.scope_loan) return;  // reentered
    // An empty line: the scope ended on another thread, and its admission with it.
    const auto& line = *static_cast<const PresenceLine*>(record_.presence);
    const bool ended =
        line.shared.load(std::memory_order_relaxed) == 0 && line.exclusive.load(std::memory_order_relaxed) == 0;
    if (record_.scope != &engine_ || ended) {
      refusal_ = SessionEntryKind::incompatible_context;
      return;
    }
    way_ = Way::scope;
    record_.scope_loan = true;
    return enter_without_set(Admitted::direct);
  }
  line_ = static_cast<PresenceLine*>(record_.presence);
  if (line_ == nullptr) line_ = &internal::attach_presence_line();
  const CpuDomain& domain = engine_.domain();
  if (domain.kind() == DomainKind::caller_managed_external) {
    way_ = Way::occupied;
    enter_waited(engine_.occupy() ? Admitted::direct : Admitted::contended);
  } else {
    enter_waited(process_arbiter().acquire(domain.request(), *line_));
  }
}

void CpuEntry::enter_waited(Admitted admitted) {
  if (!is_admitted(admitted)) {
    refusal_ = admitted == Admitted::poisoned ? SessionEntryKind::resource_poisoned : SessionEntryKind::contended;
    return;
  }
  enter_without_set(admitted);
}

// Admitted, by whatever way. The hook comes before the session counts as entered: if it fails, nothing has run.
void CpuEntry::enter_without_set(Admitted admitted) {
  try {
    resources_ = engine_.resources().take(record_.presence_index);
    if (resources_ == nullptr) return give_up(SessionEntryKind::contended);
    if (way_ != Way::scope && engine_.domain().entry_hook().call != nullptr) run_hook();
  } catch (...) {
    give_up(SessionEntryKind::executor);
    throw;
  }
  if (resources_ == nullptr) return;
  if (way_ != Way::scope) (admitted == Admitted::direct ? resources_->direct : resources_->queued).add();
  mark();
}

void CpuEntry::run_hook() {
  const EntryHook& hook = engine_.domain().entry_hook();
  try {
    hook.call(hook.context);
    resources_->installs.add();
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    give_up(SessionEntryKind::executor);
  }
}

// Undoes admission and checkout; the record has not been marked yet.
void CpuEntry::give_up(SessionEntryKind why) noexcept {
  refusal_ = why;
  if (resources_ != nullptr) engine_.resources().put(*resources_);
  resources_ = nullptr;
  if (way_ == Way::arbiter) {
    process_arbiter().release(engine_.domain().request(), *line_);
  } else {
    leave_slow();
  }
}

void CpuEntry::leave_slow() noexcept {
  if (way_ == Way::scope) {
    record_.scope_loan = false;
  } else if (way_ == Way::occupied) {
    engine_.vacate();
  }
}

// The session was carried to another thread. The admission comes back; the record of the thread that entered, which may
// be gone, is left alone, so that thread stays refused. It also goes on freeing blocks to the plain lists of the pool
// that its record names, so nobody else may ever have that pool.
void CpuEntry::leave_elsewhere() noexcept {
  engine_.resources().strand(*resources_);
  if (way_ == Way::arbiter) process_arbiter().release(engine_.domain().request(), *line_);
  if (way_ == Way::occupied) engine_.vacate();
}

}  // namespace tenferro
