// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The searches' own random numbers (SplitMix64, Steele, Lea and Flood 2014): the same on every platform.

#include <cmath>
#include <cstdint>

namespace tenferro::internal {

class SearchRandom {
 public:
  explicit SearchRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }
  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(next() >> 12U) + 0.5) * 0x1p-52; }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// Gumbel-distributed: adding it to scores and taking the best draws with Boltzmann weights.
  double gumbel() { return -std::log(-std::log(uniform())); }

 private:
  std::uint64_t state_;
};

}  // namespace tenferro::internal
