// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro {

void CpuBackend::refuse(SessionEntryInfo info) { throw SessionEntryError(info); }

std::optional<SessionEntryInfo> CpuBackend::enter(SessionCaches* own,
                                                  FunctionRef<void(BackendSession&, SessionCaches&)> body) {
  const auto entered = try_with_session_cached(own, body);
  return entered ? std::nullopt : std::optional(entered.error());
}

HeldCpuSession::HeldCpuSession(const CpuBackend& backend) : backend_(backend), entry_(backend_.engine()) {
  if (entry_) session_.emplace(entry_);
}

}  // namespace tenferro
