// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/infer.hpp"

namespace tenferro {
namespace {

internal::InferRule rule_for(ShapeRule rule) noexcept {
  using namespace internal;
  switch (rule) {
    case ShapeRule::same:
      return infer_same;
    case ShapeRule::select:
      return infer_select;
    case ShapeRule::reduce:
      return infer_reduce;
    case ShapeRule::arg_reduce:
      return infer_arg_reduce;
    case ShapeRule::scan:
    case ShapeRule::sort:
      return infer_along_axis;
    case ShapeRule::top_k:
      return infer_top_k;
    case ShapeRule::dot_general:
      return infer_dot_general;
    case ShapeRule::transpose:
      return infer_transpose;
    case ShapeRule::reshape:
      return infer_reshape;
    case ShapeRule::broadcast_in_dim:
      return infer_broadcast_in_dim;
    case ShapeRule::extract_diag:
      return infer_extract_diag;
    case ShapeRule::embed_diag:
      return infer_embed_diag;
    case ShapeRule::matrix:
      return infer_matrix;
    case ShapeRule::reverse:
      return infer_reverse;
    case ShapeRule::concatenate:
      return infer_concatenate;
    case ShapeRule::pad:
      return infer_pad;
    case ShapeRule::slice:
      return infer_slice;
    case ShapeRule::gather:
      return infer_gather;
    case ShapeRule::scatter:
      return infer_scatter;
    case ShapeRule::dynamic_slice:
      return infer_dynamic_slice;
    case ShapeRule::dynamic_update_slice:
      return infer_dynamic_update_slice;
    case ShapeRule::gather_dynamic:
      return infer_gather_dynamic;
    case ShapeRule::shape_of:
      return infer_shape_of;
    case ShapeRule::dynamic_truncate:
      return infer_dynamic_truncate;
    case ShapeRule::pad_to_match:
      return infer_pad_to_match;
    case ShapeRule::constant:
      return infer_constant;
    case ShapeRule::iota:
      return infer_iota;
    case ShapeRule::random_bits:
      return infer_random_bits;
  }
  __builtin_unreachable();
}

// Of the core and of families alike, so that no rule reads or writes past what it was given.
OpFailure check_counts(const Op& op, std::size_t operands, std::size_t results) {
  const std::uint8_t arity = op.arity();
  if (arity == kVariadic ? operands == 0 : operands != arity) [[unlikely]] {
    return op_failure(ArityMismatch{op.name(), arity == kVariadic ? -1 : arity, static_cast<std::int64_t>(operands)});
  }
  if (results != op.results()) [[unlikely]] {
    return op_failure(ArityMismatch{op.name(), op.results(), static_cast<std::int64_t>(results), "results"});
  }
  return nullptr;
}

OpFailure check_operands(const Op& op, const OpInfo& row, std::span<const MetaView> in) {
  if (op.attrs.index() != static_cast<std::size_t>(row.attrs)) [[unlikely]] {
    return op_failure(BadArgument{op.name(), "the payload is that of another operation"});
  }
  if (in.empty()) return nullptr;
  const std::size_t data = data_operand(row);
  const DTypeSet accepted = admitted(row.dtypes);
  if (!accepted.contains(in[data].dtype)) [[unlikely]] {
    return op_failure(UnsupportedDType{op.name(), static_cast<std::int64_t>(data), in[data].dtype, accepted});
  }
  return nullptr;
}

}  // namespace

OpFailure infer(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  // The order of the checks is part of the contract: numbers of operands and results, dtypes, shapes.
  if (OpFailure failure = check_counts(op, in.size(), out.size())) return failure;
  if (!op.is_core()) return op.extension().infer(op, in, out);
  const OpInfo& row = op.info();
  if (OpFailure failure = check_operands(op, row, in)) return failure;
  if (const auto* convert = std::get_if<ConvertAttrs>(&op.attrs)) {
    out[0].dtype = convert->to;
  } else if (!in.empty()) {
    out[0].dtype = result_dtype(row.result, in[data_operand(row)].dtype);
  }
  if (row.shape == ShapeRule::same) return internal::infer_same(op, in, out);
  return rule_for(row.shape)(op, in, out);
}

}  // namespace tenferro
