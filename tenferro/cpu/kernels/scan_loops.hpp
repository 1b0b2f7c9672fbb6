// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The innermost loops of running sums and extrema by vectors, and the tree that fixes the bits of a sum: elements of a
// line make rows of kScanRow; running sums within a row are formed by doubling (Hillis and Steele, Comm. ACM 29 (1986)
// 1170); rows make blocks of kScanBlock. Result i is total + (part + running sum within the row): the part holds the
// rows of the block so far, and goes into the total at the end of the block, which leaves to the next part what it lost
// by rounding (Kahan, Comm. ACM 8 (1965) 40). So errors do not grow with the length.
//
//   const ScanLoops& loops = *scan_loops(OpKind::cumsum, DType::f64);
//   loops.begin(state, 1);
//   loops.line(x, out, n, state);

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/ops/op_kind.hpp"

namespace tenferro::internal {

inline constexpr std::int64_t kScanRow = 8;
inline constexpr std::int64_t kScanBlock = 64;

/// The loops of one operation on one dtype. Steps are bytes. A state has two elements for each of `width` lines: all
/// totals, then all parts.
struct ScanLoops {
  std::int64_t size;  ///< bytes of an element
  Element start;      ///< the result of no elements
  void (*begin)(std::byte* state, std::int64_t width);
  /// The next n elements of one line, side by side; n is a multiple of kScanBlock, except for the last call.
  void (*line)(const std::byte* x, std::byte* out, std::int64_t n, std::byte* state);
  /// The next up to kScanRow elements of `width` neighbouring lines; fewer only in the last call.
  void (*rows)(const std::byte* x, std::int64_t x_step, std::byte* out, std::int64_t out_step, std::int64_t rows,
               std::int64_t width, std::byte* state);
  /// The end of a block.
  void (*settle)(std::byte* state, std::int64_t width);
};

/// Those of cumsum, cummax or cummin for the instructions in use; null for complex dtypes.
const ScanLoops* scan_loops(OpKind kind, DType dtype);

}  // namespace tenferro::internal
