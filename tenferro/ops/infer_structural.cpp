// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro::internal {

OpFailure infer_transpose(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const AxisList& perm = op.as<TransposeAttrs>().perm;
  if (perm.size() != in[0].rank()) {
    return bad_argument(op, "the permutation has another number of axes than the operand (expected ", in[0].rank(),
                        ", got ", list_text(perm), ")");
  }
  AxisSet seen;
  if (OpFailure failure = check_axis_list(op, perm, in[0].rank(), &seen)) return failure;
  out[0].shape.clear();
  for (const std::uint8_t axis : perm) out[0].shape.push_back(in[0].shape[axis]);
  return nullptr;
}

OpFailure infer_reshape(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const Shape& shape = op.as<ReshapeAttrs>().shape;
  if (OpFailure failure = check_shape(op, in[0].dtype, shape)) return failure;
  const auto have = element_count(in[0].shape), want = element_count(shape);
  if (have != want) return op_failure(ElementCountMismatch{op.name(), have.value_or(-1), want.value_or(-1)});
  out[0].shape = shape;
  return nullptr;
}

OpFailure infer_broadcast_in_dim(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const BroadcastInDimConfig& config = *op.as<BroadcastInDimAttrs>();
  if (OpFailure failure = check_shape(op, in[0].dtype, config.shape)) return failure;
  if (OpFailure failure = check_rank(op, 0, in[0].rank(), config.axes.size())) return failure;
  AxisSet seen;
  if (OpFailure failure = check_axis_list(op, config.axes, config.shape.size(), &seen)) return failure;
  for (std::size_t k = 0; k < config.axes.size(); ++k) {
    if (in[0].shape[k] != 1 && in[0].shape[k] != config.shape[config.axes[k]]) {
      return op_failure(ShapeMismatch{op.name(), Shape(in[0].shape), config.shape,
                                      concat("extents that are 1 or those of axes ", list_text(config.axes))});
    }
  }
  out[0].shape = config.shape;
  return nullptr;
}

OpFailure infer_extract_diag(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<DiagAttrs>();
  if (OpFailure failure = check_least_rank(op, 0, in[0].rank(), 2)) return failure;
  AxisSet removed;
  const std::uint8_t axes[] = {attrs.axis1, attrs.axis2};
  if (OpFailure failure = check_axis_list(op, axes, in[0].rank(), &removed)) return failure;
  const std::int64_t rows = in[0].shape[attrs.axis1], columns = in[0].shape[attrs.axis2];
  std::int64_t length = 0;  // a diagonal beyond the corner has no elements
  if (attrs.shift < columns && attrs.shift > -rows) {
    length = attrs.shift >= 0 ? std::min(rows, columns - attrs.shift) : std::min(rows + attrs.shift, columns);
  }
  out[0].shape.clear();
  for (std::size_t k = 0; k < in[0].rank(); ++k) {
    if (!removed.contains(k)) out[0].shape.push_back(in[0].shape[k]);
  }
  out[0].shape.push_back(length);
  return nullptr;
}

OpFailure infer_embed_diag(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& attrs = op.as<DiagAttrs>();
  if (OpFailure failure = check_least_rank(op, 0, in[0].rank(), 1)) return failure;
  const std::size_t rank = in[0].rank() + 1;
  if (rank > kMaxRank) return op_failure(InvalidShape{op.name(), Shape(in[0].shape)});
  AxisSet placed;
  const std::uint8_t axes[] = {attrs.axis1, attrs.axis2};
  if (OpFailure failure = check_axis_list(op, axes, rank, &placed)) return failure;
  std::int64_t side = 0;
  const std::int64_t length = in[0].shape.back();
  const bool overflow = attrs.shift >= 0 ? add_overflows(length, attrs.shift, &side)  //
                                         : sub_overflows(length, attrs.shift, &side);
  Shape& shape = out[0].shape;
  shape.clear();
  std::size_t next = 0;
  for (std::size_t k = 0; k < rank; ++k) shape.push_back(placed.contains(k) ? side : in[0].shape[next++]);
  if (overflow) return op_failure(ShapeOverflow{op.name(), shape});
  return check_shape(op, in[0].dtype, shape);
}

OpFailure infer_matrix(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  if (OpFailure failure = check_least_rank(op, 0, in[0].rank(), 2)) return failure;
  out[0].shape.assign(in[0].shape.data(), in[0].shape.size());
  return nullptr;
}

OpFailure infer_reverse(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  if (OpFailure failure = check_axis_set(op, op.as<AxesAttrs>().axes, in[0].rank())) return failure;
  out[0].shape.assign(in[0].shape.data(), in[0].shape.size());
  return nullptr;
}

OpFailure infer_concatenate(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const std::size_t axis = op.as<AxisAttrs>().axis;
  const MetaView& first = in[0];
  if (OpFailure failure = check_axis(op, axis, first.rank())) return failure;
  std::int64_t total = first.shape[axis];
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (OpFailure failure = check_same_dtype(op, static_cast<std::int64_t>(i), first.dtype, in[i].dtype)) {
      return failure;
    }
    if (OpFailure failure = check_rank(op, i, in[i].rank(), first.rank())) return failure;
    for (std::size_t k = 0; k < first.rank(); ++k) {
      if (k != axis && in[i].shape[k] != first.shape[k]) {
        return op_failure(ShapeMismatch{op.name(), Shape(first.shape), Shape(in[i].shape),
                                        concat("equal extents on every axis but ", axis)});
      }
    }
    if (add_overflows(total, in[i].shape[axis], &total)) {
      return op_failure(ShapeOverflow{op.name(), Shape(first.shape)});
    }
  }
  out[0].shape.assign(first.shape.data(), first.rank());
  out[0].shape[axis] = total;
  return check_shape(op, first.dtype, out[0].shape);
}

OpFailure infer_pad(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const PadConfig& config = *op.as<PadAttrs>();
  const std::size_t rank = in[0].rank();
  if (config.low.size() != rank || config.high.size() != rank || config.interior.size() != rank) {
    return bad_argument(op, "low, high and interior need one entry per axis (expected ", rank, ", got ",
                        config.low.size(), ", ", config.high.size(), " and ", config.interior.size(), ")");
  }
  if (OpFailure failure = check_same_dtype(op, -1, in[0].dtype, config.fill.dtype())) return failure;
  Shape& shape = out[0].shape;
  shape.clear();
  for (std::size_t k = 0; k < rank; ++k) {
    if (config.interior[k] < 0) {
      return bad_argument(op, "interior padding is negative (expected 0 or more on axis ", k, ", got ",
                          config.interior[k], ")");
    }
    const std::int64_t extent = in[0].shape[k];
    std::int64_t padded = 0;
    const bool overflow = mul_overflows(extent > 0 ? extent - 1 : 0, config.interior[k], &padded) ||
                          add_overflows(padded, extent, &padded) || add_overflows(padded, config.low[k], &padded) ||
                          add_overflows(padded, config.high[k], &padded);
    if (overflow) return op_failure(ShapeOverflow{op.name(), Shape(in[0].shape)});
    if (padded < 0) {
      return bad_argument(op, "more is cropped than there is (expected an extent of 0 or more on axis ", k, ", got ",
                          padded, ")");
    }
    shape.push_back(padded);
  }
  return check_shape(op, in[0].dtype, shape);
}

OpFailure infer_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const SliceConfig& config = *op.as<SliceAttrs>();
  const std::size_t rank = in[0].rank();
  if (config.starts.size() != rank || config.limits.size() != rank || config.strides.size() != rank) {
    return bad_argument(op, "starts, limits and strides need one entry per axis (expected ", rank, ", got ",
                        config.starts.size(), ", ", config.limits.size(), " and ", config.strides.size(), ")");
  }
  Shape& shape = out[0].shape;
  shape.clear();
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t start = config.starts[k], limit = config.limits[k], step = config.strides[k];
    const std::int64_t extent = in[0].shape[k];
    if (step < 1) {
      return bad_argument(op, "the step is not positive (expected 1 or more on axis ", k, ", got ", step, ")");
    }
    if (start < 0 || limit > extent || start > limit) {
      return bad_argument(op, "the range leaves the axis (expected 0 <= start <= limit <= ", extent, " on axis ", k,
                          ", got ", start, " and ", limit, ")");
    }
    shape.push_back(start == limit ? 0 : (limit - start - 1) / step + 1);
  }
  return nullptr;
}

}  // namespace tenferro::internal
