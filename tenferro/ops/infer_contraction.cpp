// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro::internal {
namespace {

constexpr std::string_view kOrder = "; result axes are lhs free, rhs free, batch";

OpFailure check_pairs(const Op& op, const MetaView& lhs, const MetaView& rhs, std::span<const std::uint8_t> left,
                      std::span<const std::uint8_t> right, std::string_view what) {
  if (left.size() != right.size()) {
    return bad_argument(op, "both operands need the same number of ", what, " axes (expected ", left.size(), ", got ",
                        right.size(), ")");
  }
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (lhs.shape[left[k]] != rhs.shape[right[k]]) {
      return op_failure(ShapeMismatch{
          op.name(), Shape(lhs.shape), Shape(rhs.shape),
          concat("equal extents on ", what, " axes ", list_text(left), " and ", list_text(right), kOrder)});
    }
  }
  return nullptr;
}

}  // namespace

OpFailure infer_dot_general(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const auto& config = op.as<DotGeneralConfig>();
  const MetaView &lhs = in[0], &rhs = in[1];
  if (OpFailure failure = check_same_dtype(op, 1, lhs.dtype, rhs.dtype)) return failure;
  AxisSet left, right;
  if (OpFailure failure = check_axis_list(op, config.lhs_contracting(), lhs.rank(), &left)) return failure;
  if (OpFailure failure = check_axis_list(op, config.lhs_batch(), lhs.rank(), &left)) return failure;
  if (OpFailure failure = check_axis_list(op, config.rhs_contracting(), rhs.rank(), &right)) return failure;
  if (OpFailure failure = check_axis_list(op, config.rhs_batch(), rhs.rank(), &right)) return failure;
  if (OpFailure failure = check_pairs(op, lhs, rhs, config.lhs_contracting(), config.rhs_contracting(), "contracted")) {
    return failure;
  }
  if (OpFailure failure = check_pairs(op, lhs, rhs, config.lhs_batch(), config.rhs_batch(), "batch")) return failure;
  Shape& shape = out[0].shape;
  shape.clear();
  for (std::size_t k = 0; k < lhs.rank(); ++k) {
    if (!left.contains(k)) shape.push_back(lhs.shape[k]);
  }
  for (std::size_t k = 0; k < rhs.rank(); ++k) {
    if (!right.contains(k)) shape.push_back(rhs.shape[k]);
  }
  for (const std::uint8_t axis : config.lhs_batch()) shape.push_back(lhs.shape[axis]);
  return check_shape(op, lhs.dtype, shape);
}

}  // namespace tenferro::internal
