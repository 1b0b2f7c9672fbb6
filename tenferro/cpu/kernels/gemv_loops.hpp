// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What gemv asks of the vector instructions: sums of the rows of a matrix times a vector, for each way in which the
// matrix can lie. Term p goes to partial sum p mod kGemvLanes, a chain of fused multiply-adds, and the partial sums are
// added by neighbouring pairs; a lone row has kDotLanes of them. Lanes of a call are real numbers, as in
// gemm_tiles.hpp.

#include <cstdint>

#include "tenferro/cpu/kernels/gemm_tiles.hpp"

namespace tenferro::internal {

inline constexpr std::int64_t kGemvLanes = 8, kDotLanes = 32;

/// Bytes of the rows that one call treats at most in long runs, and of a matrix that no cache holds. Neither fixes
/// bits.
inline constexpr std::int64_t kGemvRowBytes = 8192, kFromMemoryBytes = std::int64_t{1} << 24;

/// sums[i] = Σ_p a[i, p]·x[p]. The matrix has unit steps along one axis; `step` is that along the other one.
template <class R>
struct GemvCall {
  const R* a;
  const R* x;
  R* sums;  ///< side by side
  std::int64_t rows, k, step, x_step;
  bool conj_a, conj_x;
};

/// Rows side by side in memory; x may have a step. Long runs: columns are read as far as they go, for matrices that a
/// second cache does not hold, or whose columns drive each other out of the nearest one; at most kGemvRows rows then.
template <class T>
void gemv_columns(const GemvCall<typename LaneOf<T>::type>& call, bool long_runs) noexcept;

/// Terms side by side in memory, in a and in x.
template <class T>
void gemv_by_rows(const GemvCall<typename LaneOf<T>::type>& call) noexcept;

/// One row, terms side by side: a dot product.
template <class T>
void dot_row(const GemvCall<typename LaneOf<T>::type>& call) noexcept;

}  // namespace tenferro::internal
