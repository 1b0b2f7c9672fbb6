// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Which function binds which row, and where it is declared: what the reference page prints.
//
// Example:
//     FrontEnd row = kFrontEnds[OpKind::shape_of];
//     CHECK(row.header == "dynamic.hpp" && row.call == "shape_of(e, x, axis)");

#include "tenferro/ops/op_table.hpp"

namespace tenferro {

/// The call that binds a row, and its header in tenferro/ops.
struct FrontEnd {
  std::string_view header, call;
};

namespace internal {
constexpr OpTable<FrontEnd> front_ends() {
  OpTable<FrontEnd> table{
      {OpKind::select, {"elementwise.hpp", "select(e, mask, b, c)"}},
      {OpKind::clamp, {"elementwise.hpp", "clamp(e, x, low, high)"}},
      {OpKind::fma, {"elementwise.hpp", "fma(e, a, b, c)"}},
      {OpKind::reduce_sum, {"reduction.hpp", "reduce_sum(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_prod, {"reduction.hpp", "reduce_prod(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_max, {"reduction.hpp", "reduce_max(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_min, {"reduction.hpp", "reduce_min(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_sum_squares, {"reduction.hpp", "reduce_sum_squares(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_any, {"reduction.hpp", "reduce_any(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::reduce_all, {"reduction.hpp", "reduce_all(e, x, axes = nullopt, keep_dims = false)"}},
      {OpKind::argmax, {"reduction.hpp", "argmax(e, x, axis = nullopt, keep_dims = false)"}},
      {OpKind::argmin, {"reduction.hpp", "argmin(e, x, axis = nullopt, keep_dims = false)"}},
      {OpKind::cumsum, {"scan.hpp", "cumsum(e, x, axis, {reverse = false, exclusive = false})"}},
      {OpKind::cumprod, {"scan.hpp", "cumprod(e, x, axis, {reverse = false, exclusive = false})"}},
      {OpKind::cummax, {"scan.hpp", "cummax(e, x, axis, {reverse = false, exclusive = false})"}},
      {OpKind::cummin, {"scan.hpp", "cummin(e, x, axis, {reverse = false, exclusive = false})"}},
      {OpKind::cumlogsumexp, {"scan.hpp", "cumlogsumexp(e, x, axis, {reverse = false, exclusive = false})"}},
      {OpKind::sort, {"order.hpp", "sort(e, x, axis = -1, {descending = false, stable = true})"}},
      {OpKind::argsort, {"order.hpp", "argsort(e, x, axis = -1, {descending = false, stable = true})"}},
      {OpKind::top_k, {"order.hpp", "top_k(e, x, k, axis = -1, largest = true)"}},
      {OpKind::dot_general, {"contraction.hpp", "dot_general(e, a, b, config)"}},
      {OpKind::transpose, {"structural.hpp", "transpose(e, x, perm)"}},
      {OpKind::reshape, {"structural.hpp", "reshape(e, x, shape)"}},
      {OpKind::broadcast_in_dim, {"structural.hpp", "broadcast_in_dim(e, x, shape, axes)"}},
      {OpKind::convert, {"structural.hpp", "convert(e, x, dtype); cast(e, x, dtype)"}},
      {OpKind::extract_diag, {"structural.hpp", "extract_diag(e, x, shift = 0, axis1 = 0, axis2 = 1)"}},
      {OpKind::embed_diag, {"structural.hpp", "embed_diag(e, x, shift = 0, axis1 = 0, axis2 = 1)"}},
      {OpKind::tril, {"structural.hpp", "tril(e, x, shift = 0)"}},
      {OpKind::triu, {"structural.hpp", "triu(e, x, shift = 0)"}},
      {OpKind::reverse, {"structural.hpp", "reverse(e, x, axes = nullopt)"}},
      {OpKind::concatenate, {"structural.hpp", "concatenate(e, {x, …}, axis)"}},
      {OpKind::pad, {"structural.hpp", "pad(e, x, low, high, fill = 0); pad(e, x, config)"}},
      {OpKind::slice, {"structural.hpp", "slice(e, x, starts, limits, strides = 1)"}},
      {OpKind::gather, {"indexing.hpp", "gather(e, x, indices, config)"}},
      {OpKind::scatter, {"indexing.hpp", "scatter(e, x, indices, updates, config)"}},
      {OpKind::dynamic_slice, {"indexing.hpp", "dynamic_slice(e, x, starts, sizes)"}},
      {OpKind::dynamic_update_slice, {"indexing.hpp", "dynamic_update_slice(e, x, update, starts)"}},
      {OpKind::gather_dynamic_slice_sizes, {"indexing.hpp", "gather_dynamic_slice_sizes(e, x, indices, config)"}},
      {OpKind::shape_of, {"dynamic.hpp", "shape_of(e, x, axis)"}},
      {OpKind::dynamic_truncate, {"dynamic.hpp", "dynamic_truncate(e, x, size, axis)"}},
      {OpKind::pad_to_match, {"dynamic.hpp", "pad_to_match(e, x, reference, axis)"}},
      {OpKind::constant, {"creation.hpp", "constant(e, value)"}},
      {OpKind::iota, {"creation.hpp", "iota(e, shape, axis = 0, dtype = i64)"}},
      {OpKind::random_bits, {"random.hpp", "random_bits(e, key, shape, dtype = i64)"}},
  };
#define TENFERRO_UNARY(name, ...) table.set(OpKind::name, {"elementwise.hpp", #name "(e, x)"});
#define TENFERRO_BINARY(name, ...) table.set(OpKind::name, {"elementwise.hpp", #name "(e, a, b)"});
#include "tenferro/ops/core_ops.def"
  return table;
}
}  // namespace internal

inline constexpr OpTable<FrontEnd> kFrontEnds = internal::front_ends();
TENFERRO_COVERS_ALL_OPS(kFrontEnds);

}  // namespace tenferro
