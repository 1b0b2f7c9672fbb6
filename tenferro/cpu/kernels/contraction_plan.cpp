// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/contraction_plan.hpp"

#include <algorithm>

#include "tenferro/cpu/kernels/strided_copy.hpp"

namespace tenferro::internal {
namespace {

AxisSet set_of(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  AxisSet set;
  for (const std::uint8_t axis : a) set.insert(axis);
  for (const std::uint8_t axis : b) set.insert(axis);
  return set;
}

// True if the contracted axes stand side by side in a compact tensor when taken in ascending order.
bool neighbours(const TensorRead& x, std::span<const std::uint8_t> axes) {
  AxisSet wanted = set_of(axes, {});
  bool begun = false, ended = false;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.extents[axis] == 1) continue;
    if (wanted.contains(axis)) {
      if (ended) return false;
      begun = true;
    } else if (begun) {
      ended = true;
    }
  }
  return true;
}

// Order of the contracted pairs: ascending in the operand that gains most, so that compact operands need no packing.
InlineVector<std::size_t, 8> order_of_pairs(const DotGeneralConfig& config, const TensorRead& lhs,
                                            const TensorRead& rhs) {
  const auto left = config.lhs_contracting(), right = config.rhs_contracting();
  InlineVector<std::size_t, 8> order;
  for (std::size_t pair = 0; pair < left.size(); ++pair) order.push_back(pair);
  if (order.size() < 2) return order;
  const bool left_fits = neighbours(lhs, left), right_fits = neighbours(rhs, right);
  const bool by_left = left_fits == right_fits ? lhs.count() >= rhs.count() : left_fits;
  const auto key = by_left ? left : right;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  return order;
}

void add(BoxAxes<3>& group, std::int64_t& count, const BoxAxis<3>& axis) {
  count *= axis.extent;
  if (axis.extent != 1) group.push_back(axis);
}

}  // namespace

ContractionPlan plan_contraction(const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
                                 const TensorWrite& out) {
  const Dims a = strides_of(lhs), b = strides_of(rhs), c = strides_of(out);
  ContractionPlan plan;
  std::size_t axis_of_out = 0;
  const AxisSet lhs_taken = set_of(config.lhs_contracting(), config.lhs_batch());
  for (std::size_t axis = 0; axis < lhs.rank(); ++axis) {
    if (!lhs_taken.contains(axis)) add(plan.m, plan.m_count, {lhs.extents[axis], {a[axis], 0, c[axis_of_out++]}});
  }
  const AxisSet rhs_taken = set_of(config.rhs_contracting(), config.rhs_batch());
  for (std::size_t axis = 0; axis < rhs.rank(); ++axis) {
    if (!rhs_taken.contains(axis)) add(plan.n, plan.n_count, {rhs.extents[axis], {0, b[axis], c[axis_of_out++]}});
  }
  for (const std::size_t pair : order_of_pairs(config, lhs, rhs)) {
    const std::uint8_t left = config.lhs_contracting()[pair], right = config.rhs_contracting()[pair];
    add(plan.k, plan.k_count, {lhs.extents[left], {a[left], b[right], 0}});
  }
  for (std::size_t pair = 0; pair < config.lhs_batch().size(); ++pair) {
    const std::uint8_t left = config.lhs_batch()[pair], right = config.rhs_batch()[pair];
    plan.batch_count *= lhs.extents[left];
    append_axis<3>(plan.batch, {lhs.extents[left], {a[left], b[right], c[axis_of_out++]}});
  }
  return plan;
}

std::optional<std::int64_t> single_step(const BoxAxes<3>& group, std::size_t tensor) noexcept {
  if (group.empty()) return 0;
  for (std::size_t i = 1; i < group.size(); ++i) {
    if (group[i].step[tensor] != group[i - 1].step[tensor] * group[i - 1].extent) return std::nullopt;
  }
  return group[0].step[tensor];
}

}  // namespace tenferro::internal
