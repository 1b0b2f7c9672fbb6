// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro::internal {
namespace {

// What is chosen among no elements does not exist, unlike an empty sum.
bool chooses(OpKind kind) noexcept {
  return kind == OpKind::reduce_max || kind == OpKind::reduce_min || kind == OpKind::argmax || kind == OpKind::argmin;
}

OpFailure reduce(const Op& op, DimsView shape, AxisSet axes, bool keep_dims, Shape& out) {
  if (chooses(op.kind())) {
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (axes.contains(k) && shape[k] == 0) return op_failure(EmptyReduction{op.name(), Shape(shape)});
    }
  }
  out = without_axes(shape, axes, keep_dims);
  return nullptr;
}

}  // namespace

OpFailure infer_reduce(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<ReduceAttrs>();
  if (OpFailure failure = check_axis_set(op, attrs.axes, in[0].rank())) return failure;
  return reduce(op, in[0].shape, attrs.axes, attrs.keep_dims, out[0].shape);
}

OpFailure infer_arg_reduce(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<ArgReduceAttrs>();
  const auto rank = static_cast<std::int64_t>(in[0].rank());
  if (attrs.axis < -1 || attrs.axis >= rank) return op_failure(AxisOutOfRange{op.name(), attrs.axis, rank});
  AxisSet axes = AxisSet::first(in[0].rank());
  if (attrs.axis >= 0) {
    axes = AxisSet();
    axes.insert(static_cast<std::size_t>(attrs.axis));
  }
  return reduce(op, in[0].shape, axes, attrs.keep_dims, out[0].shape);
}

OpFailure infer_along_axis(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto* scan = std::get_if<ScanAttrs>(&op.attrs);
  const std::size_t axis = scan != nullptr ? scan->axis : op.as<SortAttrs>().axis;
  if (OpFailure failure = check_axis(op, axis, in[0].rank())) return failure;
  out[0].shape.assign(in[0].shape.data(), in[0].shape.size());
  return nullptr;
}

OpFailure infer_top_k(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<TopKAttrs>();
  if (OpFailure failure = check_axis(op, attrs.axis, in[0].rank())) return failure;
  const std::int64_t extent = in[0].shape[attrs.axis];
  if (attrs.k < 0 || attrs.k > extent) {
    return bad_argument(op, "k is outside the axis (expected 0 to ", extent, ", got ", attrs.k, ")");
  }
  out[0].shape.assign(in[0].shape.data(), in[0].shape.size());
  out[0].shape[attrs.axis] = attrs.k;
  out[1] = TensorMeta{DType::i64, out[0].shape};
  return nullptr;
}

}  // namespace tenferro::internal
