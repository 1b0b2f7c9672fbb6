// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/sort_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tenferro::internal {
namespace {

constexpr std::int64_t kInsertion = 24;  // longest list for insertion
constexpr std::int64_t kRadix = 300;     // shortest list for radix
constexpr int kSpareBits = 12;           // beyond those that number the elements: floats use some for few exponents

template <class Entry>
void insertion_sort(Entry* x, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    const Entry moving = x[i];
    std::int64_t k = i;
    for (; k > 0 && key_of(moving) < key_of(x[k - 1]); --k) x[k] = x[k - 1];
    x[k] = moving;
  }
}

template <class Entry>
void merge(const Entry* left, const Entry* left_end, const Entry* right, const Entry* right_end, Entry* out) {
  while (left != left_end && right != right_end) *out++ = key_of(*right) < key_of(*left) ? *right++ : *left++;
  std::copy(right, right_end, std::copy(left, left_end, out));
}

template <class Entry>
void merge_sort(Entry* x, Entry* work, std::int64_t n) {
  for (std::int64_t first = 0; first < n; first += kInsertion)
    insertion_sort(x + first, std::min(kInsertion, n - first));
  Entry *from = x, *to = work;
  for (std::int64_t width = kInsertion; width < n; width *= 2) {
    for (std::int64_t first = 0; first < n; first += 2 * width) {
      const std::int64_t middle = std::min(n, first + width), last = std::min(n, first + 2 * width);
      merge(from + first, from + middle, from + middle, from + last, to + first);
    }
    std::swap(from, to);
  }
  if (from != x) std::copy_n(from, n, x);
}

/// Sorts by `bytes` bytes from bit `low` on of what keys are above `least`, from the lowest byte on. A byte that all
/// keys share needs no pass.
template <std::size_t bytes, class Entry, class Key>
void sort_by_bytes(Entry* x, Entry* work, std::int64_t n, Key least, int low) {
  const auto digit = [least, low](const Entry& entry, std::size_t byte) {
    return static_cast<std::size_t>((key_of(entry) - least) >> low >> (8 * byte) & 0xFFU);
  };
  std::array<std::array<std::int64_t, 256>, bytes> counts{};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t byte = 0; byte < bytes; ++byte) ++counts[byte][digit(x[i], byte)];
  }
  Entry *from = x, *to = work;
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
template <class Entry, class Key, std::size_t... bytes>
void radix_sort(Entry* x, Entry* work, std::int64_t n, Key least, int low, int high, std::index_sequence<bytes...>) {
  constexpr std::array kSorts{&sort_by_bytes<bytes + 1, Entry, Key>...};
  kSorts[static_cast<std::size_t>(std::max(high - low - 1, 0) / 8)](x, work, n, least, low);
}

/// Insertion that gives up, with elements in some stable order, after so many moves.
template <class Entry>
bool insertion_within(Entry* x, std::int64_t n, std::int64_t moves) {
  for (std::int64_t i = 1; i < n; ++i) {
    if (key_of(x[i - 1]) <= key_of(x[i])) continue;
    const Entry moving = x[i];
    std::int64_t k = i;
    for (; k > 0 && key_of(moving) < key_of(x[k - 1]); --k) x[k] = x[k - 1];
    x[k] = moving;
    moves -= i - k;
    if (moves < 0) return false;
  }
  return true;
}

/// Sorts by as many of the highest bits as tell most elements apart, and what is left by insertion; by all of them
/// where that would be much.
template <class Entry>
void sort_by_digits(Entry* x, Entry* work, std::int64_t n) {
  using Key = decltype(key_of(*x));
  Key least = key_of(x[0]), most = least;
  for (std::int64_t i = 1; i < n; ++i) {
    least = std::min(least, key_of(x[i]));
    most = std::max(most, key_of(x[i]));
  }
  constexpr std::make_index_sequence<sizeof(Key)> kBytes;
  const int high = static_cast<int>(std::bit_width(static_cast<Key>(most - least)));
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) + kSpareBits;
  const int low = std::max(0, high - (bits + 7) / 8 * 8);
  radix_sort(x, work, n, least, low, high, kBytes);
  if (low > 0 && !insertion_within(x, n, 4 * n)) radix_sort(x, work, n, least, 0, high, kBytes);
}

}  // namespace

template <class Entry>
void sort_keys(Entry* entries, Entry* work, std::int64_t n) {
  if (n <= kInsertion) return insertion_sort(entries, n);
  n < kRadix ? merge_sort(entries, work, n) : sort_by_digits(entries, work, n);
}

template void sort_keys(std::uint32_t*, std::uint32_t*, std::int64_t);
template void sort_keys(std::uint64_t*, std::uint64_t*, std::int64_t);
template void sort_keys(KeyAndPosition<std::uint32_t>*, KeyAndPosition<std::uint32_t>*, std::int64_t);
template void sort_keys(KeyAndPosition<std::uint64_t>*, KeyAndPosition<std::uint64_t>*, std::int64_t);

}  // namespace tenferro::internal
