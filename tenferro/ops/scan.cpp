// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/scan.hpp"

namespace tenferro::internal {

Op scan_op(OpKind kind, const MetaView& x, std::int64_t axis, ScanOptions options) {
  return {kind, ScanAttrs{axis_of(info(kind).name, axis, x.rank()), options.reverse, options.exclusive}};
}

}  // namespace tenferro::internal
