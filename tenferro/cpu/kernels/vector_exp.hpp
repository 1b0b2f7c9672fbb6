// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The exponential of f64 by vectors: SLEEF's function of two lanes (error below 1 ulp, right at every edge). One
// element is computed as a lane of the same function, so that the bits do not depend on layout.

#include <cstdint>

#if defined(__SSE2__)
#include <sleef.h>
#endif

#include "tenferro/ops/scalar_functions.hpp"

namespace tenferro::internal {

inline double exp_lane(double x) noexcept {
#if defined(__SSE2__)
  return _mm_cvtsd_f64(Sleef_expd2_u10(_mm_set1_pd(x)));
#else
  return scalar::exp(x);
#endif
}

/// out[i] = exp(in[i]) for i < n; the two arrays are the same or disjoint.
inline void exp_lanes(double* out, std::int64_t n, const double* in) noexcept {
  std::int64_t i = 0;
#if defined(__SSE2__)
  for (; i + 2 <= n; i += 2) _mm_storeu_pd(out + i, Sleef_expd2_u10(_mm_loadu_pd(in + i)));
#endif
  for (; i < n; ++i) out[i] = exp_lane(in[i]);
}

/// Formulas of the kernels: those of the catalog, but for the ones that vectors compute.
namespace formulas {
using namespace scalar;  // NOLINT(google-build-using-namespace): the catalog's formulas, one of them replaced

template <class T>
auto exp(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return exp_lane(x);
  } else {
    return scalar::exp(x);
  }
}
}  // namespace formulas

}  // namespace tenferro::internal
