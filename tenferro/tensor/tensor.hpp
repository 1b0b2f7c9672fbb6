// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The dense tensor: dtype and shape known at run time, one block of memory, compact, column-major (axis 0 fastest).
//
//   Tensor a = Tensor::from_row_major<double>({2, 2}, {1, 2, 3, 4});   // [[1, 2], [3, 4]]
//   a.at<double>({0, 1});                                              // 2
//   Tensor b = a.duplicate();                                          // copies are explicit; moves are free
//
// A tensor carries no context: no session, backend or thread. It may be freed on any thread, at any time.

#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/buffer.hpp"
#include "tenferro/tensor/scalar.hpp"
#include "tenferro/tensor/view.hpp"

namespace tenferro {

/// Owns one compact column-major block. Move-only; a moved-from or default tensor has no storage, rank 1 and extent 0.
class Tensor {
 public:
  /// f64, shape [0], no storage.
  Tensor() noexcept : count_(0) { shape_.push_back(0); }
  Tensor(Tensor&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        shape_(std::move(other.shape_)),
        count_(other.count_),
        dtype_(other.dtype_),
        placement_(other.placement_) {
    other.reset_shape();
  }
  Tensor& operator=(Tensor&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    shape_ = std::move(other.shape_);
    count_ = other.count_;
    dtype_ = other.dtype_;
    placement_ = other.placement_;
    if (this != &other) other.reset_shape();
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;

  /// Uninitialised elements from the system. Throws TensorError for bad shapes, AllocationError.
  static Tensor uninitialized(DType dtype, Shape shape);
  static Tensor zeros(DType dtype, Shape shape);
  static Tensor ones(DType dtype, Shape shape);
  static Tensor full(Shape shape, Scalar value);
  /// Ones on the main diagonal of an n×m matrix, m = n by default.
  static Tensor eye(DType dtype, std::int64_t n, std::int64_t m = -1);
  /// start, start+step, …, ceil((stop−start)/step) values; element i is start + i·step.
  static Tensor arange(double start, double stop, double step = 1.0);
  static Tensor arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step = 1);
  /// n values from first to last inclusive; the last is exactly `last`.
  static Tensor linspace(double first, double last, std::int64_t n);
  /// Rank 0.
  static Tensor scalar(Scalar value);
  /// Elements in column-major order, first index fastest.
  template <Element T>
  static Tensor from_col_major(Shape shape, std::span<const T> values) {
    return from_col_major_bytes(dtype_of<T>, std::move(shape), values.data(), values.size());
  }
  template <Element T>
  static Tensor from_col_major(Shape shape, std::initializer_list<T> values) {
    return from_col_major<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  /// Elements in row-major order, last index fastest, as C and NumPy write them.
  template <Element T>
  static Tensor from_row_major(Shape shape, std::span<const T> values) {
    return from_row_major_bytes(dtype_of<T>, std::move(shape), values.data(), values.size());
  }
  template <Element T>
  static Tensor from_row_major(Shape shape, std::initializer_list<T> values) {
    return from_row_major<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  /// Takes over `data` (compact, column-major, any alignment) without a copy; `deleter(data)` runs when the tensor
  /// dies.
  static Tensor wrap(DType dtype, Shape shape, void* data, std::function<void(void*)> deleter);
  /// Adopts a buffer with at least the bytes that the shape needs.
  static Tensor adopt(DType dtype, Shape shape, Buffer buffer, Placement placement = {});
  /// adopt without checks, for backends: `count` is the product of the extents and the buffer is large enough.
  static Tensor adopt_unchecked(DType dtype, Shape shape, std::int64_t count, Buffer buffer,
                                Placement placement) noexcept {
    Tensor t(kNoShape);
    t.buffer_ = std::move(buffer);
    t.shape_ = std::move(shape);
    t.count_ = count;
    t.dtype_ = dtype;
    t.placement_ = placement;
    return t;
  }

  DType dtype() const noexcept { return dtype_; }
  std::size_t rank() const noexcept { return shape_.size(); }
  const Shape& shape() const noexcept { return shape_; }
  std::int64_t extent(std::int64_t axis) const { return shape_[normalized_axis("extent", axis, rank())]; }
  /// Number of elements.
  std::int64_t count() const noexcept { return count_; }
  std::size_t byte_size() const noexcept { return static_cast<std::size_t>(count_) * element_size(dtype_); }
  Placement placement() const noexcept { return placement_; }

  std::byte* bytes() noexcept { return buffer_.data(); }
  const std::byte* bytes() const noexcept { return buffer_.data(); }
  /// The elements in column-major order. Throws TensorError (DTypeMismatch) unless T is the dtype.
  template <Element T>
  std::span<T> data() {
    require_dtype(dtype_of<T>);
    return {reinterpret_cast<T*>(buffer_.data()), static_cast<std::size_t>(count_)};
  }
  template <Element T>
  std::span<const T> data() const {
    require_dtype(dtype_of<T>);
    return {reinterpret_cast<const T*>(buffer_.data()), static_cast<std::size_t>(count_)};
  }
  /// One element; indices may be negative, −1 being the last. Throws TensorError (IndexOutOfBounds, RankMismatch).
  template <Element T>
  T& at(std::initializer_list<std::int64_t> indices) {
    return data<T>()[linear_index(std::span(indices.begin(), indices.size()))];
  }
  template <Element T>
  const T& at(std::initializer_list<std::int64_t> indices) const {
    return data<T>()[linear_index(std::span(indices.begin(), indices.size()))];
  }
  /// The value of a tensor with one element, whatever its rank.
  Scalar item() const;

  /// A deep copy.
  Tensor duplicate() const;
  /// A compact copy of any view or tensor, on the host.
  static Tensor copy_of(TensorRead source);
  /// The elements in row-major order.
  template <Element T>
  std::vector<T> to_row_major() const;
  /// The same block under another shape with the same element count, column-major: nothing moves.
  Tensor reshaped(Shape shape) &&;
  /// complex (n…) as real (2, n…), sharing the block. The overload for tensors that cannot gives them back in the
  /// error.
  Tensor reinterpret_as_real() &&;
  /// real (2, n…) as complex (n…). Throws TensorError; the tensor then keeps its elements.
  Tensor reinterpret_as_complex() &&;

  TensorView view() const { return TensorView::trusted(bytes(), dtype_, compact_layout(shape_), placement_); }
  MutableTensorView mutable_view() {
    return MutableTensorView::trusted(bytes(), dtype_, compact_layout(shape_), placement_);
  }
  TensorView view(std::initializer_list<Index> indices) const { return view().view(indices); }
  MutableTensorView mutable_view(std::initializer_list<Index> indices) { return mutable_view().view(indices); }

  operator TensorRead() const noexcept {
    return {{buffer_.data(), shape_.data(), nullptr, static_cast<std::uint32_t>(shape_.size()), dtype_, placement_}};
  }
  operator TensorWrite() noexcept {
    return {{buffer_.data(), shape_.data(), nullptr, static_cast<std::uint32_t>(shape_.size()), dtype_, placement_}};
  }

 private:
  struct NoShape {};
  static constexpr NoShape kNoShape{};
  explicit Tensor(NoShape) noexcept {}

  static Tensor from_col_major_bytes(DType dtype, Shape shape, const void* values, std::size_t count);
  static Tensor from_row_major_bytes(DType dtype, Shape shape, const void* values, std::size_t count);
  void require_dtype(DType wanted) const {
    if (wanted != dtype_) fail_dtype(wanted);
  }
  [[noreturn]] void fail_dtype(DType wanted) const;
  std::size_t linear_index(DimsView indices) const;
  void reset_shape() noexcept {
    shape_.clear();
    shape_.push_back(0);
    count_ = 0;
  }

  Buffer buffer_;
  Shape shape_;
  std::int64_t count_ = 0;
  DType dtype_ = DType::f64;
  Placement placement_;
};

/// Writes the elements of `source` into `target`, which has the same shape and dtype; any strides on both sides.
/// The two must not overlap. Throws TensorError.
void copy_elements(TensorRead source, TensorWrite target);

}  // namespace tenferro
