// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Rows that give or take bools: comparisons, classification, logic and selection. Comparisons with NaN are false,
// `ne` is true. A complex number is infinite or NaN if a part is, and finite if both are.
//
// Example:
//     CHECK(!scalar::lt(1.0, std::nan("")) && scalar::ne(std::nan(""), std::nan("")));
//     CHECK(!scalar::is_finite(std::complex<double>(0, INFINITY)));

#include <cmath>
#include <limits>

#include "tenferro/ops/scalar_types.hpp"

namespace tenferro::scalar {

/// x equals y; for complex numbers in both parts.
template <AnyScalar T>
TENFERRO_HD constexpr bool eq(T x, T y) {
  return x == y;
}

/// Not `eq`.
template <AnyScalar T>
TENFERRO_HD constexpr bool ne(T x, T y) {
  return x != y;
}

/// The four orderings.
template <RealScalar T>
TENFERRO_HD constexpr bool lt(T x, T y) {
  return x < y;
}
template <RealScalar T>
TENFERRO_HD constexpr bool le(T x, T y) {
  return x <= y;
}
template <RealScalar T>
TENFERRO_HD constexpr bool gt(T x, T y) {
  return x > y;
}
template <RealScalar T>
TENFERRO_HD constexpr bool ge(T x, T y) {
  return x >= y;
}

/// x is NaN.
template <FloatScalar T>
TENFERRO_HD constexpr bool is_nan(T x) {
  return x != x;
}
template <ComplexScalar T>
TENFERRO_HD constexpr bool is_nan(T z) {
  return is_nan(z.real()) || is_nan(z.imag());
}

/// x is +∞ or −∞.
template <FloatScalar T>
TENFERRO_HD inline bool is_inf(T x) {
  return std::fabs(x) == std::numeric_limits<T>::infinity();
}
template <ComplexScalar T>
TENFERRO_HD inline bool is_inf(T z) {
  return is_inf(z.real()) || is_inf(z.imag());
}

/// x is neither infinite nor NaN.
template <FloatScalar T>
TENFERRO_HD inline bool is_finite(T x) {
  return std::fabs(x) <= std::numeric_limits<T>::max();
}
template <ComplexScalar T>
TENFERRO_HD inline bool is_finite(T z) {
  return is_finite(z.real()) && is_finite(z.imag());
}

/// Logic on bools; numbers do not convert.
template <std::same_as<bool> T>
TENFERRO_HD constexpr bool logical_not(T x) {
  return !x;
}
template <std::same_as<bool> T>
TENFERRO_HD constexpr bool logical_and(T x, T y) {
  return x && y;
}
template <std::same_as<bool> T>
TENFERRO_HD constexpr bool logical_or(T x, T y) {
  return x || y;
}
template <std::same_as<bool> T>
TENFERRO_HD constexpr bool logical_xor(T x, T y) {
  return x != y;
}

/// `on_true` where the condition holds, else `on_false`.
template <AnyScalar T>
TENFERRO_HD constexpr T select(bool condition, T on_true, T on_false) {
  return condition ? on_true : on_false;
}

}  // namespace tenferro::scalar
