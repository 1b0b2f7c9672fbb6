// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Session entry for backend families that need no admission of their own, such as a device with one queue a session.
// The guard marks the thread, refuses nested entry of any family before anything blocks, and restores the mark on every
// way out.
//
// Example (tenferro/cpu/cpu_backend.hpp):
//     CpuBackend cpu;
//     {
//       EntryGuard guard("gpu");                               // in a session of another family from here on
//       CHECK(guard && owner_lock_rule() == OwnerLockRule::refused);
//       EntryGuard nested("gpu");
//       CHECK(!nested && nested.error() == SessionEntryInfo{SessionEntryKind::reentered, "gpu"});
//       CHECK(!cpu.try_with_session([](BackendSession&) {}));
//     }
//     CHECK(owner_lock_rule() == OwnerLockRule::may_block && cpu.try_with_session([](BackendSession&) {}));

#include <optional>
#include <string_view>

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/backend/thread_record.hpp"

namespace tenferro {

/// Marks the thread as being in a session for the guard's life. Refused with `reentered` when the thread executes
/// anything already, with `incompatible_context` inside the execution scope of a CPU backend. The same in every build.
/// Must end on the thread that began it; if it ends elsewhere, that thread stays marked, and no other is touched.
class EntryGuard {
 public:
  explicit EntryGuard(std::string_view backend) noexcept : backend_(backend), record_(internal::thread_record) {
    if (record_.owner != nullptr || record_.in_session || record_.scope_loan) [[unlikely]] {
      refusal_ = SessionEntryKind::reentered;
    } else if (record_.scope != nullptr) [[unlikely]] {
      refusal_ = SessionEntryKind::incompatible_context;
    } else {
      record_.owner = this;
      record_.in_session = true;
      entered_ = true;
    }
  }
  ~EntryGuard() {
    if (!entered_ || &record_ != &internal::thread_record) return;
    record_.in_session = false;
    record_.owner = nullptr;
  }
  EntryGuard(const EntryGuard&) = delete;
  EntryGuard& operator=(const EntryGuard&) = delete;

  explicit operator bool() const noexcept { return entered_; }
  /// Why entry was refused. Requires !*this.
  SessionEntryInfo error() const noexcept { return {refusal_, backend_}; }

 private:
  std::string_view backend_;
  internal::ThreadRecord& record_;  // of the thread that entered
  SessionEntryKind refusal_ = SessionEntryKind::reentered;
  bool entered_ = false;
};

/// How this thread may take a lock that ranks above admission, such as the owner lock of an eager runtime. The lock
/// order is: owner lock, admission, resources.
enum class OwnerLockRule {
  may_block,  ///< no session is active
  must_try,   ///< inside an execution scope: a busy owner is `contended`
  refused,    ///< a session, guard or lane is active: `reentered`
};
inline OwnerLockRule owner_lock_rule() noexcept {
  const internal::ThreadRecord& record = internal::thread_record;
  if (record.owner != nullptr || record.in_session || record.scope_loan) return OwnerLockRule::refused;
  return record.scope != nullptr ? OwnerLockRule::must_try : OwnerLockRule::may_block;
}

}  // namespace tenferro
