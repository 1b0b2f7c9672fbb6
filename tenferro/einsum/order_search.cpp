// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/order_search.hpp"

#include <algorithm>
#include <cmath>

namespace tenferro::internal {
namespace {

// Up to here the exact search takes a tenth of a millisecond at most.
constexpr std::size_t kAlwaysExact = 8;
// Elementary operations of the longest search at effort 1, about 0.2 s.
constexpr double kMostWork = 2.5e8;
constexpr double kWorthOfExecution = 4;

// Work worth spending on a network: a few times what a greedy order would take to execute, in the same unit, by a rough
// rate of five multiply-adds, or an eighth of a written element, an operation.
double worthwhile_work(const PathProblem& problem, const PathOptions& options) {
  const PathValue value = evaluate_path(problem, greedy_path(problem, {}));
  const double execution = value.flops / 5 + value.written * 8 + 200 * static_cast<double>(problem.inputs.size());
  return options.effort * std::min(kWorthOfExecution * execution, kMostWork);
}

SsaPath solve(const PathProblem& problem, const PathOptions& options, const SearchAim& aim) {
  const std::size_t inputs = problem.inputs.size();
  if (inputs < 2) return {};
  if (inputs == 2) return {{0, 1}};
  const std::size_t most = static_cast<std::size_t>(kMaxOptimalOperands);
  if (aim.least_peak && inputs <= most) return least_peak_path(problem);
  if (options.method == PathMethod::greedy) return greedy_path(problem, {});
  if (options.method == PathMethod::optimal) {
    if (inputs > most) {
      raise<NotationErrorInfo>(TooManyForOptimal{static_cast<std::int64_t>(inputs), kMaxOptimalOperands});
    }
    return optimal_path(problem, aim.objective);
  }
  if (inputs <= kAlwaysExact) return optimal_path(problem, aim.objective);
  const double work = worthwhile_work(problem, options);
  const bool exact = inputs <= most && std::pow(3.0, static_cast<double>(inputs)) <= work;
  if (exact) return optimal_path(problem, aim.objective);
  return searched_path(problem, aim.objective, options.seed, work);
}

// One group after another, inner groups first: each is a problem of its own, whose kept labels are those that the
// output or a tensor outside the group has.
class GroupSearch {
 public:
  GroupSearch(const PathProblem& problem, const std::vector<Notation::OrderNode>& order, const PathOptions& options,
              const SearchAim& aim)
      : problem_(problem), order_(order), options_(options), aim_(aim), uses_(problem.labels(), 0), local_(uses_) {
    for (const LabelList& labels : problem.inputs) count(labels, 1);
  }

  SsaPath run() {
    std::vector<Tensor> made(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Notation::OrderNode& node = order_[i];
      if (node.operand >= 0) {
        made[i] = {node.operand, problem_.inputs[static_cast<std::size_t>(node.operand)]};
        continue;
      }
      std::vector<Tensor> members;
      members.reserve(node.children.size());
      for (const std::int32_t child : node.children)
        members.push_back(std::move(made[static_cast<std::size_t>(child)]));
      made[i] = contract(members);
    }
    return std::move(steps_);
  }

 private:
  struct Tensor {
    std::int32_t number = -1;
    LabelList labels;
  };

  void count(const LabelList& labels, std::int32_t by) {
    for (const Label label : labels) uses_[static_cast<std::size_t>(label)] += by;
  }

  Tensor contract(const std::vector<Tensor>& members) {
    PathProblem group;
    std::vector<Label> global;
    for (const Tensor& member : members) count(member.labels, -1);
    for (const Tensor& member : members) {
      LabelList labels;
      for (const Label label : member.labels) {
        std::int32_t& known = local_[static_cast<std::size_t>(label)];
        if (known == 0) {
          global.push_back(label);
          known = static_cast<std::int32_t>(global.size());
          const bool outside = uses_[static_cast<std::size_t>(label)] > 0;
          group.kept.push_back(outside || problem_.kept[static_cast<std::size_t>(label)] != 0 ? 1 : 0);
          group.log2_extent.push_back(problem_.log2_extent[static_cast<std::size_t>(label)]);
        }
        labels.push_back(known - 1);
      }
      group.inputs.push_back(std::move(labels));
    }
    const SsaPath path = solve(group, options_, aim_);
    const std::int32_t first_made = static_cast<std::int32_t>(problem_.inputs.size() + steps_.size());
    const std::int32_t count_members = static_cast<std::int32_t>(members.size());
    const auto number = [&](std::int32_t tensor) {
      if (tensor >= count_members) return first_made + tensor - count_members;
      return members[static_cast<std::size_t>(tensor)].number;
    };
    for (const std::array<std::int32_t, 2>& step : path) steps_.push_back({number(step[0]), number(step[1])});
    Tensor result{number(count_members + static_cast<std::int32_t>(path.size()) - 1), {}};
    for (std::size_t l = 0; l < global.size(); ++l) {
      if (group.kept[l] != 0) result.labels.push_back(global[l]);
      local_[static_cast<std::size_t>(global[l])] = 0;
    }
    count(result.labels, 1);
    return result;
  }

  const PathProblem& problem_;
  const std::vector<Notation::OrderNode>& order_;
  const PathOptions& options_;
  const SearchAim& aim_;
  std::vector<std::int32_t> uses_;
  std::vector<std::int32_t> local_;  // number in the group plus one, 0 for none
  SsaPath steps_;
};

}  // namespace

SsaPath search_order(const PathProblem& problem, const std::vector<Notation::OrderNode>& order,
                     const PathOptions& options, const SearchAim& aim) {
  if (order.empty()) return solve(problem, options, aim);
  return GroupSearch(problem, order, options, aim).run();
}

}  // namespace tenferro::internal
