// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// How many threads a backend may use, and on which CPUs. Everything is read when asked for: a mask that is widened
// later is seen by backends made later, and by no other.

#include <cstdint>
#include <optional>
#include <string>

#include "tenferro/cpu/cpu_set.hpp"

namespace tenferro {

/// Most threads of one backend. Loops are cut into fewer pieces.
inline constexpr std::uint32_t kMostThreads = 256;

/// CPUs of a backend and the number of threads, the caller included, that one of its operations may use.
struct CpuPlan {
  CpuSet cpus;
  std::uint32_t threads = 1;
};

/// `cpus` as far as the calling thread's affinity mask allows, or the whole mask; and as many threads as the first of
/// these says: `threads` if given and not 0; TENFERRO_NUM_THREADS if it is a positive decimal number; the size of the
/// set, limited by the CPU quota of the control group (rounded up). Only an explicit number may exceed the set's size;
/// none exceeds kMostThreads.
///
/// Example:
///     const CpuPlan plan = plan_cpus(3);
///     CHECK(plan_cpus(4'000'000'000).threads == kMostThreads);
///     CHECK(plan.threads == 3 && plan.cpus == CpuSet::affinity_of_this_thread());
CpuPlan plan_cpus(std::optional<std::uint32_t> threads = std::nullopt,
                  const std::optional<CpuSet>& cpus = std::nullopt);

/// CPU time that the control groups of this process (version 1 or 2) grant, in CPUs, the smallest along the path to the
/// root; nothing if unlimited or unknown. `root` is put before every path that is read.
///
/// Example:
///     const std::optional<double> quota = cpu_quota();         // 1.5: three halves of a CPU
///     CHECK(!quota || *quota > 0);
std::optional<double> cpu_quota(const std::string& root = "");

}  // namespace tenferro
