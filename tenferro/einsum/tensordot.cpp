// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/tensordot.hpp"

#include <algorithm>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/axes.hpp"

namespace tenferro::internal {

Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::span<const std::int64_t> lhs_axes,
                std::span<const std::int64_t> rhs_axes) {
  const AxisList left = axis_list("tensordot", lhs_axes, lhs.rank());
  const AxisList right = axis_list("tensordot", rhs_axes, rhs.rank());
  return {OpKind::dot_general, DotGeneralConfig(left, right)};
}

Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::int64_t count) {
  const std::int64_t left_rank = static_cast<std::int64_t>(lhs.rank());
  const std::int64_t right_rank = static_cast<std::int64_t>(rhs.rank());
  if (count < 0 || count > left_rank || count > right_rank) {
    raise<OpErrorInfo>(BadArgument{
        "tensordot", concat("number of axes (expected 0 … ", std::min(left_rank, right_rank), ", got ", count, ")")});
  }
  AxisList left;
  AxisList right;
  for (std::int64_t axis = 0; axis < count; ++axis) {
    left.push_back(static_cast<std::uint8_t>(left_rank - count + axis));
    right.push_back(static_cast<std::uint8_t>(axis));
  }
  return {OpKind::dot_general, DotGeneralConfig(left, right)};
}

}  // namespace tenferro::internal
