// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Dtype and shape rules: the only code that accepts or refuses an operation, on every surface.
//
// Example:
//     TensorMeta x{DType::c32, {2, 3}}, y;
//     MetaView metas[] = {x};
//     OpFailure failure = infer(Op(OpKind::abs), metas, std::span(&y, 1));
//     CHECK(!failure && y == TensorMeta{DType::f32, {2, 3}});
//     failure = infer(Op(OpKind::floor), metas, std::span(&y, 1));
//     CHECK(std::holds_alternative<UnsupportedDType>(*failure));

#include <array>
#include <span>

#include "tenferro/ops/error.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro {

/// Dtype and shape of a result.
struct TensorMeta {
  DType dtype = DType::f64;
  Shape shape;

  operator MetaView() const noexcept { return {dtype, shape}; }
  friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

/// Dtypes and shapes of the results, or the reason of refusal; null means accepted. `in.size()` and `out.size()` must
/// be the operation's numbers of operands and results (ArityMismatch), in the core and in families. Results of
/// operations with Traits::dynamic_shape get the upper bound; see refine_dynamic_shape.
OpFailure infer(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);

/// The actual result shapes of an operation with Traits::dynamic_shape, in place of the bounds that `infer` has put
/// into `out`; from operands whose data the host can read.
///
/// Example (tenferro/tensor/tensor.hpp):
///     Tensor x = Tensor::zeros<double>(5), size = Tensor::scalar(std::int64_t{2});
///     const Op op(OpKind::dynamic_truncate, AxisAttrs{0});
///     const TensorRead in[] = {x, size};
///     const MetaView metas[] = {in[0].meta(), in[1].meta()};
///     TensorMeta y;
///     CHECK(!infer(op, metas, std::span(&y, 1)) && y.shape == Shape{5});             // the upper bound
///     CHECK(!refine_dynamic_shape(op, in, std::span(&y, 1)) && y.shape == Shape{2});
OpFailure refine_dynamic_shape(const Op& op, std::span<const TensorRead> in, std::span<TensorMeta> out);

/// The operand whose dtype picks the kernel and follows the row's dtype rule: the second of select, else the first.
///
/// Example:
///     CHECK(data_operand(info(OpKind::select)) == 1 && data_operand(info(OpKind::add)) == 0);
constexpr std::size_t data_operand(const OpInfo& row) noexcept { return row.shape == ShapeRule::select ? 1 : 0; }

namespace internal {
// Rows in the order of ResultRule, columns in that of DType.
inline constexpr auto kResultDTypes = [] {
  std::array<std::array<DType, kDTypeCount + 1>, 6> table{};
  for (std::size_t d = 0; d <= kDTypeCount; ++d) {
    const auto dtype = static_cast<DType>(d);
    table[static_cast<std::size_t>(ResultRule::same)][d] = dtype;
    table[static_cast<std::size_t>(ResultRule::real_part)][d] = real_part(dtype);
    table[static_cast<std::size_t>(ResultRule::complex_partner)][d] = complex_partner(dtype);
    table[static_cast<std::size_t>(ResultRule::boolean)][d] = DType::boolean;
    table[static_cast<std::size_t>(ResultRule::index)][d] = DType::i64;
    table[static_cast<std::size_t>(ResultRule::attr)][d] = dtype;
  }
  return table;
}();
}  // namespace internal

/// The dtype of the result for a data operand of dtype d; for ResultRule::attr the payload says it, and d is returned.
///
/// Example:
///     CHECK(result_dtype(info(OpKind::abs).result, DType::c64) == DType::f64);
///     CHECK(result_dtype(ResultRule::boolean, DType::i32) == DType::boolean);
constexpr DType result_dtype(ResultRule rule, DType d) noexcept {
  return internal::kResultDTypes[static_cast<std::size_t>(rule)][index(d)];
}

/// Whether a core operation is an element-by-element one without payload that takes x, and x is at `here`.
inline bool takes_plainly(const Op& op, const TensorRead& x, const Placement& here) noexcept {
  const OpInfo& row = op.info();
  return row.shape == ShapeRule::same && row.attrs == AttrsId::NoAttrs && op.attrs.index() == 0 &&
         admitted(row.dtypes).contains(x.dtype) && x.placement == here;
}

/// True only if `infer` accepts this core operation and gives result_dtype and the shape of the first operand, and
/// if every operand is at `here`: the usual case of operands with one dtype and one shape, seen in a few instructions.
/// False says nothing.
///
/// Example (tenferro/tensor/tensor.hpp):
///     Tensor x = Tensor::zeros<double>(2, 3), y = Tensor::zeros<double>(3);
///     const TensorRead same[] = {x, x}, stretched[] = {x, y};
///     CHECK(accepted_at_a_glance(plain_op(OpKind::add), same, {}));
///     CHECK(!accepted_at_a_glance(plain_op(OpKind::add), stretched, {}));
///     CHECK(takes_plainly(plain_op(OpKind::exp), x, {}) && !takes_plainly(plain_op(OpKind::bit_not), x, {}));
inline bool accepted_at_a_glance(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
  if (in.size() != op.info().arity || in.empty() || !takes_plainly(op, in[0], here)) return false;
  for (std::size_t i = 1; i < in.size(); ++i) {
    const TensorRead& x = in[i];
    if (x.dtype != in[0].dtype || x.placement != here || !same_shape(x.shape(), in[0].shape())) return false;
  }
  return true;
}

namespace internal {
// One function per shape rule, in infer_<category>.cpp. They may assume that the number of operands fits, and that the
// data operand has an admitted dtype; `out[0].dtype` is already set by the row's result rule.
using InferRule = OpFailure (*)(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_same(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_select(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_reduce(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_arg_reduce(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_along_axis(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_top_k(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_dot_general(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_transpose(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_reshape(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_broadcast_in_dim(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_extract_diag(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_embed_diag(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_matrix(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_reverse(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_concatenate(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_pad(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_gather(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_scatter(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_dynamic_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_dynamic_update_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_gather_dynamic(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_shape_of(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_dynamic_truncate(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_pad_to_match(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_constant(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_iota(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
OpFailure infer_random_bits(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);
}  // namespace internal

}  // namespace tenferro
