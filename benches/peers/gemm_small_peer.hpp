// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks of small matrix products.

namespace tenferro::bench {

/// Products of column-major n×n matrices on one thread, one after another: `count` of them, n² elements apart. `dtype`
/// is 's' or 'd'.
struct GemmSmallPeer {
  const char* name;
  /// Products that are ready to run: c = a·b; null where the peer has none such. The matrices outlive them.
  void* (*prepare)(char dtype, long n, long count, const void* a, const void* b, void* c);
  void (*run)(void* products);
  /// Matrix times vector, y = a·x, or with the transpose of a; null where the peer has none.
  void* (*prepare_vector)(char dtype, long n, bool transposed, const void* a, const void* x, void* y);
  void (*run_vector)(void* product);
};

}  // namespace tenferro::bench

extern "C" const tenferro::bench::GemmSmallPeer* tenferro_gemm_small_peer();
