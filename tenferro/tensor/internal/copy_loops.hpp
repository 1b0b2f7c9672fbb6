// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The loop nest of a copy between two strided layouts, by width of element, since bits move unchanged. Axes on which
// both sides run on evenly become one loop, contiguous runs become memcpy, and where the two sides are finest along
// different axes the copy goes in tiles of whole cache lines.
//
//   copy_nest(width, to, from, copy_loops(shape, from_strides, to_strides, width));

#include <cstddef>
#include <cstdint>

#include "tenferro/base/inline_vector.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro::internal {

/// One loop of the nest; steps in bytes.
struct CopyLoop {
  std::int64_t extent, from, to;
};
using CopyLoops = InlineVector<CopyLoop, 8>;

/// The fewest loops that visit every element of the box `shape`, which has some: the finest for the target first, then
/// the one along which the source is finest. Strides count elements of `width` bytes; those of the source may be zero.
CopyLoops copy_loops(DimsView shape, DimsView from, DimsView to, std::size_t width);

/// Runs the nest on the caller. Width 1, 4, 8 or 16; source and target must not overlap.
void copy_nest(std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops);

/// One run: `count` elements of 1, 4, 8 or 16 bytes, steps in bytes. `from` is an element even if `count` is 0.
void copy_run(std::int64_t width, std::int64_t count, const std::byte* from, std::int64_t from_step, std::byte* to,
              std::int64_t to_step) noexcept;

}  // namespace tenferro::internal
