// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks of matrix products.

namespace tenferro::bench {

/// Products of column-major n×n matrices on one thread. `dtype` is 's', 'd', 'c' or 'z', or of integers of 32
/// or 64 bits 'i' or 'l'.
struct GemmPeer {
  const char* name;
  /// A product that is ready to run: c = a·b. The matrices outlive it.
  void* (*prepare)(char dtype, long n, const void* a, const void* b, void* c);
  void (*run)(void* product);
};

}  // namespace tenferro::bench

extern "C" const tenferro::bench::GemmPeer* tenferro_gemm_peer();
