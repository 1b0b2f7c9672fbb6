// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/overlap.hpp"

#include "tenferro/tensor/layout.hpp"

namespace tenferro {
namespace {

struct ByteRange {
  const std::byte* first;
  const std::byte* last;  // one past
};

ByteRange byte_range(const TensorRead& x) noexcept {
  const auto size = static_cast<std::int64_t>(element_size(x.dtype));
  if (x.strides == nullptr) return {x.data, x.data + x.count() * size};
  const Reach r = reach(x.shape(), {x.strides, x.axis_count});
  if (r.last < r.first) return {x.data, x.data};
  return {x.data + r.first * size, x.data + (r.last + 1) * size};
}

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

Overlap overlap(const TensorRead& input, const TensorWrite& output) noexcept {
  const TensorRead target = output.read();
  const ByteRange a = byte_range(input), b = byte_range(target);
  if (a.first == a.last || b.first == b.last || a.last <= b.first || b.last <= a.first) return Overlap::none;
  return same_layout(input, target) ? Overlap::same : Overlap::partial;
}

}  // namespace tenferro
