// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of conversions between dtypes, with the results of cast_value.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_casts.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
void set_casts(ElementLoops&) {}  // the scalar loops serve
#else

// Lanes of type To from as many lanes of another type.
template <class To>
struct Cast : Pace<2> {
  template <class V>
  static HWY_INLINE auto apply(V x) {
    const hn::DFromV<V> from;
    const hn::Rebind<Lane<To>, hn::DFromV<V> > to;
    using T = hn::TFromV<V>;
    if constexpr (std::is_same_v<To, bool>) {
      return bools(from, unequal(x, hn::Zero(from)));
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
      return of_bools(to, x);
    } else if constexpr (!hwy::IsFloat<T>()) {
      return of_integers(to, x);
    } else if constexpr (hwy::IsFloat<To>()) {
      if constexpr (sizeof(To) > sizeof(T)) {
        return hn::PromoteTo(to, x);
      } else {
        return hn::DemoteTo(to, x);
      }
    } else {
      // Saturating; NaN to 0.
      const V number = hn::IfThenElseZero(hn::Eq(x, x), x);
      if constexpr (sizeof(To) == sizeof(T)) {
        return hn::ConvertTo(to, number);
      } else if constexpr (sizeof(To) < sizeof(T)) {
        return hn::DemoteTo(to, number);
      } else {
        return hn::ConvertTo(to, hn::PromoteTo(hn::Rebind<double, hn::DFromV<V> >(), number));
      }
    }
  }

 private:
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> of_integers(D to, V x) {
    using T = hn::TFromV<V>;
    if constexpr (sizeof(To) > sizeof(T)) {
      return hn::PromoteTo(to, x);
    } else if constexpr (sizeof(To) == sizeof(T)) {
      return hn::ConvertTo(to, x);
    } else {
      const hn::RebindToUnsigned<hn::DFromV<V> > wide;
      return hn::BitCast(to, hn::TruncateTo(hn::RebindToUnsigned<D>(), hn::BitCast(wide, x)));
    }
  }
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> of_bools(D to, V x) {
    return hn::IfThenElseZero(mask_of(to, x), hn::Set(to, To{1}));
  }
};

template <class To, class From>
void set_cast(ElementLoops& loops) {
  loops.set_cast(dtype_of<To>, dtype_of<From>, &VectorLoop<Cast<Lane<To> >, To, From>::run);
}

using C32 = std::complex<float>;
using C64 = std::complex<double>;
using I32 = std::int32_t;
using I64 = std::int64_t;

void set_casts(ElementLoops& loops) {
  set_cast<double, float>(loops);
  set_cast<float, double>(loops);
  set_cast<C64, C32>(loops);
  set_cast<C32, C64>(loops);
  set_cast<float, I32>(loops);
  set_cast<double, I32>(loops);
  set_cast<double, I64>(loops);
  set_cast<I32, float>(loops);
  set_cast<I32, double>(loops);
  set_cast<I64, float>(loops);
  set_cast<I64, double>(loops);
  set_cast<I64, I32>(loops);
  set_cast<I32, I64>(loops);
  loops.set_cast(DType::f32, DType::boolean, &VectorLoop<Cast<float>, float, bool>::run);
  loops.set_cast(DType::f64, DType::boolean, &VectorLoop<Cast<double>, double, bool>::run);
  loops.set_cast(DType::i32, DType::boolean, &VectorLoop<Cast<I32>, I32, bool>::run);
  loops.set_cast(DType::i64, DType::boolean, &VectorLoop<Cast<I64>, I64, bool>::run);
  loops.set_cast(DType::boolean, DType::f32, &VectorLoop<Cast<bool>, bool, float>::run);
  loops.set_cast(DType::boolean, DType::f64, &VectorLoop<Cast<bool>, bool, double>::run);
  loops.set_cast(DType::boolean, DType::i32, &VectorLoop<Cast<bool>, bool, I32>::run);
  loops.set_cast(DType::boolean, DType::i64, &VectorLoop<Cast<bool>, bool, I64>::run);
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_casts);
void add_vector_casts(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_casts)(loops); }

}  // namespace tenferro::internal
#endif
