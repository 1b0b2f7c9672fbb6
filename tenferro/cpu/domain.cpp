// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/domain.hpp"

#include <utility>

#include "tenferro/base/text.hpp"
#include "tenferro/cpu/internal/process.hpp"
#include "tenferro/cpu/topology.hpp"

namespace tenferro {
namespace {

[[noreturn]] void reject(const CpuDomainOptions& options, DomainProblem problem) {
  raise<DomainErrorInfo>(DomainRejected{options.backend, problem});
}

CpuDomainOptions checked(CpuDomainOptions options) {
  const bool external = options.kind != DomainKind::managed;
  if (external && options.executor == nullptr) reject(options, DomainProblem::executor_missing);
  if (!external && options.executor != nullptr) reject(options, DomainProblem::executor_unexpected);
  const ProviderDeclaration& provider = options.provider;
  if (provider.modes == 0) {
    raise<DomainErrorInfo>(ProviderRefused{provider.name, ProviderProblem::mode_not_supported});
  }
  // The threads of an external domain belong to the user: nothing may be started beside them.
  if (external && is_uncontrolled(provider)) {
    raise<DomainErrorInfo>(ProviderRefused{provider.name, ProviderProblem::count_not_enforceable});
  }
  if (external && (provider.placement == ThreadPlacement::own_workers || provider.placement == ThreadPlacement::none)) {
    raise<DomainErrorInfo>(ProviderRefused{provider.name, ProviderProblem::placement_not_enforceable});
  }
  const CpuPlan plan = plan_cpus(options.threads, options.cpus);
  if (plan.cpus.empty()) reject(options, DomainProblem::no_cpus);
  options.cpus = plan.cpus;
  options.threads = plan.threads;
  if (options.kind == DomainKind::cooperative_external) options.admission = AdmissionClass::exclusive;
  options.admission = admission_with(provider, *options.threads, options.admission);
  return options;
}

}  // namespace

std::string describe(const DomainRejected& info) {
  std::string_view reason;
  switch (info.problem) {
    case DomainProblem::no_cpus:
      reason = "the CPU set is empty (expected at least one CPU that this thread may use)";
      break;
    case DomainProblem::executor_missing:
      reason = "an external domain has no executor (expected one)";
      break;
    case DomainProblem::executor_unexpected:
      reason = "a managed domain has an executor (expected none)";
      break;
  }
  return concat("domain of ", info.backend, ": ", reason);
}

CpuDomain::CpuDomain(CpuDomainOptions options)
    : options_(checked(std::move(options))),
      request_{options_.admission, process_arbiter().register_set(*options_.cpus), options_.entry_deadline},
      plain_(options_.kind != DomainKind::caller_managed_external && options_.entry_hook.call == nullptr),
      exclusive_(options_.admission != AdmissionClass::shared || options_.kind == DomainKind::caller_managed_external) {
  internal::install_fork_handlers();
}

bool CpuDomain::contains_this_thread() const noexcept {
  return CpuSet::affinity_of_this_thread().is_subset_of(*options_.cpus);
}

}  // namespace tenferro
