// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/glance.hpp"

#include <variant>

#include "tenferro/ops/infer.hpp"

namespace tenferro::internal {
namespace {

bool contracts_one_pair(const DotGeneralConfig& config) noexcept {
  return config.lhs_contracting().size() == 1 && config.rhs_contracting().size() == 1 && config.lhs_batch().empty() &&
         config.rhs_batch().empty();
}

}  // namespace

Glance::Glance(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
  if (op.kind() == OpKind::dot_general) {
    if (in.size() == 2) product(op, in[0], in[1], here);
  } else if (op.kind() == OpKind::select) {
    if (in.size() == 3) selection(op, in[0], in[1], in[2], here);
  } else if (op.info().category == OpCategory::reduction) {
    if (in.size() == 1) reduction(op, in[0], here);
  }
}

void Glance::product(const Op& op, const TensorRead& a, const TensorRead& b, const Placement& here) noexcept {
  const auto* const config = std::get_if<DotGeneralConfig>(&op.attrs);
  if (config == nullptr || !admitted(op.info().dtypes).contains(a.dtype) || a.dtype != b.dtype) return;
  if (a.placement != here || b.placement != here || a.axis_count > kMostAxes || b.axis_count > kMostAxes) return;
  operand = dtype = a.dtype;
  if (a.axis_count <= 2 && b.axis_count <= 2 && contracts_one_pair(*config)) return plain_product(*config, a, b);
  unsigned left = 0, right = 0;
  const auto pair_up = [&](std::span<const std::uint8_t> of_a, std::span<const std::uint8_t> of_b) {
    if (of_a.size() != of_b.size()) return false;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      if (of_a[i] >= a.axis_count || of_b[i] >= b.axis_count || a.extents[of_a[i]] != b.extents[of_b[i]]) return false;
      const unsigned left_bit = 1U << of_a[i], right_bit = 1U << of_b[i];
      if ((left & left_bit) != 0 || (right & right_bit) != 0) return false;
      left |= left_bit;
      right |= right_bit;
    }
    return true;
  };
  if (!pair_up(config->lhs_contracting(), config->rhs_contracting())) return;
  if (!pair_up(config->lhs_batch(), config->rhs_batch())) return;
  std::uint64_t count = 1, seen = 0;
  const auto add = [&](std::int64_t extent) {
    extents_[rank_++] = extent;
    if (extent > 0) count *= static_cast<std::uint64_t>(extent);  // what is empty is not therefore short
    seen |= count | static_cast<std::uint64_t>(extent);
  };
  for (std::size_t k = 0; k < a.axis_count; ++k) {
    if ((left >> k & 1U) == 0) add(a.extents[k]);
  }
  for (std::size_t k = 0; k < b.axis_count; ++k) {
    if ((right >> k & 1U) == 0) add(b.extents[k]);
  }
  for (const std::uint8_t axis : config->lhs_batch()) add(a.extents[axis]);
  shape = {extents_.data(), rank_};
  accepted = seen >> 28 == 0;  // no extent and no count on the way is so long that the next one could overflow
}

// Of matrices and vectors.
void Glance::plain_product(const DotGeneralConfig& config, const TensorRead& a, const TensorRead& b) noexcept {
  const std::size_t left = config.lhs_contracting()[0], right = config.rhs_contracting()[0];
  if (left >= a.axis_count || right >= b.axis_count || a.extents[left] != b.extents[right]) return;
  std::int64_t seen = 0;
  if (a.axis_count == 2) seen |= extents_[rank_++] = a.extents[1 - left];
  if (b.axis_count == 2) seen |= extents_[rank_++] = b.extents[1 - right];
  shape = {extents_.data(), rank_};
  accepted = seen >> 28 == 0;  // the bytes of two such extents are counted in 63 bits
}

void Glance::selection(const Op& op, const TensorRead& mask, const TensorRead& a, const TensorRead& b,
                       const Placement& here) noexcept {
  if (!std::holds_alternative<NoAttrs>(op.attrs) || !admitted(op.info().dtypes).contains(a.dtype)) return;
  if (mask.placement != here || a.placement != here || b.placement != here) return;
  if (mask.dtype != DType::boolean || a.dtype != b.dtype) return;
  operand = dtype = a.dtype;
  shape = a.shape();
  accepted = same_shape(mask.shape(), shape) && same_shape(b.shape(), shape);
}

void Glance::reduction(const Op& op, const TensorRead& x, const Placement& here) noexcept {
  const auto* const config = std::get_if<ReduceAttrs>(&op.attrs);
  if (config == nullptr || !admitted(op.info().dtypes).contains(x.dtype) || x.placement != here) return;
  if (x.axis_count > kMostAxes || config->axes.bits() >> x.axis_count != 0) return;
  for (std::size_t k = 0; k < x.axis_count; ++k) {
    if (x.extents[k] == 0) return;  // of none there may be no largest
    const bool reduced = config->axes.contains(k);
    if (!reduced || config->keep_dims) extents_[rank_++] = reduced ? 1 : x.extents[k];
  }
  operand = x.dtype;
  dtype = result_dtype(op.info().result, x.dtype);
  shape = {extents_.data(), rank_};
  accepted = true;
}

}  // namespace tenferro::internal
