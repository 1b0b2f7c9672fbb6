// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/provider.hpp"

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro {

std::string describe(const ProviderRefused& info) {
  std::string_view reason;
  switch (info.problem) {
    case ProviderProblem::count_not_enforceable:
      reason = "its number of threads cannot be bounded (expected a bound or one thread)";
      break;
    case ProviderProblem::placement_not_enforceable:
      reason = "its threads cannot be placed on the domain's CPUs (expected no threads of its own)";
      break;
    case ProviderProblem::mode_not_supported:
      reason = "it does not support this use (expected a mode that it declares)";
      break;
  }
  return concat("provider ", info.provider, ": ", reason);
}

bool may_run_in_lanes(const ProviderDeclaration& provider) noexcept {
  return !is_uncontrolled(provider) && (provider.modes & kModeOuter) != 0;
}

void require_usable_here(const ProviderDeclaration& provider) {
  if (!internal::thread_record.lane || may_run_in_lanes(provider)) return;
  if (is_uncontrolled(provider)) {
    raise<ProviderRefused>(ProviderRefused{provider.name, ProviderProblem::count_not_enforceable});
  }
  raise<ProviderRefused>(ProviderRefused{provider.name, ProviderProblem::mode_not_supported});
}

bool inner_work_allowed(const ProviderDeclaration& provider) noexcept {
  return !internal::thread_record.lane && (provider.modes & kModeInner) != 0;
}

}  // namespace tenferro
