// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer offers to the benchmarks of elementwise operations.

namespace tenferro::bench {

/// Arrays of n numbers, of which the operations read and write those that they need.
struct ElementwiseArrays {
  long n;
  double* out;
  const double *a, *b;
  const bool* mask;
};

/// Operations on one thread: "add", "mul", "select" (a where the mask is true, else b) and functions of a (power: of a
/// and b) by their names in the C library.
struct ElementwisePeer {
  const char* name;
  /// An operation that is ready to run; null where the peer does not have it. The arrays outlive it.
  void* (*prepare)(const char* operation, const ElementwiseArrays& arrays);
  void (*run)(void* operation);
};

}  // namespace tenferro::bench

extern "C" const tenferro::bench::ElementwisePeer* tenferro_elementwise_peer();
