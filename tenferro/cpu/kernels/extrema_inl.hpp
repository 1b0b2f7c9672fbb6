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

// The better of a and b, a where they are equal or one is NaN: what x86 computes with b first.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
#define TENFERRO_BETTER(native, test) hn::native(b, a)
#else
#define TENFERRO_BETTER(native, test) hn::IfThenElse(hn::test(b, a), b, a)
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
  static T combine(T a, T b) { return ahead(b, a) | (b != b) ? b : a; }
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
      return hn::IfThenElse(hn::IsNaN(b), b, largest ? TENFERRO_BETTER(Max, Gt) : TENFERRO_BETTER(Min, Lt));
    } else {
      return largest ? hn::Max(a, b) : hn::Min(a, b);
    }
  }
};
#undef TENFERRO_BETTER

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#endif
