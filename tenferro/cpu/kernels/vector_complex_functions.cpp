// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of complex functions: the formulas of scalar_complex_exp.hpp and scalar_complex_trig.hpp in f64, with
// SLEEF's real functions. Where a formula has several cases, the common one is here and the others are left to the
// scalar loop.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_complex_functions.cpp"
#include <hwy/foreach_target.h>

#include <numbers>

#include "tenferro/cpu/kernels/complex_loop_inl.hpp"
#include "tenferro/cpu/kernels/sleef_inl.hpp"
#include "tenferro/ops/scalar_complex_exp.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if !TENFERRO_HAS_SLEEF
void set_complex_functions(ElementLoops&) {}  // the scalar loops serve
#else

// With fused multiply-add, log|z| is right also where |z| is near 1.
constexpr bool kFused = HWY_NATIVE_FMA != 0;

template <class D>
HWY_INLINE hn::Mask<D> is_finite(D d, hn::Vec<D> x) {
  return hn::Lt(hn::Abs(x), hn::Inf(d));
}
// cos x + i·sin x.
template <class D>
HWY_INLINE Parts<D> turn_by(D, hn::Vec<D> x) {
  const SineAndCosine both = TENFERRO_SLEEF_F64(sincos, u10)(x.raw);
  return {hn::Vec<D>{both.cosine}, hn::Vec<D>{both.sine}};
}

// Exponents that neither overflow nor vanish.
template <OpKind kind>
struct Exponential : WhereSafe<kind> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    return hn::And(hn::Lt(hn::Abs(z.re), hn::Set(d, 700.0)), is_finite(d, z.im));
  }
};

struct ComplexExp : Exponential<OpKind::exp> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto scale = Exp::apply(z.re);
    const Parts<D> turn = turn_by(d, z.im);
    return {hn::Mul(scale, turn.re), hn::Mul(scale, turn.im)};
  }
};

// 2^z; the angle y·log 2 to twice the working precision, which takes fused multiply-add.
struct ComplexExp2 : WhereSafe<OpKind::exp2> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    return hn::And(hn::Le(hn::Abs(z.re), hn::Set(d, 1000.0)),
                   hn::Le(hn::Abs(z.im), hn::Set(d, scalar::internal::kSmallRest)));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto ln2 = hn::Set(d, std::numbers::ln2);
    const auto angle = hn::Mul(z.im, ln2);
    const auto rest = hn::Add(hn::MulSub(z.im, ln2, angle), hn::Mul(z.im, hn::Set(d, scalar::internal::kRestOfLn2)));
    const auto scale = Exp2::apply(z.re);
    const Parts<D> turn = turn_by(d, angle);
    const auto imaginary = hn::Mul(scale, hn::Add(turn.im, hn::Mul(turn.re, rest)));
    return {hn::Mul(scale, hn::Sub(turn.re, hn::Mul(turn.im, rest))),
            hn::IfThenElse(hn::Eq(z.im, hn::Zero(d)), z.im, imaginary)};
  }
};

struct ComplexExpm1 : Exponential<OpKind::expm1> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const Parts<D> turn = turn_by(d, z.im);
    const auto half_sine = Sin::apply(hn::Mul(hn::Set(d, 0.5), z.im));
    const auto lost = hn::Mul(hn::Mul(hn::Set(d, 2.0), half_sine), half_sine);
    return {hn::Sub(hn::Mul(Expm1::apply(z.re), turn.re), lost), hn::Mul(Exp::apply(z.re), turn.im)};
  }
};

// |z|² − 1 near |z| = 1, with the rounding errors of squares and sums kept.
template <class D>
HWY_INLINE hn::Vec<D> norm_minus_one(D d, Parts<D> z) {
  const auto xx = hn::Mul(z.re, z.re), yy = hn::Mul(z.im, z.im);
  const auto larger = hn::Max(xx, yy), smaller = hn::Min(xx, yy);
  const auto one = hn::Set(d, 1.0), top = hn::Sub(larger, one), top_error = hn::Sub(larger, hn::Add(top, one));
  const auto sum = hn::Add(top, smaller), part = hn::Sub(sum, top);
  const auto sum_error = hn::Add(hn::Sub(top, hn::Sub(sum, part)), hn::Sub(smaller, part));
  const auto error = hn::Add(hn::MulSub(z.re, z.re, xx), hn::MulSub(z.im, z.im, yy));
  return hn::Add(sum, hn::Add(error, hn::Add(sum_error, top_error)));
}
template <class D>
HWY_INLINE hn::Mask<D> near_one(D d, hn::Vec<D> square) {
  return hn::And(hn::Gt(square, hn::Set(d, 0.5)), hn::Lt(square, hn::Set(d, 2.0)));
}

// log z times a factor: log₂e for log2, and so on.
template <OpKind kind>
struct ComplexLog : WhereSafe<kind> {
  static constexpr double kFactor = kind == OpKind::log2    ? std::numbers::log2e
                                    : kind == OpKind::log10 ? std::numbers::log10e
                                                            : 1.0;
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    const auto fine = safe_to_square(d, z);
    return kFused ? fine : hn::And(fine, hn::Not(near_one(d, norm(z))));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto square = norm(z);
    const auto near = near_one(d, square);
    auto twice = Log::apply(square);
    if (!hn::AllFalse(d, near)) twice = hn::IfThenElse(near, Log1p::apply(norm_minus_one(d, z)), twice);
    const auto factor = hn::Set(d, kFactor);
    return {hn::Mul(hn::Mul(hn::Set(d, 0.5), twice), factor), hn::Mul(Atan2::apply(z.im, z.re), factor)};
  }
};

// log(1 + z): |1 + z|² − 1 = x(2 + x) + y² keeps what 1 + z loses for small z.
struct ComplexLog1p : WhereSafe<OpKind::log1p> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    return hn::Or(ComplexLog<OpKind::log>::safe(d, moved(d, z)), is_real(d, z));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const Parts<D> w = moved(d, z);
    const auto square = norm(w), quarter = hn::Set(d, 0.25);
    const auto small = hn::And(hn::Lt(hn::Abs(z.re), quarter), hn::Lt(hn::Abs(z.im), quarter));
    const auto real = is_real(d, z), near = hn::Or(real, hn::Or(small, near_one(d, square)));
    auto twice = Log::apply(square);
    if (!hn::AllFalse(d, near)) {
      const auto of_small = hn::Add(hn::Mul(z.re, hn::Add(hn::Set(d, 2.0), z.re)), hn::Mul(z.im, z.im));
      const auto of_any = hn::IfThenElse(small, of_small, norm_minus_one(d, w));
      twice = hn::IfThenElse(near, Log1p::apply(hn::IfThenElse(real, z.re, of_any)), twice);
    }
    return {hn::IfThenElse(real, twice, hn::Mul(hn::Set(d, 0.5), twice)), Atan2::apply(w.im, w.re)};
  }

 private:
  // Numbers whose logarithm is that of a real one.
  template <class D>
  static HWY_INLINE hn::Mask<D> is_real(D d, Parts<D> z) {
    const auto inside = hn::And(hn::Gt(z.re, hn::Set(d, -1.0)), hn::Le(z.re, hn::Set(d, 0x1p500)));
    return hn::And(inside, hn::Eq(z.im, hn::Zero(d)));
  }
  template <class D>
  static HWY_INLINE Parts<D> moved(D d, Parts<D> z) {
    return {hn::Add(hn::Set(d, 1.0), z.re), z.im};
  }
};

// cosh x and, as the other part, sinh x for |x| < 20.
template <class D>
HWY_INLINE Parts<D> cosh_sinh(D d, hn::Vec<D> x) {
  const auto half = hn::Set(d, 0.5), one = hn::Set(d, 1.0);
  const auto t = Expm1::apply(hn::Abs(x)), r = hn::Div(t, hn::Add(one, t));
  return {hn::Add(one, hn::Mul(half, hn::Mul(t, r))), hn::CopySign(hn::Mul(half, hn::Add(t, r)), x)};
}

// Circular functions are hyperbolic ones of i·z: f(z) = −i·g(i·z).
template <bool kCircular>
struct Turns {
  template <class D>
  static HWY_INLINE Parts<D> turned(Parts<D> z) {
    return kCircular ? Parts<D>{hn::Neg(z.im), z.re} : z;
  }
  template <class D>
  static HWY_INLINE Parts<D> turned_back(Parts<D> w) {
    return kCircular ? Parts<D>{w.im, hn::Neg(w.re)} : w;
  }
};

constexpr bool is_circular(OpKind kind) { return kind == OpKind::sin || kind == OpKind::cos || kind == OpKind::tan; }
template <OpKind kind>
struct Hyperbolic : WhereSafe<kind>, Turns<is_circular(kind)> {
  using Turns<is_circular(kind)>::turned, Turns<is_circular(kind)>::turned_back;

  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    const Parts<D> w = turned(z);
    return hn::And(hn::Lt(hn::Abs(w.re), hn::Set(d, 20.0)), is_finite(d, w.im));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const Parts<D> w = turned(z);
    const Parts<D> h = cosh_sinh(d, w.re);
    const Parts<D> turn = turn_by(d, w.im);
    if constexpr (kind == OpKind::cosh || kind == OpKind::cos) {
      return {hn::Mul(h.re, turn.re), hn::Mul(h.im, turn.im)};
    } else if constexpr (kind == OpKind::sinh || kind == OpKind::sin) {
      return turned_back(Parts<D>{hn::Mul(h.im, turn.re), hn::Mul(h.re, turn.im)});
    } else {
      const auto square = hn::Add(hn::Mul(h.im, h.im), hn::Mul(turn.re, turn.re));
      return turned_back(Parts<D>{hn::Div(hn::Mul(h.im, h.re), square), hn::Div(hn::Mul(turn.im, turn.re), square)});
    }
  }
};

// |1 + z|² / |1 − z|² = 1 + 4x / |1 − z|² for x ≥ 0.
template <OpKind kind>
struct InverseTangent : WhereSafe<kind>, Turns<kind == OpKind::atan> {
  using Turns<kind == OpKind::atan>::turned, Turns<kind == OpKind::atan>::turned_back;

  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    const auto most = hn::Set(d, 1e10), tiny = hn::Set(d, 1e-100), one = hn::Set(d, 1.0);
    const Parts<D> w = turned(z);
    const auto x = hn::Abs(w.re), y = hn::Abs(w.im);
    const auto at_pole = hn::And(hn::Eq(x, one), hn::Lt(y, tiny));
    return hn::And(hn::And(hn::Le(x, most), hn::Le(y, most)), hn::Not(at_pole));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto one = hn::Set(d, 1.0), two = hn::Set(d, 2.0), four = hn::Set(d, 4.0);
    const Parts<D> w = turned(z);
    const auto x = hn::Abs(w.re), y = w.im, gap = hn::Sub(one, x);
    const auto ratio = hn::Div(hn::Mul(four, x), hn::Add(hn::Mul(gap, gap), hn::Mul(y, y)));
    const auto re = hn::Mul(hn::Set(d, 0.25), Log1p::apply(ratio));
    const auto angle = Atan2::apply(hn::Mul(two, y), hn::Sub(hn::Mul(gap, hn::Add(one, x)), hn::Mul(y, y)));
    return turned_back(Parts<D>{hn::CopySign(re, w.re), hn::Mul(hn::Set(d, 0.5), angle)});
  }
};

struct Modulus : ForAll {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D, Parts<D> z) {
    return Hypot::apply(z.re, z.im);
  }
};
struct Argument : ForAll {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D, Parts<D> z) {
    return Atan2::apply(z.im, z.re);
  }
};

template <class F>
void set_real(ElementLoops& loops, OpKind kind) {
  loops.set_row(kind, DType::c32, &ComplexLoop<F, float, float, c32>::run);
  loops.set_row(kind, DType::c64, &ComplexLoop<F, double, double, c64>::run);
}

void set_complex_functions(ElementLoops& loops) {
  set_in_double<ComplexExp>(loops, OpKind::exp);
  set_in_double<ComplexExpm1>(loops, OpKind::expm1);
  if constexpr (kFused) set_in_double<ComplexExp2>(loops, OpKind::exp2);
  set_in_double<ComplexLog1p>(loops, OpKind::log1p);
  set_in_double<ComplexLog<OpKind::log> >(loops, OpKind::log);
  set_in_double<ComplexLog<OpKind::log2> >(loops, OpKind::log2);
  set_in_double<ComplexLog<OpKind::log10> >(loops, OpKind::log10);
  set_in_double<Hyperbolic<OpKind::sinh> >(loops, OpKind::sinh);
  set_in_double<Hyperbolic<OpKind::cosh> >(loops, OpKind::cosh);
  set_in_double<Hyperbolic<OpKind::tanh> >(loops, OpKind::tanh);
  set_in_double<Hyperbolic<OpKind::sin> >(loops, OpKind::sin);
  set_in_double<Hyperbolic<OpKind::cos> >(loops, OpKind::cos);
  set_in_double<Hyperbolic<OpKind::tan> >(loops, OpKind::tan);
  set_in_double<InverseTangent<OpKind::atanh> >(loops, OpKind::atanh);
  set_in_double<InverseTangent<OpKind::atan> >(loops, OpKind::atan);
  set_real<Modulus>(loops, OpKind::abs);
  set_real<Argument>(loops, OpKind::arg);
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_complex_functions);
void add_vector_complex_functions(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_complex_functions)(loops); }

}  // namespace tenferro::internal
#endif
