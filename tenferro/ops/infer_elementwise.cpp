// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/infer.hpp"

namespace tenferro::internal {
namespace {

OpFailure mismatch(const Op& op, const MetaView& a, const MetaView& b, std::size_t operand) {
  if (a.dtype != b.dtype) {
    return op_failure(DTypeMismatch{op.name(), static_cast<std::int64_t>(operand), a.dtype, b.dtype});
  }
  return op_failure(ShapeMismatch{op.name(), Shape(a.shape), Shape(b.shape), ""});
}

}  // namespace

OpFailure infer_same(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (in[i].dtype != in[0].dtype || !same_shape(in[i].shape, in[0].shape)) [[unlikely]] {
      return mismatch(op, in[0], in[i], i);
    }
  }
  if (const auto* convert = std::get_if<ConvertAttrs>(&op.attrs)) {
    if (convert->to == DType::external || (convert->checked && !converts_safely(in[0].dtype, convert->to))) {
      return op_failure(UnsupportedConversion{op.name(), in[0].dtype, convert->to});
    }
  }
  out[0].shape.assign(in[0].shape.data(), in[0].shape.size());
  return nullptr;
}

OpFailure infer_select(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  if (in[0].dtype != DType::boolean) return op_failure(DTypeMismatch{op.name(), 0, DType::boolean, in[0].dtype});
  if (in[2].dtype != in[1].dtype) return op_failure(DTypeMismatch{op.name(), 2, in[1].dtype, in[2].dtype});
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    if (!same_shape(in[i].shape, in[1].shape)) {
      return op_failure(ShapeMismatch{op.name(), Shape(in[1].shape), Shape(in[i].shape), ""});
    }
  }
  out[0].shape.assign(in[1].shape.data(), in[1].shape.size());
  return nullptr;
}

}  // namespace tenferro::internal
