// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What happens to process-wide state at a fork and when the library is unloaded.

#include <atomic>
#include <cstdint>

namespace tenferro::internal {

/// Number of forks between the start of the program and this process. A team made in another generation has no helper
/// threads here.
extern constinit std::atomic<std::uint32_t> process_generation;

/// Makes fork leave consistent state behind. Idempotent and cheap after the first call.
void install_fork_handlers();

/// Locks, unlocks and resets the registry of teams; called around fork.
void lock_team_registry() noexcept;
void unlock_team_registry() noexcept;
void forget_teams_in_child() noexcept;

}  // namespace tenferro::internal
