// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/arithmetic.hpp"

namespace tenferro::internal {

DType closeness_dtype(DType a, DType b) noexcept {
  const DType common = promote(a, b);
  return is_float(common) || is_complex(common) ? common : DType::f64;
}

Op copy_op(DType to) { return {OpKind::convert, ConvertAttrs{to, true}}; }

void require_same_dtypes(std::string_view op, DType expected, const Scalar& alpha, DType x, const Scalar& beta) {
  if (x != expected) raise<OpErrorInfo>(DTypeMismatch{op, 0, expected, x});
  for (const Scalar* scalar : {&alpha, &beta}) {
    if (scalar->dtype() != expected) raise<OpErrorInfo>(DTypeMismatch{op, -1, expected, scalar->dtype()});
  }
}

bool is_zero(const Scalar& value) noexcept { return value.to<std::complex<double>>() == std::complex<double>(0.0); }

}  // namespace tenferro::internal
