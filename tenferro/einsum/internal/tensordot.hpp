// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The operation behind tensordot, and binding it to a pair of any dtypes.

#include <cstdint>
#include <optional>
#include <span>

#include "tenferro/ops/emitter.hpp"

namespace tenferro::internal {

/// dot_general over the named axes, negative ones from the last. Throws OpError (AxisOutOfRange, BadArgument).
Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::span<const std::int64_t> lhs_axes,
                std::span<const std::int64_t> rhs_axes);
/// dot_general over the last `count` axes of lhs and the first `count` of rhs.
Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::int64_t count);

/// Binds a contraction to two operands, converted to the dtype that they promote to.
template <Emitter E>
Value<E> contract_pair(E& e, const typename E::Operand& a, const typename E::Operand& b, const Op& op) {
  using Operand = typename E::Operand;
  const DType left = e.meta(a).dtype;
  const DType right = e.meta(b).dtype;
  if (left == right) return bind1(e, op, a, b);
  const DType common = promote(left, right);
  const Op convert(OpKind::convert, ConvertAttrs{common, true});
  std::optional<Value<E>> converted_a;
  std::optional<Value<E>> converted_b;
  if (left != common) converted_a.emplace(bind1(e, convert, a));
  if (right != common) converted_b.emplace(bind1(e, convert, b));
  return bind1(e, op, converted_a ? Operand(*converted_a) : a, converted_b ? Operand(*converted_b) : b);
}

}  // namespace tenferro::internal
