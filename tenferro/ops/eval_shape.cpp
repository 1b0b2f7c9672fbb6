// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/eval_shape.hpp"

#include <array>

namespace tenferro {

void ShapeEvaluator::bind(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  std::array<TensorMeta, 4> made;
  assert(out.size() == op.results() && out.size() <= made.size());
  const std::span<TensorMeta> results(made.data(), out.size());
  if (OpFailure failure = infer(op, in, results)) throw_failure(std::move(failure));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::move(made[i]);
}

TensorMeta ShapeEvaluator::broadcast(const MetaView& x, DimsView shape) {
  internal::require_stretches(x.shape, shape);
  return {x.dtype, Shape(shape)};
}

void internal::require_stretches(DimsView from, DimsView to) {
  const auto stretched = broadcast_shape(from, to);
  if (stretched && same_shape(*stretched, to)) return;
  raise<OpErrorInfo>(ShapeMismatch{"broadcast", Shape(from), Shape(to),
                                   "a shape that the operand stretches to, aligned at the last axis"});
}

}  // namespace tenferro
