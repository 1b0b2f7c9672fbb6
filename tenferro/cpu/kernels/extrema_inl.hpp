// SPDX-License-Identifier: MIT OR Apache-2.0

// The larger and the smaller of elements for one set of vector instructions, for reductions to a value and to a
// position: NaN beats everything; for a position, the first of equals stays. Reducers in the sense of
// reduce_loops_inl.hpp.

#if defined(TENFERRO_EXTREMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_EXTREMA_INL
#undef TENFERRO_EXTREMA_INL
#else
#define TENFERRO_EXTREMA_INL
#endif

#include <cmath>
#include <limits>
#include <type_traits>

#include "tenferro/cpu/kernels/reduce_loops_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

// Of numbers the larger or the smaller, where −0 is less than +0; anything if one is NaN. And whether one is.
template <bool largest, class V>
HWY_INLINE V number_of(V a, V b) {
  const V x = largest ? hn::Max(a, b) : hn::Min(a, b), y = largest ? hn::Max(b, a) : hn::Min(b, a);
  return largest ? hn::And(x, y) : hn::Or(x, y);  // they differ in zeros alone
}
template <class V>
HWY_INLINE auto unordered(V a, V b) {
  return hn::Or(hn::IsNaN(a), hn::IsNaN(b));
}
#if HWY_TARGET == HWY_AVX3
template <bool largest>
HWY_INLINE hn::Vec512<float> number_of(hn::Vec512<float> a, hn::Vec512<float> b) {
  return {_mm512_range_ps(a.raw, b.raw, largest ? 5 : 4)};
}
template <bool largest>
HWY_INLINE hn::Vec512<double> number_of(hn::Vec512<double> a, hn::Vec512<double> b) {
  return {_mm512_range_pd(a.raw, b.raw, largest ? 5 : 4)};
}
HWY_INLINE hn::Mask512<float> unordered(hn::Vec512<float> a, hn::Vec512<float> b) {
  return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
}
HWY_INLINE hn::Mask512<double> unordered(hn::Vec512<double> a, hn::Vec512<double> b) {
  return {_mm512_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q)};
}
#endif

/// maximum and minimum of IEEE 754-2019, 9.6: NaN, always the same one, if either is NaN.
template <bool largest, class V>
HWY_INLINE V better_of(V a, V b) {
  using D = hn::DFromV<V>;
  const V nan = hn::Set(D(), std::numeric_limits<hn::TFromD<D>>::quiet_NaN());
  return hn::IfThenElse(unordered(a, b), nan, number_of<largest>(a, b));
}

/// The same of many vectors: pairs are searched for NaN, which needs no care then where they are combined.
template <bool largest, class D>
class NanWatch {
 public:
  using V = hn::Vec<D>;
  HWY_INLINE NanWatch() : seen_(hn::MaskFromVec(hn::Zero(D()))) {}
  HWY_INLINE void see(V& a, V& b) {
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG
    asm("" : "+v"(a.raw), "+v"(b.raw));  // one load for both uses
#endif
    seen_ = hn::Or(seen_, unordered(a, b));
  }
  static HWY_INLINE V combine(V a, V b) { return number_of<largest>(a, b); }
  HWY_INLINE V settle(V v) const {
    return hn::IfThenElse(seen_, hn::Set(D(), std::numeric_limits<hn::TFromD<D>>::quiet_NaN()), v);
  }

 private:
  hn::Mask<D> seen_;
};

template <class T, bool largest>
struct Extremum {
  using In = T;
  using Acc = T;
  using Part = T;
  using Next = Extremum;
  using Limits = std::numeric_limits<T>;
  static constexpr bool kHasIdentity = true, kAnyOrder = true;
  static constexpr T kPartIdentity = [] {
    if constexpr (Limits::has_infinity) return largest ? -Limits::infinity() : Limits::infinity();
    return largest ? Limits::lowest() : Limits::max();
  }();
  static constexpr T kIdentity = kPartIdentity, kEmpty = kPartIdentity;
  template <class D>
  using Watch = std::conditional_t<hwy::IsFloat<T>(), NanWatch<largest, D>, Unwatched<Extremum, D>>;
  static bool ahead(T x, T y) { return largest ? x > y : x < y; }
  /// Whether x, which comes later, takes the place of `best`.
  static bool beats(T x, T best) { return ahead(x, best) | ((x != x) & (best == best)); }
  static T map(T x) { return x; }
  static T combine(T a, T b) {
    if constexpr (hwy::IsFloat<T>()) {
      if (a != a || b != b) return Limits::quiet_NaN();
      if (a == b) return std::signbit(a) == largest ? b : a;
    }
    return ahead(b, a) ? b : a;
  }
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
