// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/glance.hpp"

#include <variant>

#include "tenferro/ops/infer.hpp"

namespace tenferro::internal {
namespace {

// Whether x can be the data operand of this operation with this payload.
[[gnu::always_inline]] inline bool takes(const Op& op, const TensorRead& x, const Placement& here) noexcept {
  const OpInfo& row = op.info();
  return op.attrs.index() == static_cast<std::size_t>(row.attrs) && admitted(row.dtypes).contains(x.dtype) &&
         x.placement == here;
}

bool contracts_one_pair(const DotGeneralConfig& config) noexcept {
  return config.lhs_contracting().size() == 1 && config.rhs_contracting().size() == 1 && config.lhs_batch().empty() &&
         config.rhs_batch().empty();
}

}  // namespace

Glance::Glance(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
  const ShapeRule rule = op.info().shape;
  if (rule == ShapeRule::dot_general) {
    if (in.size() == 2) product(op, in[0], in[1], here);
  } else if (rule == ShapeRule::select) {
    if (in.size() == 3) selection(op, in[0], in[1], in[2], here);
  } else if (!in.empty() && takes(op, in[0], here) && in[0].axis_count <= kMostAxes) {
    operand = in[0].dtype;
    dtype = result_dtype(op.info().result, operand);
    in.size() == 1 ? of_one(op, in[0]) : of_several(op, in, here);
  }
}

// No extent and no count on the way is so long that the next one, or the bytes, could overflow.
void Glance::accept_if_short(DimsView result) noexcept {
  std::uint64_t count = 1, seen = 0;
  for (const std::int64_t extent : result) {
    if (extent > 0) count *= static_cast<std::uint64_t>(extent);  // what is empty is not therefore short
    seen |= count | static_cast<std::uint64_t>(extent);
  }
  if (seen >> 28 == 0) accept(result);
}

void Glance::product(const Op& op, const TensorRead& a, const TensorRead& b, const Placement& here) noexcept {
  if (!takes(op, a, here) || a.dtype != b.dtype || b.placement != here) return;
  if (a.axis_count > kMostAxes || b.axis_count > kMostAxes) return;
  operand = dtype = a.dtype;
  const auto& config = op.as<DotGeneralConfig>();
  if (a.axis_count <= 2 && b.axis_count <= 2 && contracts_one_pair(config)) return one_pair(config, a, b);
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
  if (!pair_up(config.lhs_contracting(), config.rhs_contracting())) return;
  if (!pair_up(config.lhs_batch(), config.rhs_batch())) return;
  for (std::size_t k = 0; k < a.axis_count; ++k) {
    if ((left >> k & 1U) == 0) extents_[rank_++] = a.extents[k];
  }
  for (std::size_t k = 0; k < b.axis_count; ++k) {
    if ((right >> k & 1U) == 0) extents_[rank_++] = b.extents[k];
  }
  for (const std::uint8_t axis : config.lhs_batch()) extents_[rank_++] = a.extents[axis];
  accept_if_short({extents_.data(), rank_});
}

// Of matrices and vectors.
void Glance::one_pair(const DotGeneralConfig& config, const TensorRead& a, const TensorRead& b) noexcept {
  const std::size_t left = config.lhs_contracting()[0], right = config.rhs_contracting()[0];
  if (left >= a.axis_count || right >= b.axis_count || a.extents[left] != b.extents[right]) return;
  std::int64_t seen = 0;
  if (a.axis_count == 2) seen |= extents_[rank_++] = a.extents[1 - left];
  if (b.axis_count == 2) seen |= extents_[rank_++] = b.extents[1 - right];
  if (seen >> 28 == 0) accept({extents_.data(), rank_});  // the bytes of two such extents are counted in 63 bits
}

void Glance::selection(const Op& op, const TensorRead& mask, const TensorRead& a, const TensorRead& b,
                       const Placement& here) noexcept {
  if (!takes(op, a, here) || mask.placement != here || b.placement != here) return;
  if (mask.dtype != DType::boolean || a.dtype != b.dtype) return;
  operand = dtype = a.dtype;
  if (same_shape(mask.shape(), a.shape()) && same_shape(b.shape(), a.shape())) accept(a.shape());
}

void Glance::reduction(const TensorRead& x, AxisSet axes, bool keep_dims) noexcept {
  if (axes.bits() >> x.axis_count != 0) return;
  for (std::size_t k = 0; k < x.axis_count; ++k) {
    if (x.extents[k] == 0) return;  // of none there may be no largest
    const bool reduced = axes.contains(k);
    if (!reduced || keep_dims) extents_[rank_++] = reduced ? 1 : x.extents[k];
  }
  accept({extents_.data(), rank_});
}

void Glance::of_one(const Op& op, const TensorRead& x) noexcept {
  const std::size_t rank = x.axis_count;
  const auto same_if = [&](bool fits) {
    if (fits) accept(x.shape());
  };
  const ShapeRule rule = op.info().shape;
  if (rule == ShapeRule::reduce) return reduction(x, op.as<ReduceAttrs>().axes, op.as<ReduceAttrs>().keep_dims);
  if (rule == ShapeRule::scan) return same_if(op.as<ScanAttrs>().axis < rank);
  if (rule == ShapeRule::sort) return same_if(op.as<SortAttrs>().axis < rank);
  if (rule == ShapeRule::matrix) return same_if(rank >= 2);
  if (rule == ShapeRule::reverse) return same_if(op.as<AxesAttrs>().axes.bits() >> rank == 0);
  if (rule == ShapeRule::transpose) return transposition(x, op.as<TransposeAttrs>().perm);
  if (rule == ShapeRule::concatenate) return same_if(op.as<AxisAttrs>().axis < rank);
  if (rule == ShapeRule::reshape) {
    const Shape& wanted = op.as<ReshapeAttrs>().shape;
    if (wanted.size() > kMostAxes) return;
    accept_if_short(wanted);
    accepted = accepted && element_count(wanted) == x.count();
  } else if (rule == ShapeRule::arg_reduce) {
    const auto& attrs = op.as<ArgReduceAttrs>();
    if (attrs.axis < -1 || attrs.axis >= static_cast<int>(rank)) return;
    reduction(x, attrs.axis < 0 ? AxisSet::first(rank) : AxisSet(std::uint64_t{1} << attrs.axis), attrs.keep_dims);
  } else if (const auto* const convert = std::get_if<ConvertAttrs>(&op.attrs)) {
    dtype = convert->to;
    same_if(dtype != DType::external && (!convert->checked || converts_safely(operand, dtype)));
  }
}

void Glance::of_several(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
  for (const TensorRead& x : in) {
    if (x.placement != here) return;
  }
  const ShapeRule rule = op.info().shape;
  if (rule == ShapeRule::concatenate) return concatenation(in, op.as<AxisAttrs>().axis);
  if (rule == ShapeRule::gather && in.size() == 2) return taking(*op.as<GatherAttrs>(), in[0], in[1]);
}

void Glance::concatenation(std::span<const TensorRead> in, std::size_t axis) noexcept {
  const TensorRead& first = in[0];
  if (axis >= first.axis_count) return;
  for (std::size_t k = 0; k < first.axis_count; ++k) extents_[rank_++] = first.extents[k];
  for (const TensorRead& x : in.subspan(1)) {
    if (x.dtype != first.dtype || x.axis_count != first.axis_count) return;
    for (std::size_t k = 0; k < first.axis_count; ++k) {
      if (k != axis && x.extents[k] != first.extents[k]) return;
    }
    if ((x.extents[axis] | extents_[axis]) >> 28 != 0) return;
    extents_[axis] += x.extents[axis];
  }
  accept_if_short({extents_.data(), rank_});
}

// Whole entries of one axis, in whose place the axes of the indices stand.
void Glance::taking(const GatherConfig& config, const TensorRead& x, const TensorRead& indices) noexcept {
  const std::size_t rank = x.axis_count, added = indices.axis_count;
  if (config.start_index_map.size() != 1 || config.collapsed_slice_dims != config.start_index_map) return;
  const std::size_t axis = config.start_index_map[0];
  if (axis >= rank || x.extents[axis] == 0 || added > kMostAxes || config.index_vector_dim != added) return;
  if (indices.dtype != DType::i32 && indices.dtype != DType::i64) return;
  if (config.mode == GatherMode::fill && config.fill.dtype() != x.dtype) return;
  if (config.slice_sizes.size() != rank || config.offset_dims.size() != rank - 1) return;
  for (std::size_t k = 0; k < rank; ++k) {
    if (k == axis) {
      for (std::size_t i = 0; i < added; ++i) extents_[rank_++] = indices.extents[i];
    } else if (config.offset_dims[k < axis ? k : k - 1] != rank_) {
      return;
    } else {
      extents_[rank_++] = x.extents[k];
    }
    if (config.slice_sizes[k] != (k == axis ? 1 : x.extents[k])) return;
  }
  accept_if_short({extents_.data(), rank_});
}

void Glance::transposition(const TensorRead& x, const AxisList& perm) noexcept {
  if (perm.size() != x.axis_count) return;
  unsigned seen = 0;
  for (const std::uint8_t axis : perm) {
    if (axis >= x.axis_count || (seen >> axis & 1U) != 0) return;
    seen |= 1U << axis;
    extents_[rank_++] = x.extents[axis];
  }
  accept({extents_.data(), rank_});
}

}  // namespace tenferro::internal
