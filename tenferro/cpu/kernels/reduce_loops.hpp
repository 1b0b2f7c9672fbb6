// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The innermost loops of reductions, by their addresses: the driver (reduce_driver.cpp) knows sizes and loops, never an
// operation or a dtype. One table for each operation and dtype is made in reduce_<what>.cpp for each set of vector
// instructions; all of them walk the tree of reduce_tree.hpp and give the same bits.
//
//   loops.runs({x, n * 8, n}, {out, 8}, count);           // out[i] becomes the tree over x[n·i … n·i + n − 1]

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/any_dtype.hpp"

namespace tenferro::internal {

/// Runs of `length` ≥ 1 elements side by side, the first at `data`, each `apart` bytes from the one before.
struct ReducedRuns {
  const std::byte* data;
  std::int64_t apart, length;
};

/// Rows of `width` elements side by side, row r at base + offset[r] elements; 1 ≤ count ≤ block_length. `even` says
/// that offset[r] is offset[0] + r·step.
struct ReducedRows {
  const std::byte* base;
  const std::int64_t* offset;
  std::int64_t count, width;
  bool even;
  std::int64_t step;
};

/// The loops of one operation on one dtype. Memory of operands and of results does not overlap.
struct ReduceLoops {
  std::int64_t in_size;   ///< bytes of an element
  std::int64_t acc_size;  ///< bytes of a result
  std::int64_t block_length;
  std::int64_t lanes;  ///< of a row of a block
  bool any_order;      ///< the order of elements does not show in the bits of a result
  Element empty;       ///< the result over no elements
  /// The tree over each of `count` runs; result i goes to out + i·out_step bytes.
  void (*runs)(const ReducedRuns& x, std::byte* out, std::int64_t out_step, std::int64_t count);
  /// `width` results side by side at `out`: the block of the tree over `count` rows. `lanes` is room for
  /// min(count, lanes) rows of results, unused below kNarrowRows bytes of input; `out` may be its first row.
  void (*block)(const ReducedRows& x, std::byte* lanes, std::byte* out);
  /// b[i] = a[i] combined with b[i], for `width` results.
  void (*combine)(const std::byte* a, std::byte* b, std::int64_t width);
  /// Whether no further element changes any of `width` results; null where that cannot be known.
  bool (*settled)(const std::byte* x, std::int64_t width);
  /// The loops over results of this operation.
  const ReduceLoops* next;
};

template <class T>
constexpr Element element_bytes(T value) {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  Element element{};
  std::copy(bytes.begin(), bytes.end(), element.begin());
  return element;
}

/// Rows that together have no more bytes than this are read column by column, everything else row by row.
inline constexpr std::int64_t kNarrowRows = 40960;

}  // namespace tenferro::internal
