// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element types of typed results, from the rules of a catalog row.

#include <complex>

#include "tenferro/ops/op_kind.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro::internal {

template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<std::complex<T>> {
  using type = T;
};
template <class T>
struct ComplexPartner {
  using type = T;
};
template <>
struct ComplexPartner<float> {
  using type = std::complex<float>;
};
template <>
struct ComplexPartner<double> {
  using type = std::complex<double>;
};

template <ResultRule rule, class T>
struct RuledElement;
template <class T>
struct RuledElement<ResultRule::same, T> {
  using type = T;
};
template <class T>
struct RuledElement<ResultRule::real_part, T> : RealPart<T> {};
template <class T>
struct RuledElement<ResultRule::complex_partner, T> : ComplexPartner<T> {};
template <class T>
struct RuledElement<ResultRule::boolean, T> {
  using type = bool;
};
template <class T>
struct RuledElement<ResultRule::index, T> {
  using type = std::int64_t;
};

/// The element type of the result of a row for operands of T; the row must admit T.
template <OpKind kind, Element T>
struct RowResult : RuledElement<info(kind).result, T> {
  static_assert(admitted(info(kind).dtypes).contains(dtype_of<T>), "the operation does not take this element type");
};

/// The typed result of a row.
template <OpKind kind, Element T>
using RowTensor = TypedTensor<typename RowResult<kind, T>::type>;

}  // namespace tenferro::internal
