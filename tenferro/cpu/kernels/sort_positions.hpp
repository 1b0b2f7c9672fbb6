// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Positions sorted by the keys that stand there.
//
//   SortPositions positions(n, scratch);  // of SortPositions::bytes(n)
//   const KeyFacts facts = …;             // of the keys, stored at positions.keys<Key>()
//   positions.sort<Key>(facts, pieces, key, [&](std::int64_t i, std::int64_t position) { … });

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/order_loops.hpp"
#include "tenferro/cpu/kernels/sort_pieces.hpp"

namespace tenferro::internal {

/// Positions 0 … n−1 in the order of keys, equal ones in their own order: words of as many of the highest bits of a
/// key as fit beside a position are sorted, and words that agree in these bits by the whole keys. Keys and words take
/// turns in the same memory.
class SortPositions {
 public:
  /// Bytes for n positions.
  static std::int64_t bytes(std::int64_t n) { return 2 * sort_room(n) * std::int64_t{sizeof(std::int64_t)}; }

  SortPositions(std::int64_t n, std::byte* scratch) noexcept
      : n_(n),
        words_(reinterpret_cast<std::int64_t*>(scratch)),
        work_(words_ + sort_room(n)),
        position_bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)))) {}

  /// Where n keys are to be stored before sort is called.
  template <class Key>
  Key* keys() const noexcept {
    return reinterpret_cast<Key*>(work_);
  }

  /// put(i, position) for each i; key(position) is the key there.
  template <class Key, class F, class G>
  void sort(const KeyFacts& facts, const SortPieces& pieces, F key, G put) {
    const auto least = static_cast<std::uint64_t>(facts.least);
    const auto most = static_cast<std::uint64_t>(facts.most) - least;
    const int dropped = std::max(0, static_cast<int>(std::bit_width(most)) + position_bits_ - 63);
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      const Key* const from = keys<Key>();
      for (std::int64_t i = first; i < last; ++i) {
        const std::uint64_t high = (static_cast<std::uint64_t>(std::int64_t{from[i]}) - least) >> dropped;
        words_[i] = static_cast<std::int64_t>(high << position_bits_ | static_cast<std::uint64_t>(i));
      }
    });
    const auto top = static_cast<std::int64_t>((most >> dropped << position_bits_) | mask());
    std::int64_t* const sorted = pieces.sort(words_, work_, {0, top, position_bits_});
    if (dropped > 0 && any_equal(sorted, pieces)) order_equal(sorted, key);
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) put(i, position(sorted[i]));
    });
  }

 private:
  std::uint64_t mask() const noexcept { return (std::uint64_t{1} << position_bits_) - 1; }
  std::int64_t position(std::int64_t word) const noexcept { return word & static_cast<std::int64_t>(mask()); }

  std::int64_t high(std::int64_t word) const noexcept { return word >> position_bits_; }
  /// Whether some words differ in their positions alone.
  bool any_equal(const std::int64_t* words, const SortPieces& pieces) const {
    std::atomic<bool> any{false};
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      std::int64_t equal = 0;
      for (std::int64_t i = std::max<std::int64_t>(first, 1); i < last; ++i) {
        equal += high(words[i - 1] ^ words[i]) == 0 ? 1 : 0;
      }
      if (equal > 0) any.store(true, std::memory_order_relaxed);
    });
    return any.load(std::memory_order_relaxed);
  }

  /// Such runs, by whole keys.
  template <class F>
  void order_equal(std::int64_t* words, F key) const {
    const auto comes_before = [&](std::int64_t a, std::int64_t b) {
      const auto x = key(position(a)), y = key(position(b));
      return x < y || (x == y && a < b);
    };
    for (std::int64_t first = 0, last = 0; first < n_; first = last) {
      bool ordered = true;
      for (last = first + 1; last < n_ && high(words[last]) == high(words[first]); ++last) {
        ordered = ordered && comes_before(words[last - 1], words[last]);
      }
      if (!ordered) std::sort(words + first, words + last, comes_before);
    }
  }

  std::int64_t n_;
  std::int64_t *words_, *work_;
  int position_bits_;
};

}  // namespace tenferro::internal
