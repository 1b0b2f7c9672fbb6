// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Running reductions along one axis.
//
// Example (session):
//     Tensor x = Tensor::from_col_major<double>({3}, {1, 2, 3});
//     CHECK(cumsum(session, x, 0).at<double>({2}) == 6);                             // 1 3 6
//     CHECK(cumsum(session, x, 0, {.reverse = true}).at<double>({1}) == 5);          // 6 5 3
//     CHECK(cumsum(session, x, 0, {.exclusive = true}).at<double>({2}) == 3);        // 0 1 3
//
// Example (session):
//     Tensor x = Tensor::vector({2., 1., 3.});
//     CHECK(cumprod(session, x, 0).at<double>({2}) == 6);                            // 2 2 6
//     CHECK(cummax(session, x, 0).at<double>({1}) == 2 && cummin(session, x, 0).at<double>({2}) == 1);
//     ScanOptions back{.reverse = true};
//     CHECK(cummax(session, x, 0, back).at<double>({0}) == 3);
//     Tensor zeros = Tensor::zeros<double>(3);
//     CHECK(std::abs(cumlogsumexp(session, zeros, 0).at<double>({1}) - std::log(2)) < 1e-15);   // log 1, log 2, log 3

#include "tenferro/ops/axes.hpp"
#include "tenferro/ops/emitter.hpp"
#include "tenferro/ops/internal/typed.hpp"

namespace tenferro {

/// reverse: from the last element to the first. exclusive: without the element itself, the first result being the
/// neutral value (0, 1, or the value that every other exceeds).
struct ScanOptions {
  bool reverse = false;
  bool exclusive = false;
};

namespace internal {
Op scan_op(OpKind kind, const MetaView& x, std::int64_t axis, ScanOptions options);
}  // namespace internal

/// Running sum along one axis. Floats are added in parts by a tree that the index alone decides: once a part overflows,
/// all later results are infinite or NaN, also where a sum one by one would have come back.
template <Emitter E>
Value<E> cumsum(E& e, Arg<E> x, std::int64_t axis, ScanOptions options = {}) {
  return bind1(e, internal::scan_op(OpKind::cumsum, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(cumsum, (axis, options), std::int64_t axis, ScanOptions options = {})
/// Running product.
template <Emitter E>
Value<E> cumprod(E& e, Arg<E> x, std::int64_t axis, ScanOptions options = {}) {
  return bind1(e, internal::scan_op(OpKind::cumprod, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(cumprod, (axis, options), std::int64_t axis, ScanOptions options = {})
/// Running maximum; NaN from the first NaN on.
template <Emitter E>
Value<E> cummax(E& e, Arg<E> x, std::int64_t axis, ScanOptions options = {}) {
  return bind1(e, internal::scan_op(OpKind::cummax, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(cummax, (axis, options), std::int64_t axis, ScanOptions options = {})
/// Running minimum; NaN from the first NaN on.
template <Emitter E>
Value<E> cummin(E& e, Arg<E> x, std::int64_t axis, ScanOptions options = {}) {
  return bind1(e, internal::scan_op(OpKind::cummin, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(cummin, (axis, options), std::int64_t axis, ScanOptions options = {})
/// Running log Σ exp, without overflow.
template <Emitter E>
Value<E> cumlogsumexp(E& e, Arg<E> x, std::int64_t axis, ScanOptions options = {}) {
  return bind1(e, internal::scan_op(OpKind::cumlogsumexp, e.meta(x), axis, options), x);
}
TENFERRO_TYPED_ROW(cumlogsumexp, (axis, options), std::int64_t axis, ScanOptions options = {})

}  // namespace tenferro
