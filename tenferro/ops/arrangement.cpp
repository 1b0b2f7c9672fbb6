// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/arrangement.hpp"

#include <algorithm>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::internal {
namespace {

std::int64_t product(std::string_view op, std::int64_t a, std::int64_t b, DimsView shape) {
  std::int64_t out = 0;
  if (b < 0) raise<OpErrorInfo>(BadArgument{op, concat("a count is negative (expected 0 or more, got ", b, ")")});
  if (mul_overflows(a, b, &out)) raise<OpErrorInfo>(ShapeOverflow{op, Shape(shape)});
  return out;
}

AxisList all_but(std::size_t rank, AxisSet taken) {
  AxisList axes;
  for (std::size_t k = 0; k < rank; ++k) {
    if (!taken.contains(k)) axes.push_back(static_cast<std::uint8_t>(k));
  }
  return axes;
}

}  // namespace

Shape squeezed_shape(DimsView shape, const Axes& axes) {
  const AxisSet set = axes.resolve("squeeze", shape.size());
  Shape out;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!set.contains(k) || (axes.all() && shape[k] != 1)) {
      out.push_back(shape[k]);
    } else if (shape[k] != 1) {
      raise<OpErrorInfo>(
          BadArgument{"squeeze", concat("axis ", k, " cannot go (expected extent 1, got ", shape[k], ")")});
    }
  }
  return out;
}

Shape with_new_axes(DimsView shape, const Axes& axes) {
  if (axes.all()) raise<OpErrorInfo>(BadArgument{"unsqueeze", "the new axes are not named"});
  const std::size_t rank = shape.size() + axes.list().size();
  if (rank > kMaxRank) raise<OpErrorInfo>(InvalidShape{"unsqueeze", Shape(shape)});
  return unsqueezed_shape(shape, axes.resolve("unsqueeze", rank));
}

AxisSet new_axis(std::string_view op, std::size_t rank, std::int64_t axis) {
  if (rank >= kMaxRank) {
    raise<OpErrorInfo>(BadArgument{
        op, concat("there is no room for another axis (expected rank below ", kMaxRank, ", got ", rank, ")")});
  }
  AxisSet set;
  set.insert(axis_of(op, axis, rank + 1));
  return set;
}

Op swap_axes_op(const MetaView& x, std::int64_t a, std::int64_t b) {
  AxisList perm = all_but(x.rank(), AxisSet());
  std::swap(perm[axis_of("swap_axes", a, x.rank())], perm[axis_of("swap_axes", b, x.rank())]);
  return {OpKind::transpose, TransposeAttrs{perm}};
}

Op move_axes_op(const MetaView& x, AxesView from, AxesView to) {
  constexpr std::string_view kName = "move_axis";
  if (from.size() != to.size()) {
    raise<OpErrorInfo>(BadArgument{
        kName, concat("the lists differ in length (expected ", from.size(), " targets, got ", to.size(), ")")});
  }
  const AxisList sources = axis_list(kName, from, x.rank()), targets = axis_list(kName, to, x.rank());
  AxisSet moved, taken;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    moved.insert(sources[k]);
    taken.insert(targets[k]);
  }
  const AxisList rest = all_but(x.rank(), moved);
  AxisList perm(x.rank());
  std::size_t next = 0;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (!taken.contains(k)) perm[k] = rest[next++];
  }
  for (std::size_t k = 0; k < sources.size(); ++k) perm[targets[k]] = sources[k];
  return {OpKind::transpose, TransposeAttrs{perm}};
}

Repetition tile_plan(const MetaView& x, DimsView repeats) {
  const std::size_t rank = std::max(x.rank(), repeats.size());
  BroadcastInDimConfig laid;
  Shape merged;
  for (std::size_t k = 0; k < rank; ++k) {
    const bool own = k + x.rank() >= rank;
    const std::int64_t extent = own ? x.shape[k + x.rank() - rank] : 1;
    const std::int64_t count = k + repeats.size() >= rank ? repeats[k + repeats.size() - rank] : 1;
    merged.push_back(product("tile", extent, count, x.shape));
    if (own) {
      laid.axes.push_back(static_cast<std::uint8_t>(laid.shape.size()));
      laid.shape.push_back(extent);
    }
    // The copies of an axis lie behind it: column-major, it varies faster.
    if (count != 1) laid.shape.push_back(count);
  }
  return {Op(OpKind::broadcast_in_dim, BroadcastInDimAttrs(std::move(laid))), merged};
}

Repetition repeat_plan(const MetaView& x, std::int64_t count, std::int64_t axis) {
  const std::size_t repeated = axis_of("repeat", axis, x.rank());
  BroadcastInDimConfig laid;
  Shape merged(x.shape);
  merged[repeated] = product("repeat", x.shape[repeated], count, x.shape);
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (k == repeated) laid.shape.push_back(count);
    laid.axes.push_back(static_cast<std::uint8_t>(laid.shape.size()));
    laid.shape.push_back(x.shape[k]);
  }
  return {Op(OpKind::broadcast_in_dim, BroadcastInDimAttrs(std::move(laid))), merged};
}

Dims split_ends(const MetaView& x, std::int64_t parts, std::int64_t axis) {
  const std::int64_t extent = x.shape[axis_of("split", axis, x.rank())];
  if (parts < 1 || extent % parts != 0) {
    raise<OpErrorInfo>(
        BadArgument{"split", concat("the parts are not equal (expected a divisor of ", extent, ", got ", parts, ")")});
  }
  Dims ends;
  for (std::int64_t k = 1; k <= parts; ++k) ends.push_back(extent / parts * k);
  return ends;
}

Dims split_ends(const MetaView& x, DimsView sizes, std::int64_t axis) {
  const std::int64_t extent = x.shape[axis_of("split", axis, x.rank())];
  Dims ends;
  std::int64_t end = 0;
  bool fits = true;
  for (const std::int64_t size : sizes) {
    fits = fits && size >= 0 && !add_overflows(end, size, &end);
    ends.push_back(end);
  }
  if (!fits || end != extent) {
    raise<OpErrorInfo>(BadArgument{
        "split", concat("the sizes do not add up (expected a sum of ", extent, ", got ", list_text(sizes), ")")});
  }
  return ends;
}

std::int64_t roll_cut(std::int64_t shift, std::int64_t extent) noexcept {
  if (extent == 0) return 0;
  const std::int64_t forward = shift % extent;  // the sign of shift, below extent
  return forward > 0 ? extent - forward : -forward;
}

Shape grid_shape(std::span<const MetaView> vectors, bool swap_first) {
  Shape shape;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    if (vectors[k].rank() != 1) {
      raise<OpErrorInfo>(
          RankMismatch{"meshgrid", static_cast<std::int64_t>(k), 1, static_cast<std::int64_t>(vectors[k].rank())});
    }
    shape.push_back(vectors[k].shape[0]);
  }
  if (shape.size() > kMaxRank) raise<OpErrorInfo>(InvalidShape{"meshgrid", shape});
  if (swap_first && shape.size() > 1) std::swap(shape[0], shape[1]);
  return shape;
}

void require_rank(std::string_view op, std::size_t rank, std::size_t wanted) {
  if (rank == wanted) return;
  raise<OpErrorInfo>(RankMismatch{op, 0, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(rank)});
}

void require_same_shape(std::string_view op, DimsView expected, DimsView got) {
  if (!same_shape(expected, got)) raise<OpErrorInfo>(ShapeMismatch{op, Shape(expected), Shape(got), ""});
}

}  // namespace tenferro::internal
