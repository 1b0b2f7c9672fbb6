// SPDX-License-Identifier: MIT OR Apache-2.0
// Element copies between any two layouts: one implementation a width of element, since bits move unchanged.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tenferro/tensor/overlap.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

constexpr std::string_view kOp = "copy_elements";

// One loop of the nest; steps in bytes.
struct Loop {
  std::int64_t extent, from, to;
};
using Loops = InlineVector<Loop, 8>;

std::int64_t distance(std::int64_t step) { return step < 0 ? -step : step; }

// The fewest loops that visit every element: finest target step first, axes joined where both sides run on evenly.
Loops loops_of(const TensorRead& source, const TensorWrite& target, std::int64_t width) {
  const Dims from = internal::strides_of(source), to = internal::strides_of(target);
  Loops loops;
  for (std::size_t k = 0; k < source.rank(); ++k) {
    if (source.extents[k] != 1) loops.push_back({source.extents[k], from[k] * width, to[k] * width});
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return distance(a.to) < distance(b.to); });
  Loops joined;
  for (const Loop& loop : loops) {
    if (!joined.empty() && loop.from == joined.back().from * joined.back().extent &&
        loop.to == joined.back().to * joined.back().extent) {
      joined.back().extent *= loop.extent;
    } else {
      joined.push_back(loop);
    }
  }
  return joined;
}

template <std::size_t W>
void copy_run(std::byte* to, const std::byte* from, const Loop& loop) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  if (loop.from == kWidth && loop.to == kWidth) {
    std::memcpy(to, from, static_cast<std::size_t>(loop.extent) * W);
    return;
  }
  for (std::int64_t i = 0; i < loop.extent; ++i) std::memcpy(to + i * loop.to, from + i * loop.from, W);
}

// Two loops in square tiles, so that a transposition uses whole cache lines on both sides.
template <std::size_t W>
void copy_plane(std::byte* to, const std::byte* from, const Loop& inner, const Loop& outer) {
  constexpr std::int64_t kTile = 16;
  if (distance(inner.from) <= distance(outer.from)) {
    for (std::int64_t j = 0; j < outer.extent; ++j) copy_run<W>(to + j * outer.to, from + j * outer.from, inner);
    return;
  }
  for (std::int64_t j0 = 0; j0 < outer.extent; j0 += kTile) {
    const std::int64_t j1 = std::min(j0 + kTile, outer.extent);
    for (std::int64_t i0 = 0; i0 < inner.extent; i0 += kTile) {
      const Loop part{std::min(kTile, inner.extent - i0), inner.from, inner.to};
      for (std::int64_t j = j0; j < j1; ++j) {
        copy_run<W>(to + j * outer.to + i0 * inner.to, from + j * outer.from + i0 * inner.from, part);
      }
    }
  }
}

template <std::size_t W>
void copy_nest(std::byte* to, const std::byte* from, Loops loops) {
  if (loops.empty()) {
    std::memcpy(to, from, W);
    return;
  }
  if (loops.size() == 1) {
    copy_run<W>(to, from, loops[0]);
    return;
  }
  // The partner of the innermost loop is the one along which the source is finest.
  const auto partner = std::min_element(
      loops.begin() + 1, loops.end(), [](const Loop& a, const Loop& b) { return distance(a.from) < distance(b.from); });
  std::rotate(loops.begin() + 1, partner, partner + 1);
  Dims at(loops.size());
  while (true) {
    copy_plane<W>(to, from, loops[0], loops[1]);
    std::size_t k = 2;
    for (; k < loops.size(); ++k) {
      to += loops[k].to;
      from += loops[k].from;
      if (++at[k] < loops[k].extent) break;
      to -= loops[k].extent * loops[k].to;
      from -= loops[k].extent * loops[k].from;
      at[k] = 0;
    }
    if (k == loops.size()) return;
  }
}

}  // namespace

void copy_elements(TensorRead source, TensorWrite target) {
  if (source.dtype != target.dtype) raise<TensorErrorInfo>(DTypeMismatch{kOp, 0, target.dtype, source.dtype});
  if (!same_shape(source.shape(), target.shape())) {
    raise<TensorErrorInfo>(ShapesDiffer{kOp, Shape(target.shape()), Shape(source.shape())});
  }
  for (const auto& [operand, placement] : {std::pair{0, source.placement}, std::pair{-1, target.placement}}) {
    if (!host_accessible(placement)) raise<TensorErrorInfo>(PlacementMismatch{kOp, operand, Placement{}, placement});
  }
  const std::int64_t count = source.count();
  if (count == 0) return;
  if (may_overlap(source, target.read())) raise<TensorErrorInfo>(OverlappingStorage{kOp, 0});
  const std::size_t width = element_size(source.dtype);
  if (source.compact() && target.compact()) {
    std::memcpy(target.data, source.data, static_cast<std::size_t>(count) * width);
    return;
  }
  Loops loops = loops_of(source, target, static_cast<std::int64_t>(width));
  switch (width) {
    case 1:
      return copy_nest<1>(target.data, source.data, std::move(loops));
    case 4:
      return copy_nest<4>(target.data, source.data, std::move(loops));
    case 8:
      return copy_nest<8>(target.data, source.data, std::move(loops));
    case 16:
      return copy_nest<16>(target.data, source.data, std::move(loops));
    default:
      raise<TensorErrorInfo>(BadArgument{kOp, "elements of external types have no known size"});
  }
}

}  // namespace tenferro
