// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cstring>

#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro {
namespace internal {

OpFailure infer_shape_of(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  out[0].shape.clear();
  return check_axis(op, op.as<AxisAttrs>().axis, in[0].rank());
}

OpFailure infer_dynamic_truncate(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  if (OpFailure failure = check_axis(op, op.as<AxisAttrs>().axis, in[0].rank())) return failure;
  if (OpFailure failure = check_index_dtype(op, 1, in[1].dtype)) return failure;
  if (OpFailure failure = check_rank(op, 1, in[1].rank(), 0)) return failure;
  out[0].shape.assign(in[0].shape.data(), in[0].rank());
  return nullptr;
}

OpFailure infer_pad_to_match(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const std::size_t axis = op.as<AxisAttrs>().axis;
  if (OpFailure failure = check_axis(op, axis, in[0].rank())) return failure;
  if (OpFailure failure = check_axis(op, axis, in[1].rank())) return failure;
  if (in[0].shape[axis] > in[1].shape[axis]) {
    return op_failure(ShapeMismatch{op.name(), Shape(in[0].shape), Shape(in[1].shape),
                                    concat("a reference that is at least as long on axis ", axis)});
  }
  out[0].shape.assign(in[0].shape.data(), in[0].rank());
  out[0].shape[axis] = in[1].shape[axis];
  return check_shape(op, in[0].dtype, out[0].shape);
}

}  // namespace internal

OpFailure refine_dynamic_shape(const Op& op, std::span<const TensorRead> in, std::span<TensorMeta> out) {
  if (op.kind() != OpKind::dynamic_truncate) return nullptr;
  const std::size_t axis = op.as<AxisAttrs>().axis;
  std::int64_t size = 0;
  if (in[1].dtype == DType::i64) {
    std::memcpy(&size, in[1].data, sizeof size);
  } else {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, in[1].data, sizeof narrow);
    size = narrow;
  }
  const std::int64_t extent = in[0].shape()[axis];
  if (size < 0 || size > extent) {
    return internal::bad_argument(op, "the size is outside axis ", axis, " (expected 0 to ", extent, ", got ", size,
                                  ")");
  }
  out[0].shape[axis] = size;
  return nullptr;
}

}  // namespace tenferro
