// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Views: borrowed data with a shape and signed strides of their own. Making one moves nothing.
//
// Example:
//     Tensor x = Tensor::zeros(DType::f64, {4, 6});
//     TensorView t = x.view().permuted({1, 0});                // 6×4
//     TensorView part = x.view({all, range(1, 5, 2)});         // columns 1 and 3
//     TensorView row = x.view({-1, all}).reversed({0});        // last row, backwards
//     CHECK(t.shape() == Shape{6, 4} && part.shape() == Shape{4, 2} && row.shape() == Shape{6});
//
// A view must not outlive the memory that it looks at.

#include <initializer_list>
#include <string>
#include <type_traits>

#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/error.hpp"
#include "tenferro/tensor/index.hpp"
#include "tenferro/tensor/layout.hpp"
#include "tenferro/tensor/scalar.hpp"

namespace tenferro {

class Tensor;
template <class T>
class TypedView;

namespace internal {

/// Shared body of TensorView (Byte = const std::byte) and MutableTensorView (Byte = std::byte).
///
/// Example:
///     Tensor x = Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}});
///     TensorView v = x.view();
///     CHECK(v.dtype() == DType::f64 && v.rank() == 2 && v.extent(1) == 3 && v.count() == 6);
///     CHECK(v.strides() == Dims{1, 2});
///     CHECK(v.placement() == Placement() && v.data() == x.bytes() && v.layout().offset == 0);
///     CHECK(v.diagonal().at<double>({1}) == 5 && v.reshaped_view({3, 2}).at<double>({0, 1}) == 5);
///     CHECK(v.broadcast_to({4, 2, 3}).at<double>({3, 1, 0}) == 4 && v.view({1, range(2, 3)}).item() == Scalar(6.0));
///     TypedView<const double> typed_v = v.as<double>();
///     CHECK(typed_v(1, 2) == 6);
///     Tensor y = v.permuted({1, 0}).copy();
///     y.mutable_view({0, all}).fill(0.0);
///     y.mutable_view({all, 1}).assign(x.view({0, all}));
///     CHECK((y.to_row_major<double>() == std::vector<double>{0, 1, 2, 2, 3, 3}));
template <class Byte>
class BasicView {
 public:
  /// f64, shape [0].
  BasicView() : shape_{0}, strides_{1} {}
  /// A view into the `size` elements from `data` on. Throws TensorError (ViewOutOfBounds) if the layout reaches outside
  /// them and (OverlappingStorage) if a mutable view reaches one element twice; BadArgument for a null or misaligned
  /// address.
  BasicView(Byte* data, std::int64_t size, DType dtype, Layout layout, Placement placement = {});

  DType dtype() const noexcept { return dtype_; }
  std::size_t rank() const noexcept { return shape_.size(); }
  const Shape& shape() const noexcept { return shape_; }
  const Dims& strides() const noexcept { return strides_; }
  std::int64_t extent(std::int64_t axis) const { return shape_[normalized_axis("extent", axis, rank())]; }
  std::int64_t count() const noexcept { return element_count(shape_).value_or(0); }
  Placement placement() const noexcept { return placement_; }
  /// Address of the element with all indices zero.
  Byte* data() const noexcept { return data_; }

  /// The part named by one index per axis from axis 0 on; axes without an index are kept whole. An integer removes its
  /// axis, `all` keeps it, `range(first, last, step)` takes first, first+step, … before last; negative numbers count
  /// from the end. Throws TensorError (IndexOutOfBounds, RankMismatch, BadArgument).
  BasicView view(std::initializer_list<Index> indices) const {
    return view(std::span(indices.begin(), indices.size()));
  }
  BasicView view(std::span<const Index> indices) const { return with(indexed(layout(), indices)); }
  /// Axis k of the result is axis axes[k] of this.
  BasicView permuted(std::initializer_list<std::int64_t> axes) const {
    return permuted(std::span(axes.begin(), axes.size()));
  }
  BasicView permuted(AxesView axes) const { return with(tenferro::permuted(layout(), axes)); }
  /// Backwards along the listed axes.
  BasicView reversed(std::initializer_list<std::int64_t> axes) const {
    return reversed(std::span(axes.begin(), axes.size()));
  }
  BasicView reversed(AxesView axes) const { return with(tenferro::reversed(layout(), axes)); }
  /// Diagonal of two axes, which becomes the last axis.
  BasicView diagonal(std::int64_t shift = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1) const {
    return with(tenferro::diagonal(layout(), shift, axis1, axis2));
  }
  /// Column-major reshape of the same memory; BadArgument where the strides do not allow it.
  BasicView reshaped_view(DimsView shape) const { return with(tenferro::reshaped_view(layout(), shape)); }
  BasicView reshaped_view(std::initializer_list<std::int64_t> shape) const {
    return reshaped_view(std::span(shape.begin(), shape.size()));
  }
  /// Stretched by zero strides, aligned at the last axis; for reading only.
  BasicView<const std::byte> broadcast_to(DimsView shape) const;
  BasicView<const std::byte> broadcast_to(std::initializer_list<std::int64_t> shape) const {
    return broadcast_to(std::span(shape.begin(), shape.size()));
  }

  /// The view with its element type fixed; throws TensorError (DTypeMismatch) if it has another.
  template <Element T>
  auto as() const -> TypedView<std::conditional_t<std::is_const_v<Byte>, const T, T>>;
  /// One element, bounds checked; negative indices count from the end. Throws TensorError (DTypeMismatch, RankMismatch,
  /// IndexOutOfBounds, PlacementMismatch).
  template <Element T>
  std::conditional_t<std::is_const_v<Byte>, const T&, T&> at(std::initializer_list<std::int64_t> indices) const {
    require(dtype_of<T>);
    using Pointer = std::conditional_t<std::is_const_v<Byte>, const T*, T*>;
    return reinterpret_cast<Pointer>(
        data_)[element_offset(shape_, strides_.data(), std::span(indices.begin(), indices.size()))];
  }
  /// The value of a view of one element, whatever its rank; throws TensorError (ElementCountMismatch).
  Scalar item() const;
  /// Every element set to `value`, whose dtype must convert safely to this one's (an integer also does where it is held
  /// exactly); throws TensorError (DTypeMismatch).
  void fill(Scalar value) const
    requires(!std::is_const_v<Byte>);
  /// Every element overwritten by that of `source` with the same indices; see copy_elements.
  void assign(TensorRead source) const
    requires(!std::is_const_v<Byte>);
  /// A compact tensor of its own with the same elements.
  Tensor copy() const;
  /// Throws TensorError (DTypeMismatch, PlacementMismatch) unless the host can read the elements as `wanted`.
  void require(DType wanted) const {
    if (wanted != dtype_ || !host_accessible(placement_)) fail(wanted);
  }

  Layout layout() const { return {shape_, strides_, 0}; }

  operator BasicView<const std::byte>() const
    requires(!std::is_const_v<Byte>)
  {
    return BasicView<const std::byte>::trusted(data_, dtype_, layout(), placement_);
  }
  operator TensorRead() const noexcept { return {{data_, shape_.data(), strides_.data(), axes(), dtype_, placement_}}; }
  operator TensorWrite() const noexcept
    requires(!std::is_const_v<Byte>)
  {
    return {{data_, shape_.data(), strides_.data(), axes(), dtype_, placement_}};
  }

  /// A view whose reach the caller has checked.
  static BasicView trusted(Byte* data, DType dtype, Layout layout, Placement placement) {
    BasicView v{Blank{}};
    v.data_ = layout.offset == 0 ? data : data + layout.offset * static_cast<std::int64_t>(element_size(dtype));
    v.shape_ = std::move(layout.shape);
    v.strides_ = std::move(layout.strides);
    v.dtype_ = dtype;
    v.placement_ = placement;
    return v;
  }

 private:
  struct Blank {};
  explicit BasicView(Blank) noexcept {}
  [[noreturn]] void fail(DType wanted) const;
  BasicView with(Layout layout) const { return trusted(data_, dtype_, std::move(layout), placement_); }
  std::uint32_t axes() const noexcept { return static_cast<std::uint32_t>(shape_.size()); }

  Byte* data_ = nullptr;
  Shape shape_;
  Dims strides_;
  DType dtype_ = DType::f64;
  Placement placement_;
};

}  // namespace internal

/// A view for reading.
using TensorView = internal::BasicView<const std::byte>;
/// A view for writing; no two of its indices share an element.
using MutableTensorView = internal::BasicView<std::byte>;

namespace internal {
extern template class BasicView<const std::byte>;
extern template class BasicView<std::byte>;
}  // namespace internal

}  // namespace tenferro
