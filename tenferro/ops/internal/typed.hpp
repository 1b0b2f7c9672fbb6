// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Functions of typed tensors: the element type of the result, from the rules of a catalog row or from the function, and
// the overload that calls the dynamic function and names it.
//
//   TENFERRO_TYPED_ROW(cumsum, (axis, options), std::int64_t axis, ScanOptions options = {})
//   TENFERRO_TYPED(TypedTensor, softmax, (axes), const Axes& axes = -1)

#include <complex>
#include <vector>

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

// Results of functions that are no rows.
template <Element T>
using TypedReal = TypedTensor<typename RealPart<T>::type>;
template <Element T>
using TypedComplex = TypedTensor<typename ComplexPartner<T>::type>;
template <Element>
using TypedBool = TypedTensor<bool>;
template <Element>
using TypedIndex = TypedTensor<std::int64_t>;

template <Element T>
std::vector<TypedTensor<T>> typed_list(std::vector<Tensor> list) {
  std::vector<TypedTensor<T>> typed;
  for (Tensor& t : list) typed.emplace_back(std::move(t));
  return typed;
}

}  // namespace tenferro::internal

// What follows the first operand: nothing, or a comma and the arguments.
#define TENFERRO_TYPED_REST(...) __VA_OPT__(, ) __VA_ARGS__

/// `name` for a typed tensor, with the result type Result<T>. `arguments` are the names, in parentheses, of the
/// parameters after the tensor, which stand last.
#define TENFERRO_TYPED(Result, name, arguments, ...)                         \
  template <ConcreteEmitter E, Element T>                                    \
  Result<T> name(E& e, const TypedTensor<T>& x __VA_OPT__(, ) __VA_ARGS__) { \
    return Result<T>(name(e, TensorRead(x) TENFERRO_TYPED_REST arguments));  \
  }

/// The same for a row of the catalog, whose rule gives the result.
#define TENFERRO_TYPED_ROW(name, arguments, ...)                                                        \
  template <ConcreteEmitter E, Element T>                                                               \
  internal::RowTensor<OpKind::name, T> name(E& e, const TypedTensor<T>& x __VA_OPT__(, ) __VA_ARGS__) { \
    return internal::RowTensor<OpKind::name, T>(name(e, TensorRead(x) TENFERRO_TYPED_REST arguments));  \
  }

/// The same for two typed tensors, which must have one element type.
#define TENFERRO_TYPED_PAIR(Result, name, arguments, ...)                                             \
  template <ConcreteEmitter E, Element T>                                                             \
  Result<T> name(E& e, const TypedTensor<T>& a, const TypedTensor<T>& b __VA_OPT__(, ) __VA_ARGS__) { \
    return Result<T>(name(e, TensorRead(a), TensorRead(b) TENFERRO_TYPED_REST arguments));            \
  }                                                                                                   \
  template <ConcreteEmitter E, Element T, Element U>                                                  \
    requires(!std::same_as<T, U>)                                                                     \
  void name(E& e, const TypedTensor<T>& a, const TypedTensor<U>& b __VA_OPT__(, ) __VA_ARGS__) = delete;
