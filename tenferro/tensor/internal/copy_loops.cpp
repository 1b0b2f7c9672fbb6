// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/internal/copy_loops.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace tenferro::internal {
namespace {

constexpr std::int64_t kCacheLine = 64;

template <std::size_t W>
void copy_run(std::byte* to, const std::byte* from, const CopyLoop& loop) {
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
void copy_tiles(std::byte* to, const std::byte* from, const CopyLoop& inner, const CopyLoop& outer) {
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
        const CopyLoop part{kTile, inner.from, inner.to};
        for (std::int64_t j = 0; j < rows; ++j) {
          copy_run<W>(to_row + j * outer.to + i0 * inner.to, from_row + j * outer.from + i0 * inner.from, part);
        }
      }
    }
    const CopyLoop rest{inner.extent - whole_inner, inner.from, inner.to};
    for (std::int64_t j = 0; j < rows; ++j) {
      copy_run<W>(to_row + j * outer.to + whole_inner * inner.to, from_row + j * outer.from + whole_inner * inner.from,
                  rest);
    }
  }
}

// loops[0] is the finest for the target; loops[1], if there is one, its partner.
template <std::size_t W>
void copy_nest(std::byte* to, const std::byte* from, const CopyLoops& loops) {
  if (loops.empty()) {
    std::memcpy(to, from, W);
    return;
  }
  if (loops.size() == 1) {
    copy_run<W>(to, from, loops[0]);
    return;
  }
  const CopyLoop& inner = loops[0];
  const CopyLoop& outer = loops[1];
  const bool crossed = outer.from != 0 && std::abs(outer.from) < std::abs(inner.from);
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

/// f(std::integral_constant<std::size_t, width>).
template <class F>
void with_width(std::size_t width, F&& f) {
  switch (width) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>());
    case 4:
      return f(std::integral_constant<std::size_t, 4>());
    case 8:
      return f(std::integral_constant<std::size_t, 8>());
    default:
      assert(width == 16);
      return f(std::integral_constant<std::size_t, 16>());
  }
}

}  // namespace

CopyLoops copy_loops(DimsView shape, DimsView from, DimsView to, std::size_t width) {
  assert(shape.size() == from.size() && shape.size() == to.size());
  const auto bytes = static_cast<std::int64_t>(width);
  CopyLoops loops;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    const CopyLoop loop{shape[k], from[k] * bytes, to[k] * bytes};
    std::size_t at = loops.size();
    while (at > 0 && std::abs(loop.to) < std::abs(loops[at - 1].to)) --at;
    loops.insert(at, loop);
  }
  if (loops.size() < 2) return loops;
  std::size_t last = 0;
  for (std::size_t k = 1; k < loops.size(); ++k) {
    if (loops[k].from == loops[last].from * loops[last].extent && loops[k].to == loops[last].to * loops[last].extent) {
      loops[last].extent *= loops[k].extent;
    } else {
      loops[++last] = loops[k];
    }
  }
  loops.resize(last + 1);
  if (loops.size() > 2) {
    std::size_t partner = 1;
    for (std::size_t k = 1; k < loops.size(); ++k) {
      const bool finer = std::abs(loops[k].from) < std::abs(loops[partner].from) || loops[partner].from == 0;
      if (loops[k].from != 0 && finer) partner = k;
    }
    std::rotate(loops.begin() + 1, loops.begin() + partner, loops.begin() + partner + 1);
  }
  return loops;
}

void copy_nest(std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops) {
  with_width(width, [&](auto w) { copy_nest<w()>(to, from, loops); });
}

void copy_run(std::int64_t width, std::int64_t count, const std::byte* from, std::int64_t from_step, std::byte* to,
              std::int64_t to_step) noexcept {
  with_width(static_cast<std::size_t>(width),
             [&](auto w) { copy_run<w()>(to, from, CopyLoop{count, from_step, to_step}); });
}

}  // namespace tenferro::internal
