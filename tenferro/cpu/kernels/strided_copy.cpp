// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_copy.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"

namespace tenferro::internal {
namespace {

using calibration::kBlockBytes;
constexpr std::int64_t kCacheLine = 64;

// One loop of the nest; steps in bytes.
struct Loop {
  std::int64_t extent, from, to;
};
using Loops = InlineVector<Loop, 8>;

std::int64_t distance(std::int64_t step) noexcept { return step < 0 ? -step : step; }

// The fewest loops that visit every element, finest target step first.
Loops merged_loops(DimsView shape, DimsView from, DimsView to, std::int64_t width) {
  Loops loops;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    const Loop loop{shape[k], from[k] * width, to[k] * width};
    std::size_t at = loops.size();
    while (at > 0 && distance(loop.to) < distance(loops[at - 1].to)) --at;
    loops.insert(at, loop);
  }
  Loops merged;
  for (const Loop& loop : loops) {
    if (!merged.empty() && loop.from == merged.back().from * merged.back().extent &&
        loop.to == merged.back().to * merged.back().extent) {
      merged.back().extent *= loop.extent;
    } else {
      merged.push_back(loop);
    }
  }
  return merged;
}

template <std::size_t W>
void copy_run(std::byte* to, const std::byte* from, const Loop& loop) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  if (loop.to == kWidth) {
    if (loop.from == kWidth) {
      std::memcpy(to, from, static_cast<std::size_t>(loop.extent) * W);
      return;
    }
    if (loop.from == 0) {
      if constexpr (W == 1) {
        std::memset(to, std::to_integer<int>(*from), static_cast<std::size_t>(loop.extent));
      } else {
        std::byte value[W];
        std::memcpy(value, from, W);
        for (std::int64_t i = 0; i < loop.extent; ++i) std::memcpy(to + i * kWidth, value, W);
      }
      return;
    }
    for (std::int64_t i = 0; i < loop.extent; ++i) std::memcpy(to + i * kWidth, from + i * loop.from, W);
    return;
  }
  for (std::int64_t i = 0; i < loop.extent; ++i) std::memcpy(to + i * loop.to, from + i * loop.from, W);
}

// A plane whose sides are finest along different loops: squares of one cache line a side, so that every line that is
// touched is used whole before it can be evicted, whatever power of two the coarse steps are.
template <std::size_t W>
void copy_tiles(std::byte* to, const std::byte* from, const Loop& inner, const Loop& outer) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kTile = std::min<std::int64_t>(kCacheLine / kWidth, 16);
  const std::int64_t whole_inner = inner.extent / kTile * kTile;
  const bool unit = inner.to == kWidth && outer.from == kWidth;
  for (std::int64_t j0 = 0; j0 < outer.extent; j0 += kTile) {
    const std::int64_t rows = std::min(kTile, outer.extent - j0);
    std::byte* to_row = to + j0 * outer.to;
    const std::byte* from_row = from + j0 * outer.from;
    if (unit && rows == kTile) {
      for (std::int64_t i0 = 0; i0 < whole_inner; i0 += kTile) {
        std::byte tile[static_cast<std::size_t>(kTile * kTile) * W];
        for (std::int64_t i = 0; i < kTile; ++i) {
          std::memcpy(tile + i * kTile * kWidth, from_row + (i0 + i) * inner.from, kTile * kWidth);
        }
        for (std::int64_t j = 0; j < kTile; ++j) {
          for (std::int64_t i = 0; i < kTile; ++i) {
            std::memcpy(to_row + j * outer.to + (i0 + i) * kWidth, tile + (i * kTile + j) * kWidth, W);
          }
        }
      }
    } else {
      for (std::int64_t i0 = 0; i0 < whole_inner; i0 += kTile) {
        const Loop part{kTile, inner.from, inner.to};
        for (std::int64_t j = 0; j < rows; ++j) {
          copy_run<W>(to_row + j * outer.to + i0 * inner.to, from_row + j * outer.from + i0 * inner.from, part);
        }
      }
    }
    const Loop rest{inner.extent - whole_inner, inner.from, inner.to};
    for (std::int64_t j = 0; j < rows; ++j) {
      copy_run<W>(to_row + j * outer.to + whole_inner * inner.to, from_row + j * outer.from + whole_inner * inner.from,
                  rest);
    }
  }
}

// loops[0] is the finest for the target; loops[1], if there is one, its partner.
template <std::size_t W>
void copy_nest(std::byte* to, const std::byte* from, const Loops& loops) {
  if (loops.empty()) {
    std::memcpy(to, from, W);
    return;
  }
  if (loops.size() == 1) {
    copy_run<W>(to, from, loops[0]);
    return;
  }
  const Loop& inner = loops[0];
  const Loop& outer = loops[1];
  const bool crossed = outer.from != 0 && distance(outer.from) < distance(inner.from);
  InlineVector<std::int64_t, 8> at(loops.size());
  while (true) {
    if (crossed) {
      copy_tiles<W>(to, from, inner, outer);
    } else {
      for (std::int64_t j = 0; j < outer.extent; ++j) copy_run<W>(to + j * outer.to, from + j * outer.from, inner);
    }
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

template <std::size_t W>
void copy_box(KernelContext& context, std::byte* to, const std::byte* from, Loops loops, std::int64_t bytes) {
  if (loops.size() > 1) {
    // The partner of the innermost loop is the one along which the source is finest.
    std::size_t partner = 1;
    for (std::size_t k = 1; k < loops.size(); ++k) {
      const bool finer = distance(loops[k].from) < distance(loops[partner].from) || loops[partner].from == 0;
      if (loops[k].from != 0 && finer) partner = k;
    }
    std::rotate(loops.begin() + 1, loops.begin() + partner, loops.begin() + partner + 1);
  }
  if (bytes < calibration::kSharedBytes || loops.empty()) {
    copy_nest<W>(to, from, loops);
    return;
  }
  // The coarsest loop with enough steps is shared out, in blocks of about kBlockBytes; a single run is cut likewise.
  constexpr std::int64_t kEnough = 16;
  std::size_t shared = 0;
  for (std::size_t k = 1; k < loops.size(); ++k) {
    if (shared == 0 || loops[k].extent >= std::min(loops[shared].extent, kEnough)) shared = k;
  }
  const Loop whole = loops[shared];
  const std::int64_t bytes_a_step = std::max<std::int64_t>(bytes / whole.extent, 1);
  // Whole squares where the loop is long enough to be cut into several.
  constexpr std::int64_t kSquare = kCacheLine / static_cast<std::int64_t>(std::min<std::size_t>(W, 4));
  std::int64_t step = std::max<std::int64_t>(kBlockBytes / bytes_a_step, 1);
  if (whole.extent >= 4 * kSquare) step = (step + kSquare - 1) / kSquare * kSquare;
  const std::int64_t blocks = (whole.extent + step - 1) / step;
  const double ns_a_block = static_cast<double>(step * bytes_a_step) * calibration::kCopiedByteNs;
  context.parallel_for(blocks, ns_a_block, [&](std::int64_t first, std::int64_t last) {
    Loops part = loops;
    const std::int64_t begin = first * step;
    part[shared].extent = std::min(last * step, whole.extent) - begin;
    copy_nest<W>(to + begin * whole.to, from + begin * whole.from, part);
  });
}

void copy_width(KernelContext& context, std::size_t width, std::byte* to, const std::byte* from, Loops loops,
                std::int64_t bytes) {
  switch (width) {
    case 1:
      return copy_box<1>(context, to, from, std::move(loops), bytes);
    case 4:
      return copy_box<4>(context, to, from, std::move(loops), bytes);
    case 8:
      return copy_box<8>(context, to, from, std::move(loops), bytes);
    default:
      assert(width == 16);
      return copy_box<16>(context, to, from, std::move(loops), bytes);
  }
}

}  // namespace

void strided_copy(KernelContext& context, std::size_t width, DimsView shape, const std::byte* from,
                  DimsView from_strides, std::byte* to, DimsView to_strides) {
  assert(shape.size() == from_strides.size() && shape.size() == to_strides.size());
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  if (count == 0) return;
  const auto step = static_cast<std::int64_t>(width);
  copy_width(context, width, to, from, merged_loops(shape, from_strides, to_strides, step), count * step);
}

void strided_fill(KernelContext& context, std::size_t width, DimsView shape, const void* value, std::byte* to,
                  DimsView to_strides) {
  const Dims still(shape.size(), 0);
  strided_copy(context, width, shape, static_cast<const std::byte*>(value), still, to, to_strides);
}

void copy_run(std::size_t width, std::int64_t count, const std::byte* from, std::int64_t from_step, std::byte* to,
              std::int64_t to_step) noexcept {
  const Loop loop{count, from_step, to_step};
  switch (width) {
    case 1:
      return copy_run<1>(to, from, loop);
    case 4:
      return copy_run<4>(to, from, loop);
    case 8:
      return copy_run<8>(to, from, loop);
    default:
      return copy_run<16>(to, from, loop);
  }
}

void copy_operand(KernelContext& context, const TensorRead& from, const TensorWrite& to) {
  assert(same_shape(from.shape(), to.shape()) && element_size(from.dtype) == element_size(to.dtype));
  if (from.compact() && to.compact()) {
    const std::int64_t count = from.count();
    if (count == 0) return;
    const auto width = static_cast<std::int64_t>(element_size(from.dtype));
    const Loops run{Loop{count, width, width}};
    return copy_width(context, element_size(from.dtype), to.data, from.data, run, count * width);
  }
  strided_copy(context, element_size(from.dtype), from.shape(), from.data, strides_of(from), to.data, strides_of(to));
}

}  // namespace tenferro::internal
