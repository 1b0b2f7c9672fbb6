// SPDX-License-Identifier: MIT OR Apache-2.0

// The loops of gemv_loops.hpp for one set of vector instructions.
//
//   GemvColumns<double, false>(call, false);

#if defined(TENFERRO_GEMV_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMV_LOOPS_INL
#undef TENFERRO_GEMV_LOOPS_INL
#else
#define TENFERRO_GEMV_LOOPS_INL
#endif

#include <type_traits>

#include "tenferro/cpu/kernels/gemm_vectors_inl.hpp"
#include "tenferro/cpu/kernels/gemv_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

// x[0] = Σ x by halves.
template <class V, std::size_t kCount>
HWY_INLINE V Folded(V (&x)[kCount]) {
#pragma GCC unroll 8
  for (std::size_t half = kCount / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < half; ++i) x[i] = hn::Add(x[i], x[i + half]);
  }
  return x[0];
}

// The sum of a row from its partial sums: `lanes` of x = Σ a·Re and, if complex, of y = Σ a·Im.
template <bool kComplex, std::size_t kLanes, class R>
HWY_INLINE void FinishRow(R* x, R* y, bool conj_a, bool conj_x, R* sum) {
  constexpr std::size_t kParts = kComplex ? 2 : 1;
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half * kParts; ++i) {
      x[i] = x[i] + x[i + half * kParts];
      if constexpr (kComplex) y[i] = y[i] + y[i + half * kParts];
    }
  }
  if constexpr (kComplex) {
    const auto signed_if = [](bool negative, R value) { return negative ? -value : value; };
    sum[0] = x[0] + signed_if(conj_a == conj_x, y[1]);
    sum[1] = signed_if(conj_a, x[1]) + signed_if(conj_x, y[0]);
  } else {
    sum[0] = x[0];
  }
}

#if HWY_TARGET == HWY_SCALAR

template <class R, bool kComplex, std::size_t kLanes>
void PlainRows(const GemvCall<R>& call, std::int64_t row_step, std::int64_t term_step) {
  constexpr std::size_t kParts = kComplex ? 2 : 1;
  for (std::int64_t i = 0; i < call.rows; ++i) {
    R x[kLanes * kParts] = {}, y[kLanes * kParts] = {};
    for (std::int64_t p = 0; p < call.k; ++p) {
      const R* const a = call.a + i * row_step + p * term_step;
      const R* const factor = call.x + p * call.x_step;
      const std::size_t lane = static_cast<std::size_t>(p) % kLanes * kParts;
      for (std::size_t part = 0; part < kParts; ++part) {
        x[lane + part] = a[part] * factor[0] + x[lane + part];
        if constexpr (kComplex) y[lane + part] = a[part] * factor[1] + y[lane + part];
      }
    }
    FinishRow<kComplex, kLanes>(x, y, call.conj_a, call.conj_x, call.sums + i * static_cast<std::int64_t>(kParts));
  }
}

template <class R, bool kComplex>
void GemvColumns(const GemvCall<R>& call, bool) {
  PlainRows<R, kComplex, kGemvLanes>(call, kComplex ? 2 : 1, call.step);
}
template <class R, bool kComplex>
void GemvByRows(const GemvCall<R>& call) {
  PlainRows<R, kComplex, kGemvLanes>(call, call.step, kComplex ? 2 : 1);
}
template <class R, bool kComplex>
void DotRow(const GemvCall<R>& call) {
  PlainRows<R, kComplex, kDotLanes>(call, call.step, kComplex ? 2 : 1);
}

#else

// The partial sums of one vector of rows in registers.
template <class R, bool kComplex>
HWY_INLINE void ShortRuns(const GemvCall<R>& call) {
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  const D d;
  constexpr std::size_t kLanes = kGemvLanes;
  const std::int64_t rows = call.rows * (kComplex ? 2 : 1);
  const ComplexSum<D> combine(d, call.conj_a, call.conj_x);
  for (std::int64_t i = 0; i < rows; i += kWidth<D>) {
    const Few<D> few(d, rows - i < kWidth<D> ? rows - i : kWidth<D>);
    V x[kLanes], y[kLanes];
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kLanes; ++lane) x[lane] = y[lane] = hn::Zero(d);
    const R *a = call.a + i, *factor = call.x;
    const auto add = [&](std::size_t lane) HWY_ATTR {
      const V column = LoadFew(d, few, a);
      x[lane] = MultiplyAdd(column, hn::Set(d, factor[0]), x[lane]);
      if constexpr (kComplex) y[lane] = MultiplyAdd(column, hn::Set(d, factor[1]), y[lane]);
      a += call.step;
      factor += call.x_step;
    };
    std::int64_t p = 0;
    for (; p + kGemvLanes <= call.k; p += kGemvLanes) {
#pragma GCC unroll 8
      for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane);
    }
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (p + static_cast<std::int64_t>(lane) < call.k) add(lane);
    }
    V sum = Folded(x);
    if constexpr (kComplex) sum = combine(d, sum, Folded(y));
    StoreFew(d, few, sum, call.sums + i);
  }
}

// The partial sums of all rows in memory, several terms of one of them at a time.
template <class R, bool kComplex>
HWY_INLINE void LongRuns(const GemvCall<R>& call) {
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  const D d;
  constexpr std::int64_t kParts = kComplex ? 2 : 1, kMostRows = 2048 / static_cast<std::int64_t>(sizeof(R));
  HWY_ALIGN R lanes[kGemvLanes * kMostRows * kParts];
  const std::int64_t rows = call.rows * kParts;
  const auto pass = [&](std::int64_t p, auto terms) HWY_ATTR {
    constexpr std::size_t kCount = decltype(terms)::value;
    const R* columns[kCount];
    V re[kCount], im[kCount];
    for (std::size_t u = 0; u < kCount; ++u) {
      const std::int64_t at = p + static_cast<std::int64_t>(u) * kGemvLanes;
      columns[u] = call.a + at * call.step;
      re[u] = hn::Set(d, call.x[at * call.x_step]);
      im[u] = re[u];
      if constexpr (kComplex) im[u] = hn::Set(d, call.x[at * call.x_step + 1]);
    }
    R* const to = lanes + p % kGemvLanes * kMostRows * kParts;
    for (std::int64_t i = 0; i < rows; i += kWidth<D>) {
      const Few<D> few(d, rows - i < kWidth<D> ? rows - i : kWidth<D>);
      V x = p < kGemvLanes ? hn::Zero(d) : hn::Load(d, to + i);
      V y = x;
      if constexpr (kComplex) y = p < kGemvLanes ? hn::Zero(d) : hn::Load(d, to + kMostRows + i);
#pragma GCC unroll 8
      for (std::size_t u = 0; u < kCount; ++u) {
        const V column = LoadFew(d, few, columns[u] + i);
        x = MultiplyAdd(column, re[u], x);
        if constexpr (kComplex) y = MultiplyAdd(column, im[u], y);
      }
      hn::Store(x, d, to + i);
      if constexpr (kComplex) hn::Store(y, d, to + kMostRows + i);
    }
  };
  std::int64_t p = 0;
  const auto passes = [&](auto terms) HWY_ATTR {
    constexpr std::int64_t kStep = static_cast<std::int64_t>(decltype(terms)::value) * kGemvLanes;
    for (; p + kStep <= call.k; p += kStep) {
      for (std::int64_t lane = 0; lane < kGemvLanes; ++lane) pass(p + lane, terms);
    }
  };
  passes(std::integral_constant<std::size_t, 8>());
  passes(std::integral_constant<std::size_t, 2>());
  for (; p < call.k; ++p) pass(p, std::integral_constant<std::size_t, 1>());
  const ComplexSum<D> combine(d, call.conj_a, call.conj_x);
  for (std::int64_t i = 0; i < rows; i += kWidth<D>) {
    V x[kGemvLanes], y[kGemvLanes];
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < std::size_t{kGemvLanes}; ++lane) {
      const R* const from = lanes + static_cast<std::int64_t>(lane) * kMostRows * kParts + i;
      const bool empty = static_cast<std::int64_t>(lane) >= call.k;
      x[lane] = empty ? hn::Zero(d) : hn::Load(d, from);
      if constexpr (kComplex) y[lane] = empty ? hn::Zero(d) : hn::Load(d, from + kMostRows);
    }
    V sum = Folded(x);
    if constexpr (kComplex) sum = combine(d, sum, Folded(y));
    StoreFew(d, Few<D>(d, rows - i < kWidth<D> ? rows - i : kWidth<D>), sum, call.sums + i);
  }
}

template <class R, bool kComplex>
void GemvColumns(const GemvCall<R>& call, bool long_runs) {
  long_runs ? LongRuns<R, kComplex>(call) : ShortRuns<R, kComplex>(call);
}

// The sums of kRows rows, kLanes partial sums each, from the i-th on.
template <class R, bool kComplex, std::size_t kRows, std::size_t kLanes>
HWY_INLINE void DotRows(const GemvCall<R>& call, std::int64_t i) {
  constexpr std::size_t kParts = kComplex ? 2 : 1, kAll = kLanes * kParts;
  using D = hn::CappedTag<R, kAll>;
  using V = hn::Vec<D>;
  const D d;
  constexpr std::size_t kVectors = kAll / hn::MaxLanes(D());
  constexpr std::int64_t kWide = kWidth<D>, kStep = kAll;
  V x[kRows][kVectors], y[kRows][kVectors];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) x[r][v] = y[r][v] = hn::Zero(d);
  }
  const std::int64_t terms = call.k * static_cast<std::int64_t>(kParts);
  const R* const rows = call.a + i * call.step;
  std::int64_t p = 0;
  for (; p + kStep <= terms; p += kStep) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::int64_t at = p + static_cast<std::int64_t>(v) * kWide;
      const V factor = hn::LoadU(d, call.x + at);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) {
        const V row = hn::LoadU(d, rows + static_cast<std::int64_t>(r) * call.step + at);
        if constexpr (kComplex) {
          x[r][v] = MultiplyAdd(row, hn::DupEven(factor), x[r][v]);
          y[r][v] = MultiplyAdd(row, hn::DupOdd(factor), y[r][v]);
        } else {
          x[r][v] = MultiplyAdd(row, factor, x[r][v]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (std::size_t v = 0; v < kVectors; ++v) {
    const std::int64_t at = p + static_cast<std::int64_t>(v) * kWide;
    if (at >= terms) break;
    const Few<D> few(d, terms - at < kWide ? terms - at : kWide);
    const V factor = LoadFew(d, few, call.x + at);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) {
      const V row = LoadFew(d, few, rows + static_cast<std::int64_t>(r) * call.step + at);
      // Lanes without a term stay as they are, down to the sign of a zero.
      if constexpr (kComplex) {
        x[r][v] = hn::IfThenElse(few.mask, MultiplyAdd(row, hn::DupEven(factor), x[r][v]), x[r][v]);
        y[r][v] = hn::IfThenElse(few.mask, MultiplyAdd(row, hn::DupOdd(factor), y[r][v]), y[r][v]);
      } else {
        x[r][v] = hn::IfThenElse(few.mask, MultiplyAdd(row, factor, x[r][v]), x[r][v]);
      }
    }
  }
  HWY_ALIGN R x_lanes[kAll], y_lanes[kAll];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
    hn::Store(Folded(x[r]), d, x_lanes);
    if constexpr (kComplex) hn::Store(Folded(y[r]), d, y_lanes);
    FinishRow<kComplex, kLanes / kVectors>(x_lanes, y_lanes, call.conj_a, call.conj_x,
                                           call.sums + (i + static_cast<std::int64_t>(r)) * std::int64_t{kParts});
  }
}

template <class R, bool kComplex>
void GemvByRows(const GemvCall<R>& call) {
  constexpr std::size_t kTogether = kComplex ? 2 : 4;
  constexpr std::int64_t kRows = kTogether;
  std::int64_t i = 0;
  for (; i + kRows <= call.rows; i += kRows) DotRows<R, kComplex, kTogether, kGemvLanes>(call, i);
  for (; i < call.rows; ++i) DotRows<R, kComplex, 1, kGemvLanes>(call, i);
}

template <class R, bool kComplex>
void DotRow(const GemvCall<R>& call) {
  DotRows<R, kComplex, 1, kDotLanes>(call, 0);
}

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
