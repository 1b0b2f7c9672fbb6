// SPDX-License-Identifier: MIT OR Apache-2.0

// Squares of elements of any width, turned in the registers of one set of vector instructions: what transposes consist
// of. Loads, stores and vector types of the other loops of movements as well.
//
//   Square<8, Wide<8>>::move(Wide<8>(), to, to_columns, from, from_rows);   // column j at to + to_columns[j]

#if defined(TENFERRO_MOVE_SQUARES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_MOVE_SQUARES_INL
#undef TENFERRO_MOVE_SQUARES_INL
#else
#define TENFERRO_MOVE_SQUARES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kLine = 64;

#if HWY_TARGET != HWY_SCALAR

template <std::size_t W>
struct LaneOf;
template <>
struct LaneOf<1> {
  using type = std::uint8_t;
};
template <>
struct LaneOf<2> {
  using type = std::uint16_t;
};
template <>
struct LaneOf<4> {
  using type = std::uint32_t;
};
template <>
struct LaneOf<8> {
  using type = std::uint64_t;
};
template <>
struct LaneOf<16> {
  using type = std::uint64_t;
};
template <std::size_t W>
using Lane = typename LaneOf<W>::type;

template <std::size_t W>
using Narrow = hn::CappedTag<Lane<W>, 16 / sizeof(Lane<W>)>;
template <std::size_t W>
using Wide = hn::CappedTag<Lane<W>, kLine / sizeof(Lane<W>)>;

// For what goes from one place to another in order: vectors of a whole line wait for stores before them if the target
// lies up to some lines beyond the source, but for a multiple of 4096 bytes; those of half a line do not.
template <std::size_t W>
using Half = hn::CappedTag<Lane<W>, kLine / 2 / sizeof(Lane<W>)>;

template <class D>
constexpr std::size_t bytes_of(D d) {
  return hn::MaxLanes(d) * sizeof(hn::TFromD<D>);
}

template <class D>
HWY_INLINE hn::VFromD<D> load(D d, const std::byte* from) {
  return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(from));
}
template <class D, class V>
HWY_INLINE void store(V v, D d, std::byte* to) {
  hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
}

// log2(B) perfect shuffles turn B registers of B elements a block.
template <std::size_t B, class D, class V>
HWY_INLINE void turn_in_blocks(D d, V* r) {
  V s[B];
  for (std::size_t stage = 1; stage < B; stage *= 2) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < B; ++i) s[i] = r[i];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < B / 2; ++i) {
      r[2 * i] = hn::InterleaveLower(d, s[i], s[i + B / 2]);
      r[2 * i + 1] = hn::InterleaveUpper(d, s[i], s[i + B / 2]);
    }
  }
}

// Block h of the register g changes places with block g of the register h; registers are `step` apart.
template <std::size_t G, std::size_t kStep, class D, class V>
HWY_INLINE void turn_blocks(D d, V* r) {
  if constexpr (G == 2) {
    const V low = hn::ConcatLowerLower(d, r[kStep], r[0]), high = hn::ConcatUpperUpper(d, r[kStep], r[0]);
    r[0] = low;
    r[kStep] = high;
  } else if constexpr (G == 4) {
    const V a = hn::ConcatLowerLower(d, r[2 * kStep], r[0]), b = hn::ConcatLowerLower(d, r[3 * kStep], r[kStep]);
    const V p = hn::ConcatUpperUpper(d, r[2 * kStep], r[0]), q = hn::ConcatUpperUpper(d, r[3 * kStep], r[kStep]);
    r[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    r[kStep] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
    r[2 * kStep] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(q), p);
    r[3 * kStep] = hn::OddEvenBlocks(q, hn::SwapAdjacentBlocks(p));
  }
}

// Offsets of places that are one step apart, where others are in tables.
struct EvenPlaces {
  std::int64_t step;
  constexpr std::int64_t operator[](std::size_t k) const { return static_cast<std::int64_t>(k) * step; }
};

// A square of as many elements as fit into a vector. Rows and columns are tables of offsets, or EvenPlaces.
template <std::size_t W, class D>
struct Square {
  static constexpr std::size_t kBytes = bytes_of(D());
  static constexpr std::size_t kBlocks = kBytes > 16 ? kBytes / 16 : 1, kBlock = kBytes / W / kBlocks;
  static constexpr std::size_t kSide = kBlock * kBlocks;
  using V = hn::VFromD<D>;

  // emit(j, column j) for all columns, in any order.
  template <class Rows, class Emit>
  static HWY_INLINE void turn(D d, const std::byte* from, Rows rows, Emit emit) {
    if constexpr (kSide <= 16) {
      V r[kSide];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kSide; ++i) r[i] = load(d, from + rows[i]);
#pragma GCC unroll 4
      for (std::size_t g = 0; g < kBlocks; ++g) turn_in_blocks<kBlock>(d, r + g * kBlock);
#pragma GCC unroll 8
      for (std::size_t b = 0; b < kBlock; ++b) turn_blocks<kBlocks, kBlock>(d, r + b);
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kSide; ++j) emit(j, r[j]);
    } else {
      turn_beside<1>(d, from, rows, emit);
    }
  }
  // The same for kSquares side by side, which have more columns than there are registers: they are turned within blocks
  // first and kept in the first cache meanwhile. Few rows are read at a time, but all of each: rows that are a power of
  // two apart compete for few places of the caches.
  template <std::size_t kSquares, class Rows, class Emit>
  static HWY_INLINE void turn_beside(D d, const std::byte* from, Rows rows, Emit emit) {
    alignas(kLine) std::byte part[kSquares * kSide * kBytes];
    for (std::size_t g = 0; g < kBlocks; ++g) {
      for (std::size_t s = 0; s < kSquares; ++s) {
        V r[kBlock];
#pragma GCC unroll 16
        for (std::size_t b = 0; b < kBlock; ++b) r[b] = load(d, from + rows[g * kBlock + b] + s * kBytes);
        turn_in_blocks<kBlock>(d, r);
#pragma GCC unroll 16
        for (std::size_t b = 0; b < kBlock; ++b) store(r[b], d, part + ((s * kBlock + b) * kBlocks + g) * kBytes);
      }
    }
    for (std::size_t b = 0; b < kSquares * kBlock; ++b) {
      V r[kBlocks];
#pragma GCC unroll 4
      for (std::size_t g = 0; g < kBlocks; ++g) r[g] = load(d, part + (b * kBlocks + g) * kBytes);
      turn_blocks<kBlocks, 1>(d, r);
#pragma GCC unroll 4
      for (std::size_t g = 0; g < kBlocks; ++g) emit(b / kBlock * kSide + g * kBlock + b % kBlock, r[g]);
    }
  }
  template <class Columns, class Rows>
  static HWY_INLINE void move(D d, std::byte* to, Columns columns, const std::byte* from, Rows rows) {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a square has that many columns
    turn(d, from, rows, [=](std::size_t j, V column) { store(column, d, to + columns[j]); });
  }
  static HWY_INLINE void move_two(D d, std::byte* to, const std::int64_t* columns, const std::byte* from,
                                  const std::int64_t* rows) {
    turn_beside<2>(d, from, rows, [=](std::size_t j, V column) { store(column, d, to + columns[j]); });
  }
  // Whole lines of the target; a vector shorter than a line goes by way of the first cache.
  static HWY_INLINE void stream(D d, std::byte* to, const std::int64_t* columns, const std::byte* from,
                                const std::int64_t* rows) {
    using T = hn::TFromD<D>;
    if constexpr (kBytes == kLine) {
      turn(d, from, rows,
           [=](std::size_t j, V column) { hn::Stream(column, d, reinterpret_cast<T*>(to + columns[j])); });
    } else {
      alignas(kLine) std::byte lines[kSide * kLine];
      std::byte* const at = lines;
      for (std::size_t part = 0; part < kLine / kBytes; ++part) {
        turn(d, from, rows + part * kSide,
             [=](std::size_t j, V column) { store(column, d, at + j * kLine + part * kBytes); });
      }
      for (std::size_t j = 0; j < kSide; ++j) {
        for (std::size_t part = 0; part < kLine; part += kBytes) {
          hn::Stream(load(d, lines + j * kLine + part), d, reinterpret_cast<T*>(to + columns[j] + part));
        }
      }
    }
  }
};

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#endif
