// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The larger and the smaller of elements, for reductions to a value (reduce_max) and to a position (argmax): NaN beats
// everything, and the first of equals stays.

#include <limits>

#include "tenferro/cpu/kernels/reduce_tree.hpp"

namespace tenferro::internal {

template <class T>
struct Largest {
  using In = T;
  using Acc = T;
  using Next = Largest;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::maximum(a, b); }
  static T empty() { return std::numeric_limits<T>::lowest(); }
  static bool beats(T x, T best) { return (x > best) | ((x != x) & (best == best)); }
};

template <class T>
struct Smallest {
  using In = T;
  using Acc = T;
  using Next = Smallest;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::minimum(a, b); }
  static T empty() { return std::numeric_limits<T>::max(); }
  static bool beats(T x, T best) { return (x < best) | ((x != x) & (best == best)); }
};

}  // namespace tenferro::internal
