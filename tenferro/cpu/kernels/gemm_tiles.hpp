// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What gemm_small asks of the vector instructions, for each of them: products whose columns are contiguous in a and c,
// by register tiles (gemm_tiles_inl.hpp), and batches whose items are contiguous, by vectors of items
// (gemm_lanes_inl.hpp). Lanes are real numbers: a complex matrix has two a row, and steps count them.

#include <complex>
#include <cstdint>
#include <type_traits>

namespace tenferro::internal {

/// The number that a lane of vectors of T holds.
template <class T>
struct LaneOf {
  using type = T;
};
template <class R>
struct LaneOf<std::complex<R>> {
  using type = R;
};
// Unsigned numbers wrap without further ado.
template <>
struct LaneOf<std::int32_t> {
  using type = std::uint32_t;
};
template <>
struct LaneOf<std::int64_t> {
  using type = std::uint64_t;
};

/// A matrix as lanes.
template <class T>
const typename LaneOf<T>::type* lanes_of(const T* x) noexcept {
  return reinterpret_cast<const typename LaneOf<T>::type*>(x);
}
template <class T>
typename LaneOf<T>::type* lanes_of(T* x) noexcept {
  return reinterpret_cast<typename LaneOf<T>::type*>(x);
}

/// The further products of a batch: how many there are in all, and the steps from one to the next. A batch may be an
/// item of another one `outside` it, whose steps lead from its last product to the first of the next.
struct TileBatch {
  std::int64_t count, a_step, b_step, c_step;
  const TileBatch* outside = nullptr;
};

/// c = a·b, or c = a·b + c with `add`; a and c have unit steps down a column. Few members, since to write them is part
/// of a call of a few nanoseconds.
template <class R>
struct TileCall {
  const R* a;
  const R* b;
  R* c;
  std::int64_t k, a_col, b_row, b_col, c_col;
  std::int64_t rows, cols;          ///< rows in lanes
  const TileBatch* batch;           ///< null for a single product
  bool add, conj_a, conj_b;         ///< conj of complex elements
  std::int64_t left, left_outside;  ///< products that remain; for the callee
};

/// The product or products of `call`, which is scratch for the callee. T is the element.
template <class T>
void multiply_tiles(TileCall<typename LaneOf<T>::type>& call) noexcept;

/// `count` products whose items lie side by side in all three tensors; steps are those from row to row and from column
/// to column, in lanes.
template <class R>
struct LanesCall {
  const R* a;
  const R* b;
  R* c;
  std::int64_t m, n, k;
  std::int64_t a_row, a_col, b_row, b_col, c_row, c_col;
  std::int64_t lanes;  ///< of all items together
  R* space;            ///< room for m·k + k·n + 1 runs, where operands are copied first; or null
  std::int64_t run;    ///< lanes of one element that are copied at a time: whole vectors
  bool add;
  bool conj_a, conj_b;
};
template <class T>
void multiply_lanes(const LanesCall<typename LaneOf<T>::type>& call) noexcept;

}  // namespace tenferro::internal
