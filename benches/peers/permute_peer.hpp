// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks of permutations.

#include <cstdint>

namespace tenferro::bench {

/// Permutations of strided arrays into compact column-major ones, on one thread.
struct PermutePeer {
  const char* name;
  /// A call that is ready to run: axis k of `to` is axis perm[k] of `from`, whose shape and strides (in elements of
  /// `width` bytes) are given. The memory outlives it. Null: not offered.
  void* (*prepare)(int width, int rank, const std::int64_t* shape, const std::int64_t* strides,
                   const std::int64_t* perm, const void* from, void* to);
  void (*run)(void* call);
};

}  // namespace tenferro::bench

extern "C" const tenferro::bench::PermutePeer* tenferro_permute_peer();
