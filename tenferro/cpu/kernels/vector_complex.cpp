// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of complex numbers that need no function of the library: division, roots, comparison, selection. The
// formulas are those of scalar_complex.hpp, in f64, operation by operation.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_complex.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/complex_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
void set_complex(ElementLoops&) {}  // the scalar loops serve
#else

struct Div : WhereSafe<OpKind::div> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> n, Parts<D> divisor) {
    return hn::And(safe_to_square(d, divisor), hn::Or(safe_to_square(d, n), is_zero(d, n)));
  }
  template <class D>
  static HWY_INLINE Parts<D> apply(D, Parts<D> n, Parts<D> divisor) {
    const auto square = norm(divisor);
    return {hn::Div(hn::Add(hn::Mul(n.re, divisor.re), hn::Mul(n.im, divisor.im)), square),
            hn::Div(hn::Sub(hn::Mul(n.im, divisor.re), hn::Mul(n.re, divisor.im)), square)};
  }
};

template <OpKind kind>
struct OfOneNumber : WhereSafe<kind> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    return safe_to_square(d, z);
  }
};
template <OpKind kind>
struct OfOneNumberOrZero : WhereSafe<kind> {
  template <class D>
  static HWY_INLINE hn::Mask<D> safe(D d, Parts<D> z) {
    return hn::Or(safe_to_square(d, z), is_zero(d, z));
  }
};
struct Reciprocal : OfOneNumber<OpKind::reciprocal> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D, Parts<D> z) {
    const auto square = norm(z);
    return {hn::Div(z.re, square), hn::Div(hn::Neg(z.im), square)};
  }
};
struct Sign : OfOneNumberOrZero<OpKind::sign> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto modulus = hn::Sqrt(norm(z));
    const auto zero = is_zero(d, z);
    return {hn::IfThenZeroElse(zero, hn::Div(z.re, modulus)), hn::IfThenZeroElse(zero, hn::Div(z.im, modulus))};
  }
};
struct Sqrt : OfOneNumberOrZero<OpKind::sqrt> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    const auto t = hn::Sqrt(hn::Mul(hn::Set(d, 0.5), hn::Add(hn::Abs(z.re), hn::Sqrt(norm(z)))));
    const auto other = hn::IfThenElse(is_zero(d, z), z.im, hn::Div(z.im, hn::Add(t, t)));
    const auto left = hn::Lt(z.re, hn::Zero(d));
    return {hn::IfThenElse(left, hn::Abs(other), t), hn::IfThenElse(left, hn::CopySign(t, z.im), other)};
  }
};
struct Rsqrt : OfOneNumber<OpKind::rsqrt> {
  template <class D>
  static HWY_INLINE Parts<D> apply(D d, Parts<D> z) {
    return Reciprocal::apply(d, Sqrt::apply(d, z));
  }
};

struct Eq : ForAll {
  template <class D>
  static HWY_INLINE hn::Mask<D> apply(D, Parts<D> x, Parts<D> y) {
    return hn::And(hn::Eq(x.re, y.re), hn::Eq(x.im, y.im));
  }
};
struct Ne : ForAll {
  template <class D>
  static HWY_INLINE hn::Mask<D> apply(D d, Parts<D> x, Parts<D> y) {
    return hn::Not(Eq::apply(d, x, y));
  }
};
struct IsNan : ForAll {
  template <class D>
  static HWY_INLINE hn::Mask<D> apply(D, Parts<D> z) {
    return hn::Not(hn::And(hn::Eq(z.re, z.re), hn::Eq(z.im, z.im)));
  }
};
struct IsInf : ForAll {
  template <class D>
  static HWY_INLINE hn::Mask<D> apply(D d, Parts<D> z) {
    return hn::Or(hn::Eq(hn::Abs(z.re), hn::Inf(d)), hn::Eq(hn::Abs(z.im), hn::Inf(d)));
  }
};
struct IsFinite : ForAll {
  template <class D>
  static HWY_INLINE hn::Mask<D> apply(D d, Parts<D> z) {
    return hn::And(hn::Lt(hn::Abs(z.re), hn::Inf(d)), hn::Lt(hn::Abs(z.im), hn::Inf(d)));
  }
};
struct Select : ForAll {
  template <class D>
  static HWY_INLINE Parts<D> apply(D, hn::Mask<D> mask, Parts<D> x, Parts<D> y) {
    return {hn::IfThenElse(mask, x.re, y.re), hn::IfThenElse(mask, x.im, y.im)};
  }
};

template <class F>
void set_classes(ElementLoops& loops, OpKind kind) {
  loops.set_row(kind, DType::c32, &ComplexLoop<F, float, bool, c32>::run);
  loops.set_row(kind, DType::c64, &ComplexLoop<F, double, bool, c64>::run);
}
template <class F>
void set_comparisons(ElementLoops& loops, OpKind kind) {
  loops.set_row(kind, DType::c32, &ComplexLoop<F, float, bool, c32, c32>::run);
  loops.set_row(kind, DType::c64, &ComplexLoop<F, double, bool, c64, c64>::run);
}

void set_complex(ElementLoops& loops) {
  loops.set_row(OpKind::div, DType::c32, &ComplexLoop<Div, double, c32, c32, c32>::run);
  loops.set_row(OpKind::div, DType::c64, &ComplexLoop<Div, double, c64, c64, c64>::run);
  set_in_double<Reciprocal>(loops, OpKind::reciprocal);
  set_in_double<Sign>(loops, OpKind::sign);
  set_in_double<Sqrt>(loops, OpKind::sqrt);
  set_in_double<Rsqrt>(loops, OpKind::rsqrt);
  set_comparisons<Eq>(loops, OpKind::eq);
  set_comparisons<Ne>(loops, OpKind::ne);
  set_classes<IsNan>(loops, OpKind::is_nan);
  set_classes<IsInf>(loops, OpKind::is_inf);
  set_classes<IsFinite>(loops, OpKind::is_finite);
  loops.set_row(OpKind::select, DType::c64, &ComplexLoop<Select, double, c64, bool, c64, c64>::run);
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
