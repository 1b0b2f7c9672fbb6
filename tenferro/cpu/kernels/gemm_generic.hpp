// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Matrix products by plain loops, for types and sizes that no library takes: integers, extents above an int, and
// everything where BLAS is refused. Any strides. Each element of the result is one sum over k in order.

#include <algorithm>
#include <cstdint>

#include "tenferro/ops/scalar_arithmetic.hpp"
#include "tenferro/tensor/dtype.hpp"

namespace tenferro::internal {

/// conj(x) if asked for and if x is complex.
template <class T>
inline T conjugate_if(bool conj, T x) noexcept {
  if constexpr (is_complex(dtype_of<T>)) {
    return conj ? scalar::conj(x) : x;
  } else {
    return x;
  }
}

/// A matrix with two strides, in elements.
template <class T>
struct StridedMatrix {
  T* data;
  std::int64_t row, col;
  bool conj = false;

  T* at(std::int64_t i, std::int64_t j) const noexcept { return data + i * row + j * col; }
};

/// alpha·sum + beta·old; with beta = 0 the old value is not read, and a factor of 1 is exact.
template <class T>
struct Blend {
  T alpha, beta;

  void operator()(T* target, T sum) const noexcept {
    if (alpha != T(1)) sum = scalar::mul(alpha, sum);
    if (beta == T(1)) {
      sum = scalar::add(sum, *target);
    } else if (beta != T(0)) {
      sum = scalar::add(sum, scalar::mul(beta, *target));
    }
    *target = sum;
  }
};

/// c = alpha·a·b + beta·c.
template <class T>
void gemm_generic(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                  const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend) {
  constexpr std::int64_t kRows = 64, kCols = 8;
  T sums[kCols][kRows];
  T run[kRows];
  for (std::int64_t i0 = 0; i0 < m; i0 += kRows) {
    const std::int64_t rows = std::min(kRows, m - i0);
    for (std::int64_t j0 = 0; j0 < n; j0 += kCols) {
      const std::int64_t cols = std::min(kCols, n - j0);
      for (std::int64_t j = 0; j < cols; ++j) std::fill_n(sums[j], rows, T(0));
      for (std::int64_t p = 0; p < k; ++p) {
        const T* source = a.at(i0, p);
        for (std::int64_t i = 0; i < rows; ++i) run[i] = conjugate_if(a.conj, source[i * a.row]);
        for (std::int64_t j = 0; j < cols; ++j) {
          const T factor = conjugate_if(b.conj, *b.at(p, j0 + j));
          for (std::int64_t i = 0; i < rows; ++i) sums[j][i] = scalar::add(sums[j][i], scalar::mul(run[i], factor));
        }
      }
      for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t i = 0; i < rows; ++i) blend(c.at(i0 + i, j0 + j), sums[j][i]);
      }
    }
  }
}

}  // namespace tenferro::internal
