// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemm_generic.hpp"

#include <algorithm>

namespace tenferro::internal {

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

#define TENFERRO_NOTHING
TENFERRO_GEMM(TENFERRO_NOTHING, float)
TENFERRO_GEMM(TENFERRO_NOTHING, double)
TENFERRO_GEMM(TENFERRO_NOTHING, std::complex<float>)
TENFERRO_GEMM(TENFERRO_NOTHING, std::complex<double>)
TENFERRO_GEMM(TENFERRO_NOTHING, std::int32_t)
TENFERRO_GEMM(TENFERRO_NOTHING, std::int64_t)

}  // namespace tenferro::internal
