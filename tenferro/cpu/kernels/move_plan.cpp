// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/move_plan.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <limits>

namespace tenferro::internal {
namespace {

constexpr std::int64_t kLine = 64;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

bool on_line(std::int64_t bytes) noexcept { return bytes % kLine == 0; }
bool has_squares(std::int64_t width) noexcept {
  return width <= 16 && std::has_single_bit(static_cast<std::uint64_t>(width));
}

}  // namespace

void MovePlan::Side::clear() noexcept {
  count = last_count = 1;
  cut = {1, 0, 0};
  from[0] = 0;
}

// Where every choice of rows and columns begins.
struct MovePlan::Start {
  CopyLoops loops;
  std::int64_t from_base, to_base;
};

MovePlan::MovePlan(std::size_t width, const CopyLoops& loops, const MoveOptions& options)
    : width_(static_cast<std::int64_t>(width)), bytes_(width_) {
  to_columns_[0] = 0;
  join_loops(loops);
  for (const CopyLoop& loop : rest_) bytes_ *= loop.extent;
  choose(options);
  order_rest();
}

// Forward in the target, finest there first, and joined where both sides run on evenly.
void MovePlan::join_loops(const CopyLoops& loops) {
  CopyLoops sorted;
  for (CopyLoop loop : loops) {
    assert(loop.extent > 0);
    if (loop.extent == 1) continue;
    if (loop.to < 0) reverse(loop);
    std::size_t at = sorted.size();
    while (at > 0 && loop.to < sorted[at - 1].to) --at;
    sorted.insert(at, loop);
  }
  for (const CopyLoop& loop : sorted) {
    if (!rest_.empty() && loop.from == rest_.back().from * rest_.back().extent &&
        loop.to == rest_.back().to * rest_.back().extent) {
      rest_.back().extent *= loop.extent;
    } else {
      rest_.push_back(loop);
    }
  }
}

// The same loop the other way round.
void MovePlan::reverse(CopyLoop& loop) noexcept {
  from_base_ += (loop.extent - 1) * loop.from;
  to_base_ += (loop.extent - 1) * loop.to;
  loop.from = -loop.from;
  loop.to = -loop.to;
}

// Elements that lie side by side on both sides are a run, or one wider element. Otherwise squares of whole lines if
// there can be any, lines put together from few vectors, lesser squares, and single elements, in this order. Large
// results go past the caches: squares by small tiles if all lines are whole, else by tiles with long rows.
void MovePlan::choose(const MoveOptions& options) {
  const bool stream = bytes_ >= options.stream_from;
  const auto beside = [&] { return rest_.empty() || (rest_[0].from == width_ && rest_[0].to == width_); };
  if (beside()) {
    const bool alone = rest_.size() <= 1;
    if (alone || !has_squares(width_ * rest_[0].extent)) {
      choose_runs();
      if (stream && rows_.count >= calibration::kStagedRowBytes / 2) stores_ = Stores::staged;
      if (stream && options.aligned && whole_lines()) stores_ = Stores::lines;
      return;
    }
    width_ *= rest_[0].extent;
    rest_.erase(0);
  }
  const Start start{rest_, from_base_, to_base_};
  const std::int64_t side = stream ? calibration::kStreamTileBytes : calibration::kTileBytes;
  if (choose_squares(side, side, kLine)) {
    if (stream) choose_stores(start, options.aligned && whole_lines());
    return;
  }
  if (!is_picked(rest_[0]) && choose_assembly()) {
    if (stream && options.aligned && whole_lines()) stores_ = Stores::lines;
    return;
  }
  restart(start);
  if (!choose_squares(side, stream ? 4 * side : side, 16)) return choose_lines();
  if (stream && options.aligned && joins_columns()) stores_ = Stores::lines;
}

// Whether pick_tile reads the loop by vectors of its own.
bool MovePlan::is_picked(const CopyLoop& loop) const noexcept {
  return loop.extent >= calibration::kRowPlaces && loop.to == width_ && has_squares(width_) && width_ < 16 &&
         (loop.from == -width_ || loop.from == 2 * width_);
}

// How squares go past the caches. Whole lines are written from registers, tile by tile along the source, which is read
// ahead. Columns of bytes are many: unless they lie near each other, they are written by a few lines at a time, as are
// lines that are not whole.
void MovePlan::choose_stores(const Start& start, bool whole) {
  follow_source_ = whole;
  bool direct = whole;
  if (whole && width_ <= 2) {
    restart(start);
    choose_squares(kLine, kLine, kLine);
    direct = to_columns_[columns_.count - 1] <= calibration::kStreamSpanBytes && whole_lines();
  }
  if (direct) {
    stores_ = Stores::lines;
    return;
  }
  restart(start);
  if (whole) {
    choose_squares(2 * kLine, 8 * kLine, kLine);
  } else {
    choose_squares(calibration::kStagedRowBytes, calibration::kStagedColumnBytes, kLine);
  }
  if (whole || rows_.count * width_ >= calibration::kStagedRowBytes / 4) stores_ = Stores::staged;
}

// Whether the columns, of 16 bytes, make up whole lines by fours, in order.
bool MovePlan::joins_columns() const noexcept {
  constexpr std::int64_t kRow = 16, kFour = kLine / kRow;
  const auto fours = [](std::int64_t count) { return count % kFour == 0; };
  bool whole = !rows_.is_cut() && rows_.count * width_ == kRow && on_line(to_base_) && on_line(columns_.cut.to) &&
               fours(run_) && fours(columns_.count) && fours(columns_.last_count);
  for (std::int64_t j = 0; whole && j < columns_.last_count; ++j) {
    whole = on_line(to_columns_[j - j % kFour]) && to_columns_[j] == to_columns_[j - j % kFour] + j % kFour * kRow;
  }
  for (const CopyLoop& loop : rest_) whole = whole && on_line(loop.to);
  return whole;
}

void MovePlan::restart(const Start& start) {
  rest_ = start.loops;
  from_base_ = start.from_base;
  to_base_ = start.to_base;
  rows_.clear();
  columns_.clear();
}

// Moves a loop of rest_ into a side of the tile, whole or, where that would make more than `most` places, in parts.
void MovePlan::take(std::size_t k, std::int64_t most, Side& side) {
  const CopyLoop loop = rest_[k];
  rest_.erase(k);
  std::int64_t part = std::clamp<std::int64_t>(most / side.count, 1, loop.extent);
  const std::int64_t line = std::max<std::int64_t>(kLine / width_, 1);
  if (part < loop.extent && part > line) part -= part % line;
  const std::int64_t parts = loop.extent / part, last = loop.extent - (parts - 1) * part;
  for (std::int64_t step = 1; step < last; ++step) {
    for (std::int64_t i = 0; i < side.count; ++i) {
      side.from[step * side.count + i] = side.from[i] + step * loop.from;
      if (&side == &columns_) to_columns_[step * side.count + i] = to_columns_[i] + step * loop.to;
    }
  }
  side.last_count = side.count * last;
  side.count *= parts > 1 ? part : last;
  if (parts > 1) side.cut = {parts, part * loop.from, part * loop.to};
}

// The loop of rest_ that is finest in the target, or in the source; one that stands still in the source comes last.
std::size_t MovePlan::finest(bool target) const noexcept {
  const auto step = [&](const CopyLoop& loop) {
    const std::int64_t size = std::abs(target ? loop.to : loop.from);
    return size == 0 ? std::numeric_limits<std::int64_t>::max() : size;
  };
  std::size_t best = 0;
  for (std::size_t k = 1; k < rest_.size(); ++k) {
    if (step(rest_[k]) < step(rest_[best])) best = k;
  }
  return best;
}

// Fills a side up with what is finest in the target and in the source in turn.
void MovePlan::take_finest(bool target, std::int64_t most, Side& side) {
  while (!rest_.empty() && !side.is_cut() && 2 * side.count <= most) {
    take(finest(target), most, side);
    target = !target;
  }
}

// The loop of rest_ that goes by `step` in the source, forward or backward.
std::size_t MovePlan::source_loop(std::int64_t step) const noexcept {
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    if (std::abs(rest_[k].from) == step) return k;
  }
  return kNone;
}

// Rows from the loops contiguous in the target, columns from those contiguous in the source, if there are enough of
// both for squares that are turned in registers.
bool MovePlan::choose_squares(std::int64_t row_bytes, std::int64_t column_bytes, std::int64_t least_bytes) {
  const std::size_t unit = source_loop(width_);
  if (rest_[0].to != width_ || unit == kNone || unit == 0) return false;
  const std::int64_t most_rows =
      std::max(std::min<std::int64_t>(row_bytes / width_, 256), std::min(row_bytes, kMost) / width_);
  const std::int64_t least = least_bytes / width_;
  const std::int64_t most_columns = std::min(column_bytes / width_, kMost);
  std::size_t rows = 0;
  std::int64_t row_count = 1;
  for (; rows < unit && rest_[rows].to == width_ * row_count && row_count < most_rows; ++rows) {
    // Once the target's lines are whole, what the source's lines consist of is for the columns.
    if (row_count * width_ >= kLine && std::abs(rest_[rows].from) < kLine) break;
    row_count *= rest_[rows].extent;
  }
  std::int64_t column_count = 1;
  for (std::size_t k = unit; k != kNone && k >= rows && column_count < least; k = source_loop(width_ * column_count)) {
    column_count *= rest_[k].extent;
  }
  if (row_count < least || column_count < least) return false;
  kind_ = TileKind::transpose;
  to_step_ = width_;
  for (; rows > 0; --rows) take(0, most_rows, rows_);
  std::size_t next = source_loop(width_);
  for (; next != kNone && !columns_.is_cut() && columns_.count < most_columns;
       next = source_loop(width_ * columns_.count)) {
    if (rest_[next].from < 0) reverse(rest_[next]);
    take(next, most_columns, columns_);
  }
  run_ = columns_.is_cut() ? 0 : columns_.count;
  take_finest(true, most_columns, columns_);
  return true;
}

// One row, cut into parts of `part` places, which goes through no table.
void MovePlan::take_row(const CopyLoop& loop, std::int64_t part) {
  const std::int64_t parts = std::max<std::int64_t>(loop.extent / part, 1);
  rows_.count = parts > 1 ? part : loop.extent;
  rows_.last_count = loop.extent - (parts - 1) * part;
  rows_.from[1] = loop.from;
  if (parts > 1) rows_.cut = {parts, part * loop.from, part * loop.to};
}

void MovePlan::choose_runs() {
  CopyLoop run{width_, 1, 1};
  if (!rest_.empty()) {
    run.extent *= rest_[0].extent;
    rest_.erase(0);
  }
  take_row(run, calibration::kBlockBytes);
  take_finest(true, std::clamp<std::int64_t>(calibration::kBlockBytes / rows_.count, 1, calibration::kTileColumns),
              columns_);
}

// Rows from the loops that follow one another in the target, if few vectors of the source make up each of theirs.
bool MovePlan::choose_assembly() {
  piece_bytes_ = has_squares(width_) ? piece_bytes(width_) : 0;
  if (piece_bytes_ == 0 || rest_[0].to != width_) return false;
  kind_ = TileKind::assemble;
  to_step_ = width_;
  const std::int64_t most = std::min(kPieces / 2 * piece_bytes_, 4 * kLine) / width_;
  while (!rest_.empty() && rest_[0].to == width_ * rows_.count && rows_.count < most && !rows_.is_cut()) {
    // Beyond a line of the target only what is near in the source.
    if (rows_.count * width_ >= kLine && std::abs(rest_[0].from) > 4 * kLine) break;
    take(0, most, rows_);
  }
  if (!assemble_rows()) return false;
  // The source's lines are used up first.
  while (!rest_.empty() && !columns_.is_cut() && 2 * columns_.count <= kLine / width_) {
    const std::size_t next = finest(false);
    if (std::abs(rest_[next].from) >= kLine) break;
    take(next, kLine / width_, columns_);
  }
  take_finest(false, 4, columns_);
  return true;
}

// The pieces of a row of last_count elements; those of a shorter one come first.
bool MovePlan::assemble_rows() {
  const std::int64_t bytes = rows_.last_count * width_, short_pieces = rows_.count * width_ / piece_bytes_;
  if (bytes < piece_bytes_ || (rows_.is_cut() && rows_.count * width_ % piece_bytes_ != 0)) return false;
  const auto [low, high] = std::minmax_element(rows_.from, rows_.from + rows_.count);
  const auto [last_low, last_high] = std::minmax_element(rows_.from, rows_.from + rows_.last_count);
  // No vector may begin before the first element of a row, nor end after its last one.
  if (*high - *low + width_ < piece_bytes_) return false;
  pieces_ = steps_ = 0;
  for (std::int64_t at = 0; at < bytes; at += piece_bytes_) {
    const std::int64_t to = std::min(at, bytes - piece_bytes_);
    const std::int64_t end = (pieces_ < short_pieces ? *high : *last_high) + width_;
    if (!assemble_piece(to, end)) return false;
  }
  return true;
}

bool MovePlan::assemble_piece(std::int64_t to, std::int64_t end) {
  const std::int64_t count = piece_bytes_ / width_;
  const std::int64_t* from = rows_.from + to / width_;
  const std::int64_t before = steps_;
  std::uint64_t left = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  while (left != 0) {
    if (steps_ == kSteps || 2 * (steps_ - before) >= std::max<std::int64_t>(count, 2)) return false;
    MoveStep& step = step_[steps_++];
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) first = std::min(first, from[std::countr_zero(rest)]);
    step.from = std::min(first, end - piece_bytes_);
    const bool bytewise = width_ <= 2;
    const std::int64_t unit = bytewise ? 1 : 4;
    if (bytewise) {
      std::fill_n(step.bytes, 16, std::uint8_t{0x80});
    } else {
      step.lanes = {};
    }
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      const std::int64_t offset = from[i] - step.from;
      // Elements of bytes joined to words may lie anywhere.
      if (offset > piece_bytes_ - width_ || offset % unit != 0) continue;
      left &= ~(std::uint64_t{1} << i);
      for (std::int64_t k = 0; k < width_ / unit; ++k) {
        const std::int64_t lane = i * (width_ / unit) + k, source = offset / unit + k;
        if (bytewise) {
          step.bytes[lane] = static_cast<std::uint8_t>(source);
        } else {
          step.lanes.index[lane] = static_cast<std::int32_t>(source);
          step.lanes.mask[lane] = ~std::uint32_t{0};
        }
      }
    }
  }
  piece_[pieces_++] = {to, steps_ - before};
  return true;
}

// Rows from the loops that follow one another in the target, whatever they are in the source; one long loop by small
// steps is a row on its own.
void MovePlan::choose_lines() {
  constexpr std::int64_t kColumns = calibration::kTileColumns, kNear = calibration::kNearSteps;
  const CopyLoop line = rest_[0];
  to_step_ = line.to;
  const bool still = line.from == 0 && line.to == width_;
  const bool near = (line.to == width_ || line.from == width_) && std::abs(line.from) <= kNear * width_ &&
                    line.to <= kNear * width_ && has_squares(width_);
  if (still || (near && line.extent >= calibration::kRowPlaces)) {
    kind_ = still ? TileKind::fill : line.to == width_ ? TileKind::pick : TileKind::spread;
    rest_.erase(0);
    take_row(line, (still ? calibration::kFillBytes : calibration::kBlockBytes) / width_);
    take_finest(!still, std::clamp<std::int64_t>(calibration::kBlockBytes / (rows_.count * width_), 1, kColumns),
                columns_);
    return;
  }
  kind_ = TileKind::gather;
  // Steps that are multiples of a power of two meet in few sets of the first cache, of few lines each.
  const std::int64_t power = line.from == 0 ? 1 : std::min(line.from & -line.from, calibration::kWayBytes);
  const std::int64_t most = std::min(calibration::kWays * calibration::kWayBytes / power, calibration::kRowPlaces);
  while (!rest_.empty() && rest_[0].to == to_step_ * rows_.count && rows_.count < most && !rows_.is_cut()) {
    take(0, most, rows_);
  }
  const std::int64_t step = rows_.count > 1 ? rows_.from[1] : width_;
  bool even = has_squares(width_);
  for (std::int64_t i = 0; even && i < std::max(rows_.count, rows_.last_count); ++i) even = rows_.from[i] == i * step;
  if (even && to_step_ == width_) kind_ = TileKind::pick;
  if (even && to_step_ != width_ && step == width_) kind_ = TileKind::spread;
  take_finest(false, kColumns, columns_);
}

// Whether every row of every column is whole lines, if the target begins on one.
bool MovePlan::whole_lines() const noexcept {
  const std::int64_t row_bytes = kind_ == TileKind::runs ? 1 : width_;
  bool whole = on_line(to_base_) && on_line(rows_.count * row_bytes) && on_line(rows_.last_count * row_bytes) &&
               on_line(columns_.cut.to);
  for (std::int64_t j = 0; j < columns_.last_count; ++j) whole = whole && on_line(to_columns_[j]);
  for (const CopyLoop& loop : rest_) whole = whole && on_line(loop.to);
  return whole;
}

// The loops over tiles. Tiles of whole lines follow the source, which the processor then reads ahead. Others share
// lines with their neighbours on both sides: the finest loops of the target and of the source in turn keep those near.
void MovePlan::order_rest() {
  for (const Side* side : {&rows_, &columns_}) {
    if (side->is_cut()) rest_.push_back(side->cut);
  }
  const bool follow_source = kind_ == TileKind::transpose && (follow_source_ || stores_ == Stores::cached);
  CopyLoops ordered;
  for (bool target = !follow_source; !rest_.empty(); target = !target && !follow_source) {
    const std::size_t k = finest(target);
    ordered.push_back(rest_[k]);
    tiles_ *= rest_[k].extent;
    rest_.erase(k);
  }
  rest_ = ordered;
  for (Side* side : {&rows_, &columns_}) {
    side->loop = kNone;
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      if (side->is_cut() && rest_[k].to == side->cut.to) side->loop = k;
    }
  }
}

void MovePlan::run(std::byte* to, const std::byte* from, std::int64_t first, std::int64_t last) const {
  assert(stores_ != Stores::lines || reinterpret_cast<std::uintptr_t>(to) % kLine == 0);
  const TileKernel kernel = tile_kernel(kind_, width_, stores_);
  MoveTile tile{};
  tile.to = to + to_base_;
  tile.next = from + from_base_;
  tile.from_rows = rows_.from;
  tile.from_columns = columns_.from;
  tile.to_columns = to_columns_;
  tile.to_step = to_step_;
  tile.pieces = piece_;
  tile.steps = step_;
  InlineVector<std::int64_t, 24> at(rest_.size());
  std::int64_t position = first;
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    at[k] = position % rest_[k].extent;
    position /= rest_[k].extent;
    tile.next += at[k] * rest_[k].from;
    tile.to += at[k] * rest_[k].to;
  }
  const auto count = [&](const Side& side) {
    return side.loop == kNone || at[side.loop] + 1 == side.cut.extent ? side.last_count : side.count;
  };
  for (std::int64_t done = first; done < last; ++done) {
    tile.rows = count(rows_);
    tile.columns = count(columns_);
    if (kind_ == TileKind::assemble) {
      tile.piece_count = tile.rows == rows_.last_count ? pieces_ : tile.rows * width_ / piece_bytes_;
    }
    tile.run = run_ == 0 ? tile.columns : run_;
    tile.from = tile.next;
    std::byte* next_to = tile.to;
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      tile.next += rest_[k].from;
      next_to += rest_[k].to;
      if (++at[k] < rest_[k].extent) break;
      tile.next -= rest_[k].extent * rest_[k].from;
      next_to -= rest_[k].extent * rest_[k].to;
      at[k] = 0;
    }
    kernel(tile);
    tile.to = next_to;
  }
  if (stores_ != Stores::cached) finish_streaming();
}

bool turn_matrix(std::size_t width, const TurnedMatrix& m) {
  constexpr std::int64_t kLeastBytes = 16;
  const auto unit = static_cast<std::int64_t>(width);
  if (std::max(m.rows, m.columns) > calibration::kTurnedSide ||
      std::min(m.rows, m.columns) * unit < std::min(8 * unit, kLeastBytes)) {
    return false;
  }
  turn(unit, m);
  return true;
}

namespace {

// Two loops that are such a matrix.
bool turn_nest(std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops) {
  const auto unit = static_cast<std::int64_t>(width);
  return loops.size() == 2 && loops[0].to == unit && loops[1].from == unit &&
         turn_matrix(width, {to, from, loops[0].extent, loops[1].extent, loops[1].to, loops[0].from});
}

}  // namespace

void move_nest(std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops) {
  if (turn_nest(width, to, from, loops)) return;
  auto bytes = static_cast<std::int64_t>(width);
  for (const CopyLoop& loop : loops) bytes *= loop.extent;
  if (bytes <= calibration::kPlainMoveBytes) return copy_nest(width, to, from, loops);
  const MovePlan plan(width, loops, {.aligned = reinterpret_cast<std::uintptr_t>(to) % kLine == 0});
  plan.run(to, from, 0, plan.tiles());
}

}  // namespace tenferro::internal
