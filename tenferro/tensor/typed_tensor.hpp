// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tensors whose element type is known at compile time. A TypedTensor<T> holds a Tensor and gives it back for free.
//
// Example:
//     TypedTensor<double> a = TypedTensor<double>::matrix({{1, 2}, {3, 4}});
//     CHECK(a(1, 0) == 3);
//     for (double& v : a.mutable_view({all, 1})) v *= 10;      // column 1
//     CHECK(a(0, 1) == 20 && a(0, 0) == 1);
//     const Tensor& dynamic = a;
//     CHECK(dynamic.dtype() == DType::f64);

#include <concepts>
#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro {

/// Owner of a compact column-major block of T.
///
/// Example:
///     using Matrix = TypedTensor<double>;
///     CHECK(Matrix::zeros({2, 3}).count() == 6 && Matrix::ones(2, 3)(1, 2) == 1 && Matrix::eye(2)(0, 1) == 0);
///     CHECK(Matrix::vector({1, 2, 3}).extent(0) == 3 && Matrix::cube({{{1, 2}}, {{3, 4}}})(1, 0, 1) == 4);
///     CHECK(Matrix::full({2, 2}, 5)(1, 1) == 5 && Matrix::scalar(2).rank() == 0);
///     CHECK(Matrix::from_col_major({2, 2}, {1, 2, 3, 4})(1, 0) == 2);
///     CHECK(Matrix::from_row_major({2, 2}, {1, 2, 3, 4})(1, 0) == 3);
///     CHECK(Matrix::wrap({2, 2}, std::vector<double>{1, 2, 3, 4})(0, 1) == 3);
template <Element T>
class TypedTensor {
 public:
  using value_type = T;

  /// Shape [0].
  TypedTensor() noexcept : tensor_(nothing()) {}
  /// Throws TensorError (DTypeMismatch) unless the tensor holds T; the tensor is then untouched.
  explicit TypedTensor(Tensor&& tensor) {
    (void)tensor.data<T>();
    tensor_ = std::move(tensor);
  }

  /// The makers of Tensor, with the element type given by the class.
  static TypedTensor zeros(Shape shape) { return TypedTensor(Tensor::zeros(dtype_of<T>, std::move(shape))); }
  static TypedTensor ones(Shape shape) { return TypedTensor(Tensor::ones(dtype_of<T>, std::move(shape))); }
  template <std::integral... Extents>
  static TypedTensor zeros(Extents... extents) {
    return TypedTensor(Tensor::zeros<T>(extents...));
  }
  template <std::integral... Extents>
  static TypedTensor ones(Extents... extents) {
    return TypedTensor(Tensor::ones<T>(extents...));
  }
  static TypedTensor eye(std::int64_t n, std::int64_t m = -1) { return TypedTensor(Tensor::eye(dtype_of<T>, n, m)); }
  static TypedTensor vector(std::initializer_list<T> values) { return TypedTensor(Tensor::vector<T>(values)); }
  static TypedTensor matrix(std::initializer_list<std::initializer_list<T>> rows) {
    return TypedTensor(Tensor::matrix<T>(rows));
  }
  static TypedTensor cube(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes) {
    return TypedTensor(Tensor::cube<T>(planes));
  }
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

  /// Takes over compact column-major memory; see Tensor::wrap.
  static TypedTensor wrap(Shape shape, T* data, std::function<void(T*)> deleter) {
    return TypedTensor(Tensor::wrap(dtype_of<T>, std::move(shape), data, [run = std::move(deleter)](void* memory) {
      if (run) run(static_cast<T*>(memory));
    }));
  }
  static TypedTensor wrap(Shape shape, std::vector<T>&& values)
    requires(!std::is_same_v<T, bool>)
  {
    return TypedTensor(Tensor::wrap<T>(std::move(shape), std::move(values)));
  }

  /// The methods of Tensor, with the type kept.
  ///
  /// Example:
  ///     auto a = TypedTensor<int>::from_col_major({2, 3}, {1, 2, 3, 4, 5, 6});
  ///     CHECK(a.shape() == Shape{2, 3} && a.rank() == 2 && a.extent(1) == 3 && a.count() == 6 && a.data()[2] == 3);
  ///     int sum = 0;
  ///     for (int v : a) sum += v;
  ///     CHECK(sum == 21 && a.end() - a.begin() == 6);
  ///     TypedTensor<int> b = a.duplicate().reshaped({3, 2});
  ///     CHECK(b(0, 1) == 4 && a.view({1, all})(2) == 6);
  ///     CHECK(b.dynamic().dtype() == DType::i32);
  ///     Tensor t = std::move(b).release();                       // as a dynamic tensor; b is empty now
  ///     CHECK(t.count() == 6 && b.count() == 0);
  ///     TypedTensor<int> again = typed<int>(std::move(t));
  ///     CHECK(again(2, 1) == 6);
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
  /// The same block under another shape; see Tensor::reshaped.
  TypedTensor reshaped(Shape shape) && { return TypedTensor(std::move(tensor_).reshaped(std::move(shape))); }
  TypedView<const T> view() const { return TypedView<const T>(tensor_.view()); }
  TypedView<T> mutable_view() { return TypedView<T>(tensor_.mutable_view()); }
  TypedView<const T> view(std::initializer_list<Index> indices) const { return view().view(indices); }
  TypedView<T> mutable_view(std::initializer_list<Index> indices) { return mutable_view().view(indices); }

  const Tensor& dynamic() const noexcept { return tensor_; }
  /// The tensor itself, leaving this empty.
  Tensor release() && { return std::exchange(tensor_, nothing()); }

  operator const Tensor&() const noexcept { return tensor_; }
  operator TensorRead() const noexcept { return tensor_; }
  operator TensorWrite() noexcept { return tensor_; }

 private:
  static Tensor nothing() noexcept { return Tensor::adopt_unchecked(dtype_of<T>, Shape{0}, 0, Buffer(), {}); }

  Tensor tensor_;
};

template <class T>
TypedTensor<std::remove_const_t<T>> TypedView<T>::copy() const {
  return TypedTensor<value_type>(view_.copy());
}

/// The tensor with its element type fixed; throws TensorError (DTypeMismatch) if it holds another.
template <Element T>
TypedTensor<T> typed(Tensor&& tensor) {
  return TypedTensor<T>(std::move(tensor));
}

}  // namespace tenferro
