// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// How a copy between two layouts is cut into tiles. Axes on which both sides run on evenly become one; the axes finest
// in the target become the rows of a tile and those finest in the source its columns, as many as make whole cache lines
// on both sides, be it one long axis or six of extent 2. All other axes are loops over tiles.
//
//   move_nest(sizeof(double), to, from, copy_loops(shape, from_strides, to_strides, sizeof(double)));
//
//   const MovePlan plan(sizeof(double), loops);       // for several pairs of addresses, or several threads
//   plan.run(to, from, 0, plan.tiles());

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {

/// Runs the whole nest on the caller, by vectors: copy_nest of tensor/internal/copy_loops.hpp, which has the contract.
/// Fixed cost: 0.1 to 0.3 µs for the plan.
void move_nest(std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops);

/// Turns the matrix, without a plan, if it has at most 64 rows and columns, and of both enough to be worth it.
bool turn_matrix(std::size_t width, const TurnedMatrix& matrix);

/// What a plan may assume.
struct MoveOptions {
  bool aligned = false;                                  ///< the target starts on a line of 64 bytes
  std::int64_t stream_from = calibration::kStreamBytes;  ///< bytes from which the target is written past the caches
};

/// The tiles of one copy: a function of width, loops and options alone, good for any pair of addresses.
class MovePlan {
 public:
  /// `width` is 1, 4, 8 or 16; the loops are those of copy_loops for a box with elements.
  MovePlan(std::size_t width, const CopyLoops& loops, const MoveOptions& options = {});

  std::int64_t tiles() const noexcept { return tiles_; }

  /// Moves the tiles first … last−1, on the caller. Source and target must not overlap.
  void run(std::byte* to, const std::byte* from, std::int64_t first, std::int64_t last) const;

 private:
  static constexpr std::int64_t kPieces = 32, kSteps = 96;  // of an assembled row at most
  static constexpr std::int64_t kMost = 768;  // rows, or columns, of a tile; twice that many where a loop ends

  // One side of a tile.
  struct Side {
    std::int64_t count = 1;        // places
    std::int64_t last_count = 1;   // the same in the last part of the loop that is cut
    CopyLoop cut{1, 0, 0};         // the loop over the parts; extent 1 if no loop is cut
    std::size_t loop = 0;          // where in rest_ it stands
    std::int64_t from[2 * kMost];  // offsets of the places in the source

    Side() noexcept { clear(); }
    void clear() noexcept;
    bool is_cut() const noexcept { return cut.extent > 1; }
  };
  void join_loops(const CopyLoops& loops);
  void reverse(CopyLoop& loop) noexcept;
  void take(std::size_t k, std::int64_t most, Side& side);
  void take_row(const CopyLoop& loop, std::int64_t part);
  void take_finest(bool target, std::int64_t most, Side& side);
  std::size_t finest(bool target) const noexcept;
  bool is_picked(const CopyLoop& loop) const noexcept;
  struct Start;
  void restart(const Start& start);
  std::size_t source_loop(std::int64_t step) const noexcept;
  void choose(const MoveOptions& options);
  void choose_runs();
  void choose_stores(const Start& start, bool whole);
  bool choose_squares(std::int64_t row_bytes, std::int64_t column_bytes, std::int64_t least_bytes);
  bool choose_assembly();
  void choose_lines();
  bool assemble_rows();
  bool assemble_piece(std::int64_t to, std::int64_t end);
  bool whole_lines() const noexcept;
  bool joins_columns() const noexcept;
  void order_rest();

  std::int64_t width_, bytes_, tiles_ = 1;
  std::int64_t from_base_ = 0, to_base_ = 0;
  TileKind kind_ = TileKind::runs;
  Stores stores_ = Stores::cached;
  std::int64_t to_step_ = 0;
  std::int64_t run_ = 0;  // columns side by side in the source; 0 if all are
  Side rows_, columns_;
  std::int64_t to_columns_[2 * kMost];  // offsets of the columns in the target
  bool follow_source_ = false;
  std::int64_t piece_bytes_ = 0;
  std::int64_t pieces_ = 0, steps_ = 0;
  MovePiece piece_[kPieces];
  MoveStep step_[kSteps];
  CopyLoops rest_;  // loops over tiles, the fastest first
};

}  // namespace tenferro::internal
