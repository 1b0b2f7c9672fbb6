// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A surface is whoever can bind an operation to operands. All functions of the vocabulary are templates over Emitter,
// so one user function serves sessions, shape inference, recorders and whatever comes:
//
// Example (tenferro/ops/conveniences.hpp, tenferro/ops/eval_shape.hpp, tenferro/cpu/cpu_backend.hpp):
//     template <Emitter E>
//     Value<E> softplus_sum(E& e, Arg<E> x) {
//       return reduce_sum(e, log1p(e, exp(e, x)), 0);
//     }
//
//     int main() {
//       ShapeEvaluator shapes;
//       CHECK(softplus_sum(shapes, TensorMeta{DType::f64, {3, 4}}).shape == Shape{4});
//       Tensor x = Tensor::full({2}, -HUGE_VAL);
//       CHECK(CpuBackend().with_session([&](BackendSession& s) { return softplus_sum(s, x); }).item() == Scalar(0.0));
//       return 0;
//     }

#include <array>
#include <concepts>
#include <span>
#include <type_traits>

#include "tenferro/ops/infer.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro {

/// Binds operations. `bind` fills one value per result; it throws OpError and then leaves `out` as it was.
/// `broadcast` stretches by NumPy's rule and gives something that is an operand: a zero-stride view, or a node.
template <class E>
concept Emitter = requires(E& e, const Op& op, std::span<const typename E::Operand> in,
                           std::span<typename E::Value> out, const typename E::Operand& x, DimsView shape) {
  e.bind(op, in, out);
  { e.broadcast(x, shape) } -> std::convertible_to<typename E::Operand>;
  { e.meta(x) } -> std::same_as<MetaView>;
};

/// What an emitter returns.
template <Emitter E>
using Value = typename E::Value;

/// What an emitter takes; never deduced, so that anything convertible to an operand can be passed.
template <Emitter E>
using Arg = std::type_identity_t<const typename E::Operand&>;

/// An emitter that computes now, on tensors: a session.
template <class E>
concept ConcreteEmitter =
    Emitter<E> && std::same_as<typename E::Value, Tensor> && std::same_as<typename E::Operand, TensorRead>;

/// A session that can also compute into the caller's memory.
template <class E>
concept IntoEmitter = ConcreteEmitter<E> && requires(E& e, const Op& op, std::span<const TensorRead> in,
                                                     std::span<const TensorWrite> out, TensorWrite to, Scalar alpha) {
  e.bind_into(op, in, out);
  e.accumulate_into(op, in, to, alpha, alpha);
};

/// Binds an operation with one result; an emitter that can return it directly has a bind_single.
///
/// Example (session):
///     Tensor x = Tensor::vector({1., -2.});
///     CHECK(bind1(session, Op(OpKind::reduce_sum, ReduceAttrs{AxisSet::first(1)}), x).item() == Scalar(-1.0));
template <Emitter E, std::size_t N>
Value<E> bind1(E& e, const Op& op, const std::array<typename E::Operand, N>& in) {
  if constexpr (requires { e.bind_single(op, std::span<const typename E::Operand>(in)); }) {
    return e.bind_single(op, std::span<const typename E::Operand>(in));
  }
  Value<E> result;
  e.bind(op, std::span<const typename E::Operand>(in), std::span<Value<E>>(&result, 1));
  return result;
}
template <Emitter E, class... Operands>
Value<E> bind1(E& e, const Op& op, const Operands&... operands) {
  return bind1<E, sizeof...(operands)>(e, op, {typename E::Operand(operands)...});
}

}  // namespace tenferro
