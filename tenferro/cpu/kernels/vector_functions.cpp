// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of functions of real numbers: SLEEF's elementary ones, and remainders. Where SLEEF overflows too early,
// or a quotient is too large, the lanes concerned are computed by the scalar formula.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_functions.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/sleef_inl.hpp"
#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if !TENFERRO_HAS_SLEEF
void set_functions(ElementLoops&) {}  // the scalar loops serve
#else

// The scalar formula in the lanes of `where`; out of line, because it is rare.
template <OpKind kind, class V, class... W>
HWY_NOINLINE V repaired(V result, hn::Mask<hn::DFromV<V> > where, V x, W... more) {
  using D = hn::DFromV<V>;
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = HWY_LANES(T);
  const D d;
  HWY_ALIGN T in[1 + sizeof...(W)][kLanes];
  HWY_ALIGN T out[kLanes];
  HWY_ALIGN std::uint8_t chosen[kLanes];
  std::size_t operand = 0;
  hn::Store(x, d, in[operand++]);
  (hn::Store(more, d, in[operand++]), ...);
  hn::Store(result, d, out);
  hn::Store(bools(d, where), hn::Rebind<std::uint8_t, D>(), chosen);
  Strip strip{reinterpret_cast<std::byte*>(out), {}, kLanes};
  strip.out_width = sizeof(T);
  for (std::size_t k = 0; k < operand; ++k) {
    strip.in[k] = reinterpret_cast<const std::byte*>(in[k]);
    strip.width[k] = sizeof(T);
  }
  strip.compute_where(scalar_loops().row(kind, dtype_of<T>), chosen);
  return hn::Load(d, out);
}

// F where |x| is at most the limit (f64's; f32's), the scalar formula of the row elsewhere.
template <class F, OpKind kind, int f64_exponent, int f32_exponent>
struct Below : Dear {
  template <class V>
  static HWY_INLINE V apply(V x) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    const V y = F::apply(x);
    constexpr T kLimit = sizeof(T) == 8 ? static_cast<T>(power(f64_exponent)) : static_cast<T>(power(f32_exponent));
    const auto beyond = hn::Gt(hn::Abs(x), hn::Set(d, kLimit));
    return HWY_LIKELY(hn::AllFalse(d, beyond)) ? y : repaired<kind>(y, beyond, x);
  }
  static constexpr double power(int exponent) {
    double p = 1;
    for (int i = 0; i < exponent; ++i) p *= 2;
    return p;
  }
};

// Near the largest number SLEEF's power overflows too early: an infinite result of finite numbers is computed again.
struct SafePow : Dear {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    const hn::DFromV<V> d;
    const V z = Pow::apply(x, y);
    const auto infinite = hn::And(hn::Eq(hn::Abs(z), hn::Inf(d)), hn::Lt(hn::Abs(x), hn::Inf(d)));
    return HWY_LIKELY(hn::AllFalse(d, infinite)) ? z : repaired<OpKind::pow>(z, infinite, x, y);
  }
};

// The remainder of a fused multiply-subtract is exact where the quotient, which may be one too large, is whole.
struct Rem : Dear {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    return whole<OpKind::rem>(x, y, [](V r, V) HWY_ATTR { return r; });
  }

 protected:
  template <OpKind kind, class V, class F>
  static HWY_INLINE V whole(V x, V y, const F& finish) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    const V quotient = hn::Div(x, y), most = hn::Set(d, static_cast<T>(sizeof(T) == 8 ? 0x1p52 : 0x1p23));
    const V r = hn::NegMulAdd(hn::Trunc(quotient), y, x);
    const auto too_large = hn::Lt(hn::Mul(r, hn::CopySign(hn::Set(d, T{1}), x)), hn::Zero(d));
    const V z = finish(hn::CopySign(hn::IfThenElse(too_large, hn::Sub(hn::Abs(y), hn::Abs(r)), r), x), y);
    const auto within = hn::And(hn::Lt(hn::Abs(quotient), most), hn::Lt(hn::Abs(y), hn::Inf(d)));
    const auto beyond = hn::Not(hn::Or(within, hn::Eq(y, hn::Zero(d))));  // over 0 there is none: NaN
    return HWY_LIKELY(hn::AllFalse(d, beyond)) ? z : repaired<kind>(z, beyond, x, y);
  }
};
struct FloorMod : Rem {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    return whole<OpKind::floor_mod>(x, y, [](V r, V divisor) HWY_ATTR {
      const hn::DFromV<V> d;
      const V zero = hn::Zero(d);
      const V moved = hn::IfNegativeThenElse(hn::Xor(r, divisor), hn::Add(r, divisor), r);
      return hn::IfThenElse(hn::Eq(r, zero), hn::CopySign(r, divisor), moved);
    });
  }
};

template <class F>
void set_function(ElementLoops& loops, OpKind kind) {
  set_rows<F, 1, float, double>(loops, kind);
}

void set_functions(ElementLoops& loops) {
  set_function<Exp>(loops, OpKind::exp);
  set_function<Exp2>(loops, OpKind::exp2);
  set_function<Expm1>(loops, OpKind::expm1);
  set_function<Log>(loops, OpKind::log);
  set_function<Log2>(loops, OpKind::log2);
  set_function<Log10>(loops, OpKind::log10);
  set_function<Below<Log1p, OpKind::log1p, 1000, 120> >(loops, OpKind::log1p);
  set_function<Sin>(loops, OpKind::sin);
  set_function<Cos>(loops, OpKind::cos);
  set_function<Tan>(loops, OpKind::tan);
  set_function<Asin>(loops, OpKind::asin);
  set_function<Acos>(loops, OpKind::acos);
  set_function<Atan>(loops, OpKind::atan);
  set_function<Below<Sinh, OpKind::sinh, 9, 6> >(loops, OpKind::sinh);
  set_function<Below<Cosh, OpKind::cosh, 9, 6> >(loops, OpKind::cosh);
  set_function<Tanh>(loops, OpKind::tanh);
  set_function<Below<Asinh, OpKind::asinh, 500, 60> >(loops, OpKind::asinh);
  set_function<Below<Acosh, OpKind::acosh, 500, 60> >(loops, OpKind::acosh);
  set_function<Atanh>(loops, OpKind::atanh);
  set_function<Cbrt>(loops, OpKind::cbrt);
  set_function<Erf>(loops, OpKind::erf);
  set_function<Erfc>(loops, OpKind::erfc);
  set_rows<SafePow, 2, float, double>(loops, OpKind::pow);
  set_rows<Atan2, 2, float, double>(loops, OpKind::atan2);
  set_rows<Hypot, 2, float, double>(loops, OpKind::hypot);
  if constexpr (HWY_NATIVE_FMA != 0) {
    set_rows<Rem, 2, float, double>(loops, OpKind::rem);
    set_rows<FloorMod, 2, float, double>(loops, OpKind::floor_mod);
  }
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_functions);
void add_vector_functions(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_functions)(loops); }

}  // namespace tenferro::internal
#endif
