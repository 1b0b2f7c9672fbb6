// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/stretched_pair.hpp"

#include <algorithm>

#include "tenferro/ops/broadcast.hpp"

namespace tenferro {

StretchedPair::StretchedPair(const TensorRead& a, const TensorRead& b) noexcept : operands_{a, b} {
  const std::size_t one = a.axis_count <= b.axis_count && internal::is_one(a)   ? 0
                          : b.axis_count <= a.axis_count && internal::is_one(b) ? 1
                                                                                : 2;
  if (one == 2) {
    walk();
    return;
  }
  internal::stand_still(operands_[one], operands_[1 - one]);
  fits_ = true;
}

void StretchedPair::walk() noexcept {
  const TensorRead &a = operands_[0], &b = operands_[1];
  const std::uint32_t rank = std::max(a.axis_count, b.axis_count);
  const std::uint32_t skip[] = {rank - a.axis_count, rank - b.axis_count};
  std::int64_t compact[] = {1, 1};  // stride of the next axis of an operand without strides
  bool stretches[] = {skip[0] != 0, skip[1] != 0};
  for (std::uint32_t k = 0; k < rank; ++k) {
    std::int64_t extent[] = {1, 1};
    for (std::size_t i = 0; i < 2; ++i) {
      strides_[i][k] = 0;
      if (k < skip[i]) continue;
      const TensorRead& x = operands_[i];
      extent[i] = x.extents[k - skip[i]];
      if (extent[i] == 1) continue;
      strides_[i][k] = x.strides != nullptr ? x.strides[k - skip[i]] : compact[i];
      compact[i] *= extent[i];
    }
    if (extent[0] != extent[1]) {
      if (extent[0] != 1 && extent[1] != 1) return;
      stretches[extent[0] == 1 ? 0 : 1] = true;
    }
    shape_[k] = extent[0] == 1 ? extent[1] : extent[0];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!stretches[i]) continue;  // keeps its strides, and with them the knowledge that it is compact
    operands_[i].extents = shape_;
    operands_[i].strides = strides_[i];
    operands_[i].axis_count = rank;
  }
  fits_ = true;
}

}  // namespace tenferro
