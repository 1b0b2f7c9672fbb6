// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Chooses a search for a contraction's order and runs it, group by group where parentheses bind.

#include "tenferro/einsum/internal/path_search.hpp"
#include "tenferro/einsum/path.hpp"
#include "tenferro/einsum/resolved_notation.hpp"

namespace tenferro::internal {

/// What a search tries to make small.
struct SearchAim {
  PathObjective objective;
  /// Looks for the least peak instead, where an exact search is possible.
  bool least_peak = false;
};

/// Order of all inputs of the problem, respecting the groups of `order`. Throws NotationError (TooManyForOptimal).
SsaPath search_order(const PathProblem& problem, const std::vector<Notation::OrderNode>& order,
                     const PathOptions& options, const SearchAim& aim);

}  // namespace tenferro::internal
