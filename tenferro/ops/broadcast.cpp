// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/broadcast.hpp"

namespace tenferro::internal {

TensorMeta common_meta(const Op& op, std::span<const MetaView> in, std::size_t first_promoted) {
  TensorMeta common{in[first_promoted].dtype, Shape(in[0].shape)};
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i > first_promoted) common.dtype = promote(common.dtype, in[i].dtype);
    if (i == 0) continue;
    auto stretched = broadcast_shape(common.shape, in[i].shape);
    if (!stretched) {
      raise<OpErrorInfo>(ShapeMismatch{op.name(), common.shape, Shape(in[i].shape),
                                       "extents that are equal or 1, aligned at the last axis"});
    }
    common.shape = std::move(*stretched);
  }
  return common;
}

}  // namespace tenferro::internal
