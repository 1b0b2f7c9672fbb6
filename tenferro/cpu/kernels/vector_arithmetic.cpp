// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of arithmetic: the formulas of scalar_arithmetic.hpp and scalar_integer.hpp, operation by operation, so
// that their bits are the same.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_arithmetic.cpp"
#include <hwy/foreach_target.h>

#include <numbers>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
void set_arithmetic(ElementLoops&) {}  // the scalar loops serve
#else
// One operand, real.
#define TENFERRO_VECTOR_UNARY(Base, Name, ...)  \
  struct Name : Base {                          \
    template <class V>                          \
    static HWY_INLINE V apply(V x) {            \
      using D = hn::DFromV<V>;                  \
      using T [[maybe_unused]] = hn::TFromD<D>; \
      [[maybe_unused]] const D d;               \
      return __VA_ARGS__;                       \
    }                                           \
  };
TENFERRO_VECTOR_UNARY(Moving, Neg, hn::Neg(x))
TENFERRO_VECTOR_UNARY(Moving, Abs, hn::Abs(x))
TENFERRO_VECTOR_UNARY(Cheap, Sign,
                      hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Set(d, T{1}),
                                     hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, T{-1}), x)))
TENFERRO_VECTOR_UNARY(Moving, Square, hn::Mul(x, x))
TENFERRO_VECTOR_UNARY(Cheap, Sqrt, hn::Sqrt(x))
TENFERRO_VECTOR_UNARY(Cheap, Rsqrt, hn::Div(hn::Set(d, T{1}), hn::Sqrt(x)))
TENFERRO_VECTOR_UNARY(Cheap, Reciprocal, hn::Div(hn::Set(d, T{1}), x))
TENFERRO_VECTOR_UNARY(Moving, Floor, hn::Floor(x))
TENFERRO_VECTOR_UNARY(Moving, Ceil, hn::Ceil(x))
TENFERRO_VECTOR_UNARY(Moving, Round, hn::Round(x))
TENFERRO_VECTOR_UNARY(Moving, Trunc, hn::Trunc(x))
TENFERRO_VECTOR_UNARY(Cheap, Arg,
                      hn::IfThenElse(unequal(x, x), x,
                                     hn::IfNegativeThenElse(x, hn::Set(d, std::numbers::pi_v<T>), hn::Zero(d))))
TENFERRO_VECTOR_UNARY(Moving, BitNot, hn::Not(x))
TENFERRO_VECTOR_UNARY(Cheap, PopCount, hn::BitCast(d, hn::PopulationCount(hn::BitCast(hn::RebindToUnsigned<D>(), x))))

// Complex numbers: the real part in even lanes, the imaginary one in odd lanes.
TENFERRO_VECTOR_UNARY(Moving, Conj, hn::OddEven(hn::Neg(x), x))
struct ComplexSquare : Cheap {
  template <class V>
  static HWY_INLINE V apply(V x) {
    const V re = hn::DupEven(x), im = hn::DupOdd(x);
    return hn::Mul(hn::OddEven(hn::Add(re, re), hn::Sub(re, im)), hn::OddEven(im, hn::Add(re, im)));
  }
};

#define TENFERRO_VECTOR_BINARY(Base, Name, ...) \
  struct Name : Base {                          \
    template <class V>                          \
    static HWY_INLINE V apply(V x, V y) {       \
      return __VA_ARGS__;                       \
    }                                           \
  };
TENFERRO_VECTOR_BINARY(Moving, Add, hn::Add(x, y))
TENFERRO_VECTOR_BINARY(Moving, Sub, hn::Sub(x, y))
TENFERRO_VECTOR_BINARY(Moving, Mul, hn::Mul(x, y))
TENFERRO_VECTOR_BINARY(Cheap, Div, hn::Div(x, y))
TENFERRO_VECTOR_BINARY(Moving, CopySign, hn::CopySign(x, y))
TENFERRO_VECTOR_BINARY(Moving, And, hn::And(x, y))
TENFERRO_VECTOR_BINARY(Moving, Or, hn::Or(x, y))
TENFERRO_VECTOR_BINARY(Moving, Xor, hn::Xor(x, y))
TENFERRO_VECTOR_BINARY(Moving, ShiftLeft, hn::Shl(x, y))
TENFERRO_VECTOR_BINARY(Moving, ShiftRight, hn::Shr(x, y))
TENFERRO_VECTOR_BINARY(Cheap, Maximum, hn::IfThenElse(hn::Gt(x, y), x, hn::IfThenElse(unequal(x, x), x, y)))
TENFERRO_VECTOR_BINARY(Cheap, Minimum, hn::IfThenElse(hn::Lt(x, y), x, hn::IfThenElse(unequal(x, x), x, y)))
TENFERRO_VECTOR_BINARY(Cheap, IntegerMaximum, hn::IfThenElse(hn::Gt(x, y), x, y))
TENFERRO_VECTOR_BINARY(Cheap, IntegerMinimum, hn::IfThenElse(hn::Lt(x, y), x, y))
struct ComplexMul : Cheap {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    const V straight = hn::Mul(hn::DupEven(x), y);
    const V crossed = hn::Mul(hn::DupOdd(x), hn::Reverse2(hn::DFromV<V>(), y));
    return hn::OddEven(hn::Add(straight, crossed), hn::Sub(straight, crossed));
  }
};

template <class Largest, class Smallest>
struct ClampBy : Cheap {
  template <class V>
  static HWY_INLINE V apply(V x, V low, V high) {
    return Smallest::apply(Largest::apply(x, low), high);
  }
};
struct Fma : Cheap {
  template <class V>
  static HWY_INLINE V apply(V x, V y, V z) {
    return hn::MulAdd(x, y, z);
  }
};
struct ComplexFma : Cheap {
  template <class V>
  static HWY_INLINE V apply(V x, V y, V z) {
    return hn::Add(ComplexMul::apply(x, y), z);
  }
};

// Quotients of 32-bit integers, which f64 tells apart: no quotient that is not whole rounds to a whole number. The
// smallest number over −1 wraps. Divisors of 0 are refused before; those that fill up a vector give anything.
struct IntegerDiv : Dear {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    const hn::DFromV<V> d;
    const hn::Half<decltype(d)> half;
    const hn::Rebind<double, decltype(half)> wide;
    const auto quotient = [&](auto n, auto divisor) HWY_ATTR {
      return hn::DemoteTo(half, hn::Div(hn::PromoteTo(wide, n), hn::PromoteTo(wide, divisor)));
    };
    const V q = hn::Combine(d, quotient(hn::UpperHalf(half, x), hn::UpperHalf(half, y)),
                            quotient(hn::LowerHalf(half, x), hn::LowerHalf(half, y)));
    return hn::IfThenElse(hn::Eq(y, hn::Set(d, -1)), hn::Neg(x), q);
  }
};
struct IntegerRem : IntegerDiv {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    return hn::Sub(x, hn::Mul(IntegerDiv::apply(x, y), y));
  }
};
struct IntegerFloorMod : IntegerDiv {
  template <class V>
  static HWY_INLINE V apply(V x, V y) {
    const hn::DFromV<V> d;
    const V r = IntegerRem::apply(x, y);
    const auto other_side = hn::And(hn::Ne(r, hn::Zero(d)), hn::Lt(hn::Xor(r, y), hn::Zero(d)));
    return hn::IfThenElse(other_side, hn::Add(r, y), r);
  }
};

using C32 = std::complex<float>;
using C64 = std::complex<double>;
using I32 = std::int32_t;
using I64 = std::int64_t;

void set_arithmetic(ElementLoops& loops) {
  set_rows<Neg, 1, float, double, C32, C64, I32, I64>(loops, OpKind::neg);
  set_rows<Abs, 1, float, double, I32, I64>(loops, OpKind::abs);
  set_rows<Sign, 1, float, double, I32, I64>(loops, OpKind::sign);
  set_rows<Square, 1, float, double, I32, I64>(loops, OpKind::square);
  set_rows<ComplexSquare, 1, C32, C64>(loops, OpKind::square);
  set_rows<Conj, 1, C32, C64>(loops, OpKind::conj);
  set_rows<Sqrt, 1, float, double>(loops, OpKind::sqrt);
  set_rows<Rsqrt, 1, float, double>(loops, OpKind::rsqrt);
  set_rows<Reciprocal, 1, float, double>(loops, OpKind::reciprocal);
  set_rows<Floor, 1, float, double>(loops, OpKind::floor);
  set_rows<Ceil, 1, float, double>(loops, OpKind::ceil);
  set_rows<Round, 1, float, double>(loops, OpKind::round);
  set_rows<Trunc, 1, float, double>(loops, OpKind::trunc);
  set_rows<Arg, 1, float, double>(loops, OpKind::arg);
  set_rows<BitNot, 1, I32, I64>(loops, OpKind::bit_not);
  set_rows<PopCount, 1, I32, I64>(loops, OpKind::popcount);

  set_rows<Add, 2, float, double, C32, C64, I32, I64>(loops, OpKind::add);
  set_rows<Sub, 2, float, double, C32, C64, I32, I64>(loops, OpKind::sub);
  set_rows<Mul, 2, float, double, I32, I64>(loops, OpKind::mul);
  set_rows<ComplexMul, 2, C32, C64>(loops, OpKind::mul);
  set_rows<Div, 2, float, double>(loops, OpKind::div);
  set_rows<IntegerDiv, 2, I32>(loops, OpKind::div);
  set_rows<IntegerRem, 2, I32>(loops, OpKind::rem);
  set_rows<IntegerFloorMod, 2, I32>(loops, OpKind::floor_mod);
  set_rows<CopySign, 2, float, double>(loops, OpKind::copysign);
  set_rows<Maximum, 2, float, double>(loops, OpKind::maximum);
  set_rows<Minimum, 2, float, double>(loops, OpKind::minimum);
  set_rows<IntegerMaximum, 2, I32, I64>(loops, OpKind::maximum);
  set_rows<IntegerMinimum, 2, I32, I64>(loops, OpKind::minimum);
  set_rows<And, 2, I32, I64>(loops, OpKind::bit_and);
  set_rows<Or, 2, I32, I64>(loops, OpKind::bit_or);
  set_rows<Xor, 2, I32, I64>(loops, OpKind::bit_xor);
  set_rows<ShiftLeft, 2, I32, I64>(loops, OpKind::shift_left);
  set_rows<ShiftRight, 2, I32, I64>(loops, OpKind::shift_right);

  set_rows<ClampBy<Maximum, Minimum>, 3, float, double>(loops, OpKind::clamp);
  set_rows<ClampBy<IntegerMaximum, IntegerMinimum>, 3, I32, I64>(loops, OpKind::clamp);
  if constexpr (HWY_NATIVE_FMA != 0) set_rows<Fma, 3, float, double>(loops, OpKind::fma);
  set_rows<ComplexFma, 3, C32, C64>(loops, OpKind::fma);
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_arithmetic);
void add_vector_arithmetic(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_arithmetic)(loops); }

}  // namespace tenferro::internal
#endif
