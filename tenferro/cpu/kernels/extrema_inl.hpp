// SPDX-License-Identifier: MIT OR Apache-2.0

// The larger and the smaller of elements for one set of vector instructions, for reductions to a value and to a
// position: NaN beats everything, and the first of equals stays. Reducers in the sense of reduce_loops_inl.hpp.

#if defined(TENFERRO_EXTREMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_EXTREMA_INL
#undef TENFERRO_EXTREMA_INL
#else
#define TENFERRO_EXTREMA_INL
#endif

#include <limits>

#include "tenferro/cpu/kernels/reduce_loops_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

// Of a and b of a float type the better one, a where they are equal, b where b is NaN.
#if HWY_TARGET == HWY_AVX3
template <bool largest>
HWY_INLINE hwy::N_AVX3::Vec512<float> better_of(hwy::N_AVX3::Vec512<float> a, hwy::N_AVX3::Vec512<float> b) {
  const __mmask16 number = _mm512_cmp_ps_mask(b.raw, b.raw, _CMP_ORD_Q);
  return {largest ? _mm512_mask_max_ps(b.raw, number, b.raw, a.raw) : _mm512_mask_min_ps(b.raw, number, b.raw, a.raw)};
}
template <bool largest>
HWY_INLINE hwy::N_AVX3::Vec512<double> better_of(hwy::N_AVX3::Vec512<double> a, hwy::N_AVX3::Vec512<double> b) {
  const __mmask8 number = _mm512_cmp_pd_mask(b.raw, b.raw, _CMP_ORD_Q);
  return {largest ? _mm512_mask_max_pd(b.raw, number, b.raw, a.raw) : _mm512_mask_min_pd(b.raw, number, b.raw, a.raw)};
}
#else
template <bool largest, class V>
HWY_INLINE V better_of(V a, V b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  const V better = largest ? hn::Max(b, a) : hn::Min(b, a);  // x86 gives the second where they are equal or one is NaN
#else
  const V better = hn::IfThenElse(largest ? hn::Gt(b, a) : hn::Lt(b, a), b, a);
#endif
  return hn::IfThenElse(hn::IsNaN(b), b, better);
}
#endif

template <class T, bool largest>
struct Extremum {
  using In = T;
  using Acc = T;
  using Part = T;
  using Next = Extremum;
  using Limits = std::numeric_limits<T>;
  static constexpr bool kHasIdentity = true;
  static constexpr T kPartIdentity = [] {
    if constexpr (Limits::has_infinity) return largest ? -Limits::infinity() : Limits::infinity();
    return largest ? Limits::lowest() : Limits::max();
  }();
  static constexpr T kIdentity = kPartIdentity, kEmpty = kPartIdentity;
  static bool ahead(T x, T y) { return largest ? x > y : x < y; }
  /// Whether x, which comes later, takes the place of `best`.
  static bool beats(T x, T best) { return ahead(x, best) | ((x != x) & (best == best)); }
  static T map(T x) { return x; }
  static T combine(T a, T b) { return (ahead(b, a) | (b != b)) ? b : a; }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const T* x) {
    return hn::LoadU(d, x);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> map(D, hn::Vec<D> v) {
    return v;
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D, hn::Vec<D> a, hn::Vec<D> b) {
    if constexpr (hwy::IsFloat<T>()) {
      return better_of<largest>(a, b);
    } else {
      return largest ? hn::Max(a, b) : hn::Min(a, b);
    }
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#endif
