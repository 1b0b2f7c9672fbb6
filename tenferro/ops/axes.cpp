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
  const std::int64_t at = axis < 0 ? axis + signed_rank : axis;
  // A shape that nobody has checked yet may have more axes than a set of axes.
  if (at < 0 || at >= signed_rank || at >= static_cast<std::int64_t>(kMaxRank)) {
    raise<OpErrorInfo>(AxisOutOfRange{op, axis, signed_rank});
  }
  return static_cast<std::uint8_t>(at);
}

Shape without_axes(DimsView shape, AxisSet axes, bool keep_dims) {
  Shape out;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!axes.contains(k)) {
      out.push_back(shape[k]);
    } else if (keep_dims) {
      out.push_back(1);
    }
  }
  return out;
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
