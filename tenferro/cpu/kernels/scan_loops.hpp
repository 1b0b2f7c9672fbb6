// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The innermost loops of running reductions, and the tree that fixes the bits of a sum of real numbers: elements of a
// line make rows of kScanRow; running sums within a row are formed by doubling (Hillis and Steele, Comm. ACM 29 (1986)
// 1170); rows make blocks of kScanBlock. Result i is total + (part + running sum within the row): the part holds the
// rows of the block so far, and goes into the total at the end of the block, which leaves to the next part what it lost
// by rounding (Kahan, Comm. ACM 8 (1965) 40). So errors do not grow with the length.
//
//   const ScanLoops& loops = *scan_loops(OpKind::cumsum, DType::f64);
//   loops.lines(true, &x, x_step, &out, out_step, n, 1, state);

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/ops/op_kind.hpp"

namespace tenferro::internal {

inline constexpr std::int64_t kScanRow = 8;
inline constexpr std::int64_t kScanBlock = 64;

/// Lines at most that hide each other's latency.
inline constexpr std::int64_t kScanTogether = 4;

/// The loops of one operation on one dtype. Steps are bytes. The state of some lines has up to two elements of any
/// dtype for each; it is made by the call with the first elements.
struct ScanLoops {
  std::int64_t size;  ///< bytes of an element
  bool any_step;  ///< whether `lines` takes any steps, and several lines gladly; else elements must lie side by side
  double ns;      ///< of an element
  Element start;  ///< the result of no elements
  /// The next n elements of each of up to kScanTogether lines; n is a multiple of kScanBlock, except for the last call.
  void (*lines)(bool first, const std::byte* const* x, std::int64_t x_step, std::byte* const* out,
                std::int64_t out_step, std::int64_t n, std::int64_t count, std::byte* state);
  /// The next up to kScanRow elements of `width` neighbouring lines; fewer only in the last call.
  void (*rows)(bool first, const std::byte* x, std::int64_t x_step, std::byte* out, std::int64_t out_step,
               std::int64_t rows, std::int64_t width, std::byte* state);
  /// The end of a block of rows.
  void (*settle)(std::byte* state, std::int64_t width);
  /// Adds n elements that lie side by side to a result, from which `lines` may go on: the first element of a state.
  /// Null where the order of elements shows in the bits.
  void (*fold)(const std::byte* x, std::int64_t n, std::byte* result);
};

/// Those of cumsum, cummax or cummin of a real dtype, or of cumprod of an integer one, for the instructions in use.
const ScanLoops* scan_loops(OpKind kind, DType dtype);

}  // namespace tenferro::internal
