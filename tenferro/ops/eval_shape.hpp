// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Dtypes and shapes without data: an emitter that only infers.
//
// Example (tenferro/ops/contraction.hpp):
//     ShapeEvaluator shapes;
//     TensorMeta a{DType::f64, {2, 3}}, b{DType::f32, {3, 5}};
//     CHECK((matmul(shapes, a, b) == TensorMeta{DType::f64, {2, 5}}));
//
// Whatever a session would refuse for dtypes or shapes is refused here, by the same errors.

#include "tenferro/ops/emitter.hpp"

namespace tenferro {

/// Its values are dtypes and shapes. Results whose shape depends on data get their upper bound.
///
/// Example:
///     ShapeEvaluator shapes;
///     TensorMeta x{DType::c32, {3}}, y, stretched = shapes.broadcast(x, Shape{2, 3});
///     MetaView in[] = {stretched};                             // borrows, so not from a temporary
///     shapes.bind(Op(OpKind::abs), in, std::span(&y, 1));
///     CHECK(y == TensorMeta{DType::f32, {2, 3}} && ShapeEvaluator::meta(y).rank() == 2);
class ShapeEvaluator {
 public:
  using Value = TensorMeta;
  using Operand = MetaView;

  void bind(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
  TensorMeta broadcast(const MetaView& x, DimsView shape);
  static MetaView meta(const MetaView& x) noexcept { return x; }
};

static_assert(Emitter<ShapeEvaluator>);

/// The dtype and shape of what a function of one emitter and some operands returns:
/// `eval_shape([](auto& e, const auto& x) { return exp(e, x); }, meta)`.
///
/// Example (tenferro/ops/conveniences.hpp):
///     auto gram = [](auto& e, const auto& x) { return matmul(e, transpose(e, x), x); };
///     CHECK(eval_shape(gram, TensorMeta{DType::f64, {5, 3}}).shape == Shape({3, 3}));
template <class F, class... Metas>
auto eval_shape(F&& f, const Metas&... operands) {
  ShapeEvaluator shapes;
  return f(shapes, TensorMeta(operands)...);
}

}  // namespace tenferro
