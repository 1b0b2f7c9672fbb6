// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The first few positions of a long line in order, in memory for few.
//
//   BestOfLine<Key> best(context, loops, k, scratch);  // of BestOfLine<Key>::bytes(k)
//   best.of(line, n, [&](std::int64_t i, std::int64_t position) { … });

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/kernels/order_loops.hpp"
#include "tenferro/cpu/kernels/sort_pieces.hpp"
#include "tenferro/cpu/kernels/sort_positions.hpp"
#include "tenferro/cpu/kernels/strided_line.hpp"

namespace tenferro::internal {

/// The first k positions of a line in order, found in one pass: keys before the last of the best k so far join them,
/// and whenever there is no room left, the best k of all of these stay.
template <class Key>
class BestOfLine {
 public:
  /// Elements that are kept at a time; worth it if the line is much longer.
  static std::int64_t kept(std::int64_t k) { return 4 * k + kAtOnce; }
  /// Bytes for the best k.
  static std::int64_t bytes(std::int64_t k) {
    return SortPositions::bytes(kept(k)) + (kept(k) + k) * std::int64_t{sizeof(Candidate)};
  }

  BestOfLine(KernelContext& context, const OrderLoops& loops, std::int64_t k, std::byte* scratch) noexcept
      : context_(context),
        loops_(loops),
        k_(k),
        scratch_(scratch),
        kept_(reinterpret_cast<Candidate*>(scratch + SortPositions::bytes(kept(k)))),
        best_(kept_ + kept(k)) {}

  /// put(i, position) for the first k.
  template <class F>
  void of(StridedLine<const Key> x, std::int64_t n, F put) {
    std::array<Key, static_cast<std::size_t>(kAtOnce)> keys;
    count_ = 0;
    Key last = std::numeric_limits<Key>::max();
    bool full = false;
    for (std::int64_t first = 0; first < n; first += kAtOnce) {
      const std::int64_t some = std::min(kAtOnce, n - first);
      const KeyFacts facts =
          loops_.keys(side_by_side(x.from(first), some, keys.data()), some, reinterpret_cast<std::byte*>(keys.data()));
      if (full && facts.least >= last) continue;
      for (std::int64_t i = 0; i < some; ++i) {
        kept_[count_] = {keys[static_cast<std::size_t>(i)], first + i};
        count_ += !full || kept_[count_].key < last ? 1 : 0;
      }
      if (count_ + kAtOnce <= kept(k_)) continue;
      keep_best();
      last = kept_[k_ - 1].key;
      full = true;
    }
    keep_best();
    for (std::int64_t i = 0; i < k_; ++i) put(i, kept_[i].position);
  }

 private:
  struct Candidate {
    Key key;
    std::int64_t position;
  };
  static constexpr std::int64_t kAtOnce = 256;

  // Candidates with equal keys stand in the order of their positions, before and after.
  void keep_best() {
    SortPositions positions(count_, scratch_);
    KeyFacts facts;
    for (std::int64_t i = 0; i < count_; ++i) {
      const Key key = kept_[i].key;
      positions.keys<Key>()[i] = key;
      facts.least = std::min<std::int64_t>(facts.least, key);
      facts.most = std::max<std::int64_t>(facts.most, key);
    }
    positions.sort<Key>(
        facts, SortPieces(context_, count_), [this](std::int64_t i) { return kept_[i].key; },
        [this](std::int64_t i, std::int64_t at) {
          if (i < k_) best_[i] = kept_[at];
        });
    count_ = std::min(count_, k_);
    std::copy_n(best_, count_, kept_);
  }

  KernelContext& context_;
  const OrderLoops& loops_;
  std::int64_t k_, count_ = 0;
  std::byte* scratch_;
  Candidate *kept_, *best_;
};

}  // namespace tenferro::internal
