// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a library of kernels (a BLAS, say) declares about its threads. It is said once, when a domain is made, and is
// neither probed on the call path nor guessed from names. Three facts are kept apart: what the implementation declares,
// whether a fan-out of the engine is active, and whether a kernel may fan out itself.
//
// Example (tenferro/cpu/team.hpp):
//     const ProviderDeclaration blas{"blas", ThreadControl::per_call_bound, ThreadPlacement::own_workers,
//                                    kModeSequential | kModeInner};
//     CHECK(!is_uncontrolled(blas) && !may_run_in_lanes(blas));
//     require_usable_here(blas);
//     CHECK(inner_work_allowed(blas));
//     Team::for_set(CpuSet::affinity_of_this_thread())->run(2, 0.0, 1, [&](std::uint32_t) {
//       CHECK(!inner_work_allowed(blas));                      // in a lane
//       auto refused = attempt<ProviderRefused>([&] { require_usable_here(blas); });
//       CHECK(refused.error() == (ProviderRefused{"blas", ProviderProblem::mode_not_supported}));
//       CHECK(describe(refused.error()).find("blas") != std::string::npos);
//     });

#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/base/error.hpp"

namespace tenferro {

/// How the number of threads of one call can be set.
enum class ThreadControl : std::uint8_t {
  sequential,      ///< the calling thread alone, always
  per_call_bound,  ///< an argument of the call, safe among concurrent calls
  clamp_to_one,    ///< one thread a call if asked for once at start
  uncontrolled,    ///< a process-wide setting or none
};

/// Where the work of a call runs.
enum class ThreadPlacement : std::uint8_t {
  calling_thread,
  engine_workers,  ///< handed to the engine's team
  own_workers,     ///< threads of the library
  none,            ///< unknown
};

/// Ways of using a provider; a set of bits.
enum ProviderModes : std::uint8_t {
  kModeSequential = 1,  ///< alone, one thread
  kModeOuter = 2,       ///< in the lanes of an engine fan-out
  kModeInner = 4,       ///< fanning out itself, outside any lane
};

/// The declaration; by default our own kernels, which run in chunks on the engine's team.
struct ProviderDeclaration {
  std::string_view name = "built-in";
  ThreadControl control = ThreadControl::sequential;
  ThreadPlacement placement = ThreadPlacement::calling_thread;
  std::uint8_t modes = kModeSequential | kModeOuter;
};

enum class ProviderProblem : std::uint8_t { count_not_enforceable, placement_not_enforceable, mode_not_supported };

/// A domain or a call cannot use the provider.
struct ProviderRefused {
  std::string_view provider;
  ProviderProblem problem;
  friend bool operator==(const ProviderRefused&, const ProviderRefused&) = default;
};
std::string describe(const ProviderRefused& info);
using ProviderError = TypedError<ProviderRefused>;

/// Whether a call may start threads beyond the domain's control.
constexpr bool is_uncontrolled(const ProviderDeclaration& provider) noexcept {
  return provider.control == ThreadControl::uncontrolled;
}

/// Whether calls may come from the lanes of a fan-out of the engine, that is, from several threads at once.
bool may_run_in_lanes(const ProviderDeclaration& provider) noexcept;

/// Refuses, before anything is dispatched, an uncontrolled provider inside an active fan-out, and one that does not
/// declare the mode that is needed there. Throws ProviderError.
void require_usable_here(const ProviderDeclaration& provider);

/// Whether a kernel may fan out on this thread: not inside a lane.
bool inner_work_allowed(const ProviderDeclaration& provider) noexcept;

}  // namespace tenferro
