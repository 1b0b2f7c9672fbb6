// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/sort_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

namespace tenferro::internal {
namespace {

constexpr int kSpareBits = 12;  // beyond those that number the keys: floats use some for few exponents

/// Sorts by `bytes` bytes from bit `low` on of what keys are above `least`, from the lowest byte on. A byte that all
/// keys share needs no pass.
template <std::size_t bytes, class Key>
void sort_by_bytes(Key* x, Key* work, std::int64_t n, Key least, int low) {
  using Bits = std::make_unsigned_t<Key>;
  const auto digit = [least, low](Key key, std::size_t byte) {
    return static_cast<std::size_t>((static_cast<Bits>(key) - static_cast<Bits>(least)) >> low >> (8 * byte) & 0xFFU);
  };
  std::array<std::array<std::int64_t, 256>, bytes> counts{};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t byte = 0; byte < bytes; ++byte) ++counts[byte][digit(x[i], byte)];
  }
  Key *from = x, *to = work;
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    auto& place = counts[byte];
    if (place[digit(from[0], byte)] == n) continue;
    std::int64_t next = 0;
    for (std::int64_t& count : place) next += std::exchange(count, next);
    for (std::int64_t i = 0; i < n; ++i) to[place[digit(from[i], byte)]++] = from[i];
    std::swap(from, to);
  }
  if (from != x) std::copy_n(from, n, x);
}
template <class Key, std::size_t... bytes>
void radix_sort(Key* x, Key* work, std::int64_t n, Key least, int low, int high, std::index_sequence<bytes...>) {
  constexpr std::array kSorts{&sort_by_bytes<bytes + 1, Key>...};
  kSorts[static_cast<std::size_t>(std::max(high - low - 1, 0) / 8)](x, work, n, least, low);
}

/// Insertion that gives up, with keys in some order, after so many moves.
template <class Key>
bool insertion_within(Key* x, std::int64_t n, std::int64_t moves) {
  for (std::int64_t i = 1; i < n; ++i) {
    if (x[i - 1] <= x[i]) continue;
    const Key moving = x[i];
    std::int64_t k = i;
    for (; k > 0 && moving < x[k - 1]; --k) x[k] = x[k - 1];
    x[k] = moving;
    moves -= i - k;
    if (moves < 0) return false;
  }
  return true;
}

}  // namespace

// Long lists: by as many of the highest bits as tell most keys apart, and what is left by insertion; by all of them
// where that would be much.
template <class Key>
void sort_keys(Key* keys, Key* work, std::int64_t n, KeyRange<Key> range) {
  const SortNetworks<Key>& networks = sort_networks<Key>();
  if (n <= networks.longest) return networks.sort(keys, work, n);
  using Bits = std::make_unsigned_t<Key>;
  constexpr std::make_index_sequence<sizeof(Key)> kBytes;
  const auto span = static_cast<Bits>(static_cast<Bits>(range.most) - static_cast<Bits>(range.least));
  const int high = static_cast<int>(std::bit_width(span));
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) + kSpareBits;
  const int low = std::max(range.settled, high - (bits + 7) / 8 * 8);
  radix_sort(keys, work, n, range.least, low, high, kBytes);
  if (low > range.settled && !insertion_within(keys, n, 4 * n)) {
    radix_sort(keys, work, n, range.least, range.settled, high, kBytes);
  }
}

template void sort_keys(std::int32_t*, std::int32_t*, std::int64_t, KeyRange<std::int32_t>);
template void sort_keys(std::int64_t*, std::int64_t*, std::int64_t, KeyRange<std::int64_t>);

}  // namespace tenferro::internal
