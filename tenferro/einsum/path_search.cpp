// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/path_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tenferro/einsum/internal/random.hpp"
#include "tenferro/einsum/internal/search_tree.hpp"

namespace tenferro::internal {
namespace {

// Subtrees of eight take some microseconds, of eleven a hundred: the wide pass comes once, at the end.
constexpr int kNarrow = 8;
constexpr int kWide = 11;
// Share of the budget spent on fresh greedy orders; annealing gets the rest. The last pass may add its own share.
constexpr double kRestartShare = 0.4;
constexpr double kLastShare = 0.1;
// Tries in a row that gain less than a thousandth before a phase is over.
constexpr double kNotable = 1e-3;
constexpr int kRestartPatience = 32;
constexpr int kAnnealPatience = 9;
// Ends of the annealing schedule, inverse temperatures per doubling of a local cost.
constexpr double kHot = 1.0;
constexpr double kWarm = 3.0;
constexpr double kCold = 10.0;

// Visits steps from the dearest to the cheapest until a whole round changes nothing or the work is spent.
void improve(SearchTree& tree, int width, double work_end) {
  std::vector<SearchTree::Node> order(static_cast<std::size_t>(tree.inputs()) - 1);
  std::iota(order.begin(), order.end(), tree.inputs());
  std::vector<char> fresh(static_cast<std::size_t>(tree.nodes()), 1);
  bool changed = true;
  while (changed) {
    changed = false;
    std::sort(order.begin(), order.end(), [&](SearchTree::Node a, SearchTree::Node b) {
      return tree.step_cost(a) != tree.step_cost(b) ? tree.step_cost(a) > tree.step_cost(b) : a < b;
    });
    for (const SearchTree::Node node : order) {
      if (fresh[static_cast<std::size_t>(node)] == 0) continue;
      if (tree.work() > work_end) return;
      fresh[static_cast<std::size_t>(node)] = 0;
      if (!tree.improve_at(node, width)) continue;
      changed = true;
      // What lies above may now find something, and so may the new subtrees below; those come with the next round.
      SearchTree::Node up = node;
      for (int level = 0; level < width && up >= 0; ++level, up = tree.parent(up))
        fresh[static_cast<std::size_t>(up)] = 1;
    }
  }
}

}  // namespace

SsaPath searched_path(const PathProblem& problem, const PathObjective& objective, std::uint64_t seed, double budget) {
  SsaPath best;
  double least = std::numeric_limits<double>::infinity();
  double spent = 0;
  SearchRandom random(seed);
  bool labels_lead = false;
  int fruitless = 0;
  const auto keep = [&](const SearchTree& tree) {
    spent += tree.work();
    ++fruitless;
    if (tree.total() >= least) return;
    if (tree.total() < least * (1 - kNotable)) fruitless = 0;
    least = tree.total();
    best = tree.path();
  };
  const double greedy_work = 2000.0 * static_cast<double>(problem.inputs.size());
  for (int attempt = 0; attempt == 0 || (spent < kRestartShare * budget && fruitless < kRestartPatience); ++attempt) {
    GreedyRule rule;
    if (attempt > 0) {
      rule.by_label = attempt < 7 || attempt % 4 == 0 ? attempt % 2 == 0 : labels_lead;
      rule.shrink = 0.5 + random.uniform();
      rule.temperature = 0.02 + random.uniform();
      rule.seed = random.next();
    }
    SearchTree tree(problem, greedy_path(problem, rule), objective);
    if (attempt == 0) best = tree.path();
    improve(tree, kNarrow, budget - spent);
    spent += greedy_work;
    if (tree.total() < least) labels_lead = rule.by_label;
    keep(tree);
  }
  // Each annealing starts from the best so far and is slower than the one before it; every second starts cooler.
  bool cool = false;
  fruitless = 0;
  for (int rounds = 50; spent < budget && fruitless < kAnnealPatience; rounds += cool ? rounds : 0, cool = !cool) {
    const double start = cool ? kWarm : kHot;
    SearchTree tree(problem, best, objective);
    for (int i = 0; i < rounds && spent + tree.work() < budget; ++i) {
      const double done = static_cast<double>(i) / rounds;
      tree.anneal_round(start * std::pow(kCold / start, done), random);
    }
    improve(tree, kNarrow, tree.work() + kLastShare * budget);
    keep(tree);
  }
  SearchTree tree(problem, best, objective);
  improve(tree, kWide, kLastShare * budget);
  keep(tree);
  return best;
}

PathValue evaluate_path(const PathProblem& problem, const SsaPath& path) {
  PathValue value;
  const SearchTree tree(problem, path, {});
  for (SearchTree::Node node = tree.inputs(); node < tree.nodes(); ++node) {
    value.flops += tree.step_cost(node);
    value.written += std::exp2(std::min(tree.log2_size(node), 1000.0));
    value.log2_largest = std::max(value.log2_largest, tree.log2_size(node));
  }
  return value;
}

SsaPath reordered_for_memory(const PathProblem& problem, const SsaPath& path) {
  const std::size_t inputs = problem.inputs.size();
  const SearchTree tree(problem, path, {});
  // What a subtree needs while it is evaluated and what it leaves, in elements; inputs are not ours to count.
  std::vector<double> peak(inputs + path.size(), 0.0);
  std::vector<double> left(inputs + path.size(), 0.0);
  std::vector<char> second_first(path.size(), 0);
  const auto at = [](std::int32_t node) { return static_cast<std::size_t>(node); };
  for (std::size_t s = 0; s < path.size(); ++s) {
    const std::size_t a = at(path[s][0]);
    const std::size_t b = at(path[s][1]);
    const std::size_t made = inputs + s;
    left[made] = std::exp2(std::min(tree.log2_size(static_cast<SearchTree::Node>(made)), 1000.0));
    const double a_first = std::max(peak[a], left[a] + peak[b]);
    const double b_first = std::max(peak[b], left[b] + peak[a]);
    second_first[s] = b_first < a_first ? 1 : 0;
    peak[made] = std::max(std::min(a_first, b_first), left[a] + left[b] + left[made]);
  }
  SsaPath steps;
  std::vector<std::int32_t> name(inputs + path.size(), -1);
  for (std::size_t k = 0; k < inputs; ++k) name[k] = static_cast<std::int32_t>(k);
  std::vector<std::size_t> stack;
  if (!path.empty()) stack.push_back(path.size() - 1);
  while (!stack.empty()) {
    const std::size_t s = stack.back();
    const std::array<std::int32_t, 2>& step = path[s];
    const std::int32_t sooner = second_first[s] != 0 ? step[1] : step[0];
    const std::int32_t later = second_first[s] != 0 ? step[0] : step[1];
    if (name[at(sooner)] < 0) {
      stack.push_back(at(sooner) - inputs);
    } else if (name[at(later)] < 0) {
      stack.push_back(at(later) - inputs);
    } else {
      name[inputs + s] = static_cast<std::int32_t>(inputs + steps.size());
      steps.push_back({name[at(step[0])], name[at(step[1])]});
      stack.pop_back();
    }
  }
  return steps;
}

}  // namespace tenferro::internal
