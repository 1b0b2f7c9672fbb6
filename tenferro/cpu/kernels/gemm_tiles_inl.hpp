// SPDX-License-Identifier: MIT OR Apache-2.0

// Register tiles of a product, compiled once for each set of vector instructions. A tile is kVectors vectors of rows by
// kColumns columns: for each k the vectors of a are read once and multiplied by broadcast elements of b. For complex
// elements a column has two sums, a·Re b and a·Im b of the interleaved lanes of a, which are combined at the end.
// Partial vectors are read and written by mask, so that nothing outside the matrices is touched.
//
//   Tiles<double, false>(call);

#if defined(TENFERRO_GEMM_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMM_TILES_INL
#undef TENFERRO_GEMM_TILES_INL
#else
#define TENFERRO_GEMM_TILES_INL
#endif

#include <algorithm>
#include <array>
#include <utility>

#include "tenferro/cpu/kernels/gemm_vectors_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

// Registers: 24 sums of 32, three vectors by eight columns or four by six, or 12 of 16. Products of four vectors are
// not cut in two, so that their columns are read from end to end.
inline constexpr std::size_t kMostVectors = 3, kMostColumns = kManyRegisters ? 8 : 4;
inline constexpr std::size_t kHighVectors = kManyRegisters ? 4 : 3, kHighColumns = kManyRegisters ? 6 : 4;

#if HWY_TARGET == HWY_SCALAR

// One lane: the same sums by plain loops.
template <class R, bool kComplex>
void Tiles(TileCall<R>& call) {
  const TileBatch batch = call.batch == nullptr ? TileBatch{1, 0, 0, 0} : *call.batch;
  for (std::int64_t item = 0; item < batch.count; ++item) {
    for (std::int64_t j = 0; j < call.cols; ++j) {
      for (std::int64_t i = 0; i < call.rows; i += kComplex ? 2 : 1) {
        PlainElement<R, kComplex>(call, call.a + item * batch.a_step + i, call.b + item * batch.b_step + j * call.b_col,
                                  call.c + item * batch.c_step + j * call.c_col + i);
      }
    }
  }
}

#else

// The element that multiplies into sum j: two pointers four columns apart, and steps of one to three columns in bytes,
// need so few registers that none has to be saved.
template <bool kComplex, class R>
HWY_INLINE R Factor(const R* b, const R* b_far, std::int64_t bytes, std::size_t j) {
  const R* first = kComplex || j < 4 ? b : b_far;
  const std::size_t column = kComplex ? j / 2 : j % 4;
  const char* at = reinterpret_cast<const char*>(first) + static_cast<std::int64_t>(column) * bytes;
  return reinterpret_cast<const R*>(at)[kComplex ? j % 2 : 0];
}

// kKeep: for batches of tiny matrices, whose pointers are worth registers that others would have to save.
template <class D, std::size_t kVectors, std::size_t kColumns, bool kComplex, bool kKeep = false>
void Tile(TileCall<hn::TFromD<D> >& call) {
  using R = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kSums = kComplex ? 2 * kColumns : kColumns, kEnd = kVectors - 1;
  const D d;
  const Few<D> few(d, static_cast<std::int64_t>((static_cast<std::size_t>(call.rows) - 1) % kLanes + 1));
  const R *a_first = call.a, *b_first = call.b;
  R* c_first = call.c;
  std::int64_t left = kKeep ? call.batch->count : 0;
  for (;;) {
    V sums[kSums][kVectors];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kSums; ++j) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) sums[j][v] = hn::Zero(d);
    }
    const std::int64_t a_col = call.a_col, b_row = call.b_row,
                       b_bytes = call.b_col * static_cast<std::int64_t>(sizeof(R));
    const R *a = kKeep ? a_first : call.a, *b = kKeep ? b_first : call.b, *b_far = b + 4 * call.b_col;
    asm("" : "+r"(b_far));  // not to be computed from b again
#pragma GCC unroll 1
    for (std::int64_t p = call.k; p > 0; --p) {
      V column[kVectors];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kEnd; ++v) column[v] = hn::LoadU(d, a + v * kLanes);
      column[kEnd] = LoadFew(d, few, a + kEnd * kLanes);
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kSums; ++j) {
        const V factor = hn::Set(d, Factor<kComplex>(b, b_far, b_bytes, j));
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) sums[j][v] = MultiplyAdd(column[v], factor, sums[j][v]);
      }
      a += a_col;
      b += b_row;
      b_far += b_row;
    }
    // What is needed from here on is read again, so that registers are free for the loop above.
    asm volatile("" ::: "memory");
    if constexpr (kComplex) {
      const ComplexSum<D> combine(d, call.conj_a, call.conj_b);
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kColumns; ++j) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) sums[j][v] = combine(d, sums[2 * j][v], sums[2 * j + 1][v]);
      }
    }
    R* c = kKeep ? c_first : call.c;
    const std::int64_t c_col = call.c_col;
    if (call.add) {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kColumns; ++j, c += c_col) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kEnd; ++v) {
          hn::StoreU(hn::Add(sums[j][v], hn::LoadU(d, c + v * kLanes)), d, c + v * kLanes);
        }
        StoreFew(d, few, hn::Add(sums[j][kEnd], LoadFew(d, few, c + kEnd * kLanes)), c + kEnd * kLanes);
      }
    } else {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kColumns; ++j, c += c_col) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kEnd; ++v) hn::StoreU(sums[j][v], d, c + v * kLanes);
        StoreFew(d, few, sums[j][kEnd], c + kEnd * kLanes);
      }
    }
    const TileBatch* const batch = call.batch;
    if constexpr (kKeep) {
      if (--left == 0) return;
      a_first += batch->a_step;
      b_first += batch->b_step;
      c_first += batch->c_step;
    } else {
      if (batch == nullptr) return;
      const TileBatch* step = batch;
      if (--call.left == 0) {
        step = batch->outside;
        if (step == nullptr || --call.left_outside == 0) return;
        call.left = batch->count;
      }
      call.a += step->a_step;
      call.b += step->b_step;
      call.c += step->c_step;
    }
  }
}

template <class R>
using TileFunction = void (*)(TileCall<R>&);

// Tiles of one height by their number of columns less one.
template <class D, std::size_t kVectors, bool kComplex, bool kKeep, std::size_t... kColumns>
constexpr auto TilesOfHeight(std::index_sequence<kColumns...>) {
  return std::array<TileFunction<hn::TFromD<D> >, sizeof...(kColumns)>{
      &Tile<D, kVectors, kColumns + 1, kComplex, kKeep>...};
}
template <class D, std::size_t kVectors, bool kComplex, bool kKeep = false>
inline constexpr auto kTiles = TilesOfHeight<D, kVectors, kComplex, kKeep>(
    std::make_index_sequence<(kVectors > kMostVectors ? kHighColumns : kMostColumns) / (kComplex ? 2 : 1)>());

// Columns of the tiles of some rows.
template <class R, bool kComplex>
HWY_INLINE std::int64_t ColumnsFor(std::int64_t rows) {
  constexpr std::int64_t kMost = kMostVectors * kWidth<hn::ScalableTag<R> >;
  return static_cast<std::int64_t>(rows > kMost ? kHighColumns : kMostColumns) / (kComplex ? 2 : 1);
}

// By height: half a vector or less, then one to four vectors. Half a vector of 64 bytes is one of 32, which some
// processors multiply twice as fast.
template <class R, bool kComplex>
HWY_INLINE TileFunction<R> TileFor(std::int64_t rows, std::int64_t cols, bool batch) {
  using D = hn::ScalableTag<R>;
  const auto column = static_cast<std::size_t>(cols - 1);
  if constexpr (kFreeMasks) {
    if (rows <= kWidth<D> / 2) {
      return batch ? kTiles<hn::Half<D>, 1, kComplex, true>[column] : kTiles<hn::Half<D>, 1, kComplex>[column];
    }
  }
  if (rows <= kWidth<D>) return kTiles<D, 1, kComplex>[column];
  if (rows <= 2 * kWidth<D>) return kTiles<D, 2, kComplex>[column];
  return rows <= 3 * kWidth<D> ? kTiles<D, 3, kComplex>[column] : kTiles<D, kHighVectors, kComplex>[column];
}

// All columns of `height` rows, which one tile takes.
template <class R, bool kComplex>
void Panel(TileCall<R>& call, std::int64_t height) {
  const std::int64_t block = ColumnsFor<R, kComplex>(height);
  const std::int64_t blocks = call.cols / block, rest = call.cols % block;
  const TileBatch columns{blocks, 0, block * call.b_col, block * call.c_col};
  const R* const b = call.b;
  R* const c = call.c;
  call.rows = height;
  if (blocks > 0) {
    call.batch = &columns;
    call.left = blocks;
    TileFor<R, kComplex>(height, block, true)(call);
  }
  if (rest > 0) {
    call.b = b + blocks * columns.b_step;
    call.c = c + blocks * columns.c_step;
    call.batch = nullptr;
    TileFor<R, kComplex>(height, rest, false)(call);
  }
}

// Bytes of a that are kept near while one block of columns after another goes over them.
inline constexpr std::int64_t kBlockBytes = 256 * 1024;

// Taller products: block by block of rows, and in each the columns of c from top to bottom.
template <class R, bool kComplex>
void TallProduct(TileCall<R>& call) {
  constexpr std::int64_t kLanes = kWidth<hn::ScalableTag<R> >, kHeight = kMostVectors * kLanes;
  constexpr std::int64_t kBlock = kMostColumns / (kComplex ? 2 : 1), kBytes = sizeof(R);
  const std::int64_t rows = call.rows, cols = call.cols;
  const std::int64_t most = std::max<std::int64_t>(kBlockBytes / (call.k * kBytes) / kHeight, 1) * kHeight;
  const R *const a = call.a, *const b = call.b;
  R* const c = call.c;
  for (std::int64_t first = 0; first < rows; first += most) {
    const std::int64_t height = std::min(most, rows - first);
    // One to three vectors are left; four are two and two.
    std::int64_t panels = height / kHeight;
    if (panels > 0 && height % kHeight > 0 && height % kHeight <= kLanes) --panels;
    for (std::int64_t j = 0; j < cols; j += kBlock) {
      const std::int64_t width = std::min(kBlock, cols - j);
      const TileBatch batch{panels, kHeight, 0, kHeight};
      const auto tile = [&](std::int64_t from, std::int64_t tall, const TileBatch* all) {
        call.a = a + from;
        call.b = b + j * call.b_col;
        call.c = c + from + j * call.c_col;
        call.rows = tall;
        call.batch = all;
        call.left = panels;
        TileFor<R, kComplex>(tall, width, false)(call);
      };
      if (panels > 0) tile(first, kHeight, &batch);
      for (std::int64_t from = panels * kHeight; from < height;) {
        const std::int64_t left = height - from, tall = left > kHeight ? 2 * kLanes : left;
        tile(first + from, tall, nullptr);
        from += tall;
      }
    }
  }
}

// Whether one tile takes this many rows.
template <class R>
HWY_INLINE bool IsLow(std::int64_t rows) {
  return rows <= static_cast<std::int64_t>(kHighVectors) * kWidth<hn::ScalableTag<R> >;
}

// What more than one tile takes.
template <class R, bool kComplex>
HWY_NOINLINE void ManyTiles(TileCall<R>& call) {
  const std::int64_t rows = call.rows, block = ColumnsFor<R, kComplex>(rows);
  const bool low = IsLow<R>(rows);
  if (call.batch == nullptr) return low ? Panel<R, kComplex>(call, rows) : TallProduct<R, kComplex>(call);
  const TileBatch batch = *call.batch;
  const R *a = call.a, *b = call.b;
  R* c = call.c;
  if (low && call.cols % block == 0) {
    // From the last block of one product to the first of the next.
    const std::int64_t blocks = call.cols / block, b_step = block * call.b_col, c_step = block * call.c_col;
    const TileBatch items{batch.count, batch.a_step, batch.b_step - (blocks - 1) * b_step,
                          batch.c_step - (blocks - 1) * c_step},
        columns{blocks, 0, b_step, c_step, &items};
    call.batch = &columns;
    call.left = blocks;
    call.left_outside = batch.count;
    return TileFor<R, kComplex>(rows, block, false)(call);
  }
  for (std::int64_t item = batch.count; item > 0; --item) {
    call.a = a;
    call.b = b;
    call.c = c;
    call.rows = rows;
    low ? Panel<R, kComplex>(call, rows) : TallProduct<R, kComplex>(call);
    a += batch.a_step;
    b += batch.b_step;
    c += batch.c_step;
  }
}

template <class R, bool kComplex>
HWY_INLINE void Tiles(TileCall<R>& call) {
  if (!IsLow<R>(call.rows) || call.cols > ColumnsFor<R, kComplex>(call.rows)) return ManyTiles<R, kComplex>(call);
  if (call.batch != nullptr) call.left = call.batch->count;
  TileFor<R, kComplex>(call.rows, call.cols, call.batch != nullptr)(call);
}

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
