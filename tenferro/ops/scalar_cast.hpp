// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// `cast<To>(x)` between any two of the seven dtypes, under the name of its row.
//
// Example:
//     CHECK(scalar::cast<std::int32_t>(3e10) == 2147483647 && scalar::cast<bool>(std::nan("")));
//     CHECK(scalar::cast<float>(std::complex<double>(1.5, 2.0)) == 1.5F);

#include "tenferro/ops/scalar_types.hpp"
#include "tenferro/tensor/cast.hpp"

namespace tenferro::scalar {

/// x as a To, by the rules of `cast_value`.
template <AnyScalar To, AnyScalar From>
inline To cast(From x) {
  return cast_value<To>(x);
}

}  // namespace tenferro::scalar
