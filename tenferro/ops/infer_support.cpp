// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/internal/infer_support.hpp"

#include "tenferro/base/checked_math.hpp"

namespace tenferro::internal {

OpFailure check_axis_set(const Op& op, AxisSet axes, std::size_t rank) {
  const std::uint64_t outside = axes.bits() & ~AxisSet::first(rank).bits();
  if (outside == 0) [[likely]]
    return nullptr;
  return op_failure(AxisOutOfRange{op.name(), 63 - std::countl_zero(outside), static_cast<std::int64_t>(rank)});
}

OpFailure check_axis_list(const Op& op, std::span<const std::uint8_t> axes, std::size_t rank, AxisSet* set) {
  for (const std::uint8_t axis : axes) {
    if (OpFailure failure = check_axis(op, axis, rank)) return failure;
    if (set->contains(axis)) return op_failure(DuplicateAxis{op.name(), axis});
    set->insert(axis);
  }
  return nullptr;
}

OpFailure check_shape(std::string_view op, DType dtype, DimsView shape) {
  bool valid = shape.size() <= kMaxRank;
  for (const std::int64_t extent : shape) valid = valid && extent >= 0;
  if (!valid) return op_failure(InvalidShape{op, Shape(shape)});
  const auto count = element_count(shape);
  std::int64_t bytes = 0;
  if (!count || mul_overflows(*count, static_cast<std::int64_t>(element_size(dtype)), &bytes)) {
    return op_failure(ShapeOverflow{op, Shape(shape)});
  }
  return nullptr;
}

}  // namespace tenferro::internal
