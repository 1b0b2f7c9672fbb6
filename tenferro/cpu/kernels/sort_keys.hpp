// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Stable sorting of unsigned keys, with or without a position beside each, and the keys by which real elements sort.
//
//   SortKey<double>::of(-1.0) < SortKey<double>::of(2.0);      // true; both zeros have one key, NaN the highest
//   sort_keys(keys, work, n);                                  // ascending

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tenferro::internal {

/// A key and where it came from.
template <class Key>
struct KeyAndPosition {
  Key key;
  Key position;
};

constexpr std::uint32_t key_of(std::uint32_t entry) noexcept { return entry; }
constexpr std::uint64_t key_of(std::uint64_t entry) noexcept { return entry; }
template <class Key>
constexpr Key key_of(const KeyAndPosition<Key>& entry) noexcept {
  return entry.key;
}

/// Sorts `entries` by key, stably, using as many entries of `work`. Short lists by insertion and merging, long ones by
/// radix (Knuth, The Art of Computer Programming 3, 5.2.5) on the bits that tell them apart.
template <class Entry>
void sort_keys(Entry* entries, Entry* work, std::int64_t n);

extern template void sort_keys(std::uint32_t*, std::uint32_t*, std::int64_t);
extern template void sort_keys(std::uint64_t*, std::uint64_t*, std::int64_t);
extern template void sort_keys(KeyAndPosition<std::uint32_t>*, KeyAndPosition<std::uint32_t>*, std::int64_t);
extern template void sort_keys(KeyAndPosition<std::uint64_t>*, KeyAndPosition<std::uint64_t>*, std::int64_t);

/// Elements of a real dtype as unsigned numbers in the same order. NaN has the highest key, also after `descending`.
template <class T>
struct SortKey {
  using Key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr Key kTop = Key{1} << (8 * sizeof(T) - 1);
  static constexpr Key kNan = std::numeric_limits<Key>::max();

  static constexpr Key of(T x) noexcept {
    if constexpr (std::is_integral_v<T>) {
      return std::bit_cast<Key>(x) ^ kTop;
    } else {
      const Key bits = std::bit_cast<Key>(x + T{0});  // of +0 for both zeros
      const Key key = (bits & kTop) != 0 ? ~bits : bits | kTop;
      return x != x ? kNan : key;
    }
  }
  /// For the opposite order.
  static constexpr Key descending(T x) noexcept { return x != x ? kNan : ~of(x); }
  /// The element with this key, which is not NaN's; zeros come back as +0.
  static constexpr T back(Key key) noexcept {
    if constexpr (std::is_integral_v<T>) {
      return std::bit_cast<T>(key ^ kTop);
    } else {
      return std::bit_cast<T>((key & kTop) != 0 ? key & ~kTop : ~key);
    }
  }
};

}  // namespace tenferro::internal
