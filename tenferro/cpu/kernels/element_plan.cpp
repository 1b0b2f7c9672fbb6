// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/element_plan.hpp"

#include <algorithm>
#include <cstdlib>

namespace tenferro::internal {
namespace {

// The finer axis of the output first; where both are the same (several zeros), that of the inputs together.
template <std::size_t N>
bool finer(const BoxAxis<N>& a, const BoxAxis<N>& b) {
  if (a.step[0] != b.step[0]) return a.step[0] < b.step[0];
  std::int64_t sum_a = 0, sum_b = 0;
  for (std::size_t i = 1; i < N; ++i) {
    sum_a += std::abs(a.step[i]);
    sum_b += std::abs(b.step[i]);
  }
  return sum_a < sum_b;
}

}  // namespace

ElementPlan::ElementPlan(std::span<const TensorRead> in, const TensorWrite& out, bool streamed)
    : operands_(in.size() + 1), streamed_(streamed) {
  for (const std::int64_t extent : out.shape()) {
    if (extent == 0) return;
  }
  for (auto& places : place_) places[0] = 0;
  Axes axes = sorted_axes(in, out);
  choose_tile(axes);
}

ElementPlan::Axes ElementPlan::sorted_axes(std::span<const TensorRead> in, const TensorWrite& out) {
  std::array<const std::int64_t*, kOperands> strides{out.strides};
  base_[0] = out.data;
  width_[0] = static_cast<std::int64_t>(element_size(out.dtype));
  for (std::size_t i = 1; i < operands_; ++i) {
    base_[i] = const_cast<std::byte*>(in[i - 1].data);
    width_[i] = static_cast<std::int64_t>(element_size(in[i - 1].dtype));
    strides[i] = in[i - 1].strides;
  }
  Axes axes;
  Offsets<kOperands> compact = width_;
  for (std::size_t k = 0; k < out.rank(); ++k) {
    const std::int64_t extent = out.extents[k];
    BoxAxis<kOperands> axis{extent, {}};
    for (std::size_t i = 0; i < operands_; ++i) {
      axis.step[i] = strides[i] == nullptr ? compact[i] : strides[i][k] * width_[i];
      compact[i] *= extent;
    }
    if (extent == 1) continue;
    if (axis.step[0] < 0) {
      for (std::size_t i = 0; i < operands_; ++i) {
        base_[i] += axis.step[i] * (extent - 1);
        axis.step[i] = -axis.step[i];
      }
    }
    std::size_t place = axes.size();
    while (place > 0 && finer(axis, axes[place - 1])) --place;
    axes.insert(place, axis);
  }
  Axes merged;
  for (const BoxAxis<kOperands>& axis : axes) append_axis(merged, axis);
  return merged;
}

// A part of an axis goes into the tile; an outer axis counts the parts.
ElementPlan::Cut ElementPlan::take_part(const BoxAxis<kOperands>& axis, std::int64_t part, std::size_t place) {
  BoxAxis<kOperands> parts{(axis.extent + part - 1) / part, axis.step};
  for (std::int64_t& step : parts.step) step *= part;
  outer_.insert(place, parts);
  return {axis.extent, part, place};
}

void ElementPlan::choose_line(Axes& axes, bool across_is_near) {
  if (axes.empty()) return;
  const std::int64_t widest = *std::max_element(width_.begin(), width_.end());
  bool packs = streamed_;
  for (std::size_t i = 0; i < operands_; ++i) {
    packs = packs || !(axes[0].step[i] == width_[i] || (axes[0].step[i] == 0 && i > 0));
  }
  const bool one_axis = axes[0].extent >= (across_is_near ? kSquareSide : kShortLine);
  const std::int64_t most =
      !one_axis
          ? kPackedLine
          : (!packs ? kLongLine
                    : (across_is_near ? std::min(kPackedLine, kTileBytes / (square_lines() * widest)) : kPackedLine));
  const Offsets<kOperands> first = axes[0].step;
  std::array<bool, kOperands> even, constant;
  even.fill(true);
  constant.fill(true);
  do {
    const BoxAxis<kOperands> axis = axes[0];
    const std::int64_t part = std::min(axis.extent, most / line_);
    for (std::size_t i = 0; i < operands_; ++i) {
      even[i] = even[i] && axis.step[i] == line_ * width_[i];
      uneven_[i] = uneven_[i] || axis.step[i] != line_ * first[i];
      constant[i] = constant[i] && axis.step[i] == 0;
      for (std::int64_t at = line_; most <= kPackedLine && at < line_ * part; ++at) {
        place_[i][static_cast<std::size_t>(at)] = place_[i][static_cast<std::size_t>(at - line_)] + axis.step[i];
      }
    }
    axes.erase(0);
    line_unit_ = line_;
    line_ *= part;
    line_cut_ = take_part(axis, part, outer_.size());
  } while (!axes.empty() && line_ < (across_is_near ? kSquareSide : kShortLine));
  for (std::size_t i = 0; i < operands_; ++i) {
    if (!even[i]) way_[i] = constant[i] && i > 0 ? Way::one_value : Way::packed;
  }
}

// Lines of a tile whose squares are turned: as many as a square of the narrowest elements has.
std::int64_t ElementPlan::square_lines() const noexcept {
  const auto narrowest = *std::min_element(width_.begin(), width_.begin() + static_cast<std::ptrdiff_t>(operands_));
  return std::clamp<std::int64_t>(64 / narrowest, kSquareSide, 16);
}

// The axis along which an input that lies far apart along the lines is near; 0 if there is none.
std::size_t ElementPlan::axis_across(const Axes& axes) const noexcept {
  std::size_t best = 0;
  std::int64_t nearest = 0;
  for (std::size_t i = 1; i < operands_ && !axes.empty(); ++i) {
    if (axes[0].step[i] == width_[i]) continue;
    for (std::size_t k = 1; k < axes.size(); ++k) {
      const std::int64_t step = std::abs(axes[k].step[i]);
      if (step == 0 || step >= std::abs(axes[0].step[i]) || (best != 0 && step >= nearest)) continue;
      best = k;
      nearest = step;
    }
  }
  return best;
}

// An input that is near across the lines is turned in squares.
TileKind ElementPlan::way_to_pack(std::size_t operand) const noexcept {
  if (operand > 0 && std::abs(across_[operand]) == width_[operand]) return TileKind::transpose;
  if (uneven_[operand]) return TileKind::gather;
  return operand > 0 ? TileKind::pick : TileKind::spread;
}

void ElementPlan::choose_tile(Axes& axes) {
  const std::size_t near = axis_across(axes);
  if (near > 1) {
    const BoxAxis<kOperands> axis = axes[near];
    axes.erase(near);
    axes.insert(1, axis);
  }
  choose_line(axes, near != 0);
  if (!axes.empty()) {
    const std::int64_t widest = *std::max_element(width_.begin(), width_.end());
    // Lines that are read along the memory are taken one after another, if they are long enough.
    std::int64_t room = std::max<std::int64_t>((near != 0 ? kTileBytes / widest : kPackedLine) / line_, 1);
    if (near != 0 && room > square_lines()) room -= room % square_lines();
    const BoxAxis<kOperands> axis = axes[0];
    axes.erase(0);
    lines_ = std::min({axis.extent, room, kMostLines});
    across_ = axis.step;
    across_cut_ = take_part(axis, lines_, outer_.size());
  }
  for (std::size_t i = 0; i < operands_; ++i) {
    if (way_[i] != Way::packed) continue;
    const TileKind kind = way_to_pack(i);
    mover_[i] = tile_kernel(kind, width_[i], Stores::cached);
    fetches_ = fetches_ || kind == TileKind::transpose;
  }
  constexpr std::int64_t kLongLineBytes = 256;
  streamed_ = streamed_ && way_[0] == Way::in_place && line_ * width_[0] >= kLongLineBytes;
  if (streamed_) way_[0] = Way::packed;
  for (const BoxAxis<kOperands>& axis : axes) outer_.push_back(axis);
  tiles_ = box_count(outer_);
}

void ElementPlan::run(ElementLoop loop, std::int64_t first, std::int64_t last) const {
  InlineVector<std::int64_t, 12> index(outer_.size());
  std::array<std::byte*, kOperands> at = base_;
  std::int64_t rest = first;
  for (std::size_t k = 0; k < outer_.size(); ++k) {
    index[k] = rest % outer_[k].extent;
    rest /= outer_[k].extent;
    for (std::size_t i = 0; i < operands_; ++i) at[i] += index[k] * outer_[k].step[i];
  }
  const auto tile_here = [&]() -> Tile {
    return {at, outer_.empty() ? 1 : line_unit_ * line_cut_.size(index[line_cut_.outer]),
            lines_ > 1 ? across_cut_.size(index[across_cut_.outer]) : 1};
  };
  Tile tile = tile_here();
  for (std::int64_t done = first; done < last; ++done) {
    for (std::size_t k = 0; k < outer_.size(); ++k) {
      for (std::size_t i = 0; i < operands_; ++i) at[i] += outer_[k].step[i];
      if (++index[k] < outer_[k].extent) break;
      for (std::size_t i = 0; i < operands_; ++i) at[i] -= outer_[k].step[i] * outer_[k].extent;
      index[k] = 0;
    }
    const Tile next = tile_here();
    compute(loop, tile, next);
    tile = next;
  }
  if (streamed_) finish_streaming();
}

// Bytes from line to line of a packed operand: no large power of two, for lines would get in each other's way.
std::int64_t ElementPlan::pitch(std::size_t operand, const Tile& tile) const noexcept {
  const std::int64_t bytes = tile.line * width_[operand];
  return bytes % 512 == 0 ? bytes + 64 : bytes;
}

// block[j·line + i] = element i of line j. Lines are taken in the order in which they lie in memory.
void ElementPlan::pack(std::size_t operand, const Tile& tile, std::byte* block, const std::byte* next) const {
  std::array<std::int64_t, kMostLines> from, to;
  const bool backward = across_[operand] < 0;
  for (std::int64_t j = 0; j < tile.lines; ++j) {
    const auto place = static_cast<std::size_t>(backward ? tile.lines - 1 - j : j);
    from[place] = j * across_[operand];
    to[place] = j * pitch(operand, tile);
  }
  MoveTile move{};
  move.from = tile.at[operand];
  move.to = block;
  move.from_rows = place_[operand].data();
  move.from_columns = from.data();
  move.to_columns = to.data();
  move.rows = tile.line;
  move.columns = tile.lines;
  move.run = tile.lines;
  move.to_step = width_[operand];
  move.next = next;
  move.fetches = true;
  mover_[operand](move);
}

// The opposite, for the output: along the lines where their places are one step apart, else across them.
void ElementPlan::unpack(const Tile& tile, const std::byte* block) const {
  std::array<std::int64_t, kMostLines> in_block, in_output;
  std::array<std::int64_t, kPackedLine> along;
  for (std::int64_t j = 0; j < tile.lines; ++j) {
    in_block[static_cast<std::size_t>(j)] = j * pitch(0, tile);
    in_output[static_cast<std::size_t>(j)] = j * across_[0];
  }
  MoveTile move{};
  move.from = block;
  move.to = tile.at[0];
  if (!uneven_[0]) {
    move.from_columns = in_block.data();
    move.to_columns = in_output.data();
    move.rows = tile.line;
    move.columns = tile.lines;
    move.to_step = place_[0][1];
    return mover_[0](move);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(tile.line); ++i) {
    along[i] = static_cast<std::int64_t>(i) * width_[0];
  }
  move.from_rows = in_block.data();
  move.from_columns = along.data();
  move.to_columns = place_[0].data();
  move.rows = tile.lines;
  move.columns = tile.line;
  move.to_step = across_[0];
  mover_[0](move);
}

// Lines of tiles are too short for the processor to read ahead by itself.
void ElementPlan::fetch_line(const Tile& tile, std::int64_t j) const {
  if (j >= tile.lines) return;
  for (std::size_t i = 1; i < operands_; ++i) {
    if (way_[i] != Way::in_place) continue;
    const std::byte* const line = tile.at[i] + j * across_[i];
    for (std::int64_t at = 0; at < tile.line * width_[i]; at += 64) __builtin_prefetch(line + at, 0, 2);
  }
}

void ElementPlan::compute(ElementLoop loop, const Tile& tile, const Tile& next) const {
  alignas(64) std::byte blocks[kOperands][kTileBytes + 1024];
  Strip strip{tile.at[0], {}, tile.line};
  strip.out_width = width_[0];
  Offsets<kOperands> step = across_;
  std::byte* result = blocks[0];
  for (std::size_t i = operands_; i-- > 0;) {
    std::byte* at = tile.at[i];
    if (way_[i] == Way::packed) {
      at = i > 0 ? blocks[i] : result;
      if (i > 0) pack(i, tile, at, next.at[i]);
      if (width_[i] == width_[0]) result = at;
      step[i] = pitch(i, tile);
    } else if (i > 0 && way_[i] == Way::one_value) {
      strip.stretched |= std::uint32_t{1} << (i - 1);
    }
    if (i == 0) {
      strip.out = at;
    } else {
      strip.in[i - 1] = at;
      strip.width[i - 1] = width_[i];
    }
  }
  bool joined = !streamed_;
  for (std::size_t i = 0; i < operands_; ++i) {
    joined = joined && step[i] == (way_[i] == Way::one_value ? 0 : tile.line * width_[i]);
  }
  if (joined) {
    strip.count *= tile.lines;
    strip.compute(loop);
  }
  for (std::int64_t j = 0; j < tile.lines && !joined; ++j) {
    strip.compute(loop);
    if (fetches_) fetch_line(next, j);
    if (streamed_) stream_bytes(tile.at[0] + j * across_[0], strip.out, tile.line * width_[0]);
    strip.out += step[0];
    for (std::size_t i = 1; i < operands_; ++i) strip.in[i - 1] += step[i];
  }
  if (way_[0] == Way::packed && !streamed_) unpack(tile, result);
}

}  // namespace tenferro::internal
