// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/axes.hpp"

#include "tenferro/ops/error.hpp"

namespace tenferro {

AxisSet Axes::resolve(std::string_view op, std::size_t rank) const {
  if (all_) return AxisSet::first(rank);
  AxisSet set;
  for (const std::int64_t axis : list_) {
    const std::uint8_t k = internal::axis_of(op, axis, rank);
    if (set.contains(k)) raise<OpErrorInfo>(DuplicateAxis{op, k});
    set.insert(k);
  }
  return set;
}

namespace internal {

std::uint8_t axis_of(std::string_view op, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) raise<OpErrorInfo>(AxisOutOfRange{op, axis, signed_rank});
  return static_cast<std::uint8_t>(axis < 0 ? axis + signed_rank : axis);
}

AxisList axis_list(std::string_view op, AxesView axes, std::size_t rank) {
  AxisList list;
  AxisSet seen;
  for (const std::int64_t axis : axes) {
    const std::uint8_t k = axis_of(op, axis, rank);
    if (seen.contains(k)) raise<OpErrorInfo>(DuplicateAxis{op, k});
    seen.insert(k);
    list.push_back(k);
  }
  return list;
}

}  // namespace internal
}  // namespace tenferro
