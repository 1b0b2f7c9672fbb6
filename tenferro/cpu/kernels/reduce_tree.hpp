// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Reductions over a fixed tree. Which elements are combined with which depends on the logical shape and the dtype
// alone:
//
//   - the reduced axes are split into groups (next_group), reduced one after the other;
//   - the elements of a group, in column-major order, make blocks of kRows rows of kLanes elements; a block is combined
//     row by row, lane by lane, then its lanes are folded by halves;
//   - blocks are combined in pairs, pairs in pairs, and so on.
//
// So the error of a sum grows with the logarithm of its length (Higham, "Accuracy and Stability of Numerical
// Algorithms", 4.2), and every memory layout and number of threads gives the same bits. There are three ways to walk
// the tree: along elements that lie side by side, through copies of blocks, and across rows (reduce_rows.hpp).
//
// A reducer R gives In, Acc, map(In) → Acc, combine(Acc, Acc) → Acc, empty() and the reducer Next of partial results.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"

namespace tenferro::internal {

/// A row of a block is 64 bytes: one wide vector register.
template <class Acc>
inline constexpr std::int64_t kLanes = 64 / static_cast<std::int64_t>(sizeof(Acc));
inline constexpr std::int64_t kRows = 16;
template <class Acc>
inline constexpr std::int64_t kBlock = kRows * kLanes<Acc>;
/// Blocks of one piece of work; a power of two, so that pieces are subtrees.
inline constexpr std::int64_t kBlocksPerPiece = 256;
template <class Acc>
inline constexpr std::int64_t kPiece = kBlocksPerPiece * kBlock<Acc>;

/// Combines values 0, 1, 2, … in pairs of pairs; the tree depends on their number alone. Room for 2^levels values.
template <class R, std::size_t levels>
class PairwiseTree {
 public:
  using Acc = typename R::Acc;
  void push(Acc value) {
    for (std::int64_t carry = pushed_++; (carry & 1) != 0; carry >>= 1) value = R::combine(stack_[--top_], value);
    stack_[top_++] = value;
  }
  Acc result() {
    Acc value = stack_[--top_];
    while (top_ > 0) value = R::combine(stack_[--top_], value);
    return value;
  }

 private:
  std::array<Acc, levels + 1> stack_;
  std::size_t top_ = 0;
  std::int64_t pushed_ = 0;
};

/// One block of n elements, 0 < n ≤ kBlock, that lie side by side.
template <class R>
typename R::Acc reduce_block(const typename R::In* x, std::int64_t n) {
  using Acc = typename R::Acc;
  constexpr std::int64_t L = kLanes<Acc>;
  if (n == 1) return R::map(x[0]);
  std::array<Acc, static_cast<std::size_t>(L)> lanes;
  Acc* const lane = lanes.data();
  if (n < L) {
    for (std::int64_t l = 0; l < n; ++l) lane[l] = R::map(x[l]);
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < n; ++l) lane[l] = R::combine(lane[l], lane[l + half]);
    }
    return lane[0];
  }
  for (std::int64_t l = 0; l < L; ++l) lane[l] = R::map(x[l]);
  std::int64_t first = L;
  for (; first + L <= n; first += L) {
    for (std::int64_t l = 0; l < L; ++l) lane[l] = R::combine(lane[l], R::map(x[first + l]));
  }
  for (std::int64_t l = 0; first + l < n; ++l) lane[l] = R::combine(lane[l], R::map(x[first + l]));
  for (std::int64_t half = L / 2; half > 0; half /= 2) {
    for (std::int64_t l = 0; l < half; ++l) lane[l] = R::combine(lane[l], lane[l + half]);
  }
  return lane[0];
}

/// The tree over n elements that lie side by side, n ≤ kPiece.
template <class R>
typename R::Acc reduce_run(const typename R::In* x, std::int64_t n) {
  constexpr std::int64_t block = kBlock<typename R::Acc>;
  if (n <= block) return reduce_block<R>(x, n);
  PairwiseTree<R, 8> tree;
  for (std::int64_t first = 0; first < n; first += block) {
    tree.push(reduce_block<R>(x + first, std::min(block, n - first)));
  }
  return tree.result();
}

/// reduce_block of n ≤ kLanes elements, n known to the compiler: lane l after the folds by halves ≥ `half`.
template <class R, std::int64_t n, std::int64_t l = 0, std::int64_t half = 1>
typename R::Acc reduce_few(const typename R::In* x) {
  if constexpr (half >= n) {
    return R::map(x[l]);
  } else if constexpr (l + half < n) {
    return R::combine(reduce_few<R, n, l, 2 * half>(x), reduce_few<R, n, l + half, 2 * half>(x));
  } else {
    return reduce_few<R, n, l, 2 * half>(x);
  }
}

/// Many results of n elements each, side by side.
template <class R, std::int64_t n>
void reduce_short_runs(const typename R::In* x, std::int64_t x_stride, typename R::Acc* out, std::int64_t out_stride,
                       std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, x += x_stride, out += out_stride) {
    if constexpr (n <= kLanes<typename R::Acc>) {
      *out = reduce_few<R, n>(x);
    } else {
      *out = reduce_block<R>(x, n);
    }
  }
}

/// Trees of up to kTogether results at once, copied block by block so that neighbours share cache lines.
template <class R>
class GatheredTrees {
 public:
  using In = typename R::In;
  using Acc = typename R::Acc;
  static constexpr std::int64_t kTogether = 16;

  /// results[j] becomes the tree over the n elements that a cursor names next, counted from base + j·apart.
  void reduce(const In* base, std::int64_t apart, std::int64_t together, ReducedCursor& cursor, std::int64_t n,
              Acc* results) {
    std::array<PairwiseTree<R, 8>, static_cast<std::size_t>(kTogether)> trees;
    for (std::int64_t first = 0; first < n; first += kBlock<Acc>) {
      const std::int64_t count = std::min(kBlock<Acc>, n - first);
      std::int64_t at = 0;
      cursor.runs(count, [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
        for (std::int64_t j = 0; j < together; ++j) {
          const In* from = base + offset + j * apart;
          In* to = copy(j) + at;
          for (std::int64_t i = 0; i < length; ++i) to[i] = from[i * stride];
        }
        at += length;
      });
      for (std::int64_t j = 0; j < together; ++j) {
        trees[static_cast<std::size_t>(j)].push(reduce_block<R>(copy(j), count));
      }
    }
    for (std::int64_t j = 0; j < together; ++j) results[j] = trees[static_cast<std::size_t>(j)].result();
  }

 private:
  In* copy(std::int64_t j) { return copies_[static_cast<std::size_t>(j)].data(); }

  std::array<std::array<In, static_cast<std::size_t>(kBlock<Acc>)>, static_cast<std::size_t>(kTogether)> copies_;
};

}  // namespace tenferro::internal
