// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The tree of reduce_tree.hpp for many results at once whose elements lie side by side: a row is what all of them have
// at one reduced index, and every combination is one of rows. Rows are as long as the second-level cache allows, and
// four of a lane are taken at a time, so that memory is read in long stretches and partial results are seldom written
// back.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/reduce_tree.hpp"

namespace tenferro::internal {

template <class R>
class RowTree {
 public:
  using In = typename R::In;
  using Acc = typename R::Acc;

  /// How `count` results of `reduced` elements each are cut into tiles, and the memory that one tile needs.
  struct Shape {
    Shape(std::int64_t reduced, std::int64_t count) noexcept
        : width(std::min(kWidest, count)), tiles((count + width - 1) / width) {
      const std::int64_t blocks = (std::min(reduced, kPiece<Acc>) + kBlock<Acc> - 1) / kBlock<Acc>;
      lanes = std::min(reduced, kLanes<Acc>);
      levels = blocks > 1 ? static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(blocks))) : 0;
      bytes = static_cast<std::uint64_t>((lanes + levels) * width) * sizeof(Acc);
    }
    std::int64_t width, tiles;
    std::int64_t lanes, levels;
    std::uint64_t bytes;
  };

  RowTree(const Shape& shape, std::byte* work) noexcept : shape_(shape), work_(reinterpret_cast<Acc*>(work)) {}

  /// The tree over the n rows of `width` elements that a cursor names next; valid until the next call.
  const Acc* reduce(const In* base, ReducedCursor& cursor, std::int64_t n, std::int64_t width) {
    std::int64_t top = 0, index = 0;
    for (std::int64_t first = 0; first < n; first += kBlock<Acc>, ++index) {
      const std::int64_t count = std::min(kBlock<Acc>, n - first);
      std::int64_t* to = offset_.data();
      cursor.runs(count, [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) to[i] = offset + i * stride;
        to += length;
      });
      reduce_block_rows(base, count, width);
      if (n <= kBlock<Acc>) return lane(0);
      for (std::int64_t carry = index; (carry & 1) != 0; carry >>= 1) combine(level(--top), lane(0), lane(0), width);
      std::copy_n(lane(0), width, level(top++));
    }
    Acc* value = level(--top);
    while (top > 0) combine(level(--top), value, value, width);
    return value;
  }

 private:
  static constexpr std::int64_t L = kLanes<Acc>;
  // All lanes together fill a quarter of a megabyte.
  static constexpr std::int64_t kWidest = (std::int64_t{1} << 18) / 64;

  Acc* lane(std::int64_t l) const { return work_ + l * shape_.width; }
  Acc* level(std::int64_t k) const { return work_ + (shape_.lanes + k) * shape_.width; }

  // `out` is b.
  static void combine(const Acc* a, const Acc* b, Acc* out, std::int64_t width) {
    TENFERRO_INDEPENDENT
    for (std::int64_t i = 0; i < width; ++i) out[i] = R::combine(a[i], b[i]);
  }

  // Row lane(0) becomes the block over rows offset_[0 … n−1].
  void reduce_block_rows(const In* base, std::int64_t n, std::int64_t width) const {
    const std::int64_t lanes = std::min(n, L);
    for (std::int64_t first = 0; first < n; first += 4 * L) {
      for (std::int64_t l = 0; l < L && first + l < n; ++l) {
        add_rows(lane(l), base, offset_.data() + first + l, n - first - l, first == 0, width);
      }
    }
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < lanes; ++l) {
        TENFERRO_INDEPENDENT
        for (std::int64_t i = 0; i < width; ++i) lane(l)[i] = R::combine(lane(l)[i], lane(l + half)[i]);
      }
    }
  }

  // Up to four rows of a lane, L apart in the list of offsets, of which `left` entries remain; they start the lane or
  // are added to it.
  static void add_rows(Acc* lane, const In* base, const std::int64_t* offset, std::int64_t left, bool start,
                       std::int64_t width) {
    const In* x = base + offset[0];
    if (left > 3 * L) {
      const In *y = base + offset[L], *z = base + offset[2 * L], *w = base + offset[3 * L];
      if (start) {
        TENFERRO_INDEPENDENT
        for (std::int64_t i = 0; i < width; ++i) {
          lane[i] = R::combine(R::combine(R::combine(R::map(x[i]), R::map(y[i])), R::map(z[i])), R::map(w[i]));
        }
      } else {
        TENFERRO_INDEPENDENT
        for (std::int64_t i = 0; i < width; ++i) {
          lane[i] = R::combine(R::combine(R::combine(R::combine(lane[i], R::map(x[i])), R::map(y[i])), R::map(z[i])),
                               R::map(w[i]));
        }
      }
      return;
    }
    for (; left > 0; left -= L, start = false) {
      x = base + *offset;
      if (left > L) offset += L;
      if (start) {
        TENFERRO_INDEPENDENT
        for (std::int64_t i = 0; i < width; ++i) lane[i] = R::map(x[i]);
      } else {
        TENFERRO_INDEPENDENT
        for (std::int64_t i = 0; i < width; ++i) lane[i] = R::combine(lane[i], R::map(x[i]));
      }
    }
  }

  const Shape& shape_;
  Acc* work_;
  std::array<std::int64_t, static_cast<std::size_t>(kBlock<Acc>)> offset_;
};

}  // namespace tenferro::internal
