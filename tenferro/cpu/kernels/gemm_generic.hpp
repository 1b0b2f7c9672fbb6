// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Matrix products by plain loops, for types and sizes that no library takes: integers, extents above an int, and
// everything where BLAS is refused. Any strides. Each element of the result is one sum over k in order.

#include <complex>
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
                  const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend);

#define TENFERRO_GEMM(declare, T)                                                                                \
  declare template void gemm_generic<T>(std::int64_t, std::int64_t, std::int64_t, const StridedMatrix<const T>&, \
                                        const StridedMatrix<const T>&, const StridedMatrix<T>&, Blend<T>);
TENFERRO_GEMM(extern, float)
TENFERRO_GEMM(extern, double)
TENFERRO_GEMM(extern, std::complex<float>)
TENFERRO_GEMM(extern, std::complex<double>)
TENFERRO_GEMM(extern, std::int32_t)
TENFERRO_GEMM(extern, std::int64_t)

}  // namespace tenferro::internal
