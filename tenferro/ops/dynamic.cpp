// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/dynamic.hpp"

namespace tenferro::internal {

Op axis_op(OpKind kind, const MetaView& x, std::int64_t axis) {
  return {kind, AxisAttrs{axis_of(info(kind).name, axis, x.rank())}};
}

}  // namespace tenferro::internal
