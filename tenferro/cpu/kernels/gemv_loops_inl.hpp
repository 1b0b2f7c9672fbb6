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

#include "tenferro/cpu/kernels/gemm_vectors_inl.hpp"
#include "tenferro/cpu/kernels/gemv_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

// The sum of a row from its partial sums, added by neighbouring pairs: `lanes` of x = Σ a·Re and, if complex, of
// y = Σ a·Im.
template <bool kComplex, std::size_t kLanes, class R>
HWY_INLINE void FinishRow(R* x, R* y, bool conj_a, bool conj_x, R* sum) {
  constexpr std::size_t kParts = kComplex ? 2 : 1;
  for (std::size_t count = kLanes / 2; count > 0; count /= 2) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t to = i * kParts + part, first = 2 * i * kParts + part;
        x[to] = x[first] + x[first + kParts];
        if constexpr (kComplex) y[to] = y[first] + y[first + kParts];
      }
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

// x[0] = Σ x by neighbouring pairs.
template <class V, std::size_t kCount>
HWY_INLINE V PairsAdded(V (&x)[kCount]) {
#pragma GCC unroll 8
  for (std::size_t count = kCount / 2; count > 0; count /= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) x[i] = hn::Add(x[2 * i], x[2 * i + 1]);
  }
  return x[0];
}

// The sums of kVectors vectors of rows from lane i on, in registers, as many partial sums at a time as there is room
// for; the last vector has `few` lanes.
template <class R, bool kComplex, std::size_t kVectors>
class RowsInRegisters {
 public:
  using D = hn::ScalableTag<R>;

  RowsInRegisters(const GemvCall<R>& call, std::int64_t i, const Few<D>& few) : call_(call), few_(few), i_(i) {}

  HWY_INLINE void Run() const {
    V sums[kParts][kVectors];
    AddLanes<kLanes>(0, sums);
    const D d;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      V sum = sums[0][v];
      if constexpr (kComplex) sum = ComplexSum<D>(d, call_.conj_a, call_.conj_x)(d, sum, sums[1][v]);
      R* const to = call_.sums + i_ + v * hn::MaxLanes(d);
      v < kEnd ? hn::StoreU(sum, d, to) : StoreFew(d, few_, sum, to);
    }
  }

 private:
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = kGemvLanes, kParts = kComplex ? 2 : 1, kEnd = kVectors - 1,
                               kTogether = kVectors > 2 ? kLanes / 2 : kLanes;

  // The sum of kCount partial sums from `first` on, by neighbouring pairs.
  template <std::size_t kCount>
  HWY_INLINE void AddLanes(std::int64_t first, V (&to)[kParts][kVectors]) const {
    if constexpr (kCount <= kTogether) {
      OneSweep<kCount>(first, to);
    } else {
      constexpr auto kLow = static_cast<std::int64_t>(kCount / 2);
      V high[kParts][kVectors];
      AddLanes<kCount / 2>(first, to);
      AddLanes<kCount / 2>(first + kLow, high);
#pragma GCC unroll 2
      for (std::size_t part = 0; part < kParts; ++part) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) to[part][v] = hn::Add(to[part][v], high[part][v]);
      }
    }
  }

  template <std::size_t kCount>
  HWY_INLINE void OneSweep(std::int64_t first, V (&to)[kParts][kVectors]) const {
    const D d;
    V sums[kParts][kVectors][kCount];
#pragma GCC unroll 2
    for (std::size_t part = 0; part < kParts; ++part) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < kCount; ++lane) sums[part][v][lane] = hn::Zero(d);
      }
    }
    const R *a = call_.a + i_ + first * call_.step, *factor = call_.x + first * call_.x_step;
    const auto add = [&](std::size_t lane) HWY_ATTR {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
        const V column =
            v < kEnd ? hn::LoadU(d, a + v * hn::MaxLanes(d)) : LoadFew(d, few_, a + kEnd * hn::MaxLanes(d));
#pragma GCC unroll 2
        for (std::size_t part = 0; part < kParts; ++part) {
          sums[part][v][lane] = MultiplyAdd(column, hn::Set(d, factor[part]), sums[part][v][lane]);
        }
      }
      a += call_.step;
      factor += call_.x_step;
    };
    constexpr auto kSome = static_cast<std::int64_t>(kCount);
    std::int64_t p = first;
    for (; p + kSome <= call_.k; p += kGemvLanes) {
#pragma GCC unroll 8
      for (std::size_t lane = 0; lane < kCount; ++lane) add(lane);
      a += (kGemvLanes - kSome) * call_.step;
      factor += (kGemvLanes - kSome) * call_.x_step;
    }
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kCount; ++lane) {
      if (p + static_cast<std::int64_t>(lane) < call_.k) add(lane);
    }
#pragma GCC unroll 2
    for (std::size_t part = 0; part < kParts; ++part) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) to[part][v] = PairsAdded(sums[part][v]);
    }
  }

  const GemvCall<R>& call_;
  const Few<D> few_;
  const std::int64_t i_;
};

template <class R, bool kComplex>
HWY_INLINE void ShortRuns(const GemvCall<R>& call) {
  using D = hn::ScalableTag<R>;
  constexpr std::int64_t kWide = kWidth<D>;
  const std::int64_t rows = call.rows * (kComplex ? 2 : 1);
  const auto last = [&](std::int64_t first) { return Few<D>(D(), rows - first < kWide ? rows - first : kWide); };
  std::int64_t i = 0;
  if constexpr (kManyRegisters && !kComplex) {
    for (; rows - i > 3 * kWide; i += 4 * kWide) RowsInRegisters<R, false, 4>(call, i, last(i + 3 * kWide)).Run();
    for (; rows - i > kWide; i += 2 * kWide) RowsInRegisters<R, false, 2>(call, i, last(i + kWide)).Run();
  }
  for (; i < rows; i += kWide) RowsInRegisters<R, kComplex, 1>(call, i, last(i)).Run();
}

// One partial sum of all rows after another, several columns at a time, so that each column is read from end to end.
template <class R, bool kComplex>
class LongRuns {
 public:
  explicit LongRuns(const GemvCall<R>& call) : call_(call), rows_(call.rows * kParts) {}

  HWY_NOINLINE void Run() {
    AddLanes<kGemvLanes>(0, space_);
    const D d;
    const ComplexSum<D> combine(d, call_.conj_a, call_.conj_x);
    for (std::int64_t i = 0; i < rows_; i += kWidth<D>) {
      V sum = hn::Load(d, space_ + i);
      if constexpr (kComplex) sum = combine(d, sum, hn::Load(d, space_ + kMostRows + i));
      StoreFew(d, FewFrom(i), sum, call_.sums + i);
    }
  }

 private:
  using D = hn::ScalableTag<R>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kParts = kComplex ? 2 : 1,
                                kMostRows = kGemvRowBytes / static_cast<std::int64_t>(sizeof(R)) / kParts,
                                kSums = kParts * kMostRows;

  Few<D> FewFrom(std::int64_t i) const { return {D(), rows_ - i < kWidth<D> ? rows_ - i : kWidth<D>}; }

  // to = the sum of kCount partial sums from `first` on, by neighbouring pairs; what is behind `to` is scratch.
  template <std::int64_t kCount>
  void AddLanes(std::int64_t first, R* to) {
    if constexpr (kCount == 1) {
      OneLane(first, to);
    } else {
      const bool more = first + kCount / 2 < call_.k;
      AddLanes<kCount / 2>(first, to);
      if (more) AddLanes<kCount / 2>(first + kCount / 2, to + kSums);
      const D d;
      for (std::int64_t part = 0; part < kParts; ++part) {
        for (std::int64_t i = part * kMostRows; i < part * kMostRows + rows_; i += kWidth<D>) {
          hn::Store(hn::Add(hn::Load(d, to + i), more ? hn::Load(d, to + kSums + i) : hn::Zero(d)), d, to + i);
        }
      }
    }
  }

  void OneLane(std::int64_t lane, R* to) {
    // Many columns at a time pay where they come from memory; in caches they are in each other's way.
    constexpr std::int64_t kFewColumns = 4, kManyColumns = 8;
    std::int64_t p = lane;
    if (call_.k * call_.step * static_cast<std::int64_t>(sizeof(R)) >= kFromMemoryBytes)
      p = Passes<kManyColumns>(p, lane, to);
    p = Passes<kFewColumns>(p, lane, to);
    Passes<1>(p, lane, to);
  }

  // As many columns as there are from p on, kCount at a time. Returns the next one.
  template <std::int64_t kCount>
  std::int64_t Passes(std::int64_t p, std::int64_t lane, R* to) {
    const D d;
    for (; p + (kCount - 1) * kGemvLanes < call_.k; p += kCount * kGemvLanes) {
      constexpr auto kColumns = static_cast<std::size_t>(kCount);
      const R* columns[kColumns];
      V re[kColumns], im[kColumns];
      for (std::int64_t u = 0; u < kCount; ++u) {
        const std::int64_t at = p + u * kGemvLanes;
        columns[u] = call_.a + at * call_.step;
        re[u] = hn::Set(d, call_.x[at * call_.x_step]);
        im[u] = re[u];
        if constexpr (kComplex) im[u] = hn::Set(d, call_.x[at * call_.x_step + 1]);
      }
      const bool first = p == lane;
      const auto pass = [&](std::int64_t i, auto load) HWY_ATTR {
        V x = first ? hn::Zero(d) : hn::Load(d, to + i);
        V y = x;
        if constexpr (kComplex) y = first ? hn::Zero(d) : hn::Load(d, to + kMostRows + i);
#pragma GCC unroll 8
        for (std::int64_t u = 0; u < kCount; ++u) {
          const V column = load(columns[u] + i);
          x = MultiplyAdd(column, re[u], x);
          if constexpr (kComplex) y = MultiplyAdd(column, im[u], y);
        }
        hn::Store(x, d, to + i);
        if constexpr (kComplex) hn::Store(y, d, to + kMostRows + i);
      };
      std::int64_t i = 0;
      for (; i + kWidth<D> <= rows_; i += kWidth<D>)
        pass(i, [&](const R* from) HWY_ATTR { return hn::LoadU(d, from); });
      if (i < rows_) {
        const Few<D> few = FewFrom(i);
        pass(i, [&](const R* from) HWY_ATTR { return LoadFew(d, few, from); });
      }
    }
    return p;
  }

  const GemvCall<R>& call_;
  const std::int64_t rows_;
  HWY_ALIGN R space_[static_cast<std::size_t>(4 * kSums)];
};

template <class R, bool kComplex>
void GemvColumns(const GemvCall<R>& call, bool long_runs) {
  long_runs ? LongRuns<R, kComplex>(call).Run() : ShortRuns<R, kComplex>(call);
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
#pragma GCC unroll 8
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
#pragma GCC unroll 8
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
#pragma GCC unroll 8
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
  R* const to = call.sums + i * std::int64_t{kParts};
  if constexpr (kComplex) {
    HWY_ALIGN R x_lanes[kAll], y_lanes[kAll];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        hn::Store(x[r][v], d, x_lanes + v * hn::MaxLanes(d));
        hn::Store(y[r][v], d, y_lanes + v * hn::MaxLanes(d));
      }
      FinishRow<kComplex, kLanes>(x_lanes, y_lanes, call.conj_a, call.conj_x, to + r * kParts);
    }
  } else {
    // Neighbouring pairs of all rows at once: each step leaves half as many sums of each row, in order.
    constexpr std::size_t kMost = kRows * kVectors;
    V sums[kMost];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) sums[r * kVectors + v] = x[r][v];
    }
    std::size_t count = kMost;
#pragma GCC unroll 8
    for (std::size_t lanes = kLanes; lanes > 1; lanes /= 2) {
      const std::size_t left = count == 1 ? 1 : count / 2;
#pragma GCC unroll 16
      for (std::size_t u = 0; u < left; ++u) {
        const V low = sums[2 * u], high = sums[count == 1 ? 0 : 2 * u + 1];
        sums[u] = hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
      }
      count = left;
    }
    if constexpr (kRows <= hn::MaxLanes(D())) {
      StoreFew(d, Few<D>(d, kRows), sums[0], to);
    } else {
      constexpr std::size_t kSums = kRows / hn::MaxLanes(D());
#pragma GCC unroll 16
      for (std::size_t u = 0; u < kSums; ++u) hn::StoreU(sums[u], d, to + u * hn::MaxLanes(d));
    }
  }
}

template <class R, bool kComplex>
void GemvByRows(const GemvCall<R>& call) {
  constexpr bool kOneVector = hn::MaxLanes(hn::ScalableTag<R>()) >= kGemvLanes;
  constexpr std::size_t kTogether = kComplex ? 2 : kOneVector ? 8 : 4;
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
