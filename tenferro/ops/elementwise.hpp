// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The element-by-element vocabulary: one function per catalog row, named as the row; see docs/reference/ops.md.
//
//   Tensor y = add(session, exp(session, x), 1.0-tensor);
//
// Two and three operands are promoted and stretched as semantics demand. Cost: one pass, one result from the pool.

#include "tenferro/ops/broadcast.hpp"

namespace tenferro {

#define TENFERRO_UNARY(name, ...)               \
  template <Emitter E>                          \
  Value<E> name(E& e, Arg<E> x) {               \
    return bind1(e, plain_op(OpKind::name), x); \
  }
#define TENFERRO_BINARY(name, ...)                  \
  template <Emitter E>                              \
  Value<E> name(E& e, Arg<E> a, Arg<E> b) {         \
    return internal::binary(e, OpKind::name, a, b); \
  }
#include "tenferro/ops/core_ops.def"

/// b where the mask a is true, else c; b and c are promoted, all three are stretched.
template <Emitter E>
Value<E> select(E& e, Arg<E> mask, Arg<E> b, Arg<E> c) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::select), {mask, b, c}, 1);
}

/// min(max(x, low), high), stretched and promoted.
template <Emitter E>
Value<E> clamp(E& e, Arg<E> x, Arg<E> low, Arg<E> high) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::clamp), {x, low, high}, 0);
}

/// a·b + c, rounded once for real dtypes; stretched and promoted.
template <Emitter E>
Value<E> fma(E& e, Arg<E> a, Arg<E> b, Arg<E> c) {
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::fma), {a, b, c}, 0);
}

}  // namespace tenferro
