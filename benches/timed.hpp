// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Registers arms with Google Benchmark. Every arm runs in batches, so that the timer's own cost does not count; the
// arms named in `twins` are registered a second time as "<name>/again", which shows the noise of the machine.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "benches/arms.hpp"

namespace tenferro::bench {

inline void register_arm(const std::string& name, const Arm& arm) {
  benchmark::RegisterBenchmark(name.c_str(), [run = arm.run](benchmark::State& state) {
    constexpr long kBatch = 64;
    while (state.KeepRunningBatch(kBatch)) benchmark::DoNotOptimize(run(kBatch));
  });
}

inline void register_arms(const std::vector<Arm>& arms, const std::vector<std::string>& twins) {
  for (const Arm& arm : arms) {
    register_arm(arm.name, arm);
    if (std::find(twins.begin(), twins.end(), arm.name) != twins.end()) register_arm(arm.name + "/again", arm);
  }
}

/// An arm over a function of a peer, which has no count of its own.
inline Arm peer_arm(std::string name, std::function<double()> call) {
  return {std::move(name),
          [call = std::move(call)](long n) {
            double sum = 0;
            for (long i = 0; i < n; ++i) sum += call();
            return sum;
          },
          0.0};
}

}  // namespace tenferro::bench
