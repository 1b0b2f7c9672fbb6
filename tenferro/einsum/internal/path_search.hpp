// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The searches for a contraction order, on label sets alone. Costs of steps are products of extents and pass 2^63
// easily, so that they are doubles, and logarithms where even those could overflow.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tenferro/einsum/notation.hpp"

namespace tenferro::internal {

using SsaPath = std::vector<std::array<std::int32_t, 2>>;

/// A network to contract to one tensor. Each input has a label at most once; a label is summed as soon as no tensor but
/// the result of a step has it, unless it is kept.
struct PathProblem {
  std::vector<LabelList> inputs;
  std::vector<char> kept;
  std::vector<double> log2_extent;

  std::size_t labels() const noexcept { return kept.size(); }
};

/// What a search makes small: Σ over steps of (product of extents + write_weight · size of the result), over orders
/// whose intermediates stay below the size cap if there are any.
struct PathObjective {
  double write_weight = 0;
  double log2_size_cap = std::numeric_limits<double>::infinity();
};

/// 2^exponent, kept finite so that sums of a few stay so too.
inline double power_of_two(double exponent) { return std::exp2(std::min(exponent, 1000.0)); }

/// Cheapest of all pairwise trees, by dynamic programming over subsets: O(3^n) time, O(2^n) memory. 2 ≤ n ≤ 20.
SsaPath optimal_path(const PathProblem& problem, const PathObjective& objective);

/// The tree with the least peak of intermediates and result, evaluated depth first; as optimal_path.
SsaPath least_peak_path(const PathProblem& problem);

/// How a greedy search rates a pair: the log2 of the result's size less `shrink` times that of the sizes of the pair's
/// sum, plus noise of size `temperature`.
struct GreedyRule {
  double shrink = 1.0;
  /// Picks labels to sum instead of pairs: better where labels stand on many tensors.
  bool by_label = false;
  double temperature = 0;
  std::uint64_t seed = 0;
};

/// Contracts the best rated pair first, outer products last, smallest first.
SsaPath greedy_path(const PathProblem& problem, const GreedyRule& rule);

/// Searches from several greedy orders, improving subtrees of each by exact search, for about `budget` elementary
/// operations (about a nanosecond each). Never worse than the plain greedy order.
SsaPath searched_path(const PathProblem& problem, const PathObjective& objective, std::uint64_t seed, double budget);

/// Value of the objective with the size cap as a penalty, and the parts of it.
struct PathValue {
  double flops = 0;
  double written = 0;
  double log2_largest = 0;
};
PathValue evaluate_path(const PathProblem& problem, const SsaPath& path);

/// The same tree in the order of evaluation that keeps least alive: of two subtrees the one that needs more while it
/// is evaluated, compared to what it leaves, comes first (Sethi and Ullman 1970, for registers).
SsaPath reordered_for_memory(const PathProblem& problem, const SsaPath& path);

}  // namespace tenferro::internal
