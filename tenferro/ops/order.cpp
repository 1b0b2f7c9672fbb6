// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/order.hpp"

namespace tenferro::internal {

Op sort_op(OpKind kind, const MetaView& x, std::int64_t axis, SortOptions options) {
  return {kind, SortAttrs{axis_of(info(kind).name, axis, x.rank()), options.descending, options.stable}};
}

Op top_k_op(const MetaView& x, std::int64_t k, std::int64_t axis, bool largest) {
  return {OpKind::top_k, TopKAttrs{k, axis_of("top_k", axis, x.rank()), largest}};
}

}  // namespace tenferro::internal
