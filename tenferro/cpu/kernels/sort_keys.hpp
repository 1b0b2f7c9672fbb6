// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Sorting of signed keys, into which order_loops.hpp turns elements: short lists by networks, long ones by radix.
//
//   sort_keys(keys, work, n, {least, most});  // ascending

#include <cstdint>
#include <limits>

#include "tenferro/cpu/kernels/sort_networks.hpp"

namespace tenferro::internal {

/// Bounds of keys; the bits below `settled` are in order already wherever those above are equal.
template <class Key>
struct KeyRange {
  Key least = std::numeric_limits<Key>::min(), most = std::numeric_limits<Key>::max();
  int settled = 0;
};

/// Sorts n keys; at `keys`, and at `work`, there is room for sort_room(n), or for n where that is more than
/// kMostNetworkKeys. Long lists go by radix (Knuth, The Art of Computer Programming 3, 5.2.5) on the bits that tell
/// them apart. Cost: n log² n steps for short lists, n times the number of bytes for long ones.
template <class Key>
void sort_keys(Key* keys, Key* work, std::int64_t n, KeyRange<Key> range = {});

extern template void sort_keys(std::int32_t*, std::int32_t*, std::int64_t, KeyRange<std::int32_t>);
extern template void sort_keys(std::int64_t*, std::int64_t*, std::int64_t, KeyRange<std::int64_t>);

}  // namespace tenferro::internal
