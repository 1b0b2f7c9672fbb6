// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What products of matrices and vectors have in common: operands with strides, and how a sum meets what was there.
//
//   const Blend<double> blend{2.0, 1.0};
//   blend(c.at(i, j), sum);                                  // c[i, j] = 2·sum + c[i, j]

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

  /// Whether sums stay as they are and replace what was there.
  bool replaces() const noexcept { return alpha == T(1) && beta == T(0); }
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

}  // namespace tenferro::internal
