// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Scaling, closeness, and updates in place.
//
// Example (session):
//     Tensor x = Tensor::ones(DType::f64, {3}), y = Tensor::ones(DType::f64, {3});
//     axpby(session, 2.0, x, 1.0, y);                          // y = 2·x + y
//     CHECK(allclose(session, y, scale_real(session, x, 3.0)).at<bool>({}));
//
// Throws OpError.

#include <complex>

#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro {

namespace internal {
/// The dtype in which two operands are compared: that of their promotion, f64 if that is no float.
DType closeness_dtype(DType a, DType b) noexcept;
Op copy_op(DType to);
/// Both numbers and x (operand 0) have the dtype of the output. Throws OpError (DTypeMismatch).
void require_same_dtypes(std::string_view op, DType expected, const Scalar& alpha, DType x, const Scalar& beta);
bool is_zero(const Scalar& value) noexcept;
}  // namespace internal

/// r·x in the dtype of x, which the number must fit.
template <Emitter E>
Value<E> scale_real(E& e, Arg<E> x, double r) {
  return mul(e, x, r);
}
TENFERRO_TYPED(TypedTensor, scale_real, (r), double r)
/// z·x in the complex partner of the dtype of x.
///
/// Example (session):
///     Tensor z = scale_complex(session, Tensor::vector({1., 2.}), {0, 3});
///     CHECK(z.at<std::complex<double>>({1}) == std::complex<double>(0, 6));
template <Emitter E>
Value<E> scale_complex(E& e, Arg<E> x, std::complex<double> z) {
  internal::require_dtype("scale_complex", e.meta(x).dtype, DTypeRule::inx);
  internal::ReadyOperands<E, 1> ready(e, {x});
  ready.convert(0, complex_partner(e.meta(x).dtype));
  return mul(e, ready.operands()[0], z);
}
TENFERRO_TYPED(internal::TypedComplex, scale_complex, (z), std::complex<double> z)

/// |a − b| ≤ absolute + relative·|b|; equal infinities are close, NaN only to NaN and only if equal_nan.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-8;
  bool equal_nan = false;
};

/// Element by element, after promotion and stretching; integers compare as f64.
///
/// Example (session):
///     Tensor a = Tensor::vector({1., 2.}), b = Tensor::vector({1.001, 2.1});
///     Tensor close = isclose(session, a, b, Tolerance{.relative = 0.01});
///     CHECK(close.at<bool>({0}) && !close.at<bool>({1}));
template <Emitter E>
Value<E> isclose(E& e, Arg<E> a, Arg<E> b, Tolerance tolerance = {}) {
  internal::ReadyOperands<E, 2> ready(e, {a, b});
  const DType dtype = internal::closeness_dtype(e.meta(a).dtype, e.meta(b).dtype);
  ready.convert(0, dtype);
  ready.convert(1, dtype);
  const auto &x = ready.operands()[0], &y = ready.operands()[1];
  const Value<E> allowed = add(e, mul(e, abs(e, y), tolerance.relative), tolerance.absolute);
  const Value<E> near = logical_and(e, is_finite(e, y), le(e, abs(e, sub(e, x, y)), allowed));
  Value<E> close = logical_or(e, near, eq(e, x, y));
  if (!tolerance.equal_nan) return close;
  return logical_or(e, close, logical_and(e, is_nan(e, x), is_nan(e, y)));
}
TENFERRO_TYPED_PAIR(internal::TypedBool, isclose, (tolerance), Tolerance tolerance = {})
/// True (rank 0) if all elements are close.
template <Emitter E>
Value<E> allclose(E& e, Arg<E> a, Arg<E> b, Tolerance tolerance = {}) {
  return reduce_all(e, isclose(e, a, b, tolerance));
}
TENFERRO_TYPED_PAIR(internal::TypedBool, allclose, (tolerance), Tolerance tolerance = {})

/// The elements of x, stretched and converted along the lattice, into the caller's tensor or view.
///
/// Example (session):
///     Tensor y = Tensor::zeros<double>(2, 3);
///     copy_into(session, y, Tensor::vector({1, 2, 3}));        // i32 to f64, one row to both
///     CHECK(y.at<double>({1, 2}) == 3);
template <IntoEmitter E>
void copy_into(E& e, std::type_identity_t<const TensorWrite&> out, Arg<E> x) {
  internal::ReadyOperands<E, 1> ready(e, {x});
  on_behalf_of("copy_into", [&] {
    ready.stretch(0, out.shape());
    e.bind_into(internal::copy_op(out.dtype), ready.operands(), std::span(&out, 1));
  });
}

/// y = alpha·x + beta·y. alpha, beta and x have the dtype of y, exactly, and x stretches to the shape of y; with
/// beta = 0 the old content of y is never read. x may be y itself, but not overlap it otherwise.
template <IntoEmitter E>
void axpby(E& e, const Scalar& alpha, Arg<E> x, const Scalar& beta, std::type_identity_t<const TensorWrite&> y) {
  internal::require_same_dtypes("axpby", y.dtype, alpha, x.dtype, beta);
  if (internal::is_zero(beta)) {
    internal::ReadyOperands<E, 1> ready(e, {x});
    ready.stretch(0, y.shape());
    mul_into(e, y, ready.operands()[0], alpha);
  } else if (const Tensor scaled = mul(e, y.read(), beta); admitted(DTypeRule::inx).contains(y.dtype)) {
    const internal::ScalarOperand<E> number(e, alpha);
    fma_into(e, y, x, number.operand(), scaled);
  } else {
    add_into(e, y, mul(e, x, alpha), scaled);
  }
}

}  // namespace tenferro
