// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Matrix times vector, and dot products. The sum over k runs in kLanes interleaved partial sums per chunk of kChunk
// terms, whichever way the matrix lies, so that a transposed operand gives the same bits as a straight one, and
// rounding grows with k/kChunk + kChunk/kLanes only.

#include <algorithm>
#include <cstdint>

#include "tenferro/cpu/kernels/gemm_generic.hpp"

namespace tenferro::internal {

/// A vector with a stride, in elements.
template <class T>
struct StridedVector {
  T* data;
  std::int64_t step;
  bool conj = false;
};

inline constexpr std::int64_t kGemvLanes = 8;
inline constexpr std::int64_t kGemvChunk = 4096;
/// Rows that one call of gemv_rows treats at most.
inline constexpr std::int64_t kGemvRows = 64;

template <class T>
T add_lanes(const T* lanes, std::int64_t step) noexcept {
  const auto at = [&](std::int64_t lane) { return lanes[lane * step]; };
  return scalar::add(scalar::add(scalar::add(at(0), at(4)), scalar::add(at(2), at(6))),
                     scalar::add(scalar::add(at(1), at(5)), scalar::add(at(3), at(7))));
}

/// Σ_p a[p]·x[p] over at most kGemvChunk terms.
template <class T>
T dot_chunk(std::int64_t k, const StridedVector<const T>& a, const StridedVector<const T>& x) noexcept {
  T lanes[kGemvLanes] = {};
  std::int64_t p = 0;
  const auto term = [&](std::int64_t at, std::int64_t a_step, std::int64_t x_step) {
    return scalar::mul(conjugate_if(a.conj, a.data[at * a_step]), conjugate_if(x.conj, x.data[at * x_step]));
  };
  if (a.step == 1 && x.step == 1) {
    for (; p + kGemvLanes <= k; p += kGemvLanes) {
      for (std::int64_t lane = 0; lane < kGemvLanes; ++lane)
        lanes[lane] = scalar::add(lanes[lane], term(p + lane, 1, 1));
    }
  }
  for (; p < k; ++p) lanes[p % kGemvLanes] = scalar::add(lanes[p % kGemvLanes], term(p, a.step, x.step));
  return add_lanes(lanes, 1);
}

/// sums[i] = Σ_p a[i, p]·x[p] for at most kGemvRows rows and kGemvChunk terms, the rows being the finer axis of a.
template <class T>
void gemv_chunk(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
                T* sums) noexcept {
  T lanes[kGemvLanes * kGemvRows];
  std::fill_n(lanes, kGemvLanes * rows, T(0));
  for (std::int64_t p = 0; p < k; ++p) {
    const T factor = conjugate_if(x.conj, x.data[p * x.step]);
    const T* column = a.data + p * a.col;
    T* lane = lanes + (p % kGemvLanes) * rows;
    if (a.row == 1 && !a.conj) {
      for (std::int64_t i = 0; i < rows; ++i) lane[i] = scalar::add(lane[i], scalar::mul(column[i], factor));
    } else {
      for (std::int64_t i = 0; i < rows; ++i) {
        lane[i] = scalar::add(lane[i], scalar::mul(conjugate_if(a.conj, column[i * a.row]), factor));
      }
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) sums[i] = add_lanes(lanes + i, rows);
}

/// y = alpha·a·x + beta·y for at most kGemvRows rows.
template <class T>
void gemv_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
               const StridedVector<T>& y, Blend<T> blend) noexcept {
  const auto size = [](std::int64_t step) { return step < 0 ? -step : step; };
  const bool by_rows = rows == 1 || size(a.col) < size(a.row);
  T sums[kGemvRows], part[kGemvRows];
  for (std::int64_t p = 0; p < k; p += kGemvChunk) {
    const std::int64_t terms = std::min(kGemvChunk, k - p);
    const StridedVector<const T> factor{x.data + p * x.step, x.step, x.conj};
    if (by_rows) {
      for (std::int64_t i = 0; i < rows; ++i) {
        part[i] = dot_chunk<T>(terms, {a.at(i, p), a.col, a.conj}, factor);
      }
    } else {
      gemv_chunk<T>(rows, terms, {a.at(0, p), a.row, a.col, a.conj}, factor, part);
    }
    for (std::int64_t i = 0; i < rows; ++i) sums[i] = p == 0 ? part[i] : scalar::add(sums[i], part[i]);
  }
  for (std::int64_t i = 0; i < rows; ++i) blend(y.data + i * y.step, sums[i]);
}

}  // namespace tenferro::internal
