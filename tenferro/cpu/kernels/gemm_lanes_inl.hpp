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
#include <type_traits>

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

// Sums of a tile: 16 of 32 registers, or 8 of 16; a complex one is two.
inline constexpr std::size_t kLaneRows = 4;
template <bool kComplex>
inline constexpr std::size_t kLaneCols =
    (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 4 : 2) / (kComplex ? 2 : 1);

// A row and a column count of a tile, and the vector of items in hand.
template <class D, bool kComplex, std::size_t kRows, std::size_t kCols>
HWY_INLINE void LaneTile(const LanesCall<hn::TFromD<D> >& call, const hn::TFromD<D>* a, const hn::TFromD<D>* b,
                         hn::TFromD<D>* c, const Few<D>& few) {
  using V = hn::Vec<D>;
  constexpr std::size_t kParts = kComplex ? 2 : 1;
  const D d;
  V sums[kParts][kRows][kCols];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kCols; ++j) {
      sums[0][i][j] = hn::Zero(d);
      if constexpr (kComplex) sums[1][i][j] = hn::Zero(d);
    }
  }
  const std::int64_t a_row = call.a_row, b_col = call.b_col;
#pragma GCC unroll 1
  for (std::int64_t p = call.k; p > 0; --p) {
    V x[kRows];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kRows; ++i) x[i] = LoadFew(d, few, a + static_cast<std::int64_t>(i) * a_row);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kCols; ++j) {
      const V y = LoadFew(d, few, b + static_cast<std::int64_t>(j) * b_col);
      if constexpr (kComplex) {
        const V re = hn::DupEven(y), im = hn::DupOdd(y);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kRows; ++i) {
          sums[0][i][j] = MultiplyAdd(x[i], re, sums[0][i][j]);
          sums[1][i][j] = MultiplyAdd(x[i], im, sums[1][i][j]);
        }
      } else {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kRows; ++i) sums[0][i][j] = MultiplyAdd(x[i], y, sums[0][i][j]);
      }
    }
    a += call.a_col;
    b += call.b_row;
  }
#pragma GCC unroll 4
  for (std::size_t j = 0; j < kCols; ++j) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kRows; ++i) {
      V sum = sums[0][i][j];
      if constexpr (kComplex) sum = ComplexSum<D>(d, call.conj_a, call.conj_b)(d, sum, sums[1][i][j]);
      hn::TFromD<D>* const to =
          c + static_cast<std::int64_t>(i) * call.c_row + static_cast<std::int64_t>(j) * call.c_col;
      if (call.add) sum = hn::Add(sum, LoadFew(d, few, to));
      StoreFew(d, few, sum, to);
    }
  }
}

template <class D, bool kComplex, std::size_t kRows>
HWY_INLINE void LaneColumns(const LanesCall<hn::TFromD<D> >& call, const hn::TFromD<D>* a, const hn::TFromD<D>* b,
                            hn::TFromD<D>* c, const Few<D>& few) {
  constexpr std::int64_t kCols = kLaneCols<kComplex>;
  std::int64_t j = 0;
  for (; j + kCols <= call.n; j += kCols) {
    LaneTile<D, kComplex, kRows, kLaneCols<kComplex> >(call, a, b + j * call.b_col, c + j * call.c_col, few);
  }
  for (; j < call.n; ++j) LaneTile<D, kComplex, kRows, 1>(call, a, b + j * call.b_col, c + j * call.c_col, few);
}

// One vector of items.
template <class R, bool kComplex>
HWY_INLINE void OneVector(const LanesCall<R>& call, const Few<hn::ScalableTag<R> >& few) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kRows = kLaneRows;
  std::int64_t i = 0;
  for (; i + kRows <= call.m; i += kRows) {
    LaneColumns<D, kComplex, kLaneRows>(call, call.a + i * call.a_row, call.b, call.c + i * call.c_row, few);
  }
  for (; i < call.m; ++i) {
    LaneColumns<D, kComplex, 1>(call, call.a + i * call.a_row, call.b, call.c + i * call.c_row, few);
  }
}

// Bytes of packed vectors, and vectors of one element that are packed at a time: a run of lines that lie side by side.
// Only matrices whose elements lie far apart are.
inline constexpr std::int64_t kPackedBytes = 224 * 1024, kMostTogether = 8, kFarBytes = 2048;

// f(packed, element): the place of every element of a rows×cols matrix and where its vectors begin.
template <class R, class F>
HWY_INLINE void ForElements(std::int64_t rows, std::int64_t cols, R* data, std::int64_t row, std::int64_t col,
                            std::remove_const_t<R>* packed, F f) {
  for (std::int64_t j = 0; j < cols; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) {
      f(packed, data + i * row + j * col);
      packed += kWidth<hn::ScalableTag<std::remove_const_t<R> > >;
    }
  }
}

// Whole vectors of items from lane 0 on, as many as there are: matrices are copied in runs, since elements that lie a
// power of two apart get in each other's way in the caches.
template <class R, bool kComplex>
HWY_INLINE void PackedVectors(const LanesCall<R>& call, std::int64_t together) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kLanes = kWidth<D>;
  const D d;
  HWY_ALIGN R space[kPackedBytes / static_cast<std::int64_t>(sizeof(R))];
  const std::int64_t of_a = call.m * call.k * kLanes, of_b = call.k * call.n * kLanes, of_c = call.m * call.n * kLanes;
  const std::int64_t step = of_a + of_b + of_c + kLanes;  // one line more: not a whole number of pages
  for (std::int64_t lane = 0; lane + kLanes <= call.lanes; lane += together * kLanes) {
    const std::int64_t left = (call.lanes - lane) / kLanes, vectors = left < together ? left : together;
    const auto in = [&](R* packed, const R* from) HWY_ATTR {
      for (std::int64_t v = 0; v < vectors; ++v) hn::Store(hn::LoadU(d, from + v * kLanes), d, packed + v * step);
    };
    ForElements<const R>(call.m, call.k, call.a + lane, call.a_row, call.a_col, space, in);
    ForElements<const R>(call.k, call.n, call.b + lane, call.b_row, call.b_col, space + of_a, in);
    R* const packed_c = space + of_a + of_b;
    if (call.add) ForElements<const R>(call.m, call.n, call.c + lane, call.c_row, call.c_col, packed_c, in);
    for (std::int64_t v = 0; v < vectors; ++v) {
      LanesCall<R> one = call;
      one.a = space + v * step;
      one.b = one.a + of_a;
      one.c = packed_c + v * step;
      one.a_row = one.b_row = one.c_row = kLanes;
      one.a_col = one.c_col = call.m * kLanes;
      one.b_col = call.k * kLanes;
      OneVector<R, kComplex>(one, Few<D>(d, kLanes));
    }
    ForElements<R>(call.m, call.n, call.c + lane, call.c_row, call.c_col, packed_c, [&](R* packed, R* to) HWY_ATTR {
      for (std::int64_t v = 0; v < vectors; ++v) hn::StoreU(hn::Load(d, packed + v * step), d, to + v * kLanes);
    });
  }
}

template <class R, bool kComplex>
void Lanes(const LanesCall<R>& call) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kLanes = kWidth<D>;
  const D d;
  const std::int64_t bytes =
      (call.m * call.k + call.k * call.n + call.m * call.n + 1) * kLanes * std::int64_t{sizeof(R)};
  const std::int64_t together = std::min(kPackedBytes / bytes, kMostTogether);
  std::int64_t lane = 0;
  const bool far = std::max(call.a_row, call.b_row) * std::int64_t{sizeof(R)} >= kFarBytes;
  if (far && together > 0 && call.lanes >= kLanes) {
    PackedVectors<R, kComplex>(call, together);
    lane = call.lanes / kLanes * kLanes;
  }
  for (; lane < call.lanes; lane += kLanes) {
    LanesCall<R> one = call;
    one.a += lane;
    one.b += lane;
    one.c += lane;
    OneVector<R, kComplex>(one, Few<D>(d, std::min(call.lanes - lane, kLanes)));
  }
}

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
