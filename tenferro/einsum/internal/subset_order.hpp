// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Exact order of a few tensors by dynamic programming over subsets, in O(1) a split.
//
// A label is known here only by its pattern: the set p of tensors that have it, and whether it is kept. With
// w = log2 of its extent, T[X] = Σ w over p ⊆ X and C[X] = Σ w over p ⊆ X not kept, both by a subset-sum transform:
//   log2 size of the contraction of subset S                 = T[all] − T[complement of S] − C[S]
//   log2 cost of contracting S1 with S2, S their union       = T[all] − T[complement of S] − C[S1] − C[S2]
// because a step runs over what its result keeps and what is summed in it, and the latter is C[S] − C[S1] − C[S2].

#include <array>
#include <cstdint>
#include <vector>

#include "tenferro/einsum/internal/path_search.hpp"

namespace tenferro::internal {

/// Reusable tables for up to 20 tensors.
class SubsetOrder {
 public:
  using Mask = std::uint32_t;
  static constexpr int kMaxTensors = 20;

  /// Starts a problem of `tensors` tensors without labels.
  void reset(int tensors);
  /// Adds a label that the tensors in `holders` have.
  void add_label(Mask holders, double log2_extent, bool kept) {
    all_[holders] += log2_extent;
    if (!kept) closed_[holders] += log2_extent;
  }
  /// Finds the cheapest tree; its cost, without what leaves cost. Infinite if the size cap leaves no tree.
  double solve(const PathObjective& objective);
  /// Finds the tree of least peak; its peak in elements.
  double solve_peak();
  /// First half of the best split of a subset of two or more.
  Mask split(Mask subset) const { return split_[subset]; }
  Mask everything() const { return full_; }

 private:
  void transform();
  template <class StepCost>
  double solve_with(const PathObjective& objective, StepCost step_cost);
  double log2_size(Mask subset) const { return all_[full_] - all_[full_ ^ subset] - closed_[subset]; }

  int tensors_ = 0;
  Mask full_ = 0;
  std::vector<double> all_;
  std::vector<double> closed_;
  std::vector<double> outside_;  // 2^(T[all] − T[complement])
  std::vector<double> inside_;   // 2^−C
  std::vector<double> best_;
  std::vector<Mask> split_;
};

}  // namespace tenferro::internal
