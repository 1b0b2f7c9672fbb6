// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// In which order to contract many operands: a list of pairs, found by an exact search (few operands), by greedy search
// with improvement (many), given pair by pair, or by the parentheses of the notation.
//
// Example:
//     PathOptions options;
//     options.method = PathMethod::explicit_pairs;
//     options.pairs = {{0, 1}, {0, 1}};                      // positions in the list of operands still alive
//     CHECK(path_from_positions(3, options.pairs)[1] == (std::array<std::int32_t, 2>{2, 3}));

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tenferro/einsum/error.hpp"

namespace tenferro {

/// How the order is found. Parentheses in the notation bind before any method but `explicit_pairs`.
enum class PathMethod : std::uint8_t {
  automatic,      ///< exact where that takes no time, else greedy with improvement
  greedy,         ///< greedy only: the cheapest search
  optimal,        ///< exact, at most kMaxOptimalOperands operands (in one group)
  explicit_pairs  ///< `pairs` as given
};

/// Most operands that `PathMethod::optimal` accepts.
inline constexpr int kMaxOptimalOperands = 16;

/// What a search may use and must respect.
struct PathOptions {
  PathMethod method = PathMethod::automatic;
  /// Order for explicit_pairs: positions in the list of operands still alive, either first; both are removed and the
  /// result is appended at the end.
  std::vector<std::array<std::int64_t, 2>> pairs;
  /// Most bytes that intermediates, temporary copies and the result may take together; the operands do not count.
  std::optional<std::int64_t> memory_limit;
  /// Scales the time that the automatic search spends on large networks: 1 is at most about 0.2 s.
  double effort = 1.0;
  /// Start of the search's own random numbers: equal seeds give equal orders.
  std::uint64_t seed = 0;
};

/// Cost of an order. A multiply-add counts once, and a step counts the product of all extents it runs over.
struct PathCost {
  double flops = 0;
  /// log10 of flops, 0 for none.
  double log10_flops = 0;
  /// log2 of the number of elements of the largest step's result, the output included.
  double log2_largest = 0;
  /// Most bytes alive at once in intermediates, temporary copies and the result; saturates at 2^63 − 1.
  std::int64_t peak_bytes = 0;
};

/// A contraction order: step s contracts the tensors `steps[s]`, where 0 … n−1 are the operands and n + t is the result
/// of step t. One operand has no steps.
///
/// Example:
///     ContractionPath path;
///     path.steps = {{0, 1}, {2, 3}};                           // tensor 3 is the result of step 0
///     CHECK((path.positions()[1] == std::array<std::int64_t, 2>{0, 1}));
///     PathCost cost = path.cost;
///     CHECK(cost.flops == 0);                                  // filled in by a search
struct ContractionPath {
  std::vector<std::array<std::int32_t, 2>> steps;
  PathCost cost;

  /// The steps as pairs of positions in the list of operands still alive, as PathOptions::pairs takes them.
  std::vector<std::array<std::int64_t, 2>> positions() const;
};

/// Steps by tensor number from pairs of positions. Throws NotationError (BadPath): a position not below the number
/// alive, a pair of one, too few or too many pairs.
std::vector<std::array<std::int32_t, 2>> path_from_positions(std::int64_t operands,
                                                             std::span<const std::array<std::int64_t, 2>> pairs);

}  // namespace tenferro
