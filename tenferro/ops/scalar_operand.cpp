// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/internal/scalar_operand.hpp"

#include <cmath>
#include <cstring>

namespace tenferro::internal {
namespace {

// Half a step above the largest float: what lies below rounds to a finite one.
constexpr double kFloatRounds = 0x1.ffffffp127;

// True if a finite number stays finite in a float dtype.
bool in_range(double number, DType to) {
  return to != DType::f32 || !std::isfinite(number) || std::abs(number) < kFloatRounds;
}

/// True if nothing but a rounding from float to float, or from a large integer to float, is lost.
bool fits(const Scalar& number, DType to) {
  const DType from = number.dtype();
  if (from == to) return true;
  const auto z = number.to<std::complex<double>>();
  if (is_complex(to)) return in_range(z.real(), real_part(to)) && in_range(z.imag(), real_part(to));
  if (is_complex(from)) return z.imag() == 0.0 && fits(Scalar(z.real()), to);
  if (is_float(to)) return in_range(z.real(), to);
  // Both directions saturate, so a value out of range comes back changed.
  if (is_integer(from) || from == DType::boolean) return number.as(to).as(from) == number;
  const double value = number.to<double>();
  return number.as(to).to<double>() == value && (to != DType::i64 || value < 0x1p63);
}

}  // namespace

Scalar weak_scalar(std::string_view op, const Scalar& number, DType to) {
  if (to == DType::external || !fits(number, to)) {
    raise<OpErrorInfo>(UnsupportedConversion{op, number.dtype(), to});
  }
  return number.as(to);
}

void store_scalar(const Scalar& number, std::byte* to) noexcept {
  visit_dtype(number.dtype(), [&](auto tag) {
    const auto value = number.get<typename decltype(tag)::type>();
    std::memcpy(to, &value, sizeof value);
  });
}

ConstantAttrs constant_of(const Scalar& number) { return {std::make_shared<const Tensor>(Tensor::scalar(number))}; }

}  // namespace tenferro::internal
