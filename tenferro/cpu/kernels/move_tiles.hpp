// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The innermost loops of a movement: one tile, whose two sides are groups of axes of any number, given by tables of
// offsets. Row i of a tile is one place along the target's finest axes, column j one along the source's.
//
//   tile_kernel(TileKind::transpose, 8, Stores::cached)(tile);

#include <cstddef>
#include <cstdint>

namespace tenferro::internal {

/// What one vector of the source gives to a vector of the target: lane k of 4 bytes is lane index[k], kept where
/// mask[k] has all bits. Of elements of 1 and 2 bytes, `bytes` are the places of single bytes, 0x80 for none.
struct MoveStep {
  std::int64_t from;  ///< offset of the vector
  union {
    struct {
      std::int32_t index[16];
      std::uint32_t mask[16];
    } lanes;
    std::uint8_t bytes[16];
  };
};

/// A vector of the target, put together from `steps` vectors of the source.
struct MovePiece {
  std::int64_t to;  ///< offset from the start of the row
  std::int64_t steps;
};

/// Element (i, j) goes from `from + from_rows[i] + from_columns[j]` to `to + i·to_step + to_columns[j]`. All in bytes.
struct MoveTile {
  const std::byte* from;
  std::byte* to;
  const std::int64_t* from_rows;
  const std::int64_t* from_columns;
  const std::int64_t* to_columns;
  std::int64_t rows;     ///< of runs: the bytes of one
  std::int64_t columns;  ///< a multiple of `run`
  std::int64_t run;      ///< columns that lie side by side in the source
  std::int64_t to_step;
  const MovePiece* pieces;  ///< of a row, for TileKind::assemble
  std::int64_t piece_count;
  const MoveStep* steps;  ///< of all pieces, one after another
  const std::byte* next;  ///< `from` of the tile that follows, which stores past the caches fetch ahead …
  bool fetches;           ///< … and transposes through them if this is set
};

enum class TileKind : std::uint8_t {
  transpose,  ///< to_step is the width: squares turned in registers
  assemble,   ///< rows of `pieces`; to_step is the width
  fill,       ///< to_step is the width; the source stands still, from_rows is not read
  gather,     ///< element by element
  pick,       ///< to_step is the width, and the rows are one step apart in the source: from_rows[1]
  spread,     ///< the rows lie side by side in the source; from_rows is not read
  runs,       ///< one row, of any number of bytes
};

/// How the target is written.
enum class Stores : std::uint8_t {
  cached,
  lines,   ///< past the caches; the rows of a column are whole aligned lines of 64 bytes, or have 16: then `run` is a
           ///< multiple of four, and columns 4k … 4k+3 lie one behind another, in this order, and make up such a line
  staged,  ///< past the caches but for the ends of the rows, which should be long
};

using TileKernel = void (*)(const MoveTile&);

/// The kernel for elements of `width` bytes (1, 2, 4, 8 or 16) with the vector instructions in use. After stores past
/// the caches a call of finish_streaming must follow. Fills, gathers, picks and spreads know cached stores alone.
TileKernel tile_kernel(TileKind kind, std::int64_t width, Stores stores);

/// Bytes of a piece of TileKind::assemble with the vector instructions in use; 0 if there are none.
std::int64_t piece_bytes(std::int64_t width);

/// A matrix whose columns become rows: element (i, j) goes from `from + i·from_step + j·width` to
/// `to + i·width + j·to_step`. Steps in bytes.
struct TurnedMatrix {
  std::byte* to;
  const std::byte* from;
  std::int64_t rows, columns;
  std::int64_t to_step, from_step;
};

/// Turns a matrix of elements of `width` bytes (1, 4, 8 or 16) that is small enough for the first cache.
void turn(std::int64_t width, const TurnedMatrix& matrix);

/// Copies a run past the caches but for lines of 64 bytes of which it has a part only; finish_streaming must follow.
void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes);

/// Orders what was written past the caches before all later stores.
void finish_streaming();

}  // namespace tenferro::internal
