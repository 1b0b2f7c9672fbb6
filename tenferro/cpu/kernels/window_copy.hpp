// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Copies of many windows of one shape between a tensor, where each lies at an offset of its own, and a batch of them:
// what gather does one way and scatter the other. Windows go as tiles of movement, whose columns are the runs of the
// windows; those that are finer from window to window than inside go element by element, many windows at a time.
//
//   copy_windows(sizeof(double), windows, 0, count);

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/box_loop.hpp"

namespace tenferro::internal {

/// The windows of one copy. All steps are in bytes, those of the source first.
struct WindowCopy {
  const std::byte* from;
  std::byte* to;
  std::int64_t count;           ///< of all windows
  const std::int64_t* offsets;  ///< of each window in the tensor, in elements; kOutside for one that is not there
  bool to_offsets;              ///< the tensor is the target, the batch the source
  bool outside;                 ///< some offsets are kOutside
  bool in_order;                ///< windows may overlap in the target at different places: the later ones win
  std::int64_t reach;           ///< bytes of the tensor within which windows begin
  bool goes_on;                 ///< after this part of its last loop a window has another
  const std::byte* fill;        ///< the element that windows outside consist of; null: those are left out
  BoxAxes<1> batch;             ///< the windows of the batch
  BoxAxes<2> window;            ///< from finest_first
};

/// The loops of a window, the finest in the target first, joined where they run on evenly.
BoxAxes<2> finest_first(BoxAxes<2> axes);

/// How the elements of the windows follow one another.
struct WindowOrder {
  bool across;        ///< one element of all windows after another, else one window after another …
  std::int64_t part;  ///< … so many places of the first loop at a time
};

/// Across, where windows lie closer together in the batch than the elements inside one, and are written far apart
/// otherwise. Along, lines that are far apart serve several windows before they go.
WindowOrder window_order(const WindowCopy& windows) noexcept;

/// Copies the windows first … last−1 on the caller, as if one after another. Width 1, 4, 8 or 16.
void copy_windows(std::size_t width, const WindowCopy& windows, std::int64_t first, std::int64_t last);

}  // namespace tenferro::internal
