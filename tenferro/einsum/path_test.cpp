// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/einsum/internal/path_search.hpp"

namespace tenferro {
namespace {

using Shapes = std::vector<std::vector<std::int64_t>>;

ContractionTree plan(const Notation& notation, const Shapes& shapes, const PathOptions& options = {}) {
  const std::vector<ExtentSpan> spans(shapes.begin(), shapes.end());
  return plan_contraction(resolve(notation, spans), options, 8);
}

ContractionTree plan(std::string_view text, const Shapes& shapes, const PathOptions& options = {}) {
  return plan(Notation::parse(text), shapes, options);
}

// A small network with its own idea of what a step costs.
struct Network {
  std::vector<std::set<int>> inputs;
  std::set<int> output;
  std::vector<double> extents;

  std::set<int> result(const std::vector<std::set<int>>& alive, std::size_t a, std::size_t b) const {
    std::set<int> kept;
    for (const std::size_t from : {a, b}) {
      for (const int label : alive[from]) {
        bool needed = output.count(label) != 0;
        for (std::size_t k = 0; k < alive.size(); ++k)
          needed = needed || (k != a && k != b && alive[k].count(label) != 0);
        if (needed) kept.insert(label);
      }
    }
    return kept;
  }
  double flops(const std::set<int>& a, const std::set<int>& b) const {
    std::set<int> both = a;
    both.insert(b.begin(), b.end());
    double product = 1;
    for (const int label : both) product *= extents[static_cast<std::size_t>(label)];
    return product;
  }
  // Least cost over all pairwise trees, by trying them all.
  double least(const std::vector<std::set<int>>& alive) const {
    if (alive.size() == 1) return 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < alive.size(); ++a) {
      for (std::size_t b = a + 1; b < alive.size(); ++b) {
        std::vector<std::set<int>> next;
        for (std::size_t k = 0; k < alive.size(); ++k) {
          if (k != a && k != b) next.push_back(alive[k]);
        }
        next.push_back(result(alive, a, b));
        best = std::min(best, flops(alive[a], alive[b]) + least(next));
      }
    }
    return best;
  }
  double cost(const internal::SsaPath& path) const {
    std::vector<std::set<int>> tensors = inputs;
    std::vector<char> dead(inputs.size() + path.size(), 0);
    double sum = 0;
    for (const auto& [a, b] : path) {
      std::vector<std::set<int>> alive;
      std::size_t at_a = 0;
      std::size_t at_b = 0;
      for (std::size_t k = 0; k < tensors.size(); ++k) {
        if (dead[k] != 0) continue;
        if (static_cast<std::int32_t>(k) == a) at_a = alive.size();
        if (static_cast<std::int32_t>(k) == b) at_b = alive.size();
        alive.push_back(tensors[k]);
      }
      sum += flops(alive[at_a], alive[at_b]);
      tensors.push_back(result(alive, at_a, at_b));
      dead[static_cast<std::size_t>(a)] = dead[static_cast<std::size_t>(b)] = 1;
    }
    return sum;
  }
  internal::PathProblem problem() const {
    internal::PathProblem p;
    for (const auto& labels : inputs) p.inputs.emplace_back(labels.begin(), labels.end());
    for (std::size_t l = 0; l < extents.size(); ++l) {
      p.kept.push_back(output.count(static_cast<int>(l)) != 0 ? 1 : 0);
      p.log2_extent.push_back(std::log2(extents[l]));
    }
    return p;
  }
};

// Labels on two or more inputs, or on one and the output; some on many.
Network random_network(std::mt19937& random, std::size_t inputs, int labels) {
  Network network;
  network.inputs.resize(inputs);
  const auto draw = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (int label = 0; label < labels; ++label) {
    network.extents.push_back(static_cast<double>(2 + draw(5)));
    std::set<std::size_t> holders;
    const std::size_t count = std::min<std::size_t>(inputs, 1 + draw(3));
    while (holders.size() < count) holders.insert(draw(inputs));
    for (const std::size_t holder : holders) network.inputs[holder].insert(label);
    if (count == 1 || draw(5) == 0) network.output.insert(label);
  }
  return network;
}

TEST(Path, PositionsAndTensorNumbersConvertBothWays) {
  const std::vector<std::array<std::int64_t, 2>> pairs{{2, 0}, {1, 2}, {0, 1}};
  ContractionPath path;
  path.steps = path_from_positions(4, pairs);
  EXPECT_EQ(path.steps, (std::vector<std::array<std::int32_t, 2>>{{2, 0}, {3, 4}, {1, 5}}));
  EXPECT_EQ(path.positions(), pairs);
}

TEST(Path, BadPairsAreNamed) {
  const auto failure = [](std::int64_t operands, std::vector<std::array<std::int64_t, 2>> pairs) {
    const auto result = attempt<NotationErrorInfo>([&] { return path_from_positions(operands, pairs); });
    return result ? BadPath{-7, 0, 0, 0} : std::get<BadPath>(result.error());
  };
  EXPECT_EQ(failure(3, {{0, 1}, {0, 2}}).step, 1);
  EXPECT_EQ(failure(3, {{0, 1}, {0, 2}}).alive, 2);
  EXPECT_EQ(failure(3, {{1, 1}}).step, 0);
  EXPECT_EQ(failure(3, {{-1, 1}}).first, -1);
  EXPECT_EQ(failure(3, {{0, 1}}).alive, 2);
  EXPECT_EQ(failure(1, {{0, 0}}).step, 0);
}

TEST(Path, ExactSearchEqualsTryingEveryTree) {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    const Network network = random_network(random, 2 + static_cast<std::size_t>(round % 4), 4 + round % 5);
    const internal::SsaPath path = internal::optimal_path(network.problem(), {});
    EXPECT_NEAR(network.cost(path) / network.least(network.inputs), 1.0, 1e-9);
  }
}

TEST(Path, SearchesStayWithinReachOfTheExactOne) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    const Network network = random_network(random, 10, 14);
    const double best = network.cost(internal::optimal_path(network.problem(), {}));
    const double searched = network.cost(internal::searched_path(network.problem(), {}, 1, 1e5));
    const double greedy = network.cost(internal::greedy_path(network.problem(), {}));
    EXPECT_LE(best, searched * (1 + 1e-9));
    EXPECT_LE(searched, greedy * (1 + 1e-9));
    EXPECT_LE(searched, best * 1.3);
  }
}

TEST(Path, EveryOrderIsValidAndEvaluatedRight) {
  std::mt19937 random(13);
  for (int round = 0; round < 20; ++round) {
    const Network network = random_network(random, 12, 16);
    const internal::PathProblem problem = network.problem();
    internal::GreedyRule by_label;
    by_label.by_label = true;
    by_label.temperature = 0.5;
    for (const internal::SsaPath& path :
         {internal::greedy_path(problem, {}), internal::greedy_path(problem, by_label),
          internal::searched_path(problem, {}, 3, 3e5),
          internal::reordered_for_memory(problem, internal::greedy_path(problem, by_label))}) {
      ASSERT_EQ(path.size(), 11U);
      std::set<std::int32_t> used;
      for (std::size_t s = 0; s < path.size(); ++s) {
        for (const std::int32_t tensor : path[s]) {
          EXPECT_LT(tensor, static_cast<std::int32_t>(12 + s));
          EXPECT_TRUE(used.insert(tensor).second);
        }
      }
      EXPECT_NEAR(internal::evaluate_path(problem, path).flops / network.cost(path), 1.0, 1e-9);
    }
  }
}

TEST(Path, CostOfAChainIsCountedStepByStep) {
  PathOptions options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = {{0, 1}, {0, 1}};
  const PathCost cost = plan("ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}}, options).path.cost;
  EXPECT_EQ(cost.flops, 2 * 3 * 4 + 2 * 4 * 5);
  EXPECT_DOUBLE_EQ(cost.log10_flops, std::log10(64.0));
  EXPECT_DOUBLE_EQ(cost.log2_largest, std::log2(10.0));
  EXPECT_EQ(cost.peak_bytes, 8 * (8 + 10));
}

TEST(Path, ParenthesesBindBeforeTheSearch) {
  const Shapes shapes{{2, 100}, {100, 2}, {2, 100}};
  EXPECT_EQ(plan("ij,jk,kl->il", shapes).path.steps[0], (std::array<std::int32_t, 2>{0, 1}));
  const ContractionTree forced = plan("ij,(jk,kl)->il", shapes);
  EXPECT_EQ(forced.path.steps[0], (std::array<std::int32_t, 2>{1, 2}));
  EXPECT_EQ(forced.path.cost.flops, 100.0 * 2 * 100 + 2.0 * 100 * 100);
}

TEST(Path, GroupsOfManyAreSearchedInside) {
  const ContractionTree tree = plan("(ab,bc,cd),(de,ef,fg)->ag", Shapes(6, {5, 5}));
  ASSERT_EQ(tree.steps.size(), 5U);
  const std::array<std::int32_t, 2> last = tree.path.steps.back();
  EXPECT_EQ(std::minmax(last[0], last[1]), std::minmax(last[1], last[0]));
  EXPECT_EQ(tree.path.cost.flops, 5 * 125.0);
}

TEST(Path, ExplicitPairsWinOverParentheses) {
  PathOptions options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = {{0, 1}, {0, 1}};
  EXPECT_EQ(plan("ij,(jk,kl)->il", Shapes(3, {2, 2}), options).path.steps[0], (std::array<std::int32_t, 2>{0, 1}));
}

TEST(Path, OptimalRefusesTooMany) {
  PathOptions options;
  options.method = PathMethod::optimal;
  std::vector<std::vector<int>> chain;
  for (int k = 0; k < 17; ++k) chain.push_back({k, k + 1});
  const auto result = attempt<NotationErrorInfo>(
      [&] { return plan(Notation::from_labels(chain, {0, 17}), Shapes(17, {2, 2}), options); });
  ASSERT_FALSE(result);
  EXPECT_EQ(std::get<TooManyForOptimal>(result.error()).operands, 17);
}

TEST(Path, EqualSeedsGiveEqualOrders) {
  std::mt19937 random(3);
  const internal::PathProblem problem = random_network(random, 60, 90).problem();
  EXPECT_EQ(internal::searched_path(problem, {}, 5, 2e6), internal::searched_path(problem, {}, 5, 2e6));
}

TEST(Path, UnconnectedOperandsAreJoinedByOuterProducts) {
  EXPECT_EQ(plan("a,b,c->abc", {{2}, {3}, {4}}).path.cost.flops, 6 + 24);
  EXPECT_EQ(plan("ab,ab,cd,cd->", {{9, 9}, {9, 9}, {8, 8}, {8, 8}}).path.cost.flops, 81 + 64 + 1);
}

TEST(Path, ManyLabelsRing) {
  std::vector<std::vector<int>> ring;
  for (int k = 0; k < 60; ++k) ring.push_back({k, (k + 1) % 60});
  const ContractionTree tree = plan(Notation::from_labels(ring, {}), Shapes(60, {2, 2}));
  EXPECT_EQ(tree.steps.size(), 59U);
  EXPECT_LE(tree.path.cost.log2_largest, 2.0);
}

TEST(Path, HugeExtentsGiveFiniteMonotoneCostsAndARefusal) {  // EIN-25
  const std::int64_t big = std::int64_t{1} << 22;
  const Shapes shapes(3, {big, big});
  const std::vector<ExtentSpan> spans(shapes.begin(), shapes.end());
  const ContractionTree tree = plan("ab,bc,cd->ad", shapes);
  EXPECT_DOUBLE_EQ(tree.path.cost.flops, 2 * std::exp2(66.0));
  EXPECT_GT(tree.path.cost.peak_bytes, 0);
  const auto refused = attempt<NotationErrorInfo>([&] { return plan("ab,bc,cd->abcd", shapes); });
  ASSERT_FALSE(refused);
  EXPECT_DOUBLE_EQ(std::get<IntermediateTooLarge>(refused.error()).log2_elements, 66.0);
}

TEST(Path, SeventyLabelsInOneTensorDoNotOverflowCosts) {  // EIN-25
  std::vector<int> all;
  std::vector<std::vector<int>> operands;
  for (int k = 0; k < 70; ++k) {
    all.push_back(k);
    operands.push_back({k});
  }
  const auto refused =
      attempt<NotationErrorInfo>([&] { return plan(Notation::from_labels(operands, all), Shapes(70, {2})); });
  ASSERT_FALSE(refused);
  EXPECT_GE(std::get<IntermediateTooLarge>(refused.error()).log2_elements, 60.0);
}

TEST(Path, FindsTheCheapOrderOfEightOperands) {
  const std::string text = "gfl,egh,efj,mjk,cdn,bck,bdi,oih->lmno";
  Shapes shapes;
  const std::string terms = text.substr(0, text.find('-')) + ",";
  std::vector<std::int64_t> shape;
  for (const char c : terms) {
    if (c == ',') {
      shapes.push_back(std::move(shape));
      shape = {};
    } else {
      shape.push_back(c >= 'l' ? 4 : 6);
    }
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_LE(plan(text, shapes).path.cost.flops, 4.0 * 36864);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  PathOptions greedy;
  greedy.method = PathMethod::greedy;
  EXPECT_LE(plan(text, shapes, greedy).path.cost.flops, 1e7);
}

TEST(Path, MemoryLimitIsMetOrTheLeastPeakIsTold) {  // EIN-27
  const Shapes shapes{{2, 1000}, {1000, 2}, {2, 1000}};
  for (const std::int64_t limit : {std::int64_t{8}, std::int64_t{16000}}) {
    PathOptions options;
    options.memory_limit = limit;
    const auto refused = attempt<NotationErrorInfo>([&] { return plan("ij,jk,kl->il", shapes, options); });
    ASSERT_FALSE(refused);
    const auto& info = std::get<MemoryLimitUnmet>(refused.error());
    EXPECT_EQ(info.limit_bytes, limit);
    EXPECT_EQ(info.least_peak_bytes, 8 * (4 + 2000));
  }
  PathOptions options;
  options.memory_limit = 8000000;
  EXPECT_LE(plan("ij,jk,kl->il", shapes, options).path.cost.peak_bytes, 8000000);
}

// 3x3 grid, bond 4, each site with an open label of extent 2 less the middle.
ContractionTree grid(const PathOptions& options) {
  std::vector<std::vector<int>> operands;
  Shapes shapes;
  const auto across = [](int r, int c) { return 10 * r + c; };
  const auto down = [](int r, int c) { return 100 + 10 * r + c; };
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      // Closed into a torus, so that each tensor has rank four.
      operands.push_back({across(r, c), across(r, (c + 1) % 3), down(r, c), down((r + 1) % 3, c)});
      shapes.push_back({4, 4, 4, 4});
    }
  }
  return plan(Notation::from_labels(operands, {}), shapes, options);
}

TEST(Path, MemoryLimitJustBelowThePeakChangesTheOrderOrIsRefused) {
  const std::int64_t peak = grid({}).path.cost.peak_bytes;
  PathOptions options;
  options.memory_limit = peak;
  EXPECT_EQ(grid(options).path.cost.peak_bytes, peak);
  options.memory_limit = peak - 1;
  const auto result = attempt<NotationErrorInfo>([&] { return grid(options); });
  if (result) {
    EXPECT_LT(result->path.cost.peak_bytes, peak);
  } else {
    EXPECT_GE(std::get<MemoryLimitUnmet>(result.error()).least_peak_bytes, peak);
  }
}

TEST(Path, MemoryLimitOnALabelSummedBeforehand) {
  PathOptions options;
  options.memory_limit = 1000;
  const ContractionTree tree = plan("ab,bc,d->c", {{3, 4}, {4, 5}, {6}}, options);
  EXPECT_LE(tree.path.cost.peak_bytes, 1000);
}

TEST(Path, ExplicitOrderAboveTheLimitIsRefused) {
  PathOptions options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = {{0, 2}, {0, 1}};
  options.memory_limit = 8 * 100;
  const auto result =
      attempt<NotationErrorInfo>([&] { return plan("ij,jk,kl->il", {{5, 5}, {5, 5}, {5, 5}}, options); });
  ASSERT_FALSE(result);
  EXPECT_EQ(std::get<MemoryLimitUnmet>(result.error()).least_peak_bytes, 8 * (625 + 25));
}

TEST(Path, LabelsOnThousandsOfOperandsAndLongChainsTakeNoTime) {
  std::vector<std::vector<int>> star;
  std::vector<std::vector<int>> chain;
  for (int k = 0; k < 1500; ++k) {
    star.push_back({-1, k});
    chain.push_back({k, k + 1});
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_LE(plan(Notation::from_labels(star, {-1}), Shapes(1500, {4, 3})).path.cost.log2_largest, 2.0);
  EXPECT_LE(plan(Notation::from_labels(chain, {0, 1500}), Shapes(1500, {2, 2})).path.cost.log2_largest, 2.0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Path, HyperedgeStaysUntilItsLastUse) {
  // x on twenty operands, ten of their own labels kept: no intermediate may hold more than x and the kept ones.
  std::vector<std::vector<int>> operands;
  std::vector<int> output;
  for (int k = 0; k < 20; ++k) {
    operands.push_back({100, k});
    if (k % 2 == 0) output.push_back(k);
  }
  const ContractionTree tree = plan(Notation::from_labels(operands, output), Shapes(20, {50, 2}));
  int uses = 0;
  for (const ContractionStep& step : tree.steps) {
    for (const Label label : step.contracted) uses += label == 0 ? 1 : 0;
  }
  EXPECT_EQ(uses, 1);
  EXPECT_LE(tree.path.cost.log2_largest, std::log2(50.0 * 1024));
  EXPECT_LE(tree.path.cost.peak_bytes, 8 * (2 * 50 * 1024 + 1024));
}

}  // namespace
}  // namespace tenferro
