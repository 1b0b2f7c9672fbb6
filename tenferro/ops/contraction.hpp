// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Sums over products.
//
// Example (session):
//     Tensor a = Tensor::ones(DType::f64, {2, 3}), b = Tensor::ones(DType::f64, {3, 4});
//     Tensor c = matmul(session, a, b);                        // (m, k, batch…) · (k, n, batch…) → (m, n, batch…)
//     Tensor d = dot_general(session, a, b, {{1}, {0}});       // the same without a batch
//     CHECK(c.at<double>({1, 3}) == 3 && d.at<double>({1, 3}) == 3);
//     matmul_into_accum(session, c, a, b, 2.0, 1.0);           // c = 2·a·b + c
//     CHECK(c.at<double>({0, 0}) == 9);
//
// Batch axes are trailing, so that each slice is contiguous; note that elementwise broadcasting aligns at the last
// axis, while a batch starts at axis 2. Dynamic operands are promoted. The result of dot_general has the axes: lhs
// free, rhs free, batch. Integers contract too and wrap. Throws OpError.

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/ops/internal/typed.hpp"

namespace tenferro {

namespace internal {

/// What matmul does to its operands before dot_general: the shapes that they get.
struct MatmulPlan {
  DotGeneralConfig config;
  std::array<Shape, 2> shapes;
  std::array<AxisSet, 2> added;
};
MatmulPlan plan_matmul(const MetaView& a, const MetaView& b);
/// Batch axes up to which a product is made once.
inline constexpr std::size_t kMostBatchAxes = 6;
/// The product that contracts axis `contracted` (0 or 1) of the left operand with axis 0 of the right one, and shares
/// as many axes from axis 2 on; made once.
const Op& matrix_product(std::size_t contracted, std::size_t batch_axes) noexcept;
/// The product of operands of one dtype to which matmul does nothing first, or null: batches of matrices of one shape,
/// a matrix or vector before anything, and anything before a vector.
inline const Op* plain_product(const MetaView& a, const MetaView& b) noexcept {
  const std::size_t contracted = a.rank() == 1 ? 0 : 1;
  if (a.rank() == 0 || b.rank() == 0 || a.dtype != b.dtype || a.shape[contracted] != b.shape[0]) return nullptr;
  if (a.rank() <= 2 || b.rank() == 1) return &matrix_product(contracted, 0);
  if (b.rank() != a.rank() || a.rank() > kMostBatchAxes + 2) return nullptr;
  for (std::size_t k = 2; k < a.rank(); ++k) {
    if (a.shape[k] != b.shape[k]) return nullptr;
  }
  return &matrix_product(contracted, a.rank() - 2);
}
Op outer_op();
Op vdot_op(const MetaView& x);

template <Emitter E>
void ready_for_matmul(ReadyOperands<E, 2>& ready, const MatmulPlan& plan) {
  for (std::size_t i = 0; i < 2; ++i) {
    ready.unsqueeze(i, plan.added[i]);
    ready.stretch(i, plan.shapes[i]);
  }
}

template <Emitter E>
Value<E> promoted_pair(E& e, const Op& op, const typename E::Operand& a, const typename E::Operand& b) {
  if (e.meta(a).dtype == e.meta(b).dtype) [[likely]]
    return bind1(e, op, a, b);
  ReadyOperands<E, 2> ready(e, {a, b});
  ready.promote_all();
  return ready.bind(op);
}

}  // namespace internal

/// Σ over the contracted axes of the products; batch axes are shared. Result axes: lhs free, rhs free, batch.
template <Emitter E>
Value<E> dot_general(E& e, Arg<E> a, Arg<E> b, const DotGeneralConfig& config) {
  return internal::promoted_pair(e, Op(OpKind::dot_general, config), a, b);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> dot_general(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b, const DotGeneralConfig& config) {
  return internal::RowTensor<OpKind::dot_general, T>(bind1(e, Op(OpKind::dot_general, config), a, b));
}
template <ConcreteEmitter E, Element T, Element U>
  requires(!std::same_as<T, U>)
void dot_general(E& e, const TypedTensor<T>& a, const TypedTensor<U>& b, const DotGeneralConfig& config) = delete;

/// Matrix product (m, k, batch…) · (k, n, batch…) → (m, n, batch…). Batch extents are equal or 1, and missing ones
/// count as 1. An operand of rank 1 is a row on the left, a column on the right, and its axis is not in the result.
template <Emitter E>
Value<E> matmul(E& e, Arg<E> a, Arg<E> b) {
  if (const Op* product = internal::plain_product(e.meta(a), e.meta(b))) [[likely]]
    return bind1(e, *product, a, b);
  const internal::MatmulPlan plan = internal::plan_matmul(e.meta(a), e.meta(b));
  internal::ReadyOperands<E, 2> ready(e, {a, b});
  ready.promote_all();
  internal::ready_for_matmul(ready, plan);
  return ready.bind(Op(OpKind::dot_general, plan.config));
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> matmul(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b) {
  return internal::RowTensor<OpKind::dot_general, T>(matmul(e, TensorRead(a), TensorRead(b)));
}
template <ConcreteEmitter E, Element T, Element U>
  requires(!std::same_as<T, U>)
void matmul(E& e, const TypedTensor<T>& a, const TypedTensor<U>& b) = delete;

/// All products of an element of a with one of b: the axes of a, then those of b.
///
/// Example (session):
///     Tensor x = Tensor::vector({1., 2.}), y = Tensor::vector({3., 4.});
///     CHECK(outer(session, x, y).at<double>({1, 0}) == 6 && vdot(session, x, y).item() == Scalar(11.0));
template <Emitter E>
Value<E> outer(E& e, Arg<E> a, Arg<E> b) {
  return on_behalf_of("outer", [&] { return internal::promoted_pair(e, internal::outer_op(), a, b); });
}
TENFERRO_TYPED_PAIR(TypedTensor, outer, ())

/// Σ conj(x)·y over all elements, rank 0; the shapes are equal.
template <Emitter E>
Value<E> vdot(E& e, Arg<E> x, Arg<E> y) {
  return on_behalf_of("vdot", [&] { return internal::promoted_pair(e, internal::vdot_op(e.meta(x)), x, y); });
}
TENFERRO_TYPED_PAIR(TypedTensor, vdot, ())

/// dot_general into the caller's tensor or view, which must not overlap an operand.
///
/// Example (session):
///     Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}}), b = Tensor::eye(DType::f64, 2);
///     Tensor c = Tensor::zeros<double>(2, 2);
///     matmul_into(session, c, a, b);
///     CHECK(c.at<double>({0, 1}) == 2);
///     dot_general_into(session, c, a, b, {{0}, {0}});          // aᵀ·b
///     CHECK(c.at<double>({0, 1}) == 3);
///     dot_general_into_accum(session, c, a, b, {{1}, {0}}, 2.0, 1.0);
///     CHECK(c.at<double>({0, 1}) == 2 * 2 + 3);
template <IntoEmitter E>
void dot_general_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b,
                      const DotGeneralConfig& config) {
  on_behalf_of("dot_general_into", [&] {
    const Op op(OpKind::dot_general, config);
    if (e.meta(a).dtype == e.meta(b).dtype) [[likely]] {
      const TensorRead in[] = {a, b};
      return e.bind_into(op, in, std::span(&out, 1));
    }
    internal::ReadyOperands<E, 2> ready(e, {a, b});
    ready.promote_all();
    e.bind_into(op, ready.operands(), std::span(&out, 1));
  });
}
/// out = alpha · dot_general(a, b) + beta · out. alpha, beta and both operands have the dtype of `out`, exactly; with
/// beta = 0 the old content is never read.
template <IntoEmitter E>
void dot_general_into_accum(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b,
                            const DotGeneralConfig& config, const Scalar& alpha, const Scalar& beta) {
  const TensorRead in[] = {a, b};
  on_behalf_of("dot_general_into_accum",
               [&] { e.accumulate_into(Op(OpKind::dot_general, config), in, out, alpha, beta); });
}
/// matmul into the caller's tensor or view, which must not overlap an operand.
template <IntoEmitter E>
void matmul_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b) {
  on_behalf_of("matmul_into", [&] {
    if (const Op* product = internal::plain_product(e.meta(a), e.meta(b))) [[likely]] {
      const TensorRead in[] = {a, b};
      return e.bind_into(*product, in, std::span(&out, 1));
    }
    const internal::MatmulPlan plan = internal::plan_matmul(e.meta(a), e.meta(b));
    internal::ReadyOperands<E, 2> ready(e, {a, b});
    ready.promote_all();
    internal::ready_for_matmul(ready, plan);
    e.bind_into(Op(OpKind::dot_general, plan.config), ready.operands(), std::span(&out, 1));
  });
}
/// out = alpha · matmul(a, b) + beta · out, under the rules of dot_general_into_accum.
template <IntoEmitter E>
void matmul_into_accum(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> a, Arg<E> b, const Scalar& alpha,
                       const Scalar& beta) {
  on_behalf_of("matmul_into_accum", [&] {
    const internal::MatmulPlan plan = internal::plan_matmul(e.meta(a), e.meta(b));
    internal::ReadyOperands<E, 2> ready(e, {a, b});
    internal::ready_for_matmul(ready, plan);
    e.accumulate_into(Op(OpKind::dot_general, plan.config), ready.operands(), out, alpha, beta);
  });
}

}  // namespace tenferro
