// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The explicit, possibly losing conversion of one element.
//
// Example:
//     CHECK(cast_value<std::int32_t>(-2.9) == -2 && cast_value<std::int32_t>(1e300) == 2147483647);
//     CHECK(cast_value<double>(std::complex<double>(1.5, 7)) == 1.5);

#include <cmath>
#include <limits>

#include "tenferro/tensor/dtype.hpp"

namespace tenferro {

/// `from` as To: float to integer truncates toward zero, saturates at both ends and takes NaN to 0; integers wrap into
/// narrower ones; complex to real drops the imaginary part; anything to bool is "not zero" (NaN is true).
template <Element To, Element From>
inline To cast_value(From from) noexcept {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From{};
  } else if constexpr (is_complex(dtype_of<From>)) {
    if constexpr (is_complex(dtype_of<To>)) {
      using Part = typename To::value_type;
      return {static_cast<Part>(from.real()), static_cast<Part>(from.imag())};
    } else {
      return cast_value<To>(from.real());
    }
  } else if constexpr (is_complex(dtype_of<To>)) {
    return {cast_value<typename To::value_type>(from), 0};
  } else if constexpr (is_integer(dtype_of<To>) && is_float(dtype_of<From>)) {
    constexpr From kEnd = -static_cast<From>(std::numeric_limits<To>::min());  // first value above the range, exact
    if (!(from >= -kEnd)) return std::isnan(from) ? To{0} : std::numeric_limits<To>::min();
    return from >= kEnd ? std::numeric_limits<To>::max() : static_cast<To>(from);
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace tenferro
