// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/reduction.hpp"

namespace tenferro::internal {

Op reduce_op(OpKind kind, const MetaView& x, const Axes& axes, bool keep_dims) {
  return {kind, ReduceAttrs{axes.resolve(info(kind).name, x.rank()), keep_dims}};
}

Op arg_reduce_op(OpKind kind, const MetaView& x, std::optional<std::int64_t> axis, bool keep_dims) {
  ArgReduceAttrs attrs{-1, keep_dims};
  if (axis) attrs.axis = static_cast<std::int8_t>(axis_of(info(kind).name, *axis, x.rank()));
  return {kind, attrs};
}

void require_dtype(std::string_view op, DType got, DTypeRule rule, std::int64_t operand) {
  const DTypeSet accepted = admitted(rule);
  if (!accepted.contains(got)) raise<OpErrorInfo>(UnsupportedDType{op, operand, got, accepted});
}

std::int64_t reduced_count(std::string_view op, DimsView shape, const Axes& axes) {
  const AxisSet set = axes.resolve(op, shape.size());
  std::int64_t count = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (set.contains(k)) count *= shape[k];
  }
  return count;
}

Shape reduced_shape(std::string_view op, DimsView shape, const Axes& axes, bool keep_dims) {
  return without_axes(shape, axes.resolve(op, shape.size()), keep_dims);
}

}  // namespace tenferro::internal
