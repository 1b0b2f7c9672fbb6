// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Views whose element type is known at compile time. As with std::span, TypedView<const double> reads and
// TypedView<double> writes.
//
// Example:
//     std::vector<double> memory{0, 1, 2, 3, 4, 5};
//     auto a = TypedView<double>::row_major(memory, {2, 3});   // memory the caller keeps
//     a(1, 0) = 30;
//     CHECK(memory[3] == 30);
//     double sum = 0;
//     for (double v : a.view({all, 0})) sum += v;              // column 0
//     CHECK(sum == 30);

#include <compare>
#include <concepts>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "tenferro/tensor/strided_iterator.hpp"
#include "tenferro/tensor/view.hpp"

namespace tenferro {

template <Element T>
class TypedTensor;

/// Borrowed elements of type T, const for reading, with a shape and signed strides. Must not outlive the memory.
/// Two writable views never come from one const view; a writable view shares no element between two of its indices.
template <class T>
class TypedView {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  using Dynamic = internal::BasicView<Byte>;
  using iterator = StridedIterator<T>;
  static_assert(Element<value_type>);

  /// Shape [0].
  TypedView() : view_(Dynamic::trusted(nullptr, dtype_of<value_type>, {{0}, {1}, 0}, {})) {}
  /// The same view with its type fixed; throws TensorError (DTypeMismatch, PlacementMismatch).
  explicit TypedView(Dynamic view) : view_(std::move(view)) { view_.require(dtype_of<value_type>); }
  TypedView(const TypedView<value_type>& other)  // NOLINT: implicit by design
    requires std::is_const_v<T>
      : view_(other.dynamic()) {}

  /// Compact column-major elements (first index fastest) in memory the caller keeps. Throws TensorError
  /// (ViewOutOfBounds) if the span is too short.
  ///
  /// Example:
  ///     std::vector<double> memory{0, 1, 2, 3, 4, 5};
  ///     CHECK(TypedView<double>::col_major(memory, {2, 3})(1, 0) == 1);
  ///     CHECK(TypedView<double>::row_major(memory, {2, 3})(1, 0) == 3);
  ///     auto backwards = TypedView<const double>::strided(memory, {{3}, {-2}, 5});
  ///     CHECK(backwards(0) == 5 && backwards(2) == 1);
  static TypedView col_major(std::span<T> data, Shape shape) {
    checked_element_count("col_major", shape, sizeof(T));
    return strided(data, compact_layout(std::move(shape)));
  }
  /// Compact row-major elements (last index fastest, as C writes them).
  static TypedView row_major(std::span<T> data, Shape shape) {
    checked_element_count("row_major", shape, sizeof(T));
    Dims strides = row_major_strides(shape);
    return strided(data, {std::move(shape), std::move(strides), 0});
  }
  /// Any layout inside the span: strides and offset count elements and may be negative or, for reading, zero. Throws
  /// TensorError (ViewOutOfBounds, OverlappingStorage).
  static TypedView strided(std::span<T> data, Layout layout) {
    return TypedView(Dynamic(reinterpret_cast<Byte*>(data.data()), static_cast<std::int64_t>(data.size()),
                             dtype_of<value_type>, std::move(layout)));
  }

  /// As for TensorView.
  ///
  /// Example:
  ///     TypedTensor<double> a = TypedTensor<double>::matrix({{1, 2, 3}, {4, 5, 6}});
  ///     TypedView<double> v = a.mutable_view({all, range(0, 3, 2)});
  ///     CHECK(v.shape() == Shape{2, 2} && v.strides() == Dims{1, 4} && v.rank() == 2 && v.extent(1) == 2);
  ///     CHECK(v.count() == 4);
  ///     CHECK(v(1, 1) == 6 && v.at({0, -1}) == 3 && v.data() == a.data().data() && v.dynamic().dtype() == DType::f64);
  ///     CHECK(std::distance(v.begin(), v.end()) == 4 && v.begin()[2] == 3);
  const Shape& shape() const noexcept { return view_.shape(); }
  const Dims& strides() const noexcept { return view_.strides(); }
  std::size_t rank() const noexcept { return view_.rank(); }
  std::int64_t extent(std::int64_t axis) const { return view_.extent(axis); }
  std::int64_t count() const noexcept { return view_.count(); }
  /// Address of the element with all indices zero.
  T* data() const noexcept { return reinterpret_cast<T*>(view_.data()); }

  /// Elements in column-major order, whatever the strides. An iterator refers to its view, so a temporary has none.
  iterator begin() const& { return {data(), shape(), strides().data(), 0}; }
  iterator end() const& { return {data(), shape(), strides().data(), count()}; }
  iterator begin() const&& = delete;
  iterator end() const&& = delete;

  /// One element, bounds checked; negative indices count from the end. Throws TensorError (RankMismatch,
  /// IndexOutOfBounds).
  template <std::integral... I>
  T& operator()(I... indices) const {
    return at({static_cast<std::int64_t>(indices)...});
  }
  T& at(std::initializer_list<std::int64_t> indices) const {
    return data()[internal::element_offset(shape(), strides().data(), std::span(indices.begin(), indices.size()))];
  }

  /// The methods of TensorView, with the type kept.
  ///
  /// Example:
  ///     TypedTensor<double> a = TypedTensor<double>::matrix({{1, 2, 3}, {4, 5, 6}});
  ///     TypedView<const double> v = a.view();
  ///     CHECK(v.view({1, all})(2) == 6 && v.permuted({1, 0})(2, 1) == 6 && v.reversed({0})(0, 0) == 4);
  ///     CHECK(v.diagonal(1)(1) == 6 && v.reshaped_view({3, 2})(0, 1) == 5 && v.broadcast_to({4, 2, 3})(3, 1, 0) == 4);
  ///     TypedTensor<double> b = v.view({0, all}).copy();
  ///     a.mutable_view({0, all}).fill(0);
  ///     a.mutable_view({1, all}).assign(b);
  ///     CHECK(a(0, 2) == 0 && a(1, 2) == 3);
  TypedView view(std::initializer_list<Index> indices) const { return TypedView(view_.view(indices), kTrusted); }
  TypedView view(std::span<const Index> indices) const { return TypedView(view_.view(indices), kTrusted); }
  TypedView permuted(std::initializer_list<std::int64_t> axes) const {
    return TypedView(view_.permuted(axes), kTrusted);
  }
  TypedView permuted(AxesView axes) const { return TypedView(view_.permuted(axes), kTrusted); }
  TypedView reversed(std::initializer_list<std::int64_t> axes) const {
    return TypedView(view_.reversed(axes), kTrusted);
  }
  TypedView reversed(AxesView axes) const { return TypedView(view_.reversed(axes), kTrusted); }
  TypedView diagonal(std::int64_t shift = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) const {
    return TypedView(view_.diagonal(shift, axis1, axis2), kTrusted);
  }
  TypedView reshaped_view(DimsView shape) const { return TypedView(view_.reshaped_view(shape), kTrusted); }
  TypedView reshaped_view(std::initializer_list<std::int64_t> shape) const {
    return TypedView(view_.reshaped_view(shape), kTrusted);
  }
  TypedView<const value_type> broadcast_to(DimsView shape) const {
    return TypedView<const value_type>(view_.broadcast_to(shape));
  }
  TypedView<const value_type> broadcast_to(std::initializer_list<std::int64_t> shape) const {
    return TypedView<const value_type>(view_.broadcast_to(shape));
  }
  /// Every element set to `value`.
  void fill(T value) const
    requires(!std::is_const_v<T>)
  {
    view_.fill(value);
  }
  /// Every element overwritten by that of `source` with the same indices; see copy_elements.
  void assign(TensorRead source) const
    requires(!std::is_const_v<T>)
  {
    view_.assign(source);
  }
  /// A compact tensor of its own with the same elements.
  TypedTensor<value_type> copy() const;

  const Dynamic& dynamic() const noexcept { return view_; }
  operator TensorView() const { return view_; }
  operator MutableTensorView() const
    requires(!std::is_const_v<T>)
  {
    return view_;
  }
  operator TensorRead() const noexcept { return view_; }
  operator TensorWrite() const noexcept
    requires(!std::is_const_v<T>)
  {
    return view_;
  }

 private:
  struct Trusted {};
  static constexpr Trusted kTrusted{};
  TypedView(Dynamic view, Trusted) : view_(std::move(view)) {}

  Dynamic view_;
};

namespace internal {

template <class Byte>
template <Element T>
auto BasicView<Byte>::as() const -> TypedView<std::conditional_t<std::is_const_v<Byte>, const T, T>> {
  return TypedView<std::conditional_t<std::is_const_v<Byte>, const T, T>>(*this);
}

}  // namespace internal

}  // namespace tenferro
