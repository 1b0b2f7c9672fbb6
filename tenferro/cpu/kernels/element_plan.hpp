// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// How element-by-element loops walk operands of any strides. Axes are sorted by the output, turned so that it runs
// forwards, and merged; then the box of indices is cut into tiles of a few kilobytes. The lines of a tile follow the
// finest axes of the output: one long axis, or several short ones. An operand that is neither one element after another
// along a line nor one value is brought into that order first, in a block that stays in the nearest cache: the loops
// never see a stride.
//
//   const ElementPlan plan(in, out[0]);
//   plan.run(loop, 0, plan.tiles());

#include <array>
#include <cstdint>
#include <span>

#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/cpu/kernels/element_loop.hpp"
#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro::internal {

/// The tiles of one call; borrows the operands.
class ElementPlan {
 public:
  /// Up to three inputs and an output, all of one shape; a `streamed` output goes past the caches where its lines are
  /// long. No allocation below eight axes.
  ElementPlan(std::span<const TensorRead> in, const TensorWrite& out, bool streamed);

  /// 0 for an empty shape.
  std::int64_t tiles() const noexcept { return tiles_; }
  /// Of a whole tile; those at edges have fewer.
  std::int64_t tile_elements() const noexcept { return line_ * lines_; }

  /// Computes tiles first … last−1. Several threads may compute different tiles.
  void run(ElementLoop loop, std::int64_t first, std::int64_t last) const;

 private:
  static constexpr std::size_t kOperands = 4;  // the output, then the inputs
  static constexpr std::int64_t kTileBytes = 8192;
  static constexpr std::int64_t kLongLine = 16384;  // elements, where nothing is packed
  static constexpr std::int64_t kPackedLine = 512;
  static constexpr std::int64_t kMostLines = 128;
  static constexpr std::int64_t kShortLine = 32;  // a shorter line takes in the next axis …
  static constexpr std::int64_t kSquareSide = 8;  // … where lines are turned in squares, one shorter than this
  using Axes = BoxAxes<kOperands>;

  // How an operand lies along a line.
  enum class Way : std::uint8_t { in_place, one_value, packed };
  struct Tile {
    std::array<std::byte*, kOperands> at;
    std::int64_t line, lines;
  };
  // An axis of which a tile takes a part.
  struct Cut {
    std::int64_t extent = 1, part = 1;
    std::size_t outer = 0;  // which outer axis counts the parts
    std::int64_t size(std::int64_t index) const noexcept { return std::min(part, extent - index * part); }
  };

  Axes sorted_axes(std::span<const TensorRead> in, const TensorWrite& out);
  void choose_tile(Axes& axes);
  void choose_line(Axes& axes, bool across_is_near);
  std::size_t axis_across(const Axes& axes) const noexcept;
  std::int64_t square_lines() const noexcept;
  Cut take_part(const BoxAxis<kOperands>& axis, std::int64_t part, std::size_t place);
  TileKind way_to_pack(std::size_t operand) const noexcept;
  std::int64_t pitch(std::size_t operand, const Tile& tile) const noexcept;
  void pack(std::size_t operand, const Tile& tile, std::byte* block, const std::byte* next) const;
  void unpack(const Tile& tile, const std::byte* block) const;
  void compute(ElementLoop loop, const Tile& tile, const Tile& next) const;
  void fetch_line(const Tile& tile, std::int64_t j) const;

  std::size_t operands_;
  std::array<std::byte*, kOperands> base_{};
  std::array<std::int64_t, kOperands> width_{};
  std::array<Way, kOperands> way_{};                                    // in place unless said otherwise
  std::array<std::array<std::int64_t, kPackedLine>, kOperands> place_;  // bytes from the start of a line
  std::array<bool, kOperands> uneven_{};                                // the places of a line are not one step apart
  std::array<TileKernel, kOperands> mover_{};                           // what packs and unpacks
  bool fetches_ = false;                                                // the next tile is read ahead
  bool streamed_;                                                       // the output goes past the caches, line by line
  Offsets<kOperands> across_{};                                         // bytes from line to line
  std::int64_t line_ = 1, lines_ = 1;                                   // of a whole tile
  std::int64_t line_unit_ = 1;  // elements of a line for one index of the axis that is cut
  Cut line_cut_, across_cut_;
  Axes outer_;  // over tiles
  std::int64_t tiles_ = 0;
};

}  // namespace tenferro::internal
