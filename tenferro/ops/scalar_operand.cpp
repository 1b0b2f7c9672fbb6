// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/internal/scalar_operand.hpp"

#include <cstring>

namespace tenferro::internal {
namespace {

/// True if nothing but a rounding from float to float, or from a large integer to float, is lost.
bool fits(const Scalar& number, DType to) {
  const DType from = number.dtype();
  if (from == to || to == DType::c32 || to == DType::c64) return true;
  if (is_complex(from)) {
    const auto z = number.to<std::complex<double>>();
    return z.imag() == 0.0 && fits(Scalar(z.real()), to);
  }
  if (is_float(to)) return true;
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
