// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Sorting and merging of integers by vectors: bitonic networks (Batcher, AFIPS Spring Joint Computer Conf. 32 (1968)
// 307) sort blocks of eight vectors, and merge runs two vectors at a time. Equal integers are the same integer, so that
// the result is one and the same for every set of instructions.
//
//   const SortNetworks<std::int64_t>& networks = sort_networks<std::int64_t>();
//   networks.sort(words, work, n);

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tenferro/cpu/calibration.hpp"

namespace tenferro::internal {

/// Keys that a network sorts together at most; lists are filled up to a multiple of some smaller number.
inline constexpr std::int64_t kSortPiece = 1024;
/// Keys for which a list of n must have room.
constexpr std::int64_t sort_room(std::int64_t n) noexcept {
  return n > kSortPiece ? n + kSortPiece : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
}

/// The most that any `longest` is: sort_keys fills up no longer list.
inline constexpr std::int64_t kMostNetworkKeys =
    std::max({calibration::kNetworkKeys32, calibration::kNetworkKeys64, calibration::kNetworkKeys64Short});

/// Networks for keys of one width.
template <class Key>
struct SortNetworks {
  /// Sorts n keys; at x, and at `work`, there is room for sort_room(n).
  void (*sort)(Key* x, Key* work, std::int64_t n);
  /// Merges two ascending runs of one list into `out`, which overlaps neither.
  void (*merge)(const Key* a, std::int64_t a_count, const Key* b, std::int64_t b_count, Key* out);
  std::int64_t longest;  ///< keys up to which `sort` is faster than sorting by radix
};

/// Those for the instructions in use.
template <class Key>
const SortNetworks<Key>& sort_networks();
template <>
const SortNetworks<std::int32_t>& sort_networks();
template <>
const SortNetworks<std::int64_t>& sort_networks();

}  // namespace tenferro::internal
