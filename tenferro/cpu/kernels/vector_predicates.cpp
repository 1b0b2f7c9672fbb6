// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector loops of rows that give or take bools: comparisons, classification, logic and selection.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/vector_predicates.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
void set_predicates(ElementLoops&) {}  // the scalar loops serve
#else
#define TENFERRO_VECTOR_PREDICATE(Name, ...)      \
  struct Name : Cheap {                           \
    template <class V>                            \
    static HWY_INLINE auto apply(V x, V y) {      \
      return bools(hn::DFromV<V>(), __VA_ARGS__); \
    }                                             \
  };
TENFERRO_VECTOR_PREDICATE(Eq, hn::Eq(x, y))
TENFERRO_VECTOR_PREDICATE(Ne, unequal(x, y))
TENFERRO_VECTOR_PREDICATE(Lt, hn::Lt(x, y))
TENFERRO_VECTOR_PREDICATE(Gt, hn::Gt(x, y))
TENFERRO_VECTOR_PREDICATE(Le, hn::Le(x, y))
TENFERRO_VECTOR_PREDICATE(Ge, hn::Ge(x, y))
TENFERRO_VECTOR_PREDICATE(NotLt, hn::Not(hn::Lt(x, y)))  // integers have no Ge
TENFERRO_VECTOR_PREDICATE(NotGt, hn::Not(hn::Gt(x, y)))

struct IsNan : Cheap {
  template <class V>
  static HWY_INLINE auto apply(V x) {
    return bools(hn::DFromV<V>(), unequal(x, x));
  }
};
struct IsInf : Cheap {
  template <class V>
  static HWY_INLINE auto apply(V x) {
    const hn::DFromV<V> d;
    return bools(d, hn::Eq(hn::Abs(x), hn::Inf(d)));
  }
};
struct IsFinite : Cheap {
  template <class V>
  static HWY_INLINE auto apply(V x) {
    const hn::DFromV<V> d;
    return bools(d, hn::Lt(hn::Abs(x), hn::Inf(d)));
  }
};

// Bools are bytes of value 0 or 1.
#define TENFERRO_VECTOR_LOGIC(Name, ...)                          \
  struct Name : Moving {                                          \
    template <class V, class... W>                                \
    static HWY_INLINE V apply(V x, W... y) {                      \
      [[maybe_unused]] const V one = hn::Set(hn::DFromV<V>(), 1); \
      return __VA_ARGS__;                                         \
    }                                                             \
  };
TENFERRO_VECTOR_LOGIC(LogicalNot, hn::Xor(x, one))
TENFERRO_VECTOR_LOGIC(LogicalAnd, hn::And(x, y...))
TENFERRO_VECTOR_LOGIC(LogicalOr, hn::Or(x, y...))
TENFERRO_VECTOR_LOGIC(LogicalXor, hn::Xor(x, y...))
TENFERRO_VECTOR_LOGIC(LogicalEq, hn::Xor(hn::Xor(x, y...), one))

struct Select : Cheap {
  template <class M, class V>
  static HWY_INLINE V apply(M mask, V x, V y) {
    return hn::IfThenElse(mask_of(hn::DFromV<V>(), mask), x, y);
  }
};

using I32 = std::int32_t;
using I64 = std::int64_t;

template <class F, class... Ts>
void set_comparisons(ElementLoops& loops, OpKind kind) {
  (loops.set_row(kind, dtype_of<Ts>, &VectorLoop<F, bool, Ts, Ts>::run), ...);
}
template <class F>
void set_classes(ElementLoops& loops, OpKind kind) {
  loops.set_row(kind, DType::f32, &VectorLoop<F, bool, float>::run);
  loops.set_row(kind, DType::f64, &VectorLoop<F, bool, double>::run);
}
// Selection moves bits: one loop serves every dtype of a width.
template <class Bits>
void set_select(ElementLoops& loops, std::initializer_list<DType> dtypes) {
  for (const DType d : dtypes) loops.set_row(OpKind::select, d, &VectorLoop<Select, Bits, bool, Bits, Bits>::run);
}

void set_predicates(ElementLoops& loops) {
  set_comparisons<Eq, float, double, I32, I64>(loops, OpKind::eq);
  set_comparisons<Ne, float, double, I32, I64>(loops, OpKind::ne);
  set_comparisons<Lt, float, double, I32, I64>(loops, OpKind::lt);
  set_comparisons<Gt, float, double, I32, I64>(loops, OpKind::gt);
  set_comparisons<Le, float, double>(loops, OpKind::le);
  set_comparisons<Ge, float, double>(loops, OpKind::ge);
  set_comparisons<NotGt, I32, I64>(loops, OpKind::le);
  set_comparisons<NotLt, I32, I64>(loops, OpKind::ge);
  set_classes<IsNan>(loops, OpKind::is_nan);
  set_classes<IsInf>(loops, OpKind::is_inf);
  set_classes<IsFinite>(loops, OpKind::is_finite);
  set_rows<LogicalNot, 1, bool>(loops, OpKind::logical_not);
  set_rows<LogicalAnd, 2, bool>(loops, OpKind::logical_and);
  set_rows<LogicalOr, 2, bool>(loops, OpKind::logical_or);
  set_rows<LogicalXor, 2, bool>(loops, OpKind::logical_xor);
  set_rows<LogicalXor, 2, bool>(loops, OpKind::ne);
  set_rows<LogicalEq, 2, bool>(loops, OpKind::eq);
  set_select<std::uint8_t>(loops, {DType::boolean});
  set_select<std::uint32_t>(loops, {DType::f32, DType::i32});
  set_select<std::uint64_t>(loops, {DType::f64, DType::i64, DType::c32});
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(set_predicates);
void add_vector_predicates(ElementLoops& loops) { HWY_DYNAMIC_DISPATCH(set_predicates)(loops); }

}  // namespace tenferro::internal
#endif
