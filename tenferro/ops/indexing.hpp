// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Reading and writing at positions that are data.
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}, {5., 6.}});
//     Tensor rows = Tensor::from_col_major<std::int64_t>({2}, {2, 0});
//     CHECK(take_axis(session, x, rows, 0).at<double>({0, 1}) == 6);     // x[rows, …]
//     auto outside = attempt<OpErrorInfo>([&] { return take_axis(session, x, rows, 1); });
//     CHECK(std::get<IndexOutOfBounds>(outside.error()).index == 2);
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}, {5., 6.}});
//     Tensor best = Tensor::matrix({{1}, {0}, {1}});           // a position for each row
//     CHECK(take_along_axis(session, x, best, 1).at<double>({2, 0}) == 6);
//     CHECK(put_along_axis(session, x, best, Tensor::scalar(0.0), 1).at<double>({0, 1}) == 0);
//     CHECK(index_select(session, x, 0, Tensor::vector({2, 2, 0, 1})).shape() == Shape({4, 2}));
//     CHECK(masked_fill(session, x, Tensor::vector({true, false}), 9).at<double>({2, 0}) == 9);
//
// Indices are i32 or i64 and must lie in [0, extent): an index outside is IndexOutOfBounds, found before anything is
// written, unless the mode says to clamp or to fill. Throws OpError.

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/ops/structural.hpp"

namespace tenferro {

namespace internal {
Op gather_op(const MetaView& x, GatherConfig config);
Op gather_dynamic_op(const MetaView& x, GatherDynamicConfig config);
enum class IndexRank : bool { any, one };
Op take_op(std::string_view name, const MetaView& x, const MetaView& indices, IndexRank rank, std::int64_t axis,
           GatherMode mode, const Scalar& fill);
Op one_of_axis_op(const MetaView& x, std::int64_t axis, std::int64_t index);

/// How take_along_axis and put_along_axis address: index vectors over the shape `batch`, with one component for `axis`,
/// which comes first so that a refused vector has the position of its index, and one for each other axis that is longer
/// than 1.
struct AlongAxis {
  Shape batch;
  AxisList components;
  std::uint8_t axis = 0;
};
AlongAxis along_axis(std::string_view op, const MetaView& x, const MetaView& indices, std::int64_t axis);
Op take_along_op(const MetaView& x, const AlongAxis& plan, GatherMode mode, const Scalar& fill);
Op put_along_op(const MetaView& x, const AlongAxis& plan, ScatterCombine combine);
/// 0, 1, … along `axis` of the batch with a last axis of extent 1.
Op component_iota_op(const AlongAxis& plan, std::uint8_t axis);

/// The index vectors of an AlongAxis, as the last axis.
template <Emitter E>
Value<E> index_vectors(E& e, const typename E::Operand& indices, const AlongAxis& plan) {
  ReadyOperands<E, 1> given(e, {indices});
  given.convert(0, DType::i64);
  given.stretch(0, plan.batch);
  const auto column = unsqueezed(e, given.operands()[0], AxisSet(std::uint64_t{1} << plan.batch.size()));
  std::vector<Value<E>> counted;
  for (std::size_t k = 1; k < plan.components.size(); ++k) {
    counted.push_back(bind1(e, component_iota_op(plan, plan.components[k])));
  }
  std::vector<typename E::Operand> columns{typename E::Operand(column)};
  for (const Value<E>& numbers : counted) columns.push_back(typename E::Operand(numbers));
  return concatenate(e, columns, -1);
}
}  // namespace internal

/// Windows of x at positions that index vectors name; axis numbers as in StableHLO's gather. `config.fill`, if used,
/// takes x's dtype.
///
/// Example (session):
///     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}, {5., 6.}}), at = Tensor::matrix({{2}, {0}});
///     GatherConfig rows;                                       // x[at[k], :] for each k
///     rows.offset_dims = {1};
///     rows.collapsed_slice_dims = {0};
///     rows.start_index_map = {0};
///     rows.index_vector_dim = 1;
///     rows.slice_sizes = {1, 2};
///     CHECK(gather(session, x, at, rows).at<double>({0, 1}) == 6);
///     GatherDynamicConfig whole_rows{rows, {1, DimExpr::extent(0, 1)}};
///     CHECK(gather_dynamic_slice_sizes(session, x, at, whole_rows).at<double>({1, 1}) == 2);
template <Emitter E>
Value<E> gather(E& e, Arg<E> x, Arg<E> indices, const GatherConfig& config) {
  return bind1(e, internal::gather_op(e.meta(x), config), x, indices);
}
TENFERRO_TYPED(TypedTensor, gather, (indices, config), Arg<E> indices, const GatherConfig& config)
/// gather with window sizes that are expressions over the extents of x (operand 0) and of the indices (operand 1).
template <Emitter E>
Value<E> gather_dynamic_slice_sizes(E& e, Arg<E> x, Arg<E> indices, const GatherDynamicConfig& config) {
  return bind1(e, internal::gather_dynamic_op(e.meta(x), config), x, indices);
}
TENFERRO_TYPED(TypedTensor, gather_dynamic_slice_sizes, (indices, config), Arg<E> indices,
               const GatherDynamicConfig& config)
/// x with windows of `updates` combined into it, as if in index order; axis numbers as in StableHLO's scatter.
///
/// Example (session):
///     Tensor x = Tensor::zeros<double>(4), at = Tensor::matrix({{3}, {3}, {0}});
///     Tensor updates = Tensor::vector({1., 2., 5.});
///     ScatterConfig entries;                                   // x[at[k]] += updates[k]
///     entries.inserted_window_dims = {0};
///     entries.scatter_dims_to_operand_dims = {0};
///     entries.index_vector_dim = 1;
///     Tensor y = scatter(session, x, at, updates, entries);
///     CHECK(y.at<double>({3}) == 3 && y.at<double>({0}) == 5);
template <Emitter E>
Value<E> scatter(E& e, Arg<E> x, Arg<E> indices, Arg<E> updates, const ScatterConfig& config) {
  return bind1(e, Op(OpKind::scatter, ScatterAttrs(config)), x, indices, updates);
}
TENFERRO_TYPED(TypedTensor, scatter, (indices, updates, config), Arg<E> indices, Arg<E> updates,
               const ScatterConfig& config)
/// The window of the given sizes that begins at `starts` (an integer vector with one entry per axis), moved inside
/// where it would leave x.
///
/// Example (session):
///     Tensor x = Tensor::arange(0, 6), start = Tensor::vector({5});
///     CHECK(dynamic_slice(session, x, start, {2}).at<double>({0}) == 4);        // 4 5: moved inside
///     Tensor y = dynamic_update_slice(session, x, Tensor::vector({7., 8.}), Tensor::vector({1}));
///     CHECK(y.at<double>({2}) == 8 && y.at<double>({3}) == 3);
template <Emitter E>
Value<E> dynamic_slice(E& e, Arg<E> x, Arg<E> starts, const Dims& sizes) {
  return bind1(e, Op(OpKind::dynamic_slice, DynamicSliceAttrs{sizes}), x, starts);
}
TENFERRO_TYPED(TypedTensor, dynamic_slice, (starts, sizes), Arg<E> starts, const Dims& sizes)
/// x with `update` in place of the window that begins at `starts`, moved inside where it would leave x.
template <Emitter E>
Value<E> dynamic_update_slice(E& e, Arg<E> x, Arg<E> update, Arg<E> starts) {
  return bind1(e, plain_op(OpKind::dynamic_update_slice), x, update, starts);
}
TENFERRO_TYPED(TypedTensor, dynamic_update_slice, (update, starts), Arg<E> update, Arg<E> starts)

/// The entries of one axis that `indices`, of any rank, name: their axes stand in place of that axis.
template <Emitter E>
Value<E> take_axis(E& e, Arg<E> x, Arg<E> indices, std::int64_t axis, GatherMode mode = GatherMode::check,
                   const Scalar& fill = false) {
  const Op op = internal::take_op("take_axis", e.meta(x), e.meta(indices), internal::IndexRank::any, axis, mode, fill);
  return on_behalf_of("take_axis", [&] { return bind1(e, op, x, indices); });
}
TENFERRO_TYPED(TypedTensor, take_axis, (indices, axis, mode, fill), Arg<E> indices, std::int64_t axis,
               GatherMode mode = GatherMode::check, const Scalar& fill = false)
/// Entry `index` of one axis, which goes; −1 is the last. Throws OpError (IndexOutOfBounds).
template <Emitter E>
Value<E> take_axis(E& e, Arg<E> x, std::int64_t index, std::int64_t axis) {
  const Value<E> kept = bind1(e, internal::one_of_axis_op(e.meta(x), axis, index), x);
  const MetaView meta = e.meta(kept);
  Shape shape(meta.shape);
  shape.erase(internal::axis_of("take_axis", axis, shape.size()));
  return reshape(e, kept, shape);
}
TENFERRO_TYPED(TypedTensor, take_axis, (index, axis), std::int64_t index, std::int64_t axis)
/// take_axis with a list of positions: the axis gets its length.
template <Emitter E>
Value<E> index_select(E& e, Arg<E> x, std::int64_t axis, Arg<E> indices, GatherMode mode = GatherMode::check,
                      const Scalar& fill = false) {
  const Op op =
      internal::take_op("index_select", e.meta(x), e.meta(indices), internal::IndexRank::one, axis, mode, fill);
  return on_behalf_of("index_select", [&] { return bind1(e, op, x, indices); });
}
TENFERRO_TYPED(TypedTensor, index_select, (axis, indices, mode, fill), std::int64_t axis, Arg<E> indices,
               GatherMode mode = GatherMode::check, const Scalar& fill = false)

/// Element (…, i, …) of the result is x(…, indices(…, i, …), …) along the axis; the other axes of both stretch to each
/// other. Both have the same rank.
template <Emitter E>
Value<E> take_along_axis(E& e, Arg<E> x, Arg<E> indices, std::int64_t axis, GatherMode mode = GatherMode::check,
                         const Scalar& fill = false) {
  const internal::AlongAxis plan = internal::along_axis("take_along_axis", e.meta(x), e.meta(indices), axis);
  const Op op = internal::take_along_op(e.meta(x), plan, mode, fill);
  return on_behalf_of("take_along_axis", [&] { return bind1(e, op, x, internal::index_vectors(e, indices, plan)); });
}
TENFERRO_TYPED(TypedTensor, take_along_axis, (indices, axis, mode, fill), Arg<E> indices, std::int64_t axis,
               GatherMode mode = GatherMode::check, const Scalar& fill = false)
/// x with `values` (stretched to the indices) put where take_along_axis would read; equal targets combine as if in
/// index order.
template <Emitter E>
Value<E> put_along_axis(E& e, Arg<E> x, Arg<E> indices, Arg<E> values, std::int64_t axis,
                        ScatterCombine combine = ScatterCombine::set) {
  const internal::AlongAxis plan = internal::along_axis("put_along_axis", e.meta(x), e.meta(indices), axis);
  return on_behalf_of("put_along_axis", [&] {
    internal::ReadyOperands<E, 1> ready(e, {values});
    ready.convert(0, e.meta(x).dtype);
    ready.stretch(0, plan.batch);
    const Value<E> vectors = internal::index_vectors(e, indices, plan);
    return bind1(e, internal::put_along_op(e.meta(x), plan, combine), x, vectors, ready.operands()[0]);
  });
}
TENFERRO_TYPED(TypedTensor, put_along_axis, (indices, values, axis, combine), Arg<E> indices, Arg<E> values,
               std::int64_t axis, ScatterCombine combine = ScatterCombine::set)

/// x, but `value` where the mask is true; the value takes x's dtype.
template <Emitter E>
Value<E> masked_fill(E& e, Arg<E> x, Arg<E> mask, const Scalar& value) {
  const internal::ScalarOperand<E> number(e, internal::weak_scalar("masked_fill", value, e.meta(x).dtype));
  return internal::bind_mixed<E, 3>(e, plain_op(OpKind::select), {mask, number.operand(), x}, 1);
}
TENFERRO_TYPED(TypedTensor, masked_fill, (mask, value), Arg<E> mask, const Scalar& value)

}  // namespace tenferro
