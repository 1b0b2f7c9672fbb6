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

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <utility>

#include "tenferro/cpu/kernels/gemm_tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Whether partial vectors are read by one instruction, and whether they are written as fast as whole ones.
inline constexpr bool kMasks = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2;
inline constexpr bool kFreeMasks = HWY_TARGET == HWY_AVX3;
// Registers: 24 sums of 32, or 12 of 16.
inline constexpr std::size_t kMostVectors = 3, kMostColumns = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 8 : 4;

template <class D>
inline constexpr std::int64_t kWidth = static_cast<std::int64_t>(hn::MaxLanes(D()));

// The first n lanes.
template <class D>
struct Few {
  hn::Mask<D> mask;
  std::int64_t n;
  Few(D d, std::int64_t lanes) : mask(hn::FirstN(d, static_cast<std::size_t>(lanes))), n(lanes) {}
};

template <class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadFew(D d, const Few<D>& few, const R* from) {
  if constexpr (kMasks) {
    return hn::MaskedLoad(few.mask, d, from);
  } else {
    if (few.n == kWidth<D>) return hn::LoadU(d, from);
    R lanes[kWidth<D>] = {};
    for (std::int64_t i = 0; i < few.n; ++i) lanes[i] = from[i];
    return hn::LoadU(d, lanes);
  }
}

template <class D, class V, class R = hn::TFromD<D>>
HWY_INLINE void StoreFew(D d, const Few<D>& few, V v, R* to) {
  if (!kFreeMasks && few.n == kWidth<D>) return hn::StoreU(v, d, to);
  if constexpr (kMasks) {
    hn::BlendedStore(v, few.mask, d, to);
  } else {
    R lanes[kWidth<D>];
    hn::StoreU(v, d, lanes);
    for (std::int64_t i = 0; i < few.n; ++i) to[i] = lanes[i];
  }
}

// x·y + sum.
template <class V>
HWY_INLINE V MultiplyAdd(V x, V y, V sum) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(x, y, sum);
  } else {
    return hn::Add(sum, hn::Mul(x, y));
  }
}

// Combines x = Σ a·Re b and y = Σ a·Im b into Σ a·b for either operand conjugated or not: signs of the lanes of x and
// of those of y with neighbours exchanged.
template <class D>
struct ComplexSum {
  using R = hn::TFromD<D>;
  hn::Vec<D> x_sign, y_sign;
  ComplexSum(D d, bool conj_a, bool conj_b)
      : x_sign(Signs(d, false, conj_a)), y_sign(Signs(d, conj_a == conj_b, conj_b)) {}
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<D> x, hn::Vec<D> y) const {
    return hn::Add(hn::Xor(x, x_sign), hn::Xor(hn::Reverse2(d, y), y_sign));
  }
  static hn::Vec<D> Signs(D d, bool even, bool odd) {
    const R e = even ? R(-0.0) : R(0), o = odd ? R(-0.0) : R(0);
    return hn::OddEven(hn::Set(d, o), hn::Set(d, e));
  }
};

#if HWY_TARGET == HWY_SCALAR

// One lane: the same sums by plain loops.
template <class R, bool kComplex>
void Tiles(TileCall<R>& call) {
  constexpr std::int64_t kParts = kComplex ? 2 : 1;
  const auto signed_if = [](bool negative, R x) { return negative ? R(0) - x : x; };
  const TileBatch batch = call.batch == nullptr ? TileBatch{1, 0, 0, 0} : *call.batch;
  for (std::int64_t item = 0; item < batch.count; ++item) {
    for (std::int64_t j = 0; j < call.cols; ++j) {
      for (std::int64_t i = 0; i < call.rows; i += kParts) {
        const R *a = call.a + item * batch.a_step + i, *b = call.b + item * batch.b_step + j * call.b_col;
        R* c = call.c + item * batch.c_step + j * call.c_col + i;
        R x[] = {R(0), R(0)}, y[] = {R(0), R(0)};
        for (std::int64_t p = 0; p < call.k; ++p, a += call.a_col, b += call.b_row) {
          for (std::int64_t part = 0; part < kParts; ++part) {
            x[part] = a[part] * b[0] + x[part];
            if (kComplex) y[part] = a[part] * b[1] + y[part];
          }
        }
        if constexpr (kComplex) {
          const R re = x[0] + signed_if(call.conj_a == call.conj_b, y[1]);
          x[1] = signed_if(call.conj_a, x[1]) + signed_if(call.conj_b, y[0]);
          x[0] = re;
        }
        for (std::int64_t part = 0; part < kParts; ++part) c[part] = call.add ? x[part] + c[part] : x[part];
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

template <class D, std::size_t kVectors, std::size_t kColumns, bool kComplex>
void Tile(TileCall<hn::TFromD<D>>& call) {
  using R = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kSums = kComplex ? 2 * kColumns : kColumns, kEnd = kVectors - 1;
  const D d;
  const Few<D> few(d, (call.rows - 1) % static_cast<std::int64_t>(kLanes) + 1);
  for (;;) {
    V sums[kSums][kVectors];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kSums; ++j) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) sums[j][v] = hn::Zero(d);
    }
    const std::int64_t a_col = call.a_col, b_row = call.b_row,
                       b_bytes = call.b_col * static_cast<std::int64_t>(sizeof(R));
    const R *a = call.a, *b = call.b, *b_far = b + 4 * call.b_col;
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
    R* c = call.c;
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
    if (batch == nullptr || --call.left == 0) return;
    call.a += batch->a_step;
    call.b += batch->b_step;
    call.c += batch->c_step;
  }
}

template <class R>
using TileFunction = void (*)(TileCall<R>&);

// Tiles of one height by their number of columns less one.
template <class D, std::size_t kVectors, bool kComplex, std::size_t... kColumns>
constexpr auto TilesOfHeight(std::index_sequence<kColumns...>) {
  return std::array<TileFunction<hn::TFromD<D>>, sizeof...(kColumns)>{&Tile<D, kVectors, kColumns + 1, kComplex>...};
}
template <bool kComplex>
inline constexpr std::size_t kColumnsOf = kComplex ? kMostColumns / 2 : kMostColumns;
template <class D, std::size_t kVectors, bool kComplex>
inline constexpr auto kTiles =
    TilesOfHeight<D, kVectors, kComplex>(std::make_index_sequence<kColumnsOf<kComplex>>());

// By height: half a vector or less, then one, two and three vectors. Half a vector of 64 bytes is one of 32, which some
// processors multiply twice as fast.
template <class R, bool kComplex>
HWY_INLINE TileFunction<R> TileFor(std::int64_t rows, std::int64_t cols) {
  using D = hn::ScalableTag<R>;
  const auto column = static_cast<std::size_t>(cols - 1);
  if constexpr (kFreeMasks) {
    if (rows <= kWidth<D> / 2) return kTiles<hn::Half<D>, 1, kComplex>[column];
  }
  if (rows <= kWidth<D>) return kTiles<D, 1, kComplex>[column];
  if (rows <= 2 * kWidth<D>) return kTiles<D, 2, kComplex>[column];
  return kTiles<D, 3, kComplex>[column];
}

// All columns of `height` rows, which are at most three vectors.
template <class R, bool kComplex>
void Panel(TileCall<R>& call, std::int64_t height) {
  constexpr std::int64_t kBlock = kColumnsOf<kComplex>;
  const std::int64_t blocks = call.cols / kBlock, rest = call.cols % kBlock;
  const TileBatch columns{blocks, 0, kBlock * call.b_col, kBlock * call.c_col};
  call.rows = height;
  if (blocks > 0) {
    call.batch = &columns;
    call.left = blocks;
    TileFor<R, kComplex>(height, kBlock)(call);
    call.b += columns.b_step;
    call.c += columns.c_step;
  }
  call.batch = nullptr;
  if (rest > 0) TileFor<R, kComplex>(height, rest)(call);
}

template <class R, bool kComplex>
void Tiles(TileCall<R>& call) {
  constexpr std::int64_t kLanes = kWidth<hn::ScalableTag<R>>, kHeight = kMostVectors * kLanes;
  const std::int64_t rows = call.rows;
  if (rows <= kHeight) {
    if (call.cols <= std::int64_t{kColumnsOf<kComplex>}) {
      if (call.batch != nullptr) call.left = call.batch->count;
      return TileFor<R, kComplex>(rows, call.cols)(call);
    }
    if (call.batch == nullptr) return Panel<R, kComplex>(call, rows);
  }
  const TileBatch batch = call.batch == nullptr ? TileBatch{1, 0, 0, 0} : *call.batch;
  const R *a = call.a, *b = call.b;
  R* c = call.c;
  for (std::int64_t item = batch.count; item > 0; --item) {
    for (std::int64_t first = 0; first < rows;) {
      // Four vectors are two panels of two.
      const std::int64_t left = rows - first;
      const std::int64_t height = left <= kHeight ? left : left <= kHeight + kLanes ? 2 * kLanes : kHeight;
      call.a = a + first;
      call.b = b;
      call.c = c + first;
      Panel<R, kComplex>(call, height);
      first += height;
    }
    a += batch.a_step;
    b += batch.b_step;
    c += batch.c_step;
  }
}

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
