// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks of reductions.

namespace tenferro::bench {

/// One reduction of an n×n matrix of f64: its sum or its largest element, over axis 0, axis 1 or (−1) both. The matrix
/// is column-major, or row-major if `transposed`.
struct Reduction {
  long n;
  bool largest;
  int axis;
  bool transposed;
};

struct ReducePeer {
  const char* name;
  /// A reduction on one thread that is ready to run, into `out` of 1 or n elements. The memory outlives it.
  void* (*prepare)(const Reduction& reduction, const double* x, double* out);
  void (*run)(void* prepared);
};

}  // namespace tenferro::bench

extern "C" const tenferro::bench::ReducePeer* tenferro_reduce_peer();
