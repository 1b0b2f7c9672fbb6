// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks of scans, sorts and searches.

namespace tenferro::bench {

enum class OrderOp { cumsum, cummax, cumprod, sort, argsort, top_k, argmax, any, sum_squares };
enum class OrderDType { f64, f32, i32, i64, boolean };

/// An operation along one axis of a column-major matrix, or on all of it where it has a single result.
struct OrderCase {
  OrderOp op;
  OrderDType dtype;
  long rows, columns;
  int axis;
};

struct OrderPeer {
  const char* name;
  /// The operation on one thread, ready to run, into outputs of its own. The memory at x outlives it. Null: not
  /// offered.
  void* (*prepare)(const OrderCase& what, const void* x);
  void (*run)(void* prepared);
  /// Σ (1 + i mod 7) · element i of the last result, in f64 and in column-major order.
  double (*digest)(void* prepared);
};

/// Best of what top_k is asked for.
inline constexpr long kTopK = 10;

}  // namespace tenferro::bench

extern "C" const tenferro::bench::OrderPeer* tenferro_order_peer();
