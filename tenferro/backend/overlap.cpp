// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/overlap.hpp"

#include "tenferro/tensor/overlap.hpp"

namespace tenferro {
namespace {

bool same_layout(const TensorRead& a, const TensorRead& b) noexcept {
  if (a.data != b.data || !same_shape(a.shape(), b.shape())) return false;
  if (element_size(a.dtype) != element_size(b.dtype)) return false;
  std::int64_t compact = 1;
  for (std::uint32_t k = 0; k < a.axis_count; ++k) {
    const std::int64_t sa = a.strides != nullptr ? a.strides[k] : compact;
    const std::int64_t sb = b.strides != nullptr ? b.strides[k] : compact;
    if (sa != sb && a.extents[k] > 1) return false;
    compact *= a.extents[k];
  }
  return true;
}

}  // namespace

Overlap overlap(const TensorRead& input, const TensorWrite& output) {
  const TensorRead target = output.read();
  if (same_layout(input, target)) return input.count() == 0 ? Overlap::none : Overlap::same;
  return may_overlap(input, target) ? Overlap::partial : Overlap::none;
}

}  // namespace tenferro
