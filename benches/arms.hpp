// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The arms of the session benchmarks by name, for the timed programs and for the instruction counter alike, so that
// both run the very same code. An arm runs `count` iterations and returns a number that depends on what it computed;
// arms that measure an operation inside a session enter once around all of them.

#include <functional>
#include <string>
#include <vector>

namespace tenferro::bench {

struct Arm {
  std::string name;
  std::function<double(long count)> run;
  /// What run(1) must return, from an independent computation.
  double expected;
};

/// Arms of session_chain: entry, add8, and the chains by ten entries, by one, inside one scope, and over a hand-off.
std::vector<Arm> session_arms();
/// Arms of einsum_chain: prepared "ij,jk->ik" of 8×8 f64, ten in a chain, and the bare BLAS call.
std::vector<Arm> einsum_arms();
/// matmul of n×n f64 in a session (matmul<n>) and the kernel on its own (product<n>).
std::vector<Arm> product_arms();

/// Session entries that one iteration of an arm makes, as the backend's statistics say, and as they should be.
struct EntryCount {
  std::string name;
  long got, expected;
};
/// Of the arms of session_chain and of einsum_chain that enter once or ten times.
std::vector<EntryCount> count_session_entries();
std::vector<EntryCount> count_einsum_entries();

/// The same of arms by their names; `sessions` reads the counter of the backend on which they run.
inline std::vector<EntryCount> count_entries(const std::vector<Arm>& arms, const std::function<long()>& sessions) {
  std::vector<EntryCount> counts;
  for (const Arm& arm : arms) {
    const bool one = arm.name.ends_with("/one_session"), ten = arm.name.ends_with("/ten_entries");
    if (!one && !ten) continue;
    const long before = sessions();
    (void)arm.run(1);
    counts.push_back({arm.name, sessions() - before, one ? 1 : 10});
  }
  return counts;
}

}  // namespace tenferro::bench
