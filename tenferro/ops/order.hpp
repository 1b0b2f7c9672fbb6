// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Order along one axis. NaN comes last, whichever the direction.
//
// Example (session):
//     Tensor x = Tensor::from_col_major<double>({4}, {2, 9, 4, 7});
//     auto [values, positions] = top_k(session, x, 2);
//     CHECK(values.at<double>({1}) == 7 && positions.at<std::int64_t>({1}) == 3);
//     CHECK(sort(session, x, -1, {.descending = true}).at<double>({0}) == 9);

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/emitter.hpp"
#include "tenferro/ops/internal/typed.hpp"

namespace tenferro {

/// stable: equal elements keep their order (without it the backend may do so too).
struct SortOptions {
  bool descending = false;
  bool stable = true;
};

/// Values and where they were, i64.
template <Emitter E>
struct TopK {
  Value<E> values, positions;
};
template <Element T>
struct TypedTopK {
  TypedTensor<T> values;
  TypedTensor<std::int64_t> positions;
};

namespace internal {
Op sort_op(OpKind kind, const MetaView& x, std::int64_t axis, SortOptions options);
Op top_k_op(const MetaView& x, std::int64_t k, std::int64_t axis, bool largest);
}  // namespace internal

/// The elements in order along one axis.
template <Emitter E>
Value<E> sort(E& e, Arg<E> x, std::int64_t axis = -1, SortOptions options = {}) {
  return bind1(e, internal::sort_op(OpKind::sort, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(sort, (axis, options), std::int64_t axis = -1, SortOptions options = {})

/// The positions (i64) that bring the elements in order.
///
/// Example (session):
///     Tensor x = Tensor::vector({2., 9., 4.});
///     SortOptions down{.descending = true};
///     CHECK(argsort(session, x, 0, down).at<std::int64_t>({0}) == 1);
///     TopK<BackendSession> least = top_k(session, x, 1, 0, false);
///     CHECK(least.values.at<double>({0}) == 2);
template <Emitter E>
Value<E> argsort(E& e, Arg<E> x, std::int64_t axis = -1, SortOptions options = {}) {
  return bind1(e, internal::sort_op(OpKind::argsort, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(argsort, (axis, options), std::int64_t axis = -1, SortOptions options = {})

/// The k largest (or smallest) elements along one axis, best first, equals in order of position. Throws OpError
/// (BadArgument) unless 0 ≤ k ≤ extent.
template <Emitter E>
TopK<E> top_k(E& e, Arg<E> x, std::int64_t k, std::int64_t axis = -1, bool largest = true) {
  Value<E> out[2];
  e.bind(internal::top_k_op(e.meta(x), k, axis, largest), std::span(&x, 1), std::span<Value<E>>(out));
  return {std::move(out[0]), std::move(out[1])};
}
template <ConcreteEmitter E, Element T>
TypedTopK<T> top_k(E& e, const TypedTensor<T>& x, std::int64_t k, std::int64_t axis = -1, bool largest = true) {
  TopK<E> found = top_k(e, TensorRead(x), k, axis, largest);
  return {TypedTensor<T>(std::move(found.values)), TypedTensor<std::int64_t>(std::move(found.positions))};
}

}  // namespace tenferro
