// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>

#include "tenferro/einsum/internal/path_search.hpp"
#include "tenferro/einsum/internal/subset_order.hpp"

namespace tenferro::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Largest exponent at which products of three powers of two stay finite.
constexpr double kLinearLimit = 900;

// Steps of the solved tree in postorder, children first; `tensors` maps the mask of one tensor to its number.
class Extraction {
 public:
  Extraction(const SubsetOrder& order, std::int32_t tensors) : order_(order), next_(tensors) {}

  SsaPath run() {
    visit(order_.everything());
    return std::move(steps_);
  }

 private:
  std::int32_t visit(SubsetOrder::Mask subset) {
    if ((subset & (subset - 1)) == 0) return static_cast<std::int32_t>(__builtin_ctz(subset));
    const SubsetOrder::Mask first = order_.split(subset);
    const std::int32_t a = visit(first);
    const std::int32_t b = visit(subset ^ first);
    steps_.push_back({a, b});
    return next_++;
  }

  const SubsetOrder& order_;
  std::int32_t next_;
  SsaPath steps_;
};

void load(SubsetOrder& order, const PathProblem& problem) {
  order.reset(static_cast<int>(problem.inputs.size()));
  std::vector<SubsetOrder::Mask> holders(problem.labels(), 0);
  for (std::size_t k = 0; k < problem.inputs.size(); ++k) {
    for (const Label label : problem.inputs[k]) holders[static_cast<std::size_t>(label)] |= SubsetOrder::Mask{1} << k;
  }
  for (std::size_t l = 0; l < holders.size(); ++l) {
    if (holders[l] != 0) order.add_label(holders[l], problem.log2_extent[l], problem.kept[l] != 0);
  }
}

}  // namespace

void SubsetOrder::reset(int tensors) {
  assert(tensors >= 1 && tensors <= kMaxTensors);
  tensors_ = tensors;
  full_ = (Mask{1} << tensors) - 1;
  const std::size_t count = std::size_t{full_} + 1;
  all_.assign(count, 0.0);
  closed_.assign(count, 0.0);
  if (best_.size() < count) {
    outside_.resize(count);
    inside_.resize(count);
    best_.resize(count);
    split_.resize(count);
  }
}

void SubsetOrder::transform() {
  for (Mask bit = 1; bit <= full_; bit <<= 1) {
    for (Mask base = 0; base <= full_; base += 2 * bit) {
      for (Mask low = base; low < base + bit; ++low) {
        all_[low | bit] += all_[low];
        closed_[low | bit] += closed_[low];
      }
    }
  }
}

template <class StepCost>
double SubsetOrder::solve_with(const PathObjective& objective, StepCost step_cost) {
  const bool writes = objective.write_weight > 0;
  const bool capped = objective.log2_size_cap < kInfinity;
  for (Mask subset = 1; subset <= full_; ++subset) {
    const Mask low = subset & (~subset + 1);
    if (subset == low) {
      best_[subset] = 0;
      continue;
    }
    double least = kInfinity;
    Mask split = low;
    if (!capped || subset == full_ || log2_size(subset) <= objective.log2_size_cap) {
      // The lowest tensor stays in the first half, so that each split is met once.
      const Mask others = subset ^ low;
      for (Mask part = (others - 1) & others;; part = (part - 1) & others) {
        const Mask first = part | low;
        const Mask second = subset ^ first;
        const double cost = best_[first] + best_[second] + step_cost(subset, first, second);
        if (cost < least) {
          least = cost;
          split = first;
        }
        if (part == 0) break;
      }
      if (writes) least += objective.write_weight * power_of_two(log2_size(subset));
    }
    best_[subset] = least;
    split_[subset] = split;
  }
  return best_[full_];
}

double SubsetOrder::solve(const PathObjective& objective) {
  transform();
  const double total = all_[full_];
  if (total > kLinearLimit) {
    return solve_with(objective, [&](Mask subset, Mask first, Mask second) {
      return power_of_two(total - all_[full_ ^ subset] - closed_[first] - closed_[second]);
    });
  }
  for (Mask subset = 0; subset <= full_; ++subset) {
    outside_[subset] = std::exp2(total - all_[full_ ^ subset]);
    inside_[subset] = std::exp2(-closed_[subset]);
  }
  return solve_with(objective, [&](Mask subset, Mask first, Mask second) {
    return outside_[subset] * (inside_[first] * inside_[second]);
  });
}

double SubsetOrder::solve_peak() {
  transform();
  const auto size = [&](Mask subset) {
    const bool single = (subset & (subset - 1)) == 0;
    return single ? 0.0 : outside_[subset];
  };
  for (Mask subset = 1; subset <= full_; ++subset) outside_[subset] = power_of_two(log2_size(subset));
  for (Mask subset = 1; subset <= full_; ++subset) {
    const Mask low = subset & (~subset + 1);
    best_[subset] = 0;
    if (subset == low) continue;
    double least = kInfinity;
    Mask split = low;
    const Mask others = subset ^ low;
    for (Mask part = (others - 1) & others;; part = (part - 1) & others) {
      const Mask first = part | low;
      const Mask second = subset ^ first;
      const double first_then = std::max(best_[first], size(first) + best_[second]);
      const double second_then = std::max(best_[second], size(second) + best_[first]);
      const double peak = std::max(std::min(first_then, second_then), size(first) + size(second) + size(subset));
      if (peak < least) {
        least = peak;
        split = first;
      }
      if (part == 0) break;
    }
    best_[subset] = least;
    split_[subset] = split;
  }
  return best_[full_];
}

SsaPath optimal_path(const PathProblem& problem, const PathObjective& objective) {
  SubsetOrder order;
  load(order, problem);
  order.solve(objective);
  return Extraction(order, static_cast<std::int32_t>(problem.inputs.size())).run();
}

SsaPath least_peak_path(const PathProblem& problem) {
  SubsetOrder order;
  load(order, problem);
  order.solve_peak();
  return Extraction(order, static_cast<std::int32_t>(problem.inputs.size())).run();
}

}  // namespace tenferro::internal
