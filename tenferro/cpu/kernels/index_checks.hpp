// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Whether numbers are places along an axis, by vectors: what lists of indices that are used as they stand go through
// before anything is written.
//
//   if (all_places(indices, count, extent)) …

#include <cstdint>

namespace tenferro::internal {

/// Whether each of `count` numbers is at least 0 and below `extent`, which is not negative. One pass, as fast as
/// memory.
bool all_places(const std::int64_t* numbers, std::int64_t count, std::int64_t extent);

}  // namespace tenferro::internal
