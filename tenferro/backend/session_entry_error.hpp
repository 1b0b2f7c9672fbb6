// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Why a session or a scope was refused. A refused entry comes before the closure has run and leaves nothing behind.
//
// Example (tenferro/cpu/cpu_backend.hpp):
//     CpuBackend cpu;
//     cpu.with_session([&](BackendSession&) {
//       try {
//         cpu.with_session([](BackendSession&) {});
//       } catch (const SessionEntryError& e) {
//         CHECK(e.info().kind == SessionEntryKind::reentered && e.info().backend == "cpu");
//       }
//     });
//     const SessionEntryInfo busy{SessionEntryKind::contended, "cpu"};
//     CHECK(describe(busy).find("session on cpu: ") == 0);
//     CHECK(describe(ScopeUnsupported{"pool"}).find("execution scope on pool: ") == 0);

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/base/error.hpp"

namespace tenferro {

enum class SessionEntryKind : std::uint8_t {
  /// This thread already executes something: a session of any backend, a nested scope, or a lane of a region.
  reentered,
  /// Admission would have to wait where waiting is impossible or has taken longer than the entry deadline.
  contended,
  /// The thread is inside the execution scope of another backend, or the session belongs to another thread.
  incompatible_context,
  /// Shared state is not trustworthy any more, e.g. in the child of a fork that hit a foreign session.
  resource_poisoned,
  /// The executor of an external domain failed before anything ran.
  executor,
};

/// The reason, and the name of the backend that refused. `backend` refers to a string that lives for ever.
struct SessionEntryInfo {
  SessionEntryKind kind = SessionEntryKind::reentered;
  std::string_view backend;
  friend bool operator==(const SessionEntryInfo&, const SessionEntryInfo&) = default;
};
std::string describe(const SessionEntryInfo& info);
using SessionEntryError = TypedError<SessionEntryInfo>;

/// The domain of this backend cannot keep a permit across operations.
struct ScopeUnsupported {
  std::string_view backend;
  friend bool operator==(const ScopeUnsupported&, const ScopeUnsupported&) = default;
};
std::string describe(const ScopeUnsupported& info);

/// Failures of opening an execution scope.
using ScopeErrorInfo = std::variant<SessionEntryInfo, ScopeUnsupported>;
using ScopeError = TypedError<ScopeErrorInfo>;

}  // namespace tenferro
