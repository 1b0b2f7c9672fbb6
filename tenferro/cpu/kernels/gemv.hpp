// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Matrix times vector, and dot products. The sum over k runs in interleaved partial sums per chunk of kGemvChunk<T>
// terms (gemv_loops.hpp), whichever way the matrix lies, so that a transposed operand gives the same bits as a straight
// one, and rounding grows with k/kGemvChunk + kGemvChunk/kGemvLanes only.

#include <cstdint>

#include "tenferro/cpu/kernels/gemm_types.hpp"
#include "tenferro/cpu/kernels/gemv_loops.hpp"

namespace tenferro::internal {

/// A vector with a stride, in elements.
template <class T>
struct StridedVector {
  T* data;
  std::int64_t step;
  bool conj = false;
};

/// Terms of a chunk: 16 KiB of them. Fixes bits.
template <class T>
inline constexpr std::int64_t kGemvChunk = 16384 / static_cast<std::int64_t>(sizeof(T));
/// Rows that one call of gemv_rows treats at most: what keeps its partial sums in the nearest cache.
template <class T>
inline constexpr std::int64_t kGemvRows =
    kGemvRowBytes / static_cast<std::int64_t>(sizeof(T)) / (is_complex(dtype_of<T>) ? 2 : 1);

/// Σ_p a[p]·x[p] over at most kGemvChunk<T> terms.
template <class T>
T dot_chunk(std::int64_t k, const StridedVector<const T>& a, const StridedVector<const T>& x) noexcept;

/// y = alpha·a·x + beta·y for at most kGemvRows<T> rows and k ≥ 1. `dot` says that the product has one row, whose sum
/// has partial sums of its own; a row of a product that has more is summed like the others, however they are cut.
template <class T>
void gemv_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
               const StridedVector<T>& y, Blend<T> blend, bool dot) noexcept;

#define TENFERRO_GEMV(declare, T)                                                               \
  declare template T dot_chunk<T>(std::int64_t, const StridedVector<const T>&,                  \
                                  const StridedVector<const T>&) noexcept;                      \
  declare template void gemv_rows<T>(std::int64_t, std::int64_t, const StridedMatrix<const T>&, \
                                     const StridedVector<const T>&, const StridedVector<T>&, Blend<T>, bool) noexcept;
TENFERRO_GEMV(extern, float)
TENFERRO_GEMV(extern, double)
TENFERRO_GEMV(extern, std::complex<float>)
TENFERRO_GEMV(extern, std::complex<double>)
TENFERRO_GEMV(extern, std::int32_t)
TENFERRO_GEMV(extern, std::int64_t)

}  // namespace tenferro::internal
