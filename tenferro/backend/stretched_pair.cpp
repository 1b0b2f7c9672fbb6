// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/stretched_pair.hpp"

namespace tenferro {

StretchedPair::StretchedPair(const TensorRead& a, const TensorRead& b) : operands_{a, b} {
  const bool a_longer = a.axis_count >= b.axis_count;
  const TensorRead& longer = a_longer ? a : b;
  const TensorRead& shorter = a_longer ? b : a;
  const std::uint32_t lead = longer.axis_count - shorter.axis_count;
  shape_.resize(longer.axis_count);
  for (std::uint32_t k = 0; k < longer.axis_count; ++k) {
    const std::int64_t extent = longer.extents[k];
    const std::int64_t other = k < lead ? 1 : shorter.extents[k - lead];
    if (extent != other && extent != 1 && other != 1) return;
    shape_[k] = extent == 1 ? other : extent;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!same_shape(operands_[i].shape(), shape_)) stretch(operands_[i], strides_[i], shape_);
  }
  // A shape with more elements than memory has no result; the general path says so.
  fits_ = element_count(shape_).has_value();
}

void StretchedPair::stretch(TensorRead& x, Dims& strides, const Shape& shape) {
  const std::size_t lead = shape.size() - x.axis_count;
  strides.resize(shape.size());
  std::int64_t compact = 1;
  for (std::uint32_t k = 0; k < x.axis_count; ++k) {
    const std::int64_t extent = x.extents[k];
    strides[lead + k] = extent == 1 ? 0 : x.strides != nullptr ? x.strides[k] : compact;
    compact *= extent;
  }
  x.extents = shape.data();
  x.strides = strides.data();
  x.axis_count = static_cast<std::uint32_t>(shape.size());
}

}  // namespace tenferro
