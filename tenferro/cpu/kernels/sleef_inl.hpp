// SPDX-License-Identifier: MIT OR Apache-2.0

// SLEEF's functions as formulas on vectors: those with errors below 1 ulp (erfc: 1.5), in the variants whose results
// are the same for every width of vectors (with fused multiply-add, "finz", or without, "cinz"; the others choose a
// method by the largest of their lanes). Included once for every set of vector instructions; TENFERRO_HAS_SLEEF says
// whether SLEEF has functions for it.
//
//   Exp::apply(x)                                            // e^x, f32 or f64

#if defined(TENFERRO_SLEEF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_SLEEF_INL
#undef TENFERRO_SLEEF_INL
#else
#define TENFERRO_SLEEF_INL
#endif

#include <hwy/highway.h>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

#undef TENFERRO_HAS_SLEEF
#undef TENFERRO_SLEEF_F64
#undef TENFERRO_SLEEF_F32
#undef TENFERRO_SLEEF_UNARY
#undef TENFERRO_SLEEF_BINARY
#define TENFERRO_HAS_SLEEF (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)

#if TENFERRO_HAS_SLEEF
HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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

// Sine and cosine at once, of f64.
struct SineAndCosine {
  F64s sine, cosine;
};
extern "C" SineAndCosine TENFERRO_SLEEF_F64(sincos, u10)(F64s);

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();
#endif

#endif
