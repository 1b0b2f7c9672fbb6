// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tensors whose element type is known at compile time. A TypedTensor<T> holds a Tensor and gives it back for free.
//
//   TypedTensor<double> a = TypedTensor<double>::from_row_major({2, 2}, {1, 2, 3, 4});
//   a(1, 0);                       // 3
//   const Tensor& dynamic = a;

#include <initializer_list>
#include <span>
#include <utility>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro {

/// Owner of a compact column-major block of T.
template <Element T>
class TypedTensor {
 public:
  using value_type = T;

  /// Shape [0].
  TypedTensor() : tensor_(Tensor::zeros(dtype_of<T>, {0})) {}
  /// Throws TensorError (DTypeMismatch) unless the tensor holds T; the tensor is then untouched.
  explicit TypedTensor(Tensor&& tensor) {
    (void)tensor.data<T>();
    tensor_ = std::move(tensor);
  }

  static TypedTensor zeros(Shape shape) { return TypedTensor(Tensor::zeros(dtype_of<T>, std::move(shape))); }
  static TypedTensor ones(Shape shape) { return TypedTensor(Tensor::ones(dtype_of<T>, std::move(shape))); }
  static TypedTensor full(Shape shape, T value) { return TypedTensor(Tensor::full(std::move(shape), value)); }
  static TypedTensor scalar(T value) { return TypedTensor(Tensor::scalar(value)); }
  static TypedTensor from_col_major(Shape shape, std::span<const T> values) {
    return TypedTensor(Tensor::from_col_major<T>(std::move(shape), values));
  }
  static TypedTensor from_col_major(Shape shape, std::initializer_list<T> values) {
    return TypedTensor(Tensor::from_col_major<T>(std::move(shape), values));
  }
  static TypedTensor from_row_major(Shape shape, std::span<const T> values) {
    return TypedTensor(Tensor::from_row_major<T>(std::move(shape), values));
  }
  static TypedTensor from_row_major(Shape shape, std::initializer_list<T> values) {
    return TypedTensor(Tensor::from_row_major<T>(std::move(shape), values));
  }

  const Shape& shape() const noexcept { return tensor_.shape(); }
  std::size_t rank() const noexcept { return tensor_.rank(); }
  std::int64_t extent(std::int64_t axis) const { return tensor_.extent(axis); }
  std::int64_t count() const noexcept { return tensor_.count(); }

  /// The elements in column-major order.
  std::span<T> data() { return tensor_.data<T>(); }
  std::span<const T> data() const { return tensor_.data<T>(); }
  auto begin() { return data().begin(); }
  auto end() { return data().end(); }
  auto begin() const { return data().begin(); }
  auto end() const { return data().end(); }

  /// One element, bounds checked; negative indices count from the end.
  template <std::integral... I>
  T& operator()(I... indices) {
    return tensor_.at<T>({static_cast<std::int64_t>(indices)...});
  }
  template <std::integral... I>
  const T& operator()(I... indices) const {
    return tensor_.at<T>({static_cast<std::int64_t>(indices)...});
  }

  TypedTensor duplicate() const { return TypedTensor(tensor_.duplicate()); }
  TensorView view() const { return tensor_.view(); }
  MutableTensorView mutable_view() { return tensor_.mutable_view(); }
  TensorView view(std::initializer_list<Index> indices) const { return tensor_.view(indices); }
  MutableTensorView mutable_view(std::initializer_list<Index> indices) { return tensor_.mutable_view(indices); }

  const Tensor& dynamic() const noexcept { return tensor_; }
  /// The tensor itself, leaving this empty.
  Tensor release() && { return std::exchange(tensor_, Tensor::zeros(dtype_of<T>, {0})); }

  operator const Tensor&() const noexcept { return tensor_; }
  operator TensorRead() const noexcept { return tensor_; }
  operator TensorWrite() noexcept { return tensor_; }

 private:
  Tensor tensor_;
};

/// The tensor with its element type fixed; throws TensorError (DTypeMismatch) if it holds another.
template <Element T>
TypedTensor<T> typed(Tensor&& tensor) {
  return TypedTensor<T>(std::move(tensor));
}

}  // namespace tenferro
