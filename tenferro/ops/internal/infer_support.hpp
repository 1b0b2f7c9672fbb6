// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Checks that several inference rules share. Payloads may have been built by hand, so rules trust nothing in them.

#include <string>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/infer.hpp"

namespace tenferro::internal {

inline constexpr DTypeSet kIndexDTypes = DTypeSet::of(DType::i32, DType::i64);

/// AxisOutOfRange unless axis < rank.
inline OpFailure check_axis(const Op& op, std::size_t axis, std::size_t rank) {
  if (axis < rank) [[likely]]
    return nullptr;
  return op_failure(AxisOutOfRange{op.name(), static_cast<std::int64_t>(axis), static_cast<std::int64_t>(rank)});
}

/// AxisOutOfRange naming the highest member that is not below `rank`.
OpFailure check_axis_set(const Op& op, AxisSet axes, std::size_t rank);

/// Every axis below `rank` and none twice; `set` receives them. AxisOutOfRange, DuplicateAxis.
OpFailure check_axis_list(const Op& op, std::span<const std::uint8_t> axes, std::size_t rank, AxisSet* set);

/// A shape that a tensor may have: at most kMaxRank axes, no negative extent, bytes in 63 bits. InvalidShape,
/// ShapeOverflow.
OpFailure check_shape(std::string_view op, DType dtype, DimsView shape);
inline OpFailure check_shape(const Op& op, DType dtype, DimsView shape) { return check_shape(op.name(), dtype, shape); }

/// RankMismatch unless the operand has at least `least` axes.
inline OpFailure check_least_rank(const Op& op, std::size_t operand, std::size_t rank, std::size_t least) {
  if (rank >= least) return nullptr;
  return op_failure(RankMismatch{op.name(), static_cast<std::int64_t>(operand), static_cast<std::int64_t>(least),
                                 static_cast<std::int64_t>(rank)});
}

/// RankMismatch unless the operand has exactly `wanted` axes.
inline OpFailure check_rank(const Op& op, std::size_t operand, std::size_t rank, std::size_t wanted) {
  if (rank == wanted) return nullptr;
  return op_failure(RankMismatch{op.name(), static_cast<std::int64_t>(operand), static_cast<std::int64_t>(wanted),
                                 static_cast<std::int64_t>(rank)});
}

/// UnsupportedDType unless the operand is i32 or i64.
inline OpFailure check_index_dtype(const Op& op, std::size_t operand, DType got) {
  if (kIndexDTypes.contains(got)) return nullptr;
  return op_failure(UnsupportedDType{op.name(), static_cast<std::int64_t>(operand), got, kIndexDTypes});
}

/// DTypeMismatch unless both are equal; operand −1 stands for a value in the payload.
inline OpFailure check_same_dtype(const Op& op, std::int64_t operand, DType expected, DType got) {
  if (expected == got) return nullptr;
  return op_failure(DTypeMismatch{op.name(), operand, expected, got});
}

template <class... Pieces>
[[gnu::cold]] OpFailure bad_argument(const Op& op, const Pieces&... pieces) {
  return op_failure(BadArgument{op.name(), concat(pieces...)});
}

}  // namespace tenferro::internal
