// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/scan_loops.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/reduce_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/scan_loops.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/extrema_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

/// Sums; those of floats keep a part beside the total.
template <class T>
struct RunningSums {
  using Element = T;
  static constexpr bool kParts = hwy::IsFloat<T>();
  static constexpr T kIdentity = kParts ? static_cast<T>(-0.0F) : T{0};  // x + −0 is x also for x = −0
  static constexpr T kStart = 0;
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Add(a, b);
  }
};

/// Products of integers, which any order leaves as they are.
template <class T>
struct RunningProducts {
  using Element = T;
  static constexpr bool kParts = false;
  static constexpr T kIdentity = 1, kStart = 1;
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Mul(a, b);
  }
};

template <class T, bool largest>
struct RunningExtrema {
  using Element = T;
  static constexpr bool kParts = false;
  static constexpr T kIdentity = Extremum<T, largest>::kIdentity, kStart = kIdentity;
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D d, hn::Vec<D> a, hn::Vec<D> b) {
    return Extremum<T, largest>::combine(d, a, b);
  }
};

template <class S>
struct Scan {
  using T = typename S::Element;
  using D = hn::CappedTag<T, static_cast<std::size_t>(kScanRow)>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t N = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t kVectors = kScanRow / N;  // of a row
  using Row = V[static_cast<std::size_t>(kVectors)];

  static HWY_INLINE V identity() { return hn::Set(D(), S::kIdentity); }
  static HWY_INLINE V combine(V a, V b) { return S::combine(D(), a, b); }
  static HWY_INLINE V load(const T* x) { return hn::LoadU(D(), x); }

  // The lanes of v moved up by k, lanes from the front coming in at the end.
  static HWY_INLINE V turned(V v, std::int64_t k) {
    using Index = hn::TFromD<hn::RebindToSigned<D>>;
    alignas(64) Index from[static_cast<std::size_t>(N)];
    for (std::int64_t i = 0; i < N; ++i) from[i] = static_cast<Index>((i + N - k) % N);
    return hn::TableLookupLanes(v, hn::SetTableIndices(D(), from));
  }
  // One doubling: every element takes in the one k before.
  template <std::int64_t k>
  static HWY_INLINE void take_in(V* row) {
    if constexpr (k < kScanRow) {
      if constexpr (k < N) {
        V before = identity();
        for (std::int64_t q = 0; q < kVectors; ++q) {
          const V here = turned(row[q], k);
          row[q] = combine(hn::IfThenElse(hn::FirstN(D(), static_cast<std::size_t>(k)), before, here), row[q]);
          before = here;
        }
      } else {
        for (std::int64_t q = kVectors - 1; q >= k / N; --q) row[q] = combine(row[q - k / N], row[q]);
      }
      take_in<2 * k>(row);
    }
  }
  static HWY_INLINE V last_of(V v) {
    if constexpr (N == 1) return v;
    alignas(64) hn::TFromD<hn::RebindToSigned<D>> from[static_cast<std::size_t>(N)];
    for (auto& i : from) i = static_cast<std::remove_reference_t<decltype(i)>>(N - 1);
    return hn::TableLookupLanes(v, hn::SetTableIndices(D(), from));
  }

  static HWY_INLINE void settle(V& total, V& part) {
    if constexpr (S::kParts) {
      const V sum = hn::Add(total, part), lost = hn::Sub(part, hn::Sub(sum, total));
      part = hn::IfThenElseZero(hn::IsFinite(lost), lost);
      total = sum;
    }
  }
  static HWY_INLINE V value(V total, V part, V running) {
    return S::kParts ? combine(total, combine(part, running)) : combine(total, running);
  }
  static HWY_INLINE void advance(V& total, V& part, V row) {
    (S::kParts ? part : total) = combine(S::kParts ? part : total, row);
  }

  static void begin(T* state, std::int64_t width) { std::fill_n(state, 2 * width, S::kIdentity); }

  static HWY_INLINE void one_row(const T* x, T* out, V& total, V& part) {
    Row row;
    for (std::int64_t q = 0; q < kVectors; ++q) row[q] = load(x + q * N);
    take_in<1>(row);
    for (std::int64_t q = 0; q < kVectors; ++q) hn::StoreU(value(total, part, row[q]), D(), out + q * N);
    advance(total, part, last_of(row[kVectors - 1]));
  }

  static void lines(bool first, const std::byte* const* from, std::int64_t, std::byte* const* to, std::int64_t,
                    std::int64_t n, std::int64_t count, std::byte* states) {
    T* const state = reinterpret_cast<T*>(states);
    if (first) begin(state, count);
    for (std::int64_t l = 0; l < count; ++l) {
      line(reinterpret_cast<const T*>(from[l]), reinterpret_cast<T*>(to[l]), n, state[l], state[count + l]);
    }
  }
  static HWY_INLINE void line(const T* x, T* out, std::int64_t n, T& kept_total, T& kept_part) {
    V total = hn::Set(D(), kept_total), part = hn::Set(D(), kept_part);
    std::int64_t i = 0;
    for (; i + kScanBlock <= n; i += kScanBlock) {
      for (std::int64_t k = 0; k < kScanBlock; k += kScanRow) one_row(x + i + k, out + i + k, total, part);
      settle(total, part);
    }
    for (; i + kScanRow <= n; i += kScanRow) one_row(x + i, out + i, total, part);
    if (i < n) {
      alignas(64) T copy[static_cast<std::size_t>(kScanRow)];
      std::fill(std::copy_n(x + i, n - i, copy), copy + kScanRow, S::kIdentity);
      one_row(copy, copy, total, part);
      std::copy_n(copy, n - i, out + i);
    }
    kept_total = hn::GetLane(total);
    kept_part = hn::GetLane(part);
  }

  static void fold(const std::byte* from, std::int64_t n, std::byte* to) {
    const T* const x = reinterpret_cast<const T*>(from);
    T* const result = reinterpret_cast<T*>(to);
    V a = identity(), b = a, c = a, d = a;
    std::int64_t i = 0;
    for (; i + 4 * N <= n; i += 4 * N) {
      a = combine(a, load(x + i));
      b = combine(b, load(x + i + N));
      c = combine(c, load(x + i + 2 * N));
      d = combine(d, load(x + i + 3 * N));
    }
    a = combine(combine(a, b), combine(c, d));
    const auto some = [](const T* at, std::int64_t count) HWY_ATTR {
      alignas(64) T copy[static_cast<std::size_t>(N)];
      std::fill(std::copy_n(at, count, copy), copy + N, S::kIdentity);
      return hn::Load(D(), copy);
    };
    for (; i < n; i += N) a = combine(a, some(x + i, std::min(N, n - i)));
    a = combine(some(result, 1), a);
    for (std::int64_t k = N / 2; k > 0; k /= 2) a = combine(a, turned(a, k));
    *result = hn::GetLane(a);
  }

  // The same tree for a vector of neighbouring lines, whose rows are `count` vectors.
  template <class Load, class Store>
  static HWY_INLINE void column(std::int64_t count, T* totals, T* parts, Load load_row, Store store_row) {
    V total = load(totals), part = load(parts);
    V row[static_cast<std::size_t>(kScanRow)];
    for (std::int64_t r = 0; r < count; ++r) row[r] = load_row(r);
    for (std::int64_t k = 1; k < kScanRow; k *= 2) {
      for (std::int64_t r = count - 1; r >= k; --r) row[r] = combine(row[r - k], row[r]);
    }
    for (std::int64_t r = 0; r < count; ++r) store_row(r, value(total, part, row[r]));
    advance(total, part, row[count - 1]);
    hn::StoreU(total, D(), totals);
    hn::StoreU(part, D(), parts);
  }

  static void rows(bool first, const std::byte* from, std::int64_t x_step, std::byte* to, std::int64_t out_step,
                   std::int64_t count, std::int64_t width, std::byte* states) {
    T* const state = reinterpret_cast<T*>(states);
    if (first) begin(state, width);
    const auto x = [&](std::int64_t r) HWY_ATTR { return reinterpret_cast<const T*>(from + r * x_step); };
    const auto out = [&](std::int64_t r) HWY_ATTR { return reinterpret_cast<T*>(to + r * out_step); };
    std::int64_t c = 0;
    const auto load_row = [&](std::int64_t r) HWY_ATTR { return load(x(r) + c); };
    const auto store_row = [&](std::int64_t r, V v) HWY_ATTR { hn::StoreU(v, D(), out(r) + c); };
    for (; c + N <= width; c += N) {
      T *const totals = state + c, *const parts = state + width + c;
      if (count == kScanRow) {
        column(kScanRow, totals, parts, load_row, store_row);
      } else {
        column(count, totals, parts, load_row, store_row);
      }
    }
    const std::int64_t left = width - c;
    if (left == 0) return;
    const auto bytes = static_cast<std::size_t>(left) * sizeof(T);
    alignas(64) T copy[static_cast<std::size_t>(N)] = {}, totals[static_cast<std::size_t>(N)] = {},
                  parts[static_cast<std::size_t>(N)] = {};
    std::memcpy(totals, state + c, bytes);
    std::memcpy(parts, state + width + c, bytes);
    column(
        count, totals, parts,
        [&](std::int64_t r) HWY_ATTR {
          std::memcpy(copy, x(r) + c, bytes);
          return load(copy);
        },
        [&](std::int64_t r, V v) HWY_ATTR {
          hn::StoreU(v, D(), copy);
          std::memcpy(out(r) + c, copy, bytes);
        });
    std::memcpy(state + c, totals, bytes);
    std::memcpy(state + width + c, parts, bytes);
  }

  static void settle_all(std::byte* states, std::int64_t width) {
    if constexpr (!S::kParts) return;
    T *const totals = reinterpret_cast<T*>(states), *const parts = totals + width;
    std::int64_t c = 0;
    const auto some = [](T* a, T* b) HWY_ATTR {
      V total = load(a), part = load(b);
      settle(total, part);
      hn::StoreU(total, D(), a);
      hn::StoreU(part, D(), b);
    };
    for (; c + N <= width; c += N) some(totals + c, parts + c);
    for (; c < width; ++c) {
      alignas(64) T a[static_cast<std::size_t>(N)] = {totals[c]}, b[static_cast<std::size_t>(N)] = {parts[c]};
      some(a, b);
      totals[c] = a[0];
      parts[c] = b[0];
    }
  }
};

template <class S>
constexpr ScanLoops kScan{sizeof(typename S::Element),
                          false,
                          calibration::kScannedElementNs,
                          element_bytes(S::kStart),
                          &Scan<S>::lines,
                          &Scan<S>::rows,
                          &Scan<S>::settle_all,
                          S::kParts ? nullptr : &Scan<S>::fold};

template <template <class> class S>
const ScanLoops* of_dtype(DType dtype) {
  constexpr const ScanLoops* kTable[] = {&kScan<S<float>>, &kScan<S<double>>,       nullptr,
                                         nullptr,          &kScan<S<std::int32_t>>, &kScan<S<std::int64_t>>};
  return index(dtype) < std::size(kTable) ? kTable[index(dtype)] : nullptr;
}
template <class T>
using Maxima = RunningExtrema<T, true>;
template <class T>
using Minima = RunningExtrema<T, false>;

const ScanLoops* loops_of(OpKind kind, DType dtype) {
  if (kind == OpKind::cumsum) return of_dtype<RunningSums>(dtype);
  if (kind == OpKind::cumprod) {
    return dtype == DType::i32 ? &kScan<RunningProducts<std::int32_t>> : &kScan<RunningProducts<std::int64_t>>;
  }
  if (kind == OpKind::cummax) return of_dtype<Maxima>(dtype);
  return of_dtype<Minima>(dtype);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(loops_of);

const ScanLoops* scan_loops(OpKind kind, DType dtype) { return HWY_DYNAMIC_DISPATCH(loops_of)(kind, dtype); }

}  // namespace tenferro::internal
#endif
