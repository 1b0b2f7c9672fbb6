// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Where the windows of gather and scatter lie: index vectors become offsets into the operand, checked, clamped or
// marked as outside, before anything is read or written.

#include <limits>

#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/ops/op.hpp"
#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/buffer.hpp"

namespace tenferro::internal {

/// What an index outside does.
enum class Outside : std::uint8_t { fail, clamp, mark };

/// The offset of a window that leaves the operand, under Outside::mark.
inline constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::min();

/// Index vectors and what they address.
struct IndexedWindows {
  const TensorRead* indices;
  std::size_t vector_axis;  ///< axis of the components; the rank of the indices if each vector is one number
  const AxisList* map;      ///< axis of the operand that each component moves along
  DimsView extents, sizes;  ///< of the operand and of a window, per axis of the operand
  DimsView strides;         ///< of the operand, in elements
  Outside outside;
};

/// Number of index vectors.
std::int64_t window_count(const IndexedWindows& windows) noexcept;

/// Where the windows lie.
struct WindowOffsets {
  const std::int64_t* at = nullptr;  ///< in elements, one per index vector, in column-major order of the vectors
  bool outside = false;              ///< some are kOutside
  std::int64_t reach = 0;            ///< no two that are inside differ by more
  Buffer work;                       ///< what `at` points into, unless the indices are the offsets
};

/// The offsets of all windows. Under Outside::fail throws OpError (IndexOutOfBounds) for the bad component that comes
/// first in the column-major order of the indices; `position` is its place there, `operand` is 1, and `extent` the
/// number of starts that the window has along the axis. A compact list of i64 along an axis of stride 1 is offsets as
/// it stands, and nothing is written, if none of it is outside. Cost: one pass, two for such a list with an index
/// outside.
WindowOffsets window_offsets(KernelContext& context, const Op& op, const IndexedWindows& windows);

/// The axes of `x`, with the strides given, that are not in `taken`, as loops in order; those in `taken` are skipped.
BoxAxes<1> axes_without(DimsView shape, DimsView strides, AxisSet taken);

}  // namespace tenferro::internal
