// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/structural.hpp"

#include <algorithm>

#include "tenferro/base/text.hpp"

namespace tenferro::internal {

Shape full_shape(std::string_view op, const MetaView& x, const Shape& shape) {
  Shape full = shape;
  std::int64_t* open = nullptr;
  for (std::int64_t& extent : full) {
    if (extent != -1) continue;
    if (open != nullptr) raise<OpErrorInfo>(BadArgument{op, "more than one extent is −1 (expected at most one)"});
    open = &extent;
  }
  const std::int64_t count = element_count(x.shape).value_or(-1);
  if (open != nullptr) {
    *open = 1;
    const std::int64_t others = element_count(full).value_or(-1);
    if (others <= 0 || count % others != 0) {
      raise<OpErrorInfo>(BadArgument{op, concat("nothing fits in place of −1 (expected a divisor of ", count,
                                                " elements, got ", list_text(shape), ")")});
    }
    *open = count / others;
  }
  TensorMeta out;
  const MetaView in[] = {x};
  if (OpFailure failure = infer(Op(OpKind::reshape, ReshapeAttrs{full}), in, {&out, 1})) {
    throw_failure(std::move(failure));
  }
  return full;
}

Op reshape_op(const MetaView& x, const Shape& shape) {
  const bool open = std::find(shape.begin(), shape.end(), -1) != shape.end();
  return {OpKind::reshape, ReshapeAttrs{open ? full_shape("reshape", x, shape) : shape}};
}

Op transpose_op(const MetaView& x, AxesView perm) {
  return {OpKind::transpose, TransposeAttrs{axis_list("transpose", perm, x.rank())}};
}

Op reversed_axes_op(const MetaView& x) {
  AxisList perm;
  for (std::size_t k = x.rank(); k > 0; --k) perm.push_back(static_cast<std::uint8_t>(k - 1));
  return {OpKind::transpose, TransposeAttrs{perm}};
}

Op broadcast_in_dim_op(const Shape& shape, AxesView axes) {
  if (shape.size() > kMaxRank) raise<OpErrorInfo>(InvalidShape{"broadcast_in_dim", shape});
  return {OpKind::broadcast_in_dim, BroadcastInDimConfig{shape, axis_list("broadcast_in_dim", axes, shape.size())}};
}

Op broadcast_to_op(const MetaView& x, const Shape& shape) {
  require_stretches("broadcast_to", x.shape, shape);
  AxisList axes;
  for (std::size_t k = 0; k < x.rank(); ++k) axes.push_back(static_cast<std::uint8_t>(shape.size() - x.rank() + k));
  return {OpKind::broadcast_in_dim, BroadcastInDimConfig{shape, axes}};
}

Op extract_diag_op(const MetaView& x, std::int64_t shift, std::int64_t axis1, std::int64_t axis2) {
  constexpr std::string_view kName = "extract_diag";
  return {OpKind::extract_diag, DiagAttrs{shift, axis_of(kName, axis1, x.rank()), axis_of(kName, axis2, x.rank())}};
}

Op embed_diag_op(const MetaView& x, std::int64_t shift, std::int64_t axis1, std::int64_t axis2) {
  constexpr std::string_view kName = "embed_diag";
  const std::size_t rank = x.rank() + 1;
  return {OpKind::embed_diag, DiagAttrs{shift, axis_of(kName, axis1, rank), axis_of(kName, axis2, rank)}};
}

Op reverse_op(const MetaView& x, const Axes& axes) {
  return {OpKind::reverse, AxesAttrs{axes.resolve("reverse", x.rank())}};
}

Op concatenate_op(const MetaView& first, std::int64_t axis) {
  // Without operands any axis does: inference refuses their number first.
  const bool none = first.rank() == 0 && (axis == 0 || axis == -1);
  return {OpKind::concatenate, AxisAttrs{none ? std::uint8_t{0} : axis_of("concatenate", axis, first.rank())}};
}

Op pad_op(const MetaView& x, PadConfig config) {
  config.fill = weak_scalar("pad", config.fill, x.dtype);
  if (config.interior.empty()) config.interior.resize(config.low.size(), 0);
  return {OpKind::pad, PadAttrs(std::move(config))};
}

Op slice_op(const MetaView& x, SliceConfig config) {
  if (config.strides.empty()) config.strides.resize(x.rank(), 1);
  return {OpKind::slice, SliceAttrs(std::move(config))};
}

Op slice_axis_op(const MetaView& x, std::int64_t axis, Range range) {
  const std::size_t k = axis_of("slice_axis", axis, x.rank());
  const std::int64_t extent = x.shape[k];
  const auto place = [&](Bound bound) {
    if (bound.is_end()) return extent;
    return bound.value() < 0 ? bound.value() + extent : bound.value();
  };
  SliceConfig config{Dims(x.rank(), 0), Dims(x.shape), Dims(x.rank(), 1)};
  config.starts[k] = place(range.first);
  config.limits[k] = place(range.last);
  config.strides[k] = range.step;
  return {OpKind::slice, SliceAttrs(std::move(config))};
}

}  // namespace tenferro::internal
