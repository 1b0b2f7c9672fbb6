// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A contraction order as a binary tree that a search changes in place. Nodes 0 … n−1 are the inputs; each other node
// carries the labels of its result and the cost of its step.

#include <cstdint>
#include <vector>

#include "tenferro/einsum/internal/label_sets.hpp"
#include "tenferro/einsum/internal/path_search.hpp"
#include "tenferro/einsum/internal/random.hpp"
#include "tenferro/einsum/internal/subset_order.hpp"

namespace tenferro::internal {

class SearchTree {
 public:
  using Node = std::int32_t;

  SearchTree(const PathProblem& problem, const SsaPath& path, const PathObjective& objective);

  /// Replaces the top of the subtree at `root`, down to at most `width` subtrees that stay whole, by the cheapest tree
  /// over them. True if that made it cheaper. Opens the largest results first.
  bool improve_at(Node root, int width);
  /// Proposes, at each step, to exchange one input with one of the other input's inputs, and accepts a change of local
  /// cost by a factor 2^d with probability min(1, e^(−beta·d)).
  void anneal_round(double beta, SearchRandom& random);
  /// Σ over steps of the objective.
  double total() const;
  /// Steps, children first.
  SsaPath path() const;
  /// Elementary operations spent in improve_at.
  double work() const noexcept { return work_; }

  Node inputs() const noexcept { return inputs_; }
  Node nodes() const noexcept { return 2 * inputs_ - 1; }
  Node parent(Node node) const noexcept { return parent_[index(node)]; }
  double step_cost(Node node) const noexcept { return cost_[index(node)]; }
  double log2_size(Node node) const noexcept { return log2_size_[index(node)]; }

 private:
  static std::size_t index(Node node) noexcept { return static_cast<std::size_t>(node); }
  void measure(Node node);
  void open_frontier(Node root, int width);
  void collect_labels(Node root);
  Node rebuild(SubsetOrder::Mask subset, Node root, std::size_t& used);

  const PathProblem& problem_;
  PathObjective objective_;
  Node inputs_;
  Node root_;
  LabelSets sets_;
  std::vector<Node> left_, right_, parent_;
  std::vector<double> cost_, log2_size_;
  double work_ = 0;

  // Scratch of improve_at.
  SubsetOrder order_;
  std::vector<Node> frontier_, opened_;
  std::vector<SubsetOrder::Mask> holders_;
  std::vector<std::int32_t> touched_;
  std::vector<LabelSets::Word> proposed_;
};

}  // namespace tenferro::internal
