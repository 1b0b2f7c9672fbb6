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

ElementPlan::ElementPlan(std::span<const TensorRead> in, const TensorWrite& out) : operands_(in.size() + 1) {
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
  bool packs = false;
  for (std::size_t i = 0; i < operands_; ++i) {
    packs = packs || !(axes[0].step[i] == width_[i] || (axes[0].step[i] == 0 && i > 0));
  }
  const bool one_axis = axes[0].extent >= kShortLine;
  const std::int64_t most =
      !one_axis ? kPackedLine : (!packs ? kLongLine : (across_is_near ? square_line() : kPackedLine));
  std::array<bool, kOperands> even, constant;
  even.fill(true);
  constant.fill(true);
  do {
    const BoxAxis<kOperands> axis = axes[0];
    const std::int64_t part = std::min(axis.extent, most / line_);
    for (std::size_t i = 0; i < operands_; ++i) {
      even[i] = even[i] && axis.step[i] == line_ * width_[i];
      constant[i] = constant[i] && axis.step[i] == 0;
      for (std::int64_t at = line_; most <= kPackedLine && at < line_ * part; ++at) {
        place_[i][static_cast<std::size_t>(at)] = place_[i][static_cast<std::size_t>(at - line_)] + axis.step[i];
      }
    }
    axes.erase(0);
    line_unit_ = line_;
    line_ *= part;
    line_cut_ = take_part(axis, part, outer_.size());
  } while (!axes.empty() && line_ < kShortLine);
  for (std::size_t i = 0; i < operands_; ++i) {
    if (!even[i]) way_[i] = constant[i] && i > 0 ? Way::one_value : Way::packed;
  }
}

// Lines of a tile that is as many cache lines wide as it is long.
std::int64_t ElementPlan::square_line() const noexcept {
  constexpr std::int64_t kLines = 16;
  return std::min(kPackedLine, kTileBytes / (kLines * *std::max_element(width_.begin(), width_.end())));
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
    const std::int64_t room = std::max<std::int64_t>(kTileBytes / (line_ * widest), 1);
    const BoxAxis<kOperands> axis = axes[0];
    axes.erase(0);
    lines_ = std::min({axis.extent, room, kMostLines});
    across_ = axis.step;
    across_cut_ = take_part(axis, lines_, 0);
    ++line_cut_.outer;
  }
  for (std::size_t i = 0; i < operands_; ++i) {
    if (way_[i] != Way::packed) continue;
    const bool squares = i > 0 && across_[i] == width_[i];
    mover_[i] = tile_kernel(squares ? TileKind::transpose : TileKind::gather, width_[i], Stores::cached);
  }
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
  for (std::int64_t tile = first; tile < last; ++tile) {
    const bool has_line = !outer_.empty();
    const std::int64_t line = has_line ? line_unit_ * line_cut_.size(index[line_cut_.outer]) : 1;
    const std::int64_t lines = lines_ > 1 ? across_cut_.size(index[across_cut_.outer]) : 1;
    compute(loop, {at, line, lines});
    for (std::size_t k = 0; k < outer_.size(); ++k) {
      for (std::size_t i = 0; i < operands_; ++i) at[i] += outer_[k].step[i];
      if (++index[k] < outer_[k].extent) break;
      for (std::size_t i = 0; i < operands_; ++i) at[i] -= outer_[k].step[i] * outer_[k].extent;
      index[k] = 0;
    }
  }
}

// block[j·line + i] = element i of line j.
void ElementPlan::pack(std::size_t operand, const Tile& tile, std::byte* block) const {
  std::array<std::int64_t, kMostLines> from, to;
  for (std::size_t j = 0; j < static_cast<std::size_t>(tile.lines); ++j) {
    from[j] = static_cast<std::int64_t>(j) * across_[operand];
    to[j] = static_cast<std::int64_t>(j) * tile.line * width_[operand];
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
  mover_[operand](move);
}

// The opposite, for the output.
void ElementPlan::unpack(const Tile& tile, const std::byte* block) const {
  std::array<std::int64_t, kMostLines> rows;
  std::array<std::int64_t, kPackedLine> columns;
  for (std::size_t j = 0; j < static_cast<std::size_t>(tile.lines); ++j) {
    rows[j] = static_cast<std::int64_t>(j) * tile.line * width_[0];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(tile.line); ++i) {
    columns[i] = static_cast<std::int64_t>(i) * width_[0];
  }
  MoveTile move{};
  move.from = block;
  move.to = tile.at[0];
  move.from_rows = rows.data();
  move.from_columns = columns.data();
  move.to_columns = place_[0].data();
  move.rows = tile.lines;
  move.columns = tile.line;
  move.run = 1;
  move.to_step = across_[0];
  mover_[0](move);
}

void ElementPlan::compute(ElementLoop loop, const Tile& tile) const {
  alignas(64) std::byte blocks[kOperands][kTileBytes];
  Strip strip{tile.at[0], {}, tile.line};
  strip.out_width = width_[0];
  Offsets<kOperands> step = across_;
  for (std::size_t i = 0; i < operands_; ++i) {
    std::byte* at = tile.at[i];
    if (way_[i] == Way::packed) {
      if (i > 0) pack(i, tile, blocks[i]);
      at = blocks[i];
      step[i] = tile.line * width_[i];
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
  for (std::int64_t j = 0; j < tile.lines; ++j) {
    strip.compute(loop);
    strip.out += step[0];
    for (std::size_t i = 1; i < operands_; ++i) strip.in[i - 1] += step[i];
  }
  if (way_[0] == Way::packed) unpack(tile, blocks[0]);
}

}  // namespace tenferro::internal
