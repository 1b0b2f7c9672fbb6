// SPDX-License-Identifier: MIT OR Apache-2.0

// Batches of products whose items are neighbours in memory: a vector holds one element of many matrices, and a tile of
// kRows by kCols sums takes all terms in registers. The sums are those of gemm_tiles_inl.hpp, item by item.
//
//   Lanes<double, false>(call);

#if defined(TENFERRO_GEMM_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMM_LANES_INL
#undef TENFERRO_GEMM_LANES_INL
#else
#define TENFERRO_GEMM_LANES_INL
#endif

#include <algorithm>

#include "tenferro/cpu/kernels/gemm_vectors_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

template <class R, bool kComplex>
void Lanes(const LanesCall<R>& call) {
  for (std::int64_t lane = 0; lane < call.lanes; lane += kComplex ? 2 : 1) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      for (std::int64_t i = 0; i < call.m; ++i) {
        PlainElement<R, kComplex>(call, call.a + lane + i * call.a_row, call.b + lane + j * call.b_col,
                                  call.c + lane + i * call.c_row + j * call.c_col);
      }
    }
  }
}

#else

// Sums of a tile: 24 of 32 registers, or 8 of 16; a complex one is two.
inline constexpr std::size_t kLaneRows = kManyRegisters ? 6 : 4;
template <bool kComplex>
inline constexpr std::size_t kLaneCols = (kManyRegisters ? 4 : 2) / (kComplex ? 2 : 1);

// A row and a column count of a tile, and the vector of items in hand.
template <class D, bool kComplex, std::size_t kRows, std::size_t kCols>
HWY_INLINE void LaneTile(const LanesCall<hn::TFromD<D> >& call, const hn::TFromD<D>* a, const hn::TFromD<D>* b,
                         hn::TFromD<D>* c, const Few<D>& few) {
  using R = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kParts = kComplex ? 2 : 1;
  const D d;
  V sums[kParts][kRows][kCols];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kCols; ++j) {
      sums[0][i][j] = hn::Zero(d);
      if constexpr (kComplex) sums[1][i][j] = hn::Zero(d);
    }
  }
  // Two pointers three rows apart, and steps in bytes: so few registers that none has to be saved.
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(R));
  const std::int64_t a_row = kBytes * call.a_row, b_col = kBytes * call.b_col;
  const auto at = [](const R* from, std::size_t n, std::int64_t bytes) HWY_ATTR {
    return reinterpret_cast<const R*>(reinterpret_cast<const char*>(from) + static_cast<std::int64_t>(n) * bytes);
  };
  const R* a_far = a + 3 * call.a_row;
  asm("" : "+r"(a_far));  // not to be computed from a again
#pragma GCC unroll 1
  for (std::int64_t p = call.k; p > 0; --p) {
    V x[kRows];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) x[i] = LoadFew(d, few, at(i < 3 ? a : a_far, i % 3, a_row));
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kCols; ++j) {
      const V y = LoadFew(d, few, at(b, j, b_col));
      if constexpr (kComplex) {
        const V re = hn::DupEven(y), im = hn::DupOdd(y);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kRows; ++i) {
          sums[0][i][j] = MultiplyAdd(x[i], re, sums[0][i][j]);
          sums[1][i][j] = MultiplyAdd(x[i], im, sums[1][i][j]);
        }
      } else {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kRows; ++i) sums[0][i][j] = MultiplyAdd(x[i], y, sums[0][i][j]);
      }
    }
    a += call.a_col;
    a_far += call.a_col;
    b += call.b_row;
  }
#pragma GCC unroll 4
  for (std::size_t j = 0; j < kCols; ++j) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
      V sum = sums[0][i][j];
      if constexpr (kComplex) sum = ComplexSum<D>(d, call.conj_a, call.conj_b)(d, sum, sums[1][i][j]);
      R* const to = c + static_cast<std::int64_t>(i) * call.c_row + static_cast<std::int64_t>(j) * call.c_col;
      if (call.add) sum = hn::Add(sum, LoadFew(d, few, to));
      StoreFew(d, few, sum, to);
    }
  }
}

// One vector of items, or less: columns from the j-th on in tiles of kCols and of half as many, all of some rows.
template <class D, bool kComplex, std::size_t kRows, std::size_t kCols = kLaneCols<kComplex> >
HWY_INLINE void LaneColumns(const LanesCall<hn::TFromD<D> >& call, std::int64_t i, std::int64_t j, const Few<D>& few) {
  constexpr std::int64_t kStep = kCols;
  const auto *const a = call.a + i * call.a_row, *const b = call.b;
  for (; j + kStep <= call.n; j += kStep) {
    LaneTile<D, kComplex, kRows, kCols>(call, a, b + j * call.b_col, call.c + i * call.c_row + j * call.c_col, few);
  }
  if constexpr (kCols > 1) {
    if (j < call.n) LaneColumns<D, kComplex, kRows, kCols / 2>(call, i, j, few);
  }
}

// Rows from the i-th on in tiles of kRows, of four, two and one.
template <class D, bool kComplex, std::size_t kRows = kLaneRows>
HWY_INLINE void LaneRows(const LanesCall<hn::TFromD<D> >& call, std::int64_t i, const Few<D>& few) {
  constexpr std::int64_t kStep = kRows;
  // Eight rows are better two times four.
  for (; i + kStep <= call.m && (kRows < 6 || call.m - i != 8); i += kStep) {
    LaneColumns<D, kComplex, kRows>(call, i, 0, few);
  }
  if constexpr (kRows > 1) {
    if (i < call.m) LaneRows<D, kComplex, kRows == 6 ? 4 : kRows / 2>(call, i, few);
  }
}

// Copies the vectors of the elements of a rows×cols matrix side by side, `step` between two vectors of one element.
template <class R>
HWY_INLINE void PackVectors(std::int64_t rows, std::int64_t cols, const R* data, std::int64_t row, std::int64_t col,
                            R* packed, std::int64_t vectors, std::int64_t step) {
  using D = hn::ScalableTag<R>;
  const D d;
  for (std::int64_t j = 0; j < cols; ++j) {
    for (std::int64_t i = 0; i < rows; ++i, packed += kWidth<D>) {
      const R* const from = data + i * row + j * col;
      for (std::int64_t v = 0; v < vectors; ++v) hn::Store(hn::LoadU(d, from + v * kWidth<D>), d, packed + v * step);
    }
  }
}

// Whole vectors of items from lane 0 on, as many as there are: operands are copied in runs of a few lines, since
// elements that lie far apart get in each other's way in the caches.
template <class R, bool kComplex>
HWY_INLINE void PackedVectors(const LanesCall<R>& call) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kLanes = kWidth<D>;
  const std::int64_t together = call.run / kLanes, of_a = call.m * call.k * kLanes, of_b = call.k * call.n * kLanes;
  const std::int64_t step = of_a + of_b + kLanes;  // one vector more: not a whole number of pages
  for (std::int64_t lane = 0; lane + kLanes <= call.lanes; lane += together * kLanes) {
    const std::int64_t left = (call.lanes - lane) / kLanes, vectors = left < together ? left : together;
    PackVectors(call.m, call.k, call.a + lane, call.a_row, call.a_col, call.space, vectors, step);
    PackVectors(call.k, call.n, call.b + lane, call.b_row, call.b_col, call.space + of_a, vectors, step);
    for (std::int64_t v = 0; v < vectors; ++v) {
      LanesCall<R> one = call;
      one.a = call.space + v * step;
      one.b = one.a + of_a;
      one.c = call.c + lane + v * kLanes;
      one.a_row = one.b_row = kLanes;
      one.a_col = call.m * kLanes;
      one.b_col = call.k * kLanes;
      LaneRows<D, kComplex>(one, 0, Few<D>(D(), kLanes));
    }
  }
}

template <class R, bool kComplex>
void Lanes(const LanesCall<R>& call) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kLanes = kWidth<D>;
  std::int64_t lane = 0;
  if (call.space != nullptr) {
    PackedVectors<R, kComplex>(call);
    lane = call.lanes / kLanes * kLanes;
  }
  for (; lane < call.lanes; lane += kLanes) {
    LanesCall<R> one = call;
    one.a += lane;
    one.b += lane;
    one.c += lane;
    LaneRows<D, kComplex>(one, 0, Few<D>(D(), std::min(call.lanes - lane, kLanes)));
  }
}

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
