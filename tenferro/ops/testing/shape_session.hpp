// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// For tests of front ends: an emitter over real tensors that infers, allocates zeros and computes nothing.

#include <vector>

#include "tenferro/ops/emitter.hpp"
#include "tenferro/tensor/view.hpp"

namespace tenferro::testing {

/// Remembers the names of what was bound.
class ShapeSession {
 public:
  using Value = Tensor;
  using Operand = TensorRead;

  void bind(const Op& op, std::span<const TensorRead> in, std::span<Tensor> out) {
    const std::vector<TensorMeta> metas = check(op, in);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Tensor::zeros(metas[i].dtype, metas[i].shape);
  }
  void bind_into(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
    const std::vector<TensorMeta> metas = check(op, in);
    if (!same_shape(out[0].shape(), metas[0].shape)) {
      raise<OpErrorInfo>(ShapeMismatch{op.name(), metas[0].shape, Shape(out[0].shape()), "an output of that shape"});
    }
    if (out[0].dtype != metas[0].dtype) {
      raise<OpErrorInfo>(DTypeMismatch{op.name(), -1, metas[0].dtype, out[0].dtype});
    }
  }
  void accumulate_into(const Op& op, std::span<const TensorRead> in, TensorWrite out, Scalar, Scalar) {
    bind_into(op, in, {&out, 1});
  }
  static TensorView broadcast(const TensorRead& x, DimsView shape) {
    return TensorView::trusted(x.data, x.dtype, broadcast_to(internal::layout_of(x), shape), x.placement);
  }
  static MetaView meta(const TensorRead& x) noexcept { return x.meta(); }

  const std::vector<Op>& bound() const noexcept { return bound_; }

 private:
  std::vector<TensorMeta> check(const Op& op, std::span<const TensorRead> in) {
    std::vector<MetaView> metas;
    for (const TensorRead& x : in) metas.push_back(x.meta());
    std::vector<TensorMeta> out(op.results());
    if (OpFailure failure = infer(op, metas, out)) throw_failure(std::move(failure));
    bound_.push_back(op);
    return out;
  }

  std::vector<Op> bound_;
};

static_assert(IntoEmitter<ShapeSession>);

}  // namespace tenferro::testing
