// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Where sessions of a backend execute: CPUs, number of threads, who owns the threads, and how sessions are admitted.
// Immutable once made.
//
// Example:
//     int entries = 0;
//     CpuDomainOptions options;
//     options.backend = "mine";
//     options.threads = 2;
//     options.admission = AdmissionClass::exclusive;
//     options.entry_hook = EntryHook{[](void* count) { ++*static_cast<int*>(count); }, &entries};
//     const CpuDomain domain(options);
//     CHECK(domain.backend() == "mine" && domain.kind() == DomainKind::managed && domain.threads() == 2);
//     CHECK(!domain.cpus().empty() && domain.contains_this_thread() && domain.executor() == nullptr);
//     CHECK(domain.is_exclusive() && domain.request().admission == AdmissionClass::exclusive);
//     CHECK(!domain.is_plain() && domain.entry_hook().context == &entries && domain.provider().name == "built-in");
//
//     const ProviderDeclaration blas{"blas", ThreadControl::per_call_bound, ThreadPlacement::own_workers};
//     CHECK(admission_with(blas, 1, AdmissionClass::shared) == AdmissionClass::shared);
//     CHECK(admission_with(blas, 4, AdmissionClass::shared) == AdmissionClass::provider_exclusive);
//
//     options.kind = DomainKind::cooperative_external;         // without its executor
//     auto refused = attempt<DomainErrorInfo>([&] { CpuDomain external(options); });
//     CHECK(std::get<DomainRejected>(refused.error()).problem == DomainProblem::executor_missing);
//     CHECK(describe(refused.error()) == "domain of mine: an external domain has no executor (expected one)");

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/backend/provider.hpp"
#include "tenferro/cpu/arbiter.hpp"
#include "tenferro/cpu/external_executor.hpp"

namespace tenferro {

enum class DomainKind : std::uint8_t {
  managed,                  ///< the library's own team
  cooperative_external,     ///< the user's executor, admission by the arbiter
  caller_managed_external,  ///< the user's executor and the user's admission: a busy domain refuses, nobody waits
};

/// Called once at each entry of a session or scope, after admission; for domains that involve an executor at entry.
struct EntryHook {
  void (*call)(void* context) = nullptr;
  void* context = nullptr;
};

struct CpuDomainOptions {
  /// Named in errors; must live for ever.
  std::string_view backend = "cpu";
  DomainKind kind = DomainKind::managed;
  /// CPUs and threads as in plan_cpus, read when the domain is made.
  std::optional<CpuSet> cpus = std::nullopt;
  std::optional<std::uint32_t> threads = std::nullopt;
  AdmissionClass admission = AdmissionClass::shared;
  /// How long entry waits for other sessions at most; 0 or less: not at all.
  std::chrono::nanoseconds entry_deadline = std::chrono::seconds(5);
  /// The least tame library that kernels of this domain call. OpenBLAS is used only where it is as tame as our own.
  ProviderDeclaration provider = {};
  /// Needed by external kinds, forbidden for managed ones.
  std::shared_ptr<ExternalExecutor> executor = nullptr;
  EntryHook entry_hook = {};
};

enum class DomainProblem : std::uint8_t { no_cpus, executor_missing, executor_unexpected };

/// The options contradict themselves; nothing was made.
struct DomainRejected {
  std::string_view backend;
  DomainProblem problem;
  friend bool operator==(const DomainRejected&, const DomainRejected&) = default;
};
std::string describe(const DomainRejected& info);
using DomainErrorInfo = std::variant<DomainRejected, ProviderRefused>;
using DomainError = TypedError<DomainErrorInfo>;

/// The admission that sessions with this provider need: provider-exclusive if it brings threads of its own, else
/// `wanted`.
constexpr AdmissionClass admission_with(const ProviderDeclaration& provider, std::uint32_t threads,
                                        AdmissionClass wanted) noexcept {
  const bool own_threads = provider.placement == ThreadPlacement::own_workers &&
                           provider.control == ThreadControl::per_call_bound && threads > 1;
  return is_uncontrolled(provider) || own_threads ? AdmissionClass::provider_exclusive : wanted;
}

class CpuDomain {
 public:
  /// Checks the options and registers the CPU set. Throws DomainError; an external domain refuses providers whose
  /// threads it cannot bound or place.
  explicit CpuDomain(CpuDomainOptions options);
  CpuDomain(const CpuDomain&) = delete;
  CpuDomain& operator=(const CpuDomain&) = delete;

  std::string_view backend() const noexcept { return options_.backend; }
  DomainKind kind() const noexcept { return options_.kind; }
  const CpuSet& cpus() const noexcept { return *options_.cpus; }
  /// Threads of one operation, the caller included.
  std::uint32_t threads() const noexcept { return *options_.threads; }
  const ProviderDeclaration& provider() const noexcept { return options_.provider; }
  ExternalExecutor* executor() const noexcept { return options_.executor.get(); }
  const EntryHook& entry_hook() const noexcept { return options_.entry_hook; }
  /// What sessions ask the arbiter for. Caller-managed domains do not ask it.
  const AdmissionRequest& request() const noexcept { return request_; }
  /// Whether entry is admission by the arbiter and nothing else.
  bool is_plain() const noexcept { return plain_; }
  /// Whether only one session at a time can be inside.
  bool is_exclusive() const noexcept { return exclusive_; }
  /// Whether the calling thread may run on the domain's CPUs only.
  bool contains_this_thread() const noexcept;

 private:
  CpuDomainOptions options_;
  AdmissionRequest request_;
  bool plain_;
  bool exclusive_;
};

}  // namespace tenferro
