// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of elementary functions: SLEEF's functions with errors below 1 ulp (erfc: 1.5), in the variants whose
// results are the same for every width of vectors (with fused multiply-add, "finz", or without, "cinz"; the others
// choose a method by the largest of their lanes). Where SLEEF overflows too early, the lanes concerned are computed by
// the scalar formula.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_functions.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
void set_functions(ElementLoops&) {}  // the scalar loops serve
#else

// SLEEF's own header hides its functions where they are not the compiler's default instructions.
#if HWY_TARGET == HWY_AVX3
#define TENFERRO_SLEEF_F64(name, ulp) Sleef_finz_##name##d8_##ulp##avx512f
#define TENFERRO_SLEEF_F32(name, ulp) Sleef_finz_##name##f16_##ulp##avx512f
using F64s = __m512d;
using F32s = __m512;
#elif HWY_TARGET == HWY_AVX2
#define TENFERRO_SLEEF_F64(name, ulp) Sleef_finz_##name##d4_##ulp##avx2
#define TENFERRO_SLEEF_F32(name, ulp) Sleef_finz_##name##f8_##ulp##avx2
using F64s = __m256d;
using F32s = __m256;
#elif HWY_TARGET == HWY_SSE4
#define TENFERRO_SLEEF_F64(name, ulp) Sleef_cinz_##name##d2_##ulp##sse4
#define TENFERRO_SLEEF_F32(name, ulp) Sleef_cinz_##name##f4_##ulp##sse4
using F64s = __m128d;
using F32s = __m128;
#elif HWY_TARGET == HWY_NEON
#define TENFERRO_SLEEF_F64(name, ulp) Sleef_finz_##name##d2_##ulp##advsimd
#define TENFERRO_SLEEF_F32(name, ulp) Sleef_finz_##name##f4_##ulp##advsimd
using F64s = float64x2_t;
using F32s = float32x4_t;
#endif

struct Dear {
  static constexpr std::size_t kUnroll = 1;
};

// Formula Name: SLEEF's function `name` with this bound on its error.
#define TENFERRO_SLEEF_UNARY(Name, name, ulp)           \
  extern "C" F64s TENFERRO_SLEEF_F64(name, ulp)(F64s);  \
  extern "C" F32s TENFERRO_SLEEF_F32(name, ulp)(F32s);  \
  struct Name : Dear {                                  \
    template <class V>                                  \
    static HWY_INLINE V apply(V x) {                    \
      if constexpr (sizeof(hn::TFromV<V>) == 8) {       \
        return V{TENFERRO_SLEEF_F64(name, ulp)(x.raw)}; \
      } else {                                          \
        return V{TENFERRO_SLEEF_F32(name, ulp)(x.raw)}; \
      }                                                 \
    }                                                   \
  };
#define TENFERRO_SLEEF_BINARY(Name, name, ulp)                 \
  extern "C" F64s TENFERRO_SLEEF_F64(name, ulp)(F64s, F64s);   \
  extern "C" F32s TENFERRO_SLEEF_F32(name, ulp)(F32s, F32s);   \
  struct Name : Dear {                                         \
    template <class V>                                         \
    static HWY_INLINE V apply(V x, V y) {                      \
      if constexpr (sizeof(hn::TFromV<V>) == 8) {              \
        return V{TENFERRO_SLEEF_F64(name, ulp)(x.raw, y.raw)}; \
      } else {                                                 \
        return V{TENFERRO_SLEEF_F32(name, ulp)(x.raw, y.raw)}; \
      }                                                        \
    }                                                          \
  };
TENFERRO_SLEEF_UNARY(Exp, exp, u10)
TENFERRO_SLEEF_UNARY(Exp2, exp2, u10)
TENFERRO_SLEEF_UNARY(Expm1, expm1, u10)
TENFERRO_SLEEF_UNARY(Log, log, u10)
TENFERRO_SLEEF_UNARY(Log2, log2, u10)
TENFERRO_SLEEF_UNARY(Log10, log10, u10)
TENFERRO_SLEEF_UNARY(Log1p, log1p, u10)
TENFERRO_SLEEF_UNARY(Sin, sin, u10)
TENFERRO_SLEEF_UNARY(Cos, cos, u10)
TENFERRO_SLEEF_UNARY(Tan, tan, u10)
TENFERRO_SLEEF_UNARY(Asin, asin, u10)
TENFERRO_SLEEF_UNARY(Acos, acos, u10)
TENFERRO_SLEEF_UNARY(Atan, atan, u10)
TENFERRO_SLEEF_UNARY(Sinh, sinh, u10)
TENFERRO_SLEEF_UNARY(Cosh, cosh, u10)
TENFERRO_SLEEF_UNARY(Tanh, tanh, u10)
TENFERRO_SLEEF_UNARY(Asinh, asinh, u10)
TENFERRO_SLEEF_UNARY(Acosh, acosh, u10)
TENFERRO_SLEEF_UNARY(Atanh, atanh, u10)
TENFERRO_SLEEF_UNARY(Cbrt, cbrt, u10)
TENFERRO_SLEEF_UNARY(Erf, erf, u10)
TENFERRO_SLEEF_UNARY(Erfc, erfc, u15)
TENFERRO_SLEEF_BINARY(Pow, pow, u10)
TENFERRO_SLEEF_BINARY(Atan2, atan2, u10)
TENFERRO_SLEEF_BINARY(Hypot, hypot, u05)

// The scalar formula in the lanes of `where`; out of line, because it is rare.
template <OpKind kind, class V, class... W>
HWY_NOINLINE V repaired(V result, hn::Mask<hn::DFromV<V> > where, V x, W... more) {
  using D = hn::DFromV<V>;
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = HWY_LANES(T);
  const D d;
  HWY_ALIGN T in[1 + sizeof...(W)][kLanes];
  HWY_ALIGN T out[kLanes];
  HWY_ALIGN T chosen[kLanes];
  std::size_t operand = 0;
  hn::Store(x, d, in[operand++]);
  (hn::Store(more, d, in[operand++]), ...);
  hn::Store(result, d, out);
  hn::Store(hn::IfThenElseZero(where, hn::Set(d, T{1})), d, chosen);
  const ElementLoop scalar = scalar_loops().row(kind, dtype_of<T>);
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (chosen[i] == T{0}) continue;
    Strip strip{reinterpret_cast<std::byte*>(&out[i]), {}, 1};
    for (std::size_t k = 0; k < operand; ++k) strip.in[k] = reinterpret_cast<const std::byte*>(&in[k][i]);
    strip.compute(scalar);
  }
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
