// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of complex division and roots: the formulas of scalar_complex.hpp in f64, operation by operation, for
// vectors whose numbers are all safe to square. Others, which are rare, go through the scalar loop.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_complex.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
void set_complex(ElementLoops&) {}  // the scalar loops serve
#else

// Parts stand in even lanes (real) and odd ones (imaginary); `swapped` exchanges them.
template <class V>
HWY_INLINE V swapped(V z) {
  return hn::Reverse2(hn::DFromV<V>(), z);
}
// |z|² in both lanes of z.
template <class V>
HWY_INLINE V norm(V z) {
  const V squares = hn::Mul(z, z);
  return hn::Add(squares, swapped(squares));
}
// Whether the larger part is in [2⁻⁵⁰⁰, 2⁵⁰⁰].
template <class V>
HWY_INLINE auto safe_to_square(V z) {
  const hn::DFromV<V> d;
  const V parts = hn::Abs(z), larger = hn::Max(parts, swapped(parts));
  return hn::And(hn::Ge(larger, hn::Set(d, 0x1p-500)), hn::Le(larger, hn::Set(d, 0x1p500)));
}

struct Div {
  static constexpr OpKind kKind = OpKind::div;
  template <class V>
  static HWY_INLINE auto safe(V n, V divisor) {
    return hn::And(safe_to_square(divisor), safe_to_square(n));
  }
  template <class V>
  static HWY_INLINE V plain(V n, V divisor) {
    const V straight = hn::Mul(n, divisor), crossed = hn::Mul(swapped(n), divisor);
    const V real = hn::Add(straight, swapped(straight)), imaginary = hn::Sub(swapped(crossed), crossed);
    return hn::Div(hn::OddEven(imaginary, real), norm(divisor));
  }
};
// Formulas of one number.
struct OfOneNumber {
  template <class V>
  static HWY_INLINE auto safe(V z) {
    return safe_to_square(z);
  }
};
struct Reciprocal : OfOneNumber {
  static constexpr OpKind kKind = OpKind::reciprocal;
  template <class V>
  static HWY_INLINE V plain(V z) {
    return hn::Div(hn::OddEven(hn::Neg(z), z), norm(z));
  }
};
struct Sign : OfOneNumber {
  static constexpr OpKind kKind = OpKind::sign;
  template <class V>
  static HWY_INLINE V plain(V z) {
    return hn::Div(z, hn::Sqrt(norm(z)));
  }
};
struct Sqrt : OfOneNumber {
  static constexpr OpKind kKind = OpKind::sqrt;
  template <class V>
  static HWY_INLINE V plain(V z) {
    const hn::DFromV<V> d;
    const V x = hn::DupEven(z), y = hn::DupOdd(z);
    const V t = hn::Sqrt(hn::Mul(hn::Set(d, 0.5), hn::Add(hn::Abs(x), hn::Sqrt(norm(z)))));
    const V other = hn::Div(y, hn::Add(t, t));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::OddEven(hn::CopySign(t, y), hn::Abs(other)),
                          hn::OddEven(other, t));
  }
};
struct Rsqrt : OfOneNumber {
  static constexpr OpKind kKind = OpKind::rsqrt;
  template <class V>
  static HWY_INLINE V plain(V z) {
    return Reciprocal::plain(Sqrt::plain(z));
  }
};

// f32 is computed in f64, half a vector at a time.
template <class F>
struct InDouble {
  static constexpr std::size_t kUnroll = 1;

  template <class... V>
  static HWY_INLINE auto apply(V... z) {
    return compute(hn::DFromV<std::common_type_t<V...> >(), z...);
  }

 private:
  template <class D, class... V>
  static HWY_INLINE hn::Vec<D> compute(D d, V... z) {
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      const hn::Half<D> half;
      const hn::Rebind<double, decltype(half)> wide;
      const auto low = compute(wide, hn::PromoteTo(wide, hn::LowerHalf(half, z))...);
      const auto high = compute(wide, hn::PromoteTo(wide, hn::UpperHalf(half, z))...);
      return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
    } else {
      if (HWY_LIKELY(hn::AllTrue(d, F::safe(z...)))) return F::plain(z...);
      return one_by_one(d, z...);
    }
  }
  template <class D, class... V>
  static HWY_NOINLINE hn::Vec<D> one_by_one(D d, V... z) {
    constexpr std::size_t kLanes = HWY_LANES(double);
    HWY_ALIGN double in[2][kLanes];
    HWY_ALIGN double out[kLanes];
    double* at = in[0];
    ((hn::Store(z, d, at), at += kLanes), ...);
    scalar_loops().row(F::kKind, DType::c64)(reinterpret_cast<std::byte*>(out), reinterpret_cast<std::byte*>(in[0]),
                                             reinterpret_cast<std::byte*>(in[1]), nullptr, kLanes / 2);
    return hn::Load(d, out);
  }
};

template <class F, std::size_t kIn>
void set_in_double(ElementLoops& loops) {
  set_rows<InDouble<F>, kIn, std::complex<float>, std::complex<double> >(loops, F::kKind);
}

void set_complex(ElementLoops& loops) {
  set_in_double<Div, 2>(loops);
  set_in_double<Reciprocal, 1>(loops);
  set_in_double<Sign, 1>(loops);
  set_in_double<Sqrt, 1>(loops);
  set_in_double<Rsqrt, 1>(loops);
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_complex);
void add_vector_complex(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_complex)(loops); }

}  // namespace tenferro::internal
#endif
