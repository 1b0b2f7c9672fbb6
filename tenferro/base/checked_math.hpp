// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Integer arithmetic that reports overflow, and arithmetic that wraps, for extents, strides and integer kernels.
//
// Example:
//     std::int64_t n = 0;
//     CHECK(!mul_overflows(6, 7, &n) && n == 42);
//     CHECK(!add_overflows(6, 7, &n) && n == 13 && !sub_overflows(6, 7, &n) && n == -1);
//     constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
//     CHECK(add_overflows(kMost, 1, &n) && sub_overflows(-2, kMost, &n) && mul_overflows(kMost, 2, &n));
//     CHECK(saturating_mul(kMost, 2) == kMost && saturating_add(kMost, 2) == kMost);
//     constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
//     CHECK(wrapping_add(2147483647, 1) == kLeast && wrapping_sub(kLeast, 1) == 2147483647);
//     CHECK(wrapping_mul(65536, 65536) == 0);

#include <cstdint>
#include <limits>
#include <type_traits>

namespace tenferro {

/// a·b into `out`; true if the product does not fit, `out` then being unspecified.
[[nodiscard]] inline bool mul_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) noexcept {
  return __builtin_mul_overflow(a, b, out);
}

/// a+b into `out`; true if the sum does not fit, `out` then being unspecified.
[[nodiscard]] inline bool add_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) noexcept {
  return __builtin_add_overflow(a, b, out);
}

/// a−b into `out`; true if the difference does not fit, `out` then being unspecified.
[[nodiscard]] inline bool sub_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) noexcept {
  return __builtin_sub_overflow(a, b, out);
}

/// a·b, or the largest value where the product of two non-negative numbers does not fit.
inline std::int64_t saturating_mul(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product = 0;
  return mul_overflows(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

/// a+b, or the end of the range beyond which the sum lies.
inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!add_overflows(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// Two's-complement sum, difference and product: they wrap and are defined for every pair.
template <class T>
constexpr T wrapping_add(T a, T b) noexcept {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <class T>
constexpr T wrapping_sub(T a, T b) noexcept {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}
template <class T>
constexpr T wrapping_mul(T a, T b) noexcept {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}

}  // namespace tenferro
