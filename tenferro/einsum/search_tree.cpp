// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/search_tree.hpp"

#include <algorithm>
#include <cmath>

namespace tenferro::internal {

SearchTree::SearchTree(const PathProblem& problem, const SsaPath& path, const PathObjective& objective)
    : problem_(problem),
      objective_(objective),
      inputs_(static_cast<Node>(problem.inputs.size())),
      root_(nodes() - 1),
      sets_(problem, index(nodes())),
      left_(index(nodes()), -1),
      right_(index(nodes()), -1),
      parent_(index(nodes()), -1),
      cost_(index(nodes()), 0.0),
      log2_size_(index(nodes()), 0.0),
      holders_(problem.labels(), 0),
      proposed_(sets_.words(), 0) {
  std::vector<std::int32_t> uses(problem.labels(), 0);
  const auto count = [&](Node node, std::int32_t by) {
    const LabelSets::Word* set = sets_.row(index(node));
    sets_.for_each([&](std::size_t w) { return set[w]; }, [&](std::size_t label) { uses[label] += by; });
  };
  for (Node k = 0; k < inputs_; ++k) {
    count(k, 1);
    const LabelSets::Word* set = sets_.row(index(k));
    log2_size_[index(k)] = sets_.log2_size([&](std::size_t w) { return set[w]; });
  }
  for (std::size_t s = 0; s < path.size(); ++s) {
    const Node made = inputs_ + static_cast<Node>(s);
    const Node a = path[s][0];
    const Node b = path[s][1];
    left_[index(made)] = a;
    right_[index(made)] = b;
    parent_[index(a)] = made;
    parent_[index(b)] = made;
    count(a, -1);
    count(b, -1);
    const LabelSets::Word* x = sets_.row(index(a));
    const LabelSets::Word* y = sets_.row(index(b));
    LabelSets::Word* result = sets_.row(index(made));
    sets_.for_each([&](std::size_t w) { return x[w] | y[w]; },
                   [&](std::size_t label) {
                     if (uses[label] > 0 || problem.kept[label] != 0) LabelSets::insert(result, label);
                   });
    count(made, 1);
    measure(made);
  }
}

void SearchTree::measure(Node node) {
  const LabelSets::Word* x = sets_.row(index(left_[index(node)]));
  const LabelSets::Word* y = sets_.row(index(right_[index(node)]));
  const LabelSets::Word* result = sets_.row(index(node));
  const double size = sets_.log2_size([&](std::size_t w) { return result[w]; });
  log2_size_[index(node)] = size;
  cost_[index(node)] = power_of_two(sets_.log2_size([&](std::size_t w) { return x[w] | y[w]; })) +
                       objective_.write_weight * power_of_two(size);
}

void SearchTree::open_frontier(Node root, int width) {
  opened_.assign(1, root);
  frontier_.assign({left_[index(root)], right_[index(root)]});
  while (static_cast<int>(frontier_.size()) < width) {
    std::size_t best = frontier_.size();
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      if (frontier_[i] < inputs_) continue;
      if (best == frontier_.size() || cost_[index(frontier_[i])] > cost_[index(frontier_[best])]) best = i;
    }
    if (best == frontier_.size()) return;
    const Node node = frontier_[best];
    opened_.push_back(node);
    frontier_[best] = left_[index(node)];
    frontier_.push_back(right_[index(node)]);
  }
}

void SearchTree::collect_labels(Node root) {
  order_.reset(static_cast<int>(frontier_.size()));
  touched_.clear();
  for (std::size_t i = 0; i < frontier_.size(); ++i) {
    const LabelSets::Word* set = sets_.row(index(frontier_[i]));
    sets_.for_each([&](std::size_t w) { return set[w]; },
                   [&](std::size_t label) {
                     if (holders_[label] == 0) touched_.push_back(static_cast<std::int32_t>(label));
                     holders_[label] |= SubsetOrder::Mask{1} << i;
                     work_ += 4;
                   });
  }
  const LabelSets::Word* kept = sets_.row(index(root));
  for (const std::int32_t label : touched_) {
    const std::size_t l = index(label);
    order_.add_label(holders_[l], problem_.log2_extent[l], LabelSets::contains(kept, l));
  }
}

bool SearchTree::improve_at(Node root, int width) {
  if (root < inputs_) return false;
  open_frontier(root, width);
  if (frontier_.size() < 3) return false;
  collect_labels(root);
  double before = 0;
  for (const Node node : opened_) before += cost_[index(node)];
  const double after = order_.solve(objective_);
  work_ +=
      std::pow(3.0, static_cast<double>(frontier_.size())) + 40.0 * std::exp2(static_cast<double>(frontier_.size()));
  const bool better = after < before * (1 - 1e-9);
  if (better) {
    std::size_t used = 0;
    rebuild(order_.everything(), root, used);
  }
  for (const std::int32_t label : touched_) holders_[index(label)] = 0;
  return better;
}

// The tree solved over the frontier, made of the nodes that were opened; the root keeps its number and its labels.
SearchTree::Node SearchTree::rebuild(SubsetOrder::Mask subset, Node root, std::size_t& used) {
  if ((subset & (subset - 1)) == 0) return frontier_[static_cast<std::size_t>(__builtin_ctz(subset))];
  const Node node = opened_[used++];
  const SubsetOrder::Mask first = order_.split(subset);
  const Node a = rebuild(first, root, used);
  const Node b = rebuild(subset ^ first, root, used);
  left_[index(node)] = a;
  right_[index(node)] = b;
  parent_[index(a)] = node;
  parent_[index(b)] = node;
  if (node != root) {
    const LabelSets::Word* kept = sets_.row(index(root));
    LabelSets::Word* set = sets_.row(index(node));
    std::fill(set, set + sets_.words(), LabelSets::Word{0});
    for (const std::int32_t label : touched_) {
      const std::size_t l = index(label);
      const bool here = (holders_[l] & subset) != 0;
      const bool elsewhere = (holders_[l] & ~subset) != 0 || LabelSets::contains(kept, l);
      if (here && elsewhere) LabelSets::insert(set, l);
    }
  }
  measure(node);
  return node;
}

void SearchTree::anneal_round(double beta, SearchRandom& random) {
  for (Node top = inputs_; top < nodes(); ++top) {
    const std::uint64_t bits = random.next();
    Node inner = left_[index(top)];
    Node lone = right_[index(top)];
    const bool swap = inner < inputs_ || (lone >= inputs_ && (bits & 1) != 0);
    if (swap) std::swap(inner, lone);
    if (inner < inputs_) continue;
    Node moved = left_[index(inner)];
    Node stays = right_[index(inner)];
    if ((bits & 2) != 0) std::swap(moved, stays);
    // (moved, stays), lone  becomes  (lone, stays), moved.
    const LabelSets::Word* set_moved = sets_.row(index(moved));
    const LabelSets::Word* set_stays = sets_.row(index(stays));
    const LabelSets::Word* set_lone = sets_.row(index(lone));
    const LabelSets::Word* set_top = sets_.row(index(top));
    for (std::size_t w = 0; w < proposed_.size(); ++w) {
      proposed_[w] = (set_lone[w] | set_stays[w]) & (set_top[w] | set_moved[w]);
    }
    const double inner_steps = sets_.log2_size([&](std::size_t w) { return set_lone[w] | set_stays[w]; });
    const double inner_size = sets_.log2_size([&](std::size_t w) { return proposed_[w]; });
    const double top_steps = sets_.log2_size([&](std::size_t w) { return proposed_[w] | set_moved[w]; });
    const double top_writes = objective_.write_weight * power_of_two(log2_size_[index(top)]);
    const double inner_cost = power_of_two(inner_steps) + objective_.write_weight * power_of_two(inner_size);
    const double top_cost = power_of_two(top_steps) + top_writes;
    const double before = cost_[index(inner)] + cost_[index(top)];
    const double after = inner_cost + top_cost;
    work_ += 60 + 12 * static_cast<double>(proposed_.size());
    if (after > before && random.uniform() >= std::exp(-beta * std::log2(after / before))) continue;
    left_[index(inner)] = lone;
    right_[index(inner)] = stays;
    left_[index(top)] = inner;
    right_[index(top)] = moved;
    parent_[index(lone)] = inner;
    parent_[index(moved)] = top;
    std::copy(proposed_.begin(), proposed_.end(), sets_.row(index(inner)));
    cost_[index(inner)] = inner_cost;
    cost_[index(top)] = top_cost;
    log2_size_[index(inner)] = inner_size;
  }
}

double SearchTree::total() const {
  double sum = 0;
  for (const double cost : cost_) sum += cost;
  return sum;
}

SsaPath SearchTree::path() const {
  SsaPath steps;
  steps.reserve(index(inputs_));
  std::vector<Node> name(index(nodes()), -1);
  for (Node k = 0; k < inputs_; ++k) name[index(k)] = k;
  std::vector<Node> stack;
  if (inputs_ > 1) stack.push_back(root_);
  while (!stack.empty()) {
    const Node node = stack.back();
    const Node a = left_[index(node)];
    const Node b = right_[index(node)];
    if (name[index(a)] < 0) {
      stack.push_back(a);
    } else if (name[index(b)] < 0) {
      stack.push_back(b);
    } else {
      name[index(node)] = inputs_ + static_cast<Node>(steps.size());
      steps.push_back({name[index(a)], name[index(b)]});
      stack.pop_back();
    }
  }
  return steps;
}

}  // namespace tenferro::internal
