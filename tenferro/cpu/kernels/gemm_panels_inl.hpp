// SPDX-License-Identifier: MIT OR Apache-2.0

// The bodies of gemm_panels.hpp for one set of vector instructions; included once per set by the sources that choose
// the types:
//
//   #define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemm_panels_real.cpp"
//   #include <hwy/foreach_target.h>
//   #include "tenferro/cpu/kernels/gemm_panels_inl.hpp"

#if defined(TENFERRO_GEMM_PANELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMM_PANELS_INL
#undef TENFERRO_GEMM_PANELS_INL
#else
#define TENFERRO_GEMM_PANELS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "tenferro/cpu/kernels/gemm_panels.hpp"
#include "tenferro/cpu/kernels/gemm_vectors_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

// The type of the lanes of vectors.
template <class T>
using Part = typename LaneOf<T>::type;
template <class T>
using Tag = hn::ScalableTag<Part<T>>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

template <class T>
inline constexpr bool kComplex = is_complex(dtype_of<T>);
template <class T>
inline constexpr std::int64_t kParts = kComplex<T> ? 2 : 1;
template <class T>
inline constexpr std::size_t kPlanes = kComplex<T> ? 2 : 1;
template <class T>
inline constexpr std::int64_t kLanes = static_cast<std::int64_t>(HWY_LANES(Part<T>));

// The register tile: vectors of rows, and columns; chosen to leave registers for one column of the left operand and
// two elements of the right one.
inline constexpr std::size_t kRealCols = kManyRegisters ? 8 : 4, kComplexCols = kManyRegisters ? 6 : 2;
template <class T>
inline constexpr std::size_t kVectors = kComplex<T> ? 2 : 3;
template <class T>
inline constexpr std::size_t kCols = kComplex<T> ? kComplexCols : kRealCols;

template <class T>
inline constexpr PanelWidth kRowPanel{static_cast<std::int64_t>(kVectors<T>) * kLanes<T>, kLanes<T>};
template <class T>
inline constexpr PanelWidth kColPanel{static_cast<std::int64_t>(kCols<T>), static_cast<std::int64_t>(kCols<T> / 2)};

// Whether `count` offsets follow each other by 1.
HWY_INLINE bool neighbours(const std::int64_t* at, std::int64_t count) {
  for (std::int64_t i = 1; i < count; ++i) {
    if (at[i] != at[i - 1] + 1) return false;
  }
  return true;
}

// A panel in the making: `count` lanes from `lane` on, element (l, p) goes to to[p·step + l].
template <class T>
struct PanelJob {
  const T* data;
  const std::int64_t* lanes;
  const std::int64_t* depth;
  std::int64_t count, k, step;
  Part<T>* to;
  bool conj;
};

// How far ahead operands are fetched while they are packed, to where: terms that lie apart are no stream that the
// processor would follow by itself.
inline constexpr std::int64_t kLinesAhead = 4, kTermsAhead = 32;
inline constexpr int kSecondCache = 2;

// Where an element lies, and where it goes.
template <class T>
HWY_INLINE const Part<T>* source(const PanelJob<T>& job, std::int64_t lane, std::int64_t p) {
  return reinterpret_cast<const Part<T>*>(job.data + job.lanes[lane] + job.depth[p]);
}
template <class T>
HWY_INLINE Part<T>* place(const PanelJob<T>& job, std::int64_t lane, std::int64_t p) {
  return job.to + p * kParts<T> * job.step + lane;
}

template <class T>
HWY_INLINE void pack_element(const PanelJob<T>& job, std::int64_t lane, std::int64_t p) {
  const Part<T>* const x = source<T>(job, lane, p);
  Part<T>* const y = place<T>(job, lane, p);
  y[0] = x[0];
  if constexpr (kComplex<T>) y[job.step] = job.conj ? -x[1] : x[1];
}

// Side of the squares that fill 16 bytes.
template <class T>
inline constexpr std::int64_t kSquare = static_cast<std::int64_t>(16 / sizeof(Part<T>));

#if HWY_TARGET != HWY_SCALAR

// The 16-byte vectors that transpose small squares.
template <class T>
using Block = hn::CappedTag<Part<T>, 16 / sizeof(Part<T>)>;

// kSquare lanes of kSquare terms, neighbours in depth: a square is turned round.
template <class T>
HWY_INLINE void turn_square(const PanelJob<T>& job, std::int64_t lane, std::int64_t p) {
  const Block<T> d;
  const auto load = [&](std::int64_t l) HWY_ATTR { return hn::LoadU(d, source<T>(job, lane + l, p)); };
  Part<T>* const y = place<T>(job, lane, p);
  if constexpr (kSquare<T> == 2) {
    const auto x0 = load(0), x1 = load(1);
    hn::StoreU(hn::InterleaveLower(d, x0, x1), d, y);
    hn::StoreU(hn::InterleaveUpper(d, x0, x1), d, y + job.step);
  } else {
    const hn::RepartitionToWide<Block<T>> wide;
    const auto x0 = load(0), x1 = load(1), x2 = load(2), x3 = load(3);
    const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, x0, x1)),
               low23 = hn::BitCast(wide, hn::InterleaveLower(d, x2, x3)),
               high01 = hn::BitCast(wide, hn::InterleaveUpper(d, x0, x1)),
               high23 = hn::BitCast(wide, hn::InterleaveUpper(d, x2, x3));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), d, y);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, y + job.step);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, y + 2 * job.step);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, y + 3 * job.step);
  }
}

// kSquare complex lanes of one term, wherever they lie.
template <class T>
HWY_INLINE void gather_complex(const PanelJob<T>& job, std::int64_t lane, std::int64_t p) {
  const Block<T> d;
  const auto at = [&](std::int64_t l) HWY_ATTR { return source<T>(job, lane + l, p); };
  hn::Vec<Block<T>> re, im;
  if constexpr (kSquare<T> == 2) {
    const auto x0 = hn::LoadU(d, at(0)), x1 = hn::LoadU(d, at(1));
    re = hn::InterleaveLower(d, x0, x1);
    im = hn::InterleaveUpper(d, x0, x1);
  } else {
    const hn::Half<Block<T>> half;
    const auto x01 = hn::Combine(d, hn::LoadU(half, at(1)), hn::LoadU(half, at(0))),
               x23 = hn::Combine(d, hn::LoadU(half, at(3)), hn::LoadU(half, at(2)));
    re = hn::ConcatEven(d, x23, x01);
    im = hn::ConcatOdd(d, x23, x01);
  }
  if (job.conj) im = hn::Neg(im);
  Part<T>* const y = place<T>(job, lane, p);
  hn::StoreU(re, d, y);
  hn::StoreU(im, d, y + job.step);
}

#endif  // HWY_TARGET != HWY_SCALAR

// Lanes that lie apart: a line of the cache from each at a time.
template <class T>
HWY_INLINE void pack_apart(const PanelJob<T>& job) {
  constexpr std::int64_t kLine = static_cast<std::int64_t>(64 / sizeof(T));
  for (std::int64_t p = 0; p < job.k; p += kLine) {
    const std::int64_t terms = job.k - p < kLine ? job.k - p : kLine;
    std::int64_t lane = 0;
#if HWY_TARGET != HWY_SCALAR
    if (p + kLinesAhead * kLine < job.k) {
      for (std::int64_t l = 0; l < job.count; ++l) {
        __builtin_prefetch(source<T>(job, l, p + kLinesAhead * kLine), 0, kSecondCache);
      }
    }
    constexpr std::int64_t kSide = kSquare<T>;
    if (kComplex<T> || (terms % kSquare<T> == 0 && neighbours(job.depth + p, terms))) {
      for (; lane + kSide <= job.count; lane += kSide) {
        if constexpr (kComplex<T>) {
          for (std::int64_t q = 0; q < terms; ++q) gather_complex<T>(job, lane, p + q);
        } else {
          for (std::int64_t q = 0; q < terms; q += kSide) turn_square<T>(job, lane, p + q);
        }
      }
    }
#endif
    for (; lane < job.count; ++lane) {
      for (std::int64_t q = 0; q < terms; ++q) pack_element<T>(job, lane, p + q);
    }
  }
}

// kCount lanes of one term that lie side by side.
template <class T, std::size_t kCount>
HWY_INLINE void copy_lanes(const Part<T>* x, Part<T>* y, std::int64_t step, bool conj) {
  constexpr std::size_t kN = kCount >= HWY_LANES(Part<T>) ? HWY_LANES(Part<T>)
                             : kCount >= 8                ? 8
                             : kCount >= 4                ? 4
                             : kCount >= 2                ? 2
                                                          : 1;
  const hn::CappedTag<Part<T>, kN> d;
  if constexpr (kComplex<T>) {
    hn::Vec<decltype(d)> re, im;
    hn::LoadInterleaved2(d, x, re, im);
    hn::StoreU(re, d, y);
    hn::StoreU(conj ? hn::Neg(im) : im, d, y + step);
  } else {
    hn::StoreU(hn::LoadU(d, x), d, y);
  }
  if constexpr (kCount > kN) copy_lanes<T, kCount - kN>(x + kPlanes<T> * kN, y + kN, step, conj);
}

// `count` lanes from `first` on that lie side by side: one run of them per term.
template <class T, std::size_t kCount>
HWY_INLINE void pack_run(const PanelJob<T>& job, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t kLine = static_cast<std::int64_t>(64 / sizeof(T));
  for (std::int64_t p = 0; p < job.k; ++p) {
    if (p + kTermsAhead < job.k) {
      const Part<T>* const next = source<T>(job, first, p + kTermsAhead);
      for (std::int64_t i = 0; i < count; i += kLine) __builtin_prefetch(next + kParts<T> * i, 0, kSecondCache);
    }
    const Part<T>* const x = source<T>(job, first, p);
    Part<T>* const y = place<T>(job, first, p);
    std::int64_t i = 0;
    for (constexpr auto kStep = static_cast<std::int64_t>(kCount); i + kStep <= count; i += kStep) {
      copy_lanes<T, kCount>(x + kParts<T> * i, y + i, job.step, job.conj);
    }
    for (; i < count; ++i) copy_lanes<T, 1>(x + kParts<T> * i, y + i, job.step, job.conj);
  }
}
template <class T>
HWY_INLINE void pack_run(const PanelJob<T>& job, std::int64_t first, std::int64_t count) {
  if (count == kRowPanel<T>.most) {
    pack_run<T, static_cast<std::size_t>(kRowPanel<T>.most)>(job, first, kRowPanel<T>.most);
  } else if (count == kColPanel<T>.most) {
    pack_run<T, kCols<T>>(job, first, kColPanel<T>.most);
  } else {
    pack_run<T, static_cast<std::size_t>(kSquare<T>)>(job, first, count);
  }
}

template <class T>
void pack(const PanelSource<T>& from, std::int64_t lanes, std::int64_t k, PanelWidth width, T* to) {
  constexpr std::int64_t kShortRun = 4;
  for (std::int64_t l = 0; l < lanes; l += width.most) {
    const std::int64_t count = lanes - l < width.most ? lanes - l : width.most;
    const PanelJob<T> job{
        from.data, from.lanes + l, from.depth, count, k, width.of(lanes - l), reinterpret_cast<Part<T>*>(to + l * k),
        from.conj};
    std::int64_t runs = 1;
    for (std::int64_t i = 1; i < count; ++i) runs += job.lanes[i] != job.lanes[i - 1] + 1;
    if (runs == 1 || runs * kShortRun <= count) {
      for (std::int64_t first = 0, i = 1; i <= count; ++i) {
        if (i < count && job.lanes[i] == job.lanes[i - 1] + 1) continue;
        pack_run<T>(job, first, i - first);
        first = i;
      }
    } else {
      pack_apart<T>(job);
    }
    if (job.step == count) continue;
    for (std::int64_t p = 0; p < kParts<T> * k; ++p) {
      for (std::int64_t i = count; i < job.step; ++i) job.to[p * job.step + i] = Part<T>(0);
    }
  }
}

// How operands reach a tile: the right one packed or (real numbers) as it lies, or both packed and exchanged.
enum class Form { packed, lying, exchanged };

// The right operand of a tile, term by term: a packed panel, or columns as they lie.
template <class T, std::size_t kN>
struct PackedColumns {
  const Part<T>* data;
  HWY_INLINE Part<T> at(std::size_t j) const { return data[j]; }
  HWY_INLINE void next() { data += kN * kPlanes<T>; }
};
template <class T, std::size_t kN>
struct StraightColumns {
  const Part<T>* data[kN];
  std::ptrdiff_t term = 0;
  HWY_INLINE Part<T> at(std::size_t j) const { return data[j][term]; }
  HWY_INLINE void next() { ++term; }
};

// The sums of one register tile, sums[part][column][vector], over k terms of two panels. Of exchanged complex operands
// the products are added in the order that they have when the operands stand the other way round.
template <class T, std::size_t kV, std::size_t kN, bool kExchanged, class Right>
HWY_INLINE void sum_up(std::int64_t k, const Part<T>* HWY_RESTRICT a, std::ptrdiff_t a_step, Right b,
                       Vector<T> (&sums)[kPlanes<T>][kN][kV]) {
  const Tag<T> d;
  constexpr std::size_t kWidth = kV * static_cast<std::size_t>(kLanes<T>);
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kN; ++j) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kV; ++v) {
      sums[0][j][v] = hn::Zero(d);
      if constexpr (kComplex<T>) sums[1][j][v] = hn::Zero(d);
    }
  }
  for (; k > 0; --k) {
    Vector<T> x[kPlanes<T>][kV];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kV; ++v) {
      x[0][v] = hn::LoadU(d, a + v * static_cast<std::size_t>(kLanes<T>));
      if constexpr (kComplex<T>) x[1][v] = hn::LoadU(d, a + kWidth + v * static_cast<std::size_t>(kLanes<T>));
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kN; ++j) {
      const Vector<T> y = hn::Set(d, b.at(j));
      if constexpr (kComplex<T>) {
        const Vector<T> z = hn::Set(d, b.at(kN + j));
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kV; ++v) {
          sums[0][j][v] = hn::MulAdd(x[0][v], y, sums[0][j][v]);
          sums[1][j][v] = hn::MulAdd(x[kExchanged ? 1 : 0][v], kExchanged ? y : z, sums[1][j][v]);
        }
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kV; ++v) {
          sums[0][j][v] = hn::NegMulAdd(x[1][v], z, sums[0][j][v]);
          sums[1][j][v] = hn::MulAdd(x[kExchanged ? 0 : 1][v], kExchanged ? z : y, sums[1][j][v]);
        }
      } else {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kV; ++v) sums[0][j][v] = MultiplyAdd(x[0][v], y, sums[0][j][v]);
      }
    }
    a += a_step;
    b.next();
  }
}

// One register tile of a block. `direct`: its rows are whole vectors of neighbours and the blend is one that vectors
// do.
template <class T>
struct TileJob {
  std::int64_t k;
  const Part<T>* a;
  std::ptrdiff_t a_step;
  const Part<T>* b;
  const std::int64_t* b_cols;
  std::int64_t rows, cols;
  PanelTarget<T> target;
  Blend<T> blend;
  bool direct;
};

template <class T>
HWY_INLINE Part<T>* column(const TileJob<T>& job, std::size_t j) {
  return reinterpret_cast<Part<T>*>(job.target.data + job.target.rows[0] + job.target.cols[j]);
}

template <class T, std::size_t kV>
HWY_INLINE void store_column(Part<T>* to, const Vector<T> (&re)[kV], const Vector<T> (&im)[kV], Blend<T> blend) {
  const Tag<T> d;
  constexpr std::size_t kL = static_cast<std::size_t>(kLanes<T>);
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kV; ++v) {
    if constexpr (kComplex<T>) {
      Vector<T> x = re[v], y = im[v];
      if (blend.beta != T(0)) {
        Vector<T> old_x, old_y;
        hn::LoadInterleaved2(d, to + 2 * v * kL, old_x, old_y);
        x = hn::Add(x, old_x);
        y = hn::Add(y, old_y);
      }
      hn::StoreInterleaved2(x, y, d, to + 2 * v * kL);
    } else {
      Vector<T> sum = hn::Mul(re[v], hn::Set(d, static_cast<Part<T>>(blend.alpha)));
      if (blend.beta != T(0)) {
        sum = hn::Add(sum, hn::Mul(hn::Set(d, static_cast<Part<T>>(blend.beta)), hn::LoadU(d, to + v * kL)));
      }
      hn::StoreU(sum, d, to + v * kL);
    }
  }
}

template <class T, std::size_t kV, std::size_t kN, Form kForm>
HWY_NOINLINE void multiply_tile(const TileJob<T>& job) {
  const Tag<T> d;
  constexpr std::size_t kL = static_cast<std::size_t>(kLanes<T>);
  constexpr std::size_t kLine = 64 / sizeof(Part<T>);
  const std::size_t cols = static_cast<std::size_t>(job.cols);
  if (job.direct) {
    for (std::size_t j = 0; j < cols; ++j) {
      const Part<T>* const at = column<T>(job, j);
      for (std::size_t i = 0; i < kV * kL * kPlanes<T>; i += kLine) __builtin_prefetch(at + i, 1);
    }
  }
  Vector<T> sums[kPlanes<T>][kN][kV];
  if constexpr (kForm == Form::lying) {
    StraightColumns<T, kN> b;
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kN; ++j) b.data[j] = job.b + job.b_cols[j];
    sum_up<T, kV, kN, false>(job.k, job.a, job.a_step, b, sums);
  } else {
    sum_up<T, kV, kN, kForm == Form::exchanged>(job.k, job.a, job.a_step, PackedColumns<T, kN>{job.b}, sums);
  }
  if (job.direct) {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kN; ++j) {
      if (j < cols) store_column<T, kV>(column<T>(job, j), sums[0][j], sums[kPlanes<T> - 1][j], job.blend);
    }
    return;
  }
  HWY_ALIGN Part<T> parts[kN * kV * kL * kPlanes<T>];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kN; ++j) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kV; ++v) {
      hn::Store(sums[0][j][v], d, parts + (j * kPlanes<T> * kV + v) * kL);
      if constexpr (kComplex<T>) hn::Store(sums[1][j][v], d, parts + ((2 * j + 1) * kV + v) * kL);
    }
  }
  blend_tile<T>(parts, static_cast<std::int64_t>(kV * kL), job.rows, job.cols, job.target, job.blend);
}

template <class T, std::size_t kN, Form kForm>
HWY_INLINE void multiply_tile(std::int64_t vectors, const TileJob<T>& job) {
  if (vectors == 1) {
    multiply_tile<T, 1, kN, kForm>(job);
  } else if (vectors == 2) {
    multiply_tile<T, 2, kN, kForm>(job);
  } else if constexpr (kVectors<T> > 2) {
    multiply_tile<T, 3, kN, kForm>(job);
  }
}

template <class T, Form kForm>
HWY_INLINE void multiply_tile(std::int64_t vectors, const TileJob<T>& job) {
  if (job.cols <= kColPanel<T>.unit) {
    multiply_tile<T, kCols<T> / 2, kForm>(vectors, job);
  } else {
    multiply_tile<T, kCols<T>, kForm>(vectors, job);
  }
}

template <class T>
void multiply(const PanelBlock<T>& block, const PanelTarget<T>& target, Blend<T> blend) {
  constexpr PanelWidth kRows = kRowPanel<T>, kColumns = kColPanel<T>;
  bool direct[static_cast<std::size_t>(kPanelBlockRows / kRows.most + 1)];
  const bool simple = !kComplex<T> || (blend.alpha == T(1) && (blend.beta == T(0) || blend.beta == T(1)));
  for (std::int64_t i = 0; i < block.m; i += kRows.most) {
    const std::int64_t rows = block.m - i < kRows.most ? block.m - i : kRows.most;
    direct[i / kRows.most] = simple && rows % kRows.unit == 0 && neighbours(target.rows + i, rows);
  }
  for (std::int64_t j = 0; j < block.n; j += kColumns.most) {
    const std::int64_t cols = block.n - j < kColumns.most ? block.n - j : kColumns.most;
    for (std::int64_t i = 0; i < block.m; i += kRows.most) {
      const std::int64_t rows = block.m - i < kRows.most ? block.m - i : kRows.most;
      const bool a_lies = block.a_rows != nullptr, b_lies = block.b_cols != nullptr;
      const TileJob<T> job{block.k,
                           reinterpret_cast<const Part<T>*>(block.a + (a_lies ? block.a_rows[i] : i * block.k)),
                           a_lies ? block.a_step : kParts<T> * kRows.of(rows),
                           reinterpret_cast<const Part<T>*>(block.b + (b_lies ? 0 : j * block.k)),
                           b_lies ? block.b_cols + j : nullptr,
                           rows,
                           cols,
                           {target.data, target.rows + i, target.cols + j},
                           blend,
                           direct[i / kRows.most]};
      const std::int64_t vectors = (rows + kLanes<T> - 1) / kLanes<T>;
      if constexpr (kComplex<T>) {
        block.exchanged ? multiply_tile<T, Form::exchanged>(vectors, job)
                        : multiply_tile<T, Form::packed>(vectors, job);
      } else {
        b_lies ? multiply_tile<T, kCols<T>, Form::lying>(vectors, job) : multiply_tile<T, Form::packed>(vectors, job);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

// panel_kernels<T> of gemm_panels.hpp; `name` tells its entry in the tables of sets from others.
#undef TENFERRO_GEMM_PANELS
#undef TENFERRO_GEMM_PANELS_OF_SET
#define TENFERRO_GEMM_PANELS_OF_SET(name, T)                                                    \
  HWY_BEFORE_NAMESPACE();                                                                       \
  namespace tenferro::internal::HWY_NAMESPACE {                                                 \
  const PanelKernels<T>& panels_##name() {                                                      \
    static constexpr PanelKernels<T> kernels{kRowPanel<T>, kColPanel<T>, pack<T>, multiply<T>}; \
    return kernels;                                                                             \
  }                                                                                             \
  }                                                                                             \
  HWY_AFTER_NAMESPACE();
#if HWY_ONCE
#define TENFERRO_GEMM_PANELS(name, T)             \
  TENFERRO_GEMM_PANELS_OF_SET(name, T)            \
  namespace tenferro::internal {                  \
  HWY_EXPORT(panels_##name);                      \
  template <>                                     \
  const PanelKernels<T>& panel_kernels<T>() {     \
    return HWY_DYNAMIC_DISPATCH(panels_##name)(); \
  }                                               \
  }
#else
#define TENFERRO_GEMM_PANELS TENFERRO_GEMM_PANELS_OF_SET
#endif

#endif
