// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: no_entry_for<\(?tenferro::OpKind\)?(::cumprod|[0-9]+)
// A table over operations with a hole names the operation that is missing.
#include "tenferro/ops/op_table.hpp"

namespace {
constexpr tenferro::OpTable<int> kRanks = {
    {tenferro::OpKind::cumsum, 1},
#ifndef TENFERRO_MUST_FAIL
    {tenferro::OpKind::cumprod, 2},
#endif
    {tenferro::OpKind::cummax, 3},  {tenferro::OpKind::cummin, 4}, {tenferro::OpKind::cumlogsumexp, 5},
};
TENFERRO_COVERS(kRanks, tenferro::OpCategory::scan);
}  // namespace
