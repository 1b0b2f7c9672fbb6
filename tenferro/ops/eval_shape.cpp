// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/eval_shape.hpp"

#include <algorithm>
#include <vector>

#include "tenferro/ops/broadcast.hpp"

namespace tenferro {

void ShapeEvaluator::bind(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  std::vector<TensorMeta> made(out.size());
  if (OpFailure failure = infer(op, in, made)) throw_failure(std::move(failure));
  std::move(made.begin(), made.end(), out.begin());
}

TensorMeta ShapeEvaluator::broadcast(const MetaView& x, DimsView shape) {
  internal::require_stretches("broadcast", x.shape, shape);
  return {x.dtype, Shape(shape)};
}

}  // namespace tenferro
