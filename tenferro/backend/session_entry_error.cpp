// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/session_entry_error.hpp"

#include "tenferro/base/text.hpp"

namespace tenferro {
namespace {

std::string_view reason(SessionEntryKind kind) {
  switch (kind) {
    case SessionEntryKind::reentered:
      return "this thread is already executing (expected no active session, scope or parallel region)";
    case SessionEntryKind::contended:
      return "the resources are in use (expected them to become free before the entry deadline)";
    case SessionEntryKind::incompatible_context:
      return "the thread belongs to another context (expected the backend and the thread that opened it)";
    case SessionEntryKind::resource_poisoned:
      return "shared state was abandoned by its holder (expected an intact process)";
    case SessionEntryKind::executor:
      return "the executor failed before running anything (expected it to accept work)";
  }
  return "unknown";
}

}  // namespace

std::string describe(const SessionEntryInfo& info) {
  return concat("session on ", info.backend, ": ", reason(info.kind));
}

std::string describe(const ScopeUnsupported& info) {
  return concat("execution scope on ", info.backend,
                ": the domain keeps no permit across operations (expected a managed domain)");
}

}  // namespace tenferro
