// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One list sorted by several threads: pieces are sorted apart and merged in pairs, all threads taking an equal part of
// each merge. Equal keys are the same key, so that the result does not depend on the number of pieces.
//
//   const SortPieces pieces(context, n);
//   pieces.each([&](std::int64_t piece, std::int64_t first, std::int64_t last) { … });
//   const std::int64_t* sorted = pieces.sort(keys, work, {least, most});

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/sort_keys.hpp"

namespace tenferro::internal {

/// A list of n keys in a power of two of pieces, at most `kMost`: one for each thread, unless they would be short.
class SortPieces {
 public:
  static constexpr std::int64_t kMost = 64;

  SortPieces(KernelContext& context, std::int64_t n) noexcept : context_(context), n_(n) {
    const auto lanes = static_cast<std::uint64_t>(std::clamp<std::int64_t>(context.lanes(), 1, kMost));
    while (count_ < static_cast<std::int64_t>(std::bit_ceil(lanes)) && n >= 2 * count_ * calibration::kLinePiece) {
      count_ *= 2;
    }
  }

  std::int64_t count() const noexcept { return count_; }
  std::int64_t begin(std::int64_t piece) const noexcept { return n_ * piece / count_; }

  /// f(piece, first, last) for each piece, which is made up of elements first … last−1.
  template <class F>
  void each(F f) const {
    if (count_ == 1) return f(std::int64_t{0}, std::int64_t{0}, n_);
    const double ns = calibration::kSortedElementNs * static_cast<double>(n_) / static_cast<double>(count_);
    context_.parallel_for(count_, ns, [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) f(first, begin(first), begin(first + 1));
    });
  }

  // A piece has room for its own keys alone. It is so long that sort_keys writes to no more: a short list is filled up,
  // which here would overwrite the keys of the thread that sorts the next piece.
  static_assert(calibration::kLinePiece > kMostNetworkKeys);

  /// As sort_keys; where the sorted keys are, at `keys` or at `work`.
  template <class Key>
  Key* sort(Key* keys, Key* work, KeyRange<Key> range) const {
    each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      sort_keys(keys + first, work + first, last - first, range);
    });
    for (std::int64_t width = 1; width < count_; width *= 2) {
      each([&](std::int64_t piece, std::int64_t first, std::int64_t last) {
        const std::int64_t left = begin(piece / (2 * width) * 2 * width),
                           middle = begin(piece / (2 * width) * 2 * width + width);
        const std::int64_t right = begin(piece / (2 * width) * 2 * width + 2 * width);
        const Key *const a = keys + left, *const b = keys + middle;
        const std::int64_t from = taken_of_first(a, middle - left, b, right - middle, first - left);
        const std::int64_t to = taken_of_first(a, middle - left, b, right - middle, last - left);
        sort_networks<Key>().merge(a + from, to - from, b + (first - left - from), last - first - (to - from),
                                   work + first);
      });
      std::swap(keys, work);
    }
    return keys;
  }

 private:
  /// How many of the first `count` keys of the merged runs a and b come from a.
  template <class Key>
  static std::int64_t taken_of_first(const Key* a, std::int64_t a_count, const Key* b, std::int64_t b_count,
                                     std::int64_t count) noexcept {
    std::int64_t low = std::max<std::int64_t>(0, count - b_count), high = std::min(count, a_count);
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (a[middle] < b[count - middle - 1] ? low : high) = a[middle] < b[count - middle - 1] ? middle + 1 : middle;
    }
    return low;
  }

  KernelContext& context_;
  std::int64_t n_;
  std::int64_t count_ = 1;
};

}  // namespace tenferro::internal
