// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/move_tiles.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cassert>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/move_squares_inl.hpp"
#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

template <std::size_t W>
void gather_tile(const MoveTile& t) {
  const std::int64_t* const rows = t.from_rows;
  const std::int64_t count = t.rows, to_step = t.to_step;
  for (std::int64_t j = 0; j < t.columns; ++j) {
    const std::byte* from = t.from + t.from_columns[j];
    std::byte* to = t.to + t.to_columns[j];
    for (std::int64_t i = 0; i < count; ++i, to += to_step) std::memcpy(to, from + rows[i], W);
  }
}

// Elements one step apart on both sides.
template <std::size_t W>
HWY_INLINE void copy_steps(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step,
                           std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, W);
}

template <std::size_t W>
void spread_tile(const MoveTile& t) {
  for (std::int64_t j = 0; j < t.columns; ++j) {
    copy_steps<W>(t.to + t.to_columns[j], t.to_step, t.from + t.from_columns[j], static_cast<std::int64_t>(W), t.rows);
  }
}

template <std::size_t W>
void turn_singly(const TurnedMatrix& m) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  for (std::int64_t j = 0; j < m.columns; ++j) {
    copy_steps<W>(m.to + j * m.to_step, kWidth, m.from + j * kWidth, m.from_step, m.rows);
  }
}

#if HWY_TARGET == HWY_SCALAR

template <std::size_t W>
void turn_matrix(const TurnedMatrix& m) {
  turn_singly<W>(m);
}
template <std::size_t W>
void transpose_tile(const MoveTile& t) {
  gather_tile<W>(t);
}
template <std::size_t W>
void transpose_stream(const MoveTile& t) {
  gather_tile<W>(t);
}
template <std::size_t W>
void transpose_staged(const MoveTile& t) {
  gather_tile<W>(t);
}
template <std::size_t W, bool kStream>
void assemble_tile(const MoveTile& t) {
  gather_tile<W>(t);
}
void runs_tile(const MoveTile& t) {
  for (std::int64_t j = 0; j < t.columns; ++j) {
    std::memcpy(t.to + t.to_columns[j], t.from + t.from_columns[j], static_cast<std::size_t>(t.rows));
  }
}
void runs_stream(const MoveTile& t) { runs_tile(t); }
void stream_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
template <std::size_t W>
void rows_tile(const MoveTile& t, std::int64_t step) {
  for (std::int64_t j = 0; j < t.columns; ++j) {
    copy_steps<W>(t.to + t.to_columns[j], static_cast<std::int64_t>(W), t.from + t.from_columns[j], step, t.rows);
  }
}
template <std::size_t W>
void fill_tile(const MoveTile& t) {
  rows_tile<W>(t, 0);
}
template <std::size_t W>
void pick_tile(const MoveTile& t) {
  rows_tile<W>(t, t.rows > 1 ? t.from_rows[1] : 0);
}

#else

// The vectors of assembled rows.
template <std::size_t W>
using Piece = std::conditional_t<(W <= 2), hn::CappedTag<std::uint8_t, 16>, hn::CappedTag<std::uint32_t, 16> >;

HWY_INLINE std::int64_t into_line(const std::byte* at) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) % kLine);
}

// Bytes of rows that are read soon, into the second cache.
HWY_INLINE void fetch_rows(const std::byte* from, const std::int64_t* rows, std::int64_t count, std::int64_t bytes) {
  for (std::int64_t k = 0; k < count; ++k) {
    const std::byte* const row = from + rows[k];
    for (const std::byte* line = row - into_line(row); line < row + bytes; line += kLine)
      __builtin_prefetch(line, 0, 2);
  }
}

// Squares over the whole tile; the last ones of a side overlap those before.
template <std::size_t W, class D>
HWY_INLINE bool turn_squares(D d, const MoveTile& t) {
  using S = Square<W, D>;
  constexpr auto kSide = static_cast<std::int64_t>(S::kSide), kWidth = static_cast<std::int64_t>(W);
  if (t.rows < kSide || t.run < kSide) return false;
  for (std::int64_t run = 0; run < t.columns; run += t.run) {
    for (std::int64_t i0 = 0; i0 < t.rows; i0 += kSide) {
      const std::int64_t i = HWY_MIN(i0, t.rows - kSide);
      if (t.fetches) fetch_rows(t.next, t.from_rows + i, kSide, t.run * kWidth);
      for (std::int64_t j0 = 0; j0 < t.run; j0 += kSide) {
        const std::int64_t j = run + HWY_MIN(j0, t.run - kSide);
        const std::byte* from = t.from + t.from_columns[j];
        S::move(d, t.to + i * kWidth, t.to_columns + j, from, t.from_rows + i);
      }
    }
  }
  return true;
}

// Squares over a whole matrix; the last ones of a side overlap those before.
template <std::size_t W, class D>
HWY_INLINE bool turn_even_squares(D d, const TurnedMatrix& m) {
  using S = Square<W, D>;
  constexpr auto kSide = static_cast<std::int64_t>(S::kSide), kWidth = static_cast<std::int64_t>(W);
  if (m.rows < kSide || m.columns < kSide) return false;
  for (std::int64_t i0 = 0; i0 < m.rows; i0 += kSide) {
    const std::int64_t i = HWY_MIN(i0, m.rows - kSide);
    for (std::int64_t j0 = 0; j0 < m.columns; j0 += kSide) {
      const std::int64_t j = HWY_MIN(j0, m.columns - kSide);
      S::move(d, m.to + i * kWidth + j * m.to_step, EvenPlaces{m.to_step}, m.from + i * m.from_step + j * kWidth,
              EvenPlaces{m.from_step});
    }
  }
  return true;
}

template <std::size_t W>
void turn_matrix(const TurnedMatrix& m) {
  if (turn_even_squares<W>(Wide<W>(), m)) return;
  if constexpr (bytes_of(Wide<W>()) > 16) {
    if (turn_even_squares<W>(Narrow<W>(), m)) return;
  }
  if constexpr (W == 1) {
    if (turn_even_squares<W>(hn::CappedTag<std::uint8_t, 8>(), m)) return;
  }
  turn_singly<W>(m);
}

template <std::size_t W>
void transpose_tile(const MoveTile& t) {
  if (turn_squares<W>(Wide<W>(), t)) return;
  if constexpr (bytes_of(Wide<W>()) > 16) {
    if (turn_squares<W>(Narrow<W>(), t)) return;
  }
  gather_tile<W>(t);
}

// Columns of 16 bytes, of which four are a line: each register ends as some that lie one behind another.
template <std::size_t W, class D>
HWY_INLINE void stream_joined(D d, const MoveTile& t) {
  using S = Square<W, D>;
  using T = hn::TFromD<D>;
  constexpr std::size_t kBlock = S::kBlock, kBlocks = S::kBlocks;
  constexpr auto kSide = static_cast<std::int64_t>(S::kSide);
  fetch_rows(t.next, t.from_rows, t.rows, t.run * static_cast<std::int64_t>(W));
  for (std::int64_t run = 0; run < t.columns; run += t.run) {
    for (std::int64_t j0 = 0; j0 < t.run; j0 += kSide) {
      const std::int64_t j = run + HWY_MIN(j0, t.run - kSide);
      hn::VFromD<D> r[kBlock];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kBlock; ++i) r[i] = load(d, t.from + t.from_columns[j] + t.from_rows[i]);
      turn_in_blocks<kBlock>(d, r);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < kBlock; k += kBlocks) {
        turn_blocks<kBlocks, 1>(d, r + k);
        for (std::size_t b = 0; b < kBlocks; ++b) {
          hn::Stream(r[k + b], d,
                     reinterpret_cast<T*>(t.to + t.to_columns[static_cast<std::size_t>(j) + b * kBlock + k]));
        }
      }
    }
  }
}

template <std::size_t W>
void transpose_stream(const MoveTile& t) {
  using S = Square<W, Wide<W> >;
  constexpr auto kSide = static_cast<std::int64_t>(S::kSide), kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = kLine / kWidth;
  if (t.run < kSide) return transpose_tile<W>(t);
  if (t.rows < kRows) {  // joined if a block has as many columns as a register has blocks
    assert(t.rows * kWidth == 16 && t.run % 4 == 0);
    if constexpr (S::kBlock >= S::kBlocks) {
      return stream_joined<W>(Wide<W>(), t);
    } else {
      return transpose_tile<W>(t);
    }
  }
  assert(t.rows % kRows == 0);
  for (std::int64_t run = 0; run < t.columns; run += t.run) {
    for (std::int64_t i = 0; i < t.rows; i += kRows) {
      if (run == 0) fetch_rows(t.next, t.from_rows + i, kRows, t.run * kWidth);
      std::byte* to = t.to + i * kWidth;
      for (std::int64_t j0 = 0; j0 < t.run; j0 += kSide) {
        const std::int64_t j = run + HWY_MIN(j0, t.run - kSide);
        S::stream(Wide<W>(), to, t.to_columns + j, t.from + t.from_columns[j], t.from_rows + i);
      }
    }
  }
}

// Fewer bytes than a line.
HWY_INLINE void copy_few(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const auto ends = [&](auto d) {
    constexpr auto kBytes = static_cast<std::int64_t>(bytes_of(decltype(d)()));
    const auto last = load(d, from + bytes - kBytes);
    store(load(d, from), d, to);
    store(last, d, to + bytes - kBytes);
  };
  if (bytes >= 32) {
    const hn::CappedTag<std::uint8_t, 16> d;
    store(load(d, from), d, to);
    store(load(d, from + 16), d, to + 16);
    store(load(d, from + bytes - 32), d, to + bytes - 32);
    store(load(d, from + bytes - 16), d, to + bytes - 16);
  } else if (bytes >= 16) {
    ends(hn::CappedTag<std::uint8_t, 16>());
  } else if (bytes >= 8) {
    ends(hn::CappedTag<std::uint8_t, 8>());
  } else if (bytes >= 4) {
    ends(hn::CappedTag<std::uint8_t, 4>());
  } else {
    for (std::int64_t at = 0; at < bytes; ++at) to[at] = from[at];
  }
}

// A run of the target past the caches: whole lines of it, the ends by ordinary stores.
HWY_INLINE void stream_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const hn::CappedTag<std::uint8_t, kLine> d;
  constexpr auto kBytes = static_cast<std::int64_t>(bytes_of(d));
  const std::int64_t into = into_line(to);
  std::int64_t at = 0;
  if (into != 0) {
    at = HWY_MIN(kLine - into, bytes);
    copy_few(to, from, at);
  }
  for (; at + kLine <= bytes; at += kLine) {
    for (std::int64_t part = 0; part < kLine; part += kBytes) {
      hn::Stream(load(d, from + at + part), d, reinterpret_cast<std::uint8_t*>(to + at + part));
    }
  }
  if (at < bytes) copy_few(to + at, from + at, bytes - at);
}

// The lines of which a run past the caches has a part only, which is written through the first cache: without them
// there all stores behind would wait.
HWY_INLINE void fetch_ends(const std::byte* to, std::int64_t bytes) {
  if (into_line(to) != 0) __builtin_prefetch(to, 1, 3);
  if (into_line(to + bytes) != 0) __builtin_prefetch(to + bytes, 1, 3);
}

// Long rows that are not whole lines: by way of a buffer in the second cache, as many columns at a time as it holds.
// While a part is written out, the source of the next one is fetched.
template <std::size_t W>
void transpose_staged(const MoveTile& t) {
  using S = Square<W, Wide<W> >;
  constexpr auto kSide = static_cast<std::int64_t>(S::kSide), kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kBuffer = calibration::kStagedBytes, kMost = 512;
  const std::int64_t pitch = (t.rows * kWidth + kLine - 1) / kLine * kLine + kLine;
  const std::int64_t most = HWY_MIN(kBuffer / pitch, kMost) / kSide * kSide;
  if (HWY_MIN(t.run, most) < kSide || t.rows < kSide) return transpose_tile<W>(t);
  alignas(kLine) std::byte buffer[kBuffer];
  std::int64_t lines[kMost];
  for (std::int64_t j = 0; j < most; ++j) lines[j] = j * pitch;
  for (std::int64_t begin = 0; begin < t.columns;) {
    // Columns begin … begin+count−1; the squares start earlier if those are too few for one.
    const std::int64_t left = t.run - begin % t.run, count = HWY_MIN(most, left);
    const std::int64_t extra = HWY_MAX(kSide - count, 0), first = begin - extra;
    for (std::int64_t i0 = 0; i0 < t.rows; i0 += kSide) {
      const std::int64_t i = HWY_MIN(i0, t.rows - kSide);
      for (std::int64_t j0 = 0; j0 < count; j0 += kSide) {
        const std::int64_t j = HWY_MIN(j0, count + extra - kSide);
        const std::byte* from = t.from + t.from_columns[first + j];
        if constexpr (kSide > 16) {
          if (j0 + 2 * kSide <= count) {
            S::move_two(Wide<W>(), buffer + i * kWidth, lines + j, from, t.from_rows + i);
            j0 += kSide;
            continue;
          }
        }
        S::move(Wide<W>(), buffer + i * kWidth, lines + j, from, t.from_rows + i);
      }
    }
    const bool ends = begin + count == t.columns;
    const std::byte* next = ends ? t.next : t.from + t.from_columns[begin + count];
    const std::int64_t ahead = HWY_MIN(most, left > count ? left - count : t.run) * kWidth;
    std::int64_t fetched = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      if (const std::int64_t soon = begin + j + calibration::kEndsAhead; soon < t.columns) {
        fetch_ends(t.to + t.to_columns[soon], t.rows * kWidth);
      }
      stream_run(t.to + t.to_columns[begin + j], buffer + lines[extra + j], t.rows * kWidth);
      const std::int64_t due = t.rows * (j + 1) / count;
      fetch_rows(next, t.from_rows + fetched, due - fetched, ahead);
      fetched = due;
    }
    begin += count;
  }
}

// What one step contributes to its piece.
HWY_INLINE auto contribution(hn::CappedTag<std::uint8_t, 16> d, const std::byte* from, const MoveStep& step) {
  return hn::TableLookupBytesOr0(load(d, from + step.from), hn::LoadU(d, step.bytes));
}
HWY_INLINE auto contribution(hn::CappedTag<std::uint32_t, 16> d, const std::byte* from, const MoveStep& step) {
  const hn::RebindToSigned<decltype(d)> di;
  const auto picked =
      hn::TableLookupLanes(load(d, from + step.from), hn::IndicesFromVec(d, hn::LoadU(di, step.lanes.index)));
  return hn::And(picked, hn::LoadU(d, step.lanes.mask));
}

template <std::size_t W, bool kStream>
void assemble_tile(const MoveTile& t) {
  const Piece<W> d;
  for (std::int64_t j = 0; j < t.columns; ++j) {
    const std::byte* from = t.from + t.from_columns[j];
    std::byte* to = t.to + t.to_columns[j];
    const MoveStep* step = t.steps;
    for (std::int64_t p = 0; p < t.piece_count; ++p) {
      auto v = contribution(d, from, *step++);
      for (std::int64_t k = 1; k < t.pieces[p].steps; ++k) v = hn::Or(v, contribution(d, from, *step++));
      if constexpr (kStream) {
        hn::Stream(v, d, reinterpret_cast<hn::TFromD<Piece<W> >*>(to + t.pieces[p].to));
      } else {
        store(v, d, to + t.pieces[p].to);
      }
    }
  }
}

// One element a column, `rows` times.
template <std::size_t W>
void fill_tile(const MoveTile& t) {
  const hn::CappedTag<std::uint8_t, 16> block;
  const hn::CappedTag<std::uint8_t, kLine> d;
  constexpr auto kBytes = static_cast<std::int64_t>(bytes_of(d));
  const std::int64_t bytes = t.rows * static_cast<std::int64_t>(W);
  for (std::int64_t j = 0; j < t.columns; ++j) {
    const std::byte* from = t.from + t.from_columns[j];
    std::byte* to = t.to + t.to_columns[j];
    alignas(16) std::uint8_t pattern[16];
    for (std::size_t i = 0; i < 16; i += W) std::memcpy(pattern + i, from, W);
    std::int64_t at = 0;
    const auto v = hn::LoadDup128(d, pattern);
    for (; at + kBytes <= bytes; at += kBytes) store(v, d, to + at);
    if (bytes >= kBytes) {
      store(v, d, to + bytes - kBytes);  // a whole number of elements before the end
      continue;
    }
    for (; at + 16 <= bytes; at += 16) store(hn::Load(block, pattern), block, to + at);
    for (; at < bytes; at += static_cast<std::int64_t>(W)) std::memcpy(to + at, pattern, W);
  }
}

// The lanes of a vector in reverse order.
template <class D, class V>
HWY_INLINE V reverse(D d, V v) {
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    const hn::Repartition<std::uint16_t, D> pairs;
    const auto turned = hn::Reverse(pairs, hn::BitCast(pairs, v));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<8>(turned), hn::ShiftRight<8>(turned)));
  } else {
    return hn::Reverse(d, v);
  }
}

// Four vectors side by side, all loaded before one is stored.
template <class D, class Load>
HWY_INLINE void store_four(D d, std::byte* to, Load vector) {
  constexpr auto kBytes = static_cast<std::int64_t>(bytes_of(D()));
  const auto a = vector(0), b = vector(1), e = vector(2), f = vector(3);
  store(a, d, to);
  store(b, d, to + kBytes);
  store(e, d, to + 2 * kBytes);
  store(f, d, to + 3 * kBytes);
}

// Rows that are read backward, or every second one, by vectors that hold no element beyond them; others one by one.
template <std::size_t W>
void pick_tile(const MoveTile& t) {
  const Half<W> d;
  constexpr auto kWidth = static_cast<std::int64_t>(W), kBytes = static_cast<std::int64_t>(bytes_of(d));
  constexpr std::int64_t kLanes = kBytes / kWidth, kFour = 4 * kLanes;
  const std::int64_t step = t.rows > 1 ? t.from_rows[1] : kWidth;
  for (std::int64_t j = 0; j < t.columns; ++j) {
    const std::byte* from = t.from + t.from_columns[j];
    std::byte* to = t.to + t.to_columns[j];
    std::int64_t i = 0;
    if constexpr (W < 16) {
      const auto backward = [&](std::int64_t k) {
        return reverse(d, load(d, from - (i + (k + 1) * kLanes - 1) * kWidth));
      };
      const auto second = [&](std::int64_t k) {
        const std::byte* const at = from + i * step + 2 * k * kBytes;
        return hn::ConcatEven(d, load(d, at + kBytes), load(d, at));
      };
      if (step == -kWidth) {
        for (; i + kFour <= t.rows; i += kFour) store_four(d, to + i * kWidth, backward);
        for (; i + kLanes <= t.rows; i += kLanes) store(backward(0), d, to + i * kWidth);
      } else if (step == 2 * kWidth) {
        for (; i + kFour < t.rows; i += kFour) store_four(d, to + i * kWidth, second);
        for (; i + kLanes < t.rows; i += kLanes) store(second(0), d, to + i * kWidth);
      }
    }
    copy_steps<W>(to + i * kWidth, kWidth, from + i * step, step, t.rows - i);
  }
}

// Runs of `bytes`, by vectors of D that overlap at the end.
template <class D>
HWY_INLINE void copy_runs(D d, const MoveTile& t) {
  constexpr auto kBytes = static_cast<std::int64_t>(bytes_of(D()));
  const std::int64_t last = t.rows - kBytes;
  for (std::int64_t j = 0; j < t.columns; ++j) {
    const std::byte* from = t.from + t.from_columns[j];
    std::byte* to = t.to + t.to_columns[j];
    std::int64_t at = 0;
    for (; at + 4 * kBytes <= t.rows; at += 4 * kBytes) {
      store_four(d, to + at, [&](std::int64_t k) { return load(d, from + at + k * kBytes); });
    }
    for (; at < last; at += kBytes) store(load(d, from + at), d, to + at);
    store(load(d, from + last), d, to + last);
  }
}

void runs_tile(const MoveTile& t) {
  const Half<1> half;
  const hn::CappedTag<std::uint8_t, 16> narrow;
  if (t.rows >= calibration::kLibraryRunBytes) {
    for (std::int64_t j = 0; j < t.columns; ++j) {
      std::memcpy(t.to + t.to_columns[j], t.from + t.from_columns[j], static_cast<std::size_t>(t.rows));
    }
  } else if (t.rows >= 32) {
    copy_runs(half, t);
  } else if (t.rows >= 16) {
    copy_runs(narrow, t);
  } else if (t.rows >= 8) {
    copy_runs(hn::CappedTag<std::uint8_t, 8>(), t);
  } else if (t.rows >= 4) {
    copy_runs(hn::CappedTag<std::uint8_t, 4>(), t);
  } else {
    copy_runs(hn::CappedTag<std::uint8_t, 1>(), t);
  }
}

void runs_stream(const MoveTile& t) {
  for (std::int64_t j = 0; j < t.columns; ++j) stream_run(t.to + t.to_columns[j], t.from + t.from_columns[j], t.rows);
}

#endif

template <std::size_t W>
TileKernel kernel_of_width(TileKind kind, Stores stores) {
  if (kind == TileKind::gather) return gather_tile<W>;
  if (kind == TileKind::assemble) {
    return stores == Stores::cached ? assemble_tile<W, false> : assemble_tile<W, true>;
  }
  if (kind == TileKind::fill) return fill_tile<W>;
  if (kind == TileKind::pick) return pick_tile<W>;
  if (kind == TileKind::spread) return spread_tile<W>;
  if (stores == Stores::cached) return transpose_tile<W>;
  if (stores == Stores::lines) return transpose_stream<W>;
  return transpose_staged<W>;
}

TileKernel choose_kernel(TileKind kind, std::int64_t width, Stores stores) {
  if (kind == TileKind::runs) return stores == Stores::cached ? runs_tile : runs_stream;
  switch (width) {
    case 1:
      return kernel_of_width<1>(kind, stores);
    case 2:
      return kernel_of_width<2>(kind, stores);
    case 4:
      return kernel_of_width<4>(kind, stores);
    case 8:
      return kernel_of_width<8>(kind, stores);
    default:
      return kernel_of_width<16>(kind, stores);
  }
}

void turn_any(std::int64_t width, const TurnedMatrix& m) {
  switch (width) {
    case 1:
      return turn_matrix<1>(m);
    case 4:
      return turn_matrix<4>(m);
    case 8:
      return turn_matrix<8>(m);
    default:
      assert(width == 16);
      return turn_matrix<16>(m);
  }
}

std::int64_t vector_piece_bytes(std::int64_t width) {
#if HWY_TARGET == HWY_SCALAR
  return width * 0;
#else
  return static_cast<std::int64_t>(width <= 2 ? bytes_of(Piece<1>()) : bytes_of(Piece<4>()));
#endif
}

void stream_any(std::byte* to, const std::byte* from, std::int64_t bytes) { stream_run(to, from, bytes); }

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(choose_kernel);
HWY_EXPORT(vector_piece_bytes);
HWY_EXPORT(stream_any);
HWY_EXPORT(turn_any);

TileKernel tile_kernel(TileKind kind, std::int64_t width, Stores stores) {
  return TENFERRO_DISPATCH(choose_kernel)(kind, width, stores);
}

std::int64_t piece_bytes(std::int64_t width) { return HWY_DYNAMIC_DISPATCH(vector_piece_bytes)(width); }

void turn(std::int64_t width, const TurnedMatrix& matrix) { TENFERRO_DISPATCH(turn_any)(width, matrix); }

void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  TENFERRO_DISPATCH(stream_any)(to, from, bytes);
}

void finish_streaming() { hwy::FlushStream(); }

}  // namespace tenferro::internal
#endif
