// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro::internal {
namespace {

// The result dtype of a creation comes from the payload; operand −1 stands for it.
OpFailure make(const Op& op, DType dtype, const Shape& shape, TensorMeta& out) {
  const DTypeSet accepted = admitted(op.info().dtypes);
  if (dtype > DType::external || !accepted.contains(dtype)) {
    return op_failure(UnsupportedDType{op.name(), -1, dtype, accepted});
  }
  if (OpFailure failure = check_shape(op, dtype, shape)) return failure;
  out.dtype = dtype;
  out.shape = shape;
  return nullptr;
}

}  // namespace

OpFailure infer_constant(const Op& op, std::span<const MetaView>, std::span<TensorMeta> out) {
  const auto& value = op.as<ConstantAttrs>().value;
  if (value == nullptr) return bad_argument(op, "there is no tensor in the payload");
  return make(op, value->dtype(), value->shape(), out[0]);
}

OpFailure infer_iota(const Op& op, std::span<const MetaView>, std::span<TensorMeta> out) {
  const auto& attrs = op.as<IotaAttrs>();
  if (OpFailure failure = check_axis(op, attrs.axis, attrs.shape.size())) return failure;
  return make(op, attrs.dtype, attrs.shape, out[0]);
}

OpFailure infer_random_bits(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<RandomBitsAttrs>();
  if (OpFailure failure = check_same_dtype(op, 0, DType::i64, in[0].dtype)) return failure;
  if (!same_shape(in[0].shape, Shape{2})) {
    return op_failure(ShapeMismatch{op.name(), Shape{2}, Shape(in[0].shape), "a key of shape [2]"});
  }
  return make(op, attrs.dtype, attrs.shape, out[0]);
}

}  // namespace tenferro::internal
