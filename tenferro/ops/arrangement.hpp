// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Conveniences that rearrange: each is one or two rows, with a name that people know.
//
// Example (session):
//     Tensor x = Tensor::from_col_major<double>({4}, {1, 2, 3, 4});
//     CHECK((stack(session, {x, x}, 0).shape() == Shape{2, 4}));
//     CHECK(split(session, x, 2, -1)[1].at<double>({0}) == 3);
//     CHECK(roll(session, x, 1, 0).at<double>({0}) == 4);      // the last entry comes first
//
// Example (session):
//     Tensor x = Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}});
//     CHECK(flatten(session, x).at<double>({1}) == 4 && unsqueeze(session, x, {0, -1}).shape() == Shape({1, 2, 3, 1}));
//     CHECK(squeeze(session, Tensor::zeros<double>(1, 3, 1)).shape() == Shape{3});
//     CHECK(swap_axes(session, x, 0, 1).at<double>({2, 1}) == 6);
//     CHECK(move_axis(session, Tensor::zeros<double>(2, 3, 4), 0, -1).shape() == Shape({3, 4, 2}));
//     CHECK(flip(session, x, 1).at<double>({0, 0}) == 3);
//     CHECK(tile(session, x, {2, 2}).at<double>({3, 5}) == 6 && repeat(session, x, 2, 1).at<double>({0, 1}) == 1);
//     CHECK(diag(session, Tensor::vector({7., 8.})).at<double>({1, 1}) == 8);
//     CHECK(trace(session, x).item() == Scalar(6.0));
//     std::vector<Tensor> grids = meshgrid(session, {Tensor::vector({1., 2.}), Tensor::vector({3., 4., 5.})});
//     CHECK(grids[0].at<double>({1, 2}) == 2 && grids[1].at<double>({1, 2}) == 5);
//     CHECK(one_hot(session, Tensor::vector({2, 0}), 3).at<double>({0, 2}) == 1);
//
// What only changes the shape keeps the block of a tensor that is moved in. Throws OpError.

#include <bit>

#include "tenferro/ops/creation.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/structural.hpp"

namespace tenferro {

namespace internal {
Shape squeezed_shape(DimsView shape, const Axes& axes);
Shape with_new_axes(DimsView shape, const Axes& axes);
AxisSet new_axis(std::string_view op, std::size_t rank, std::int64_t axis);
Op swap_axes_op(const MetaView& x, std::int64_t a, std::int64_t b);
Op move_axes_op(const MetaView& x, AxesView from, AxesView to);
/// A broadcast along new axes, and the shape in which they are merged with the old ones.
struct Repetition {
  Op op;
  Shape shape;
};
Repetition tile_plan(const MetaView& x, DimsView repeats);
Repetition repeat_plan(const MetaView& x, std::int64_t count, std::int64_t axis);
/// Where each part of a split ends.
Dims split_ends(const MetaView& x, std::int64_t parts, std::int64_t axis);
Dims split_ends(const MetaView& x, DimsView sizes, std::int64_t axis);
/// Where the axis is cut: entries from there on come first.
std::int64_t roll_cut(std::int64_t shift, std::int64_t extent) noexcept;
/// Shape of a meshgrid of vectors.
Shape grid_shape(std::span<const MetaView> vectors, bool swap_first);
void require_rank(std::string_view op, std::size_t rank, std::size_t wanted);
void require_same_shape(std::string_view op, DimsView expected, DimsView got);

template <Emitter E>
std::vector<Value<E>> split_at(E& e, const typename E::Operand& x, const Dims& ends, std::int64_t axis) {
  std::vector<Value<E>> parts;
  std::int64_t start = 0;
  for (const std::int64_t end : ends) {
    parts.push_back(bind1(e, slice_axis_op(e.meta(x), axis, range(start, end)), x));
    start = end;
  }
  return parts;
}

template <Emitter E>
auto part(E& e, const typename E::Operand& x, std::size_t axis, std::int64_t start, std::int64_t limit) {
  if constexpr (ConcreteEmitter<E>) {
    return part_view(x, axis, start, limit);
  } else {
    return bind1(e, slice_axis_op(e.meta(x), static_cast<std::int64_t>(axis), range(start, limit)), x);
  }
}
}  // namespace internal

/// All elements along one axis, in column-major order.
template <Emitter E>
Value<E> flatten(E& e, Arg<E> x) {
  return reshape(e, x, {element_count(e.meta(x).shape).value_or(0)});
}
TENFERRO_TYPED(TypedTensor, flatten, ())
template <ConcreteEmitter E>
Tensor flatten(E& e, Tensor&& x) {
  return reshape(e, std::move(x), {x.count()});
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> flatten(E& e, TypedTensor<T>&& x) {
  return TypedTensor<T>(flatten(e, std::move(x).release()));
}

/// Without the named axes, which must have extent 1; without all such axes by default.
template <Emitter E>
Value<E> squeeze(E& e, Arg<E> x, const Axes& axes = std::nullopt) {
  return reshape(e, x, internal::squeezed_shape(e.meta(x).shape, axes));
}
TENFERRO_TYPED(TypedTensor, squeeze, (axes), const Axes& axes = std::nullopt)
template <ConcreteEmitter E>
Tensor squeeze(E& e, Tensor&& x, const Axes& axes = std::nullopt) {
  const Shape shape = internal::squeezed_shape(x.shape(), axes);
  return reshape(e, std::move(x), shape);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> squeeze(E& e, TypedTensor<T>&& x, const Axes& axes = std::nullopt) {
  return TypedTensor<T>(squeeze(e, std::move(x).release(), axes));
}

/// With axes of extent 1 at the named places of the result; −1 is its last axis.
template <Emitter E>
Value<E> unsqueeze(E& e, Arg<E> x, const Axes& axes) {
  return reshape(e, x, internal::with_new_axes(e.meta(x).shape, axes));
}
TENFERRO_TYPED(TypedTensor, unsqueeze, (axes), const Axes& axes)
template <ConcreteEmitter E>
Tensor unsqueeze(E& e, Tensor&& x, const Axes& axes) {
  const Shape shape = internal::with_new_axes(x.shape(), axes);
  return reshape(e, std::move(x), shape);
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> unsqueeze(E& e, TypedTensor<T>&& x, const Axes& axes) {
  return TypedTensor<T>(unsqueeze(e, std::move(x).release(), axes));
}

/// Two axes exchanged.
template <Emitter E>
Value<E> swap_axes(E& e, Arg<E> x, std::int64_t a, std::int64_t b) {
  return bind1(e, internal::swap_axes_op(e.meta(x), a, b), x);
}
TENFERRO_TYPED(TypedTensor, swap_axes, (a, b), std::int64_t a, std::int64_t b)
/// Axis from[k] of x becomes axis to[k] of the result; the others keep their order.
template <Emitter E>
Value<E> move_axis(E& e, Arg<E> x, const Dims& from, const Dims& to) {
  return bind1(e, internal::move_axes_op(e.meta(x), from, to), x);
}
TENFERRO_TYPED(TypedTensor, move_axis, (from, to), const Dims& from, const Dims& to)
template <Emitter E>
Value<E> move_axis(E& e, Arg<E> x, std::int64_t from, std::int64_t to) {
  return move_axis(e, x, Dims{from}, Dims{to});
}
TENFERRO_TYPED(TypedTensor, move_axis, (from, to), std::int64_t from, std::int64_t to)

/// Backwards along the named axes: reverse under NumPy's name.
template <Emitter E>
Value<E> flip(E& e, Arg<E> x, const Axes& axes = std::nullopt) {
  return reverse(e, x, axes);
}
TENFERRO_TYPED(TypedTensor, flip, (axes), const Axes& axes = std::nullopt)

/// Operands of one shape and dtype side by side along a new axis of the result.
template <Emitter E>
Value<E> stack(E& e, OperandList<E> list, std::int64_t axis = 0) {
  using Column = decltype(internal::unsqueezed(e, list[0], AxisSet{}));
  const AxisSet added = internal::new_axis("stack", list.size() != 0 ? e.meta(list[0]).rank() : 0, axis);
  std::vector<Column> columns;
  columns.reserve(list.size());
  for (const auto& x : list.span()) {
    // Concatenation would let extents differ along the axis of a longer shape, and cannot name the right rank.
    internal::require_same_shape("stack", e.meta(list[0]).shape, e.meta(x).shape);
    columns.push_back(internal::unsqueezed(e, x, added));
  }
  return on_behalf_of(
      "stack", [&] { return concatenate(e, columns, static_cast<std::int64_t>(std::countr_zero(added.bits()))); });
}
template <ConcreteEmitter E, Element T>
TypedTensor<T> stack(E& e, const std::vector<TypedTensor<T>>& list, std::int64_t axis = 0) {
  return TypedTensor<T>(stack(e, Operands<E>(list), axis));
}

/// Equal parts along one axis, whose extent `parts` divides.
template <Emitter E>
std::vector<Value<E>> split(E& e, Arg<E> x, std::int64_t parts, std::int64_t axis) {
  return internal::split_at(e, x, internal::split_ends(e.meta(x), parts, axis), axis);
}
template <ConcreteEmitter E, Element T>
std::vector<TypedTensor<T>> split(E& e, const TypedTensor<T>& x, std::int64_t parts, std::int64_t axis) {
  return internal::typed_list<T>(split(e, TensorRead(x), parts, axis));
}
/// Parts of given sizes, whose sum is the extent.
template <Emitter E>
std::vector<Value<E>> split(E& e, Arg<E> x, const Dims& sizes, std::int64_t axis) {
  return internal::split_at(e, x, internal::split_ends(e.meta(x), sizes, axis), axis);
}
template <ConcreteEmitter E, Element T>
std::vector<TypedTensor<T>> split(E& e, const TypedTensor<T>& x, const Dims& sizes, std::int64_t axis) {
  return internal::typed_list<T>(split(e, TensorRead(x), sizes, axis));
}

/// x laid side by side repeats[k] times along each axis; the shorter of the two lists is aligned at the last axis.
template <Emitter E>
Value<E> tile(E& e, Arg<E> x, const Dims& repeats) {
  const internal::Repetition plan = internal::tile_plan(e.meta(x), repeats);
  return on_behalf_of("tile", [&] { return reshape(e, bind1(e, plan.op, x), plan.shape); });
}
TENFERRO_TYPED(TypedTensor, tile, (repeats), const Dims& repeats)
/// Each entry of one axis `count` times in a row.
template <Emitter E>
Value<E> repeat(E& e, Arg<E> x, std::int64_t count, std::int64_t axis) {
  const internal::Repetition plan = internal::repeat_plan(e.meta(x), count, axis);
  return on_behalf_of("repeat", [&] { return reshape(e, bind1(e, plan.op, x), plan.shape); });
}
TENFERRO_TYPED(TypedTensor, repeat, (count, axis), std::int64_t count, std::int64_t axis)

/// Entry i of one axis moves to i + shift, around the end; any shift is taken modulo the extent.
template <Emitter E>
Value<E> roll(E& e, Arg<E> x, std::int64_t shift, std::int64_t axis) {
  const MetaView meta = e.meta(x);
  const std::uint8_t k = internal::axis_of("roll", axis, meta.rank());
  const std::int64_t extent = meta.shape[k], cut = internal::roll_cut(shift, extent);
  const auto first = internal::part(e, x, k, cut, extent);
  const auto second = internal::part(e, x, k, 0, cut);
  return concatenate(e, {first, second}, k);
}
TENFERRO_TYPED(TypedTensor, roll, (shift, axis), std::int64_t shift, std::int64_t axis)
/// The same for all elements in column-major order.
template <Emitter E>
Value<E> roll(E& e, Arg<E> x, std::int64_t shift) {
  const Shape shape(e.meta(x).shape);
  return reshape(e, roll(e, flatten(e, x), shift, 0), shape);
}
TENFERRO_TYPED(TypedTensor, roll, (shift), std::int64_t shift)

/// Rank 1: the matrix with x on the diagonal. Rank 2: the diagonal.
template <Emitter E>
Value<E> diag(E& e, Arg<E> x, std::int64_t shift = 0) {
  if (e.meta(x).rank() == 1) return embed_diag(e, x, shift);
  internal::require_rank("diag", e.meta(x).rank(), 2);
  return extract_diag(e, x, shift);
}
TENFERRO_TYPED(TypedTensor, diag, (shift), std::int64_t shift = 0)
/// Sum of the diagonal of two axes.
template <Emitter E>
Value<E> trace(E& e, Arg<E> x, std::int64_t shift = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) {
  return on_behalf_of("trace", [&] { return reduce_sum(e, extract_diag(e, x, shift, axis1, axis2), -1); });
}
TENFERRO_TYPED(TypedTensor, trace, (shift, axis1, axis2), std::int64_t shift = 0, std::int64_t axis1 = 0,
               std::int64_t axis2 = 1)

/// One grid per vector: grid k holds vector k along axis k, equal along the others. `swap_first` exchanges the first
/// two axes (NumPy's "xy").
template <Emitter E>
std::vector<Value<E>> meshgrid(E& e, OperandList<E> vectors, bool swap_first = false) {
  std::vector<MetaView> metas;
  for (const auto& x : vectors.span()) metas.push_back(e.meta(x));
  const Shape shape = internal::grid_shape(metas, swap_first);
  std::vector<Value<E>> grids;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const std::size_t axis = swap_first && k < 2 && vectors.size() > 1 ? 1 - k : k;
    grids.push_back(broadcast_in_dim(e, vectors[k], shape, {static_cast<std::int64_t>(axis)}));
  }
  return grids;
}
template <ConcreteEmitter E, Element T>
std::vector<TypedTensor<T>> meshgrid(E& e, const std::vector<TypedTensor<T>>& vectors, bool swap_first = false) {
  return internal::typed_list<T>(meshgrid(e, Operands<E>(vectors), swap_first));
}

/// 1 at position indices[…] along a new last axis of extent `depth`, 0 elsewhere; all 0 where the index is outside.
template <Emitter E>
Value<E> one_hot(E& e, Arg<E> indices, std::int64_t depth, DType dtype = DType::f64) {
  const MetaView meta = e.meta(indices);
  internal::require_dtype("one_hot", meta.dtype, DTypeRule::integer);
  const auto column = internal::unsqueezed(e, indices, internal::new_axis("one_hot", meta.rank(), -1));
  return on_behalf_of("one_hot", [&] { return cast(e, eq(e, column, iota(e, {depth}, 0, meta.dtype)), dtype); });
}

}  // namespace tenferro
