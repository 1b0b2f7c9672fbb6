// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the surface adds to primitives: promotion of dtypes and stretching of shapes, once for all surfaces.

#include <array>
#include <optional>

#include "tenferro/ops/emitter.hpp"

namespace tenferro::internal {

/// The dtype that operands first … last promote to, and the shape that all operands stretch to. Throws OpError
/// (ShapeMismatch).
TensorMeta common_meta(const Op& op, std::span<const MetaView> in, std::size_t first_promoted);

template <Emitter E, std::size_t N>
[[gnu::noinline]] Value<E> bind_mixed(E& e, const Op& op, const std::array<typename E::Operand, N>& in,
                                      std::size_t first_promoted) {
  using Operand = typename E::Operand;
  using Stretched = decltype(e.broadcast(in[0], DimsView{}));
  std::array<MetaView, N> metas;
  for (std::size_t i = 0; i < N; ++i) metas[i] = e.meta(in[i]);
  const TensorMeta common = common_meta(op, metas, first_promoted);
  std::array<std::optional<Value<E>>, N> converted;
  std::array<std::optional<Stretched>, N> stretched;
  std::array<Operand, N> ready = in;
  for (std::size_t i = 0; i < N; ++i) {
    if (i >= first_promoted && metas[i].dtype != common.dtype) {
      converted[i] = bind1(e, Op(OpKind::convert, ConvertAttrs{common.dtype, true}), in[i]);
      ready[i] = *converted[i];
    }
    if (!same_shape(metas[i].shape, common.shape)) {
      stretched[i].emplace(e.broadcast(ready[i], common.shape));
      ready[i] = *stretched[i];
    }
  }
  Value<E> result;
  e.bind(op, std::span<const Operand>(ready), std::span<Value<E>>(&result, 1));
  return result;
}

template <Emitter E>
Value<E> binary(E& e, OpKind kind, const typename E::Operand& a, const typename E::Operand& b) {
  const MetaView ma = e.meta(a), mb = e.meta(b);
  if (ma.dtype == mb.dtype && same_shape(ma.shape, mb.shape)) [[likely]]
    return bind1(e, plain_op(kind), a, b);
  return bind_mixed<E, 2>(e, plain_op(kind), {a, b}, 0);
}

}  // namespace tenferro::internal
