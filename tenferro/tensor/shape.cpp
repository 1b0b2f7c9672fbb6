// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/shape.hpp"

#include "tenferro/base/checked_math.hpp"
#include "tenferro/tensor/error.hpp"

namespace tenferro {

std::optional<std::int64_t> element_count(DimsView shape) noexcept {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) {
      empty = true;
    } else if (mul_overflows(product, extent, &product)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : product;
}

std::int64_t checked_element_count(std::string_view op, DimsView shape, std::size_t element_size) {
  if (shape.size() > kMaxRank) raise<TensorErrorInfo>(InvalidShape{op, Shape(shape)});
  for (const std::int64_t extent : shape) {
    if (extent < 0) raise<TensorErrorInfo>(InvalidShape{op, Shape(shape)});
  }
  const auto count = element_count(shape);
  std::int64_t bytes = 0;
  if (!count || mul_overflows(*count, static_cast<std::int64_t>(element_size), &bytes)) {
    raise<TensorErrorInfo>(ShapeOverflow{op, Shape(shape)});
  }
  return *count;
}

std::size_t normalized_axis(std::string_view op, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) raise<TensorErrorInfo>(AxisOutOfRange{op, axis, signed_rank});
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::optional<Shape> broadcast_shape(DimsView a, DimsView b) {
  const DimsView& longer = a.size() >= b.size() ? a : b;
  const DimsView& shorter = a.size() >= b.size() ? b : a;
  const std::size_t lead = longer.size() - shorter.size();
  Shape out(longer);
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& extent = out[lead + i];
    if (extent == 1) {
      extent = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != extent) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace tenferro
