// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One value of any built-in element type: fill values, alpha and beta, elements of dynamic tensors.
//
// Example:
//     Scalar alpha = 2.5;                                   // f64
//     CHECK(alpha.dtype() == DType::f64 && to_text(alpha) == "2.5");
//     CHECK(alpha.to<std::int32_t>() == 2);                 // explicit, may lose

#include <complex>
#include <cstdint>
#include <string>
#include <variant>

#include "tenferro/tensor/dtype.hpp"

namespace tenferro {

/// A value with its dtype. Implicit from the seven C++ element types, and from nothing else.
///
/// Example:
///     Scalar n = std::int32_t{3};
///     CHECK(n.get<std::int32_t>() == 3 && n.as(DType::c64) == Scalar(std::complex<double>(3, 0)));
///     CHECK(!(n == Scalar(3.0)));                              // the dtype belongs to the value
class Scalar {
 public:
  /// f64 zero.
  Scalar() = default;
  template <Element T>
  Scalar(T value) : value_(value) {}  // NOLINT: implicit by design

  DType dtype() const noexcept { return static_cast<DType>(value_.index()); }

  /// The held value; the held type must be T.
  template <Element T>
  T get() const {
    return *std::get_if<T>(&value_);
  }

  /// The value cast to T by the rules of `cast`: truncating toward zero, saturating, NaN to 0, imaginary part dropped.
  template <Element T>
  T to() const;

  /// The same value in another dtype, by the rules of `cast`.
  Scalar as(DType d) const;

  friend bool operator==(const Scalar&, const Scalar&) = default;

 private:
  // Alternatives in enumerator order, so that the index is the dtype.
  std::variant<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t, bool> value_ = 0.0;
};

/// "2.5", "(1,-2)", "true".
std::string to_text(const Scalar& value);

}  // namespace tenferro
