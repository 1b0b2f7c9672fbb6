// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/sort_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tenferro::internal {
namespace {

constexpr std::int64_t kInsertion = 24;  // longest list for insertion
constexpr std::int64_t kRadix = 512;     // shortest list for radix

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

// Byte by byte from the lowest. A byte that all keys share needs no pass.
template <class Entry>
void radix_sort(Entry* x, Entry* work, std::int64_t n) {
  constexpr std::size_t kBytes = sizeof(key_of(Entry{}));
  std::array<std::array<std::int64_t, 256>, kBytes> counts{};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::size_t byte = 0; byte < kBytes; ++byte) ++counts[byte][key_of(x[i]) >> (8 * byte) & 0xFFU];
  }
  Entry *from = x, *to = work;
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    auto& place = counts[byte];
    if (place[key_of(from[0]) >> (8 * byte) & 0xFFU] == n) continue;
    std::int64_t next = 0;
    for (std::int64_t& count : place) next += std::exchange(count, next);
    for (std::int64_t i = 0; i < n; ++i) to[place[key_of(from[i]) >> (8 * byte) & 0xFFU]++] = from[i];
    std::swap(from, to);
  }
  if (from != x) std::copy_n(from, n, x);
}

}  // namespace

template <class Entry>
void sort_keys(Entry* entries, Entry* work, std::int64_t n) {
  if (n <= kInsertion) return insertion_sort(entries, n);
  if (n < kRadix) return merge_sort(entries, work, n);
  radix_sort(entries, work, n);
}

template void sort_keys(std::uint32_t*, std::uint32_t*, std::int64_t);
template void sort_keys(std::uint64_t*, std::uint64_t*, std::int64_t);
template void sort_keys(KeyAndPosition<std::uint32_t>*, KeyAndPosition<std::uint32_t>*, std::int64_t);
template void sort_keys(KeyAndPosition<std::uint64_t>*, KeyAndPosition<std::uint64_t>*, std::int64_t);

}  // namespace tenferro::internal
