// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The dense tensor: dtype and shape known at run time, one block of memory, compact, column-major (axis 0 fastest).
//
// Example:
//     Tensor a = Tensor::from_row_major<double>({2, 2}, {1, 2, 3, 4});   // [[1, 2], [3, 4]]
//     CHECK(a.at<double>({0, 1}) == 2);
//     CHECK(a.data<double>()[1] == 3);                                   // memory runs down the columns
//     Tensor b = a.duplicate();                                          // copies are explicit; moves are free
//
// A tensor carries no context: no session, backend or thread. It may be freed on any thread, at any time.

#include <concepts>
#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/buffer.hpp"
#include "tenferro/tensor/scalar.hpp"
#include "tenferro/tensor/typed_view.hpp"

namespace tenferro {

/// Owns one compact column-major block. Move-only; a moved-from or default tensor has no storage, rank 1 and extent 0.
///
/// Example:
///     CHECK(Tensor::zeros(DType::f32, {2, 3}).dtype() == DType::f32);
///     CHECK(Tensor::ones<double>(2, 3).at<double>({1, 2}) == 1);
///     CHECK(Tensor::full({2, 3}, std::int32_t{7}).dtype() == DType::i32);
///     CHECK(Tensor::eye(DType::f64, 2).at<double>({0, 1}) == 0 && Tensor::scalar(2.5).rank() == 0);
///     CHECK(Tensor::arange(0, 1, 0.25).count() == 4);                                         // 0 0.25 0.5 0.75
///     CHECK(Tensor::arange(DType::i64, 5, 0, -2).at<std::int64_t>({2}) == 1);                 // 5 3 1
///     CHECK(Tensor::linspace(0, 1, 5).at<double>({1}) == 0.25);                               // with both ends
///     Tensor blank = Tensor::uninitialized(DType::c64, {4});
///     blank.mutable_view().fill(Scalar(std::complex<double>(0, 1)));
///     CHECK(blank.at<std::complex<double>>({3}).imag() == 1);
class Tensor {
 public:
  /// f64, shape [0], no storage.
  Tensor() noexcept { shape_.assign_one(0); }
  Tensor(Tensor&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        shape_(std::move(other.shape_)),
        count_(other.count_),
        dtype_(other.dtype_),
        placement_(other.placement_) {
    other.reset_shape();
  }
  Tensor& operator=(Tensor&& other) noexcept {
    if (this == &other) return *this;
    buffer_ = std::move(other.buffer_);
    shape_ = std::move(other.shape_);
    count_ = other.count_;
    dtype_ = other.dtype_;
    placement_ = other.placement_;
    other.reset_shape();
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;

  /// Uninitialised elements from the system. Throws TensorError (InvalidShape, ShapeOverflow, UnsupportedDType for
  /// `external`), AllocationError; so do the other makers.
  static Tensor uninitialized(DType dtype, Shape shape);
  static Tensor zeros(DType dtype, Shape shape);
  static Tensor ones(DType dtype, Shape shape);
  /// The dtype and the rank in the call: Tensor::zeros<double>(2, 3).
  template <Element T, std::integral... Extents>
  static Tensor zeros(Extents... extents) {
    return zeros(dtype_of<T>, {static_cast<std::int64_t>(extents)...});
  }
  template <Element T, std::integral... Extents>
  static Tensor ones(Extents... extents) {
    return ones(dtype_of<T>, {static_cast<std::int64_t>(extents)...});
  }
  /// Every element is `value`, whose dtype is the tensor's.
  static Tensor full(Shape shape, Scalar value);
  /// Ones on the main diagonal of an n×m matrix; m = −1 stands for n, other negative numbers are InvalidShape.
  static Tensor eye(DType dtype, std::int64_t n, std::int64_t m = -1);
  /// f64: start, start+step, …, ceil((stop−start)/step) values or none; element i is start + i·step. Rounding in the
  /// quotient may bring one value at or past stop, as in arange(1, 1.3, 0.1); use linspace where the end matters.
  /// Throws TensorError: BadArgument for bounds that are not finite and step 0, ShapeOverflow for more values than fit.
  static Tensor arange(double start, double stop, double step = 1.0);
  /// Exact integers start, start+step, … before stop, in any dtype but bool. Throws TensorError (BadArgument) for step
  /// 0 and for values outside i32.
  static Tensor arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step = 1);
  /// n values from first to last inclusive; the last of two or more is exactly `last`, a single one is `first`. In
  /// integer dtypes each value is truncated as by `cast`.
  static Tensor linspace(double first, double last, std::int64_t n);
  static Tensor linspace(DType dtype, double first, double last, std::int64_t n);
  /// Rank 0.
  static Tensor scalar(Scalar value);
  /// Rank 1, 2 and 3 from nested braces, the outermost being axis 0: Tensor::matrix({{1., 2.}, {3., 4.}}) has 2 at
  /// (0, 1). Throws TensorError (ElementCountMismatch) for rows of different length.
  ///
  /// Example:
  ///     CHECK(Tensor::vector({1., 2., 3.}).shape() == Shape{3});
  ///     CHECK(Tensor::matrix({{1, 2, 3}, {4, 5, 6}}).dtype() == DType::i32);
  ///     Tensor c = Tensor::cube({{{1., 2.}, {3., 4.}}, {{5., 6.}, {7., 8.}}});
  ///     CHECK(c.at<double>({1, 0, 1}) == 6);
  template <Element T>
  static Tensor vector(std::initializer_list<T> values);
  template <Element T>
  static Tensor matrix(std::initializer_list<std::initializer_list<T>> rows);
  template <Element T>
  static Tensor cube(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes);
  /// Elements in column-major order, first index fastest. Throws TensorError (ElementCountMismatch).
  ///
  /// Example:
  ///     std::vector<double> numbers{1, 2, 3, 4, 5, 6};
  ///     CHECK(Tensor::from_col_major<double>({2, 3}, numbers).at<double>({1, 0}) == 2);
  ///     CHECK(Tensor::from_row_major<double>({2, 3}, numbers).at<double>({1, 0}) == 4);
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
  /// Takes over `data` (compact, column-major, aligned for the dtype) without a copy; `deleter(data)` runs exactly
  /// once, on whatever thread the tensor dies, and must not throw. Where wrap throws, it has not run. For memory that
  /// the caller keeps use a view: a tensor may outlive the scope that made it.
  ///
  /// Example:
  ///     auto* raw = new double[4]{1, 2, 3, 4};
  ///     Tensor t = Tensor::wrap(DType::f64, {2, 2}, raw, [](void* p) { delete[] static_cast<double*>(p); });
  ///     CHECK(t.bytes() == reinterpret_cast<std::byte*>(raw));
  static Tensor wrap(DType dtype, Shape shape, void* data, std::function<void(void*)> deleter);
  /// Takes over the elements of a std::vector, in column-major order, without a copy. Where it throws
  /// (ElementCountMismatch), the vector is untouched.
  template <Element T>
    requires(!std::is_same_v<T, bool>)
  static Tensor wrap(Shape shape, std::vector<T>&& values) {
    require_count("wrap", dtype_of<T>, shape, values.size());
    T* data = values.data();
    const std::uint64_t bytes = values.size() * sizeof(T);
    return adopt(dtype_of<T>, std::move(shape), foreign_block(data, bytes, [kept = std::move(values)](void*) {}));
  }
  /// Adopts a buffer with at least the bytes that the shape needs; throws TensorError (BadArgument) if it is smaller.
  ///
  /// Example:
  ///     Tensor a = Tensor::adopt(DType::f64, {2, 2}, heap_block(32));
  ///     Tensor b = Tensor::adopt_unchecked(DType::f64, a.shape(), 4, heap_block(32), {});
  ///     CHECK(a.byte_size() == 32 && b.shape() == a.shape() && b.count() == 4);
  static Tensor adopt(DType dtype, Shape shape, Buffer buffer, Placement placement = {});
  /// adopt without checks, for backends: `count` is the product of the extents and the buffer is large enough.
  static Tensor adopt_unchecked(DType dtype, DimsView shape, std::int64_t count, Buffer buffer, Placement placement) {
    Tensor t(kNoShape);
    t.buffer_ = std::move(buffer);
    t.shape_.assign(shape.data(), shape.size());
    t.count_ = count;
    t.dtype_ = dtype;
    t.placement_ = placement;
    return t;
  }

  /// What the tensor is.
  ///
  /// Example:
  ///     Tensor x = Tensor::ones<float>(2, 3);
  ///     CHECK(x.dtype() == DType::f32 && x.rank() == 2 && x.shape() == Shape{2, 3} && x.extent(-1) == 3);
  ///     CHECK(x.count() == 6 && x.byte_size() == 24 && x.placement() == Placement());
  ///     x.data<float>()[1] = 5;
  ///     x.at<float>({-1, -1}) = 7;
  ///     CHECK(x.at<float>({1, 0}) == 5 && reinterpret_cast<const float*>(x.bytes())[5] == 7);
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
  /// The elements in column-major order. Throws TensorError (DTypeMismatch) unless T is the dtype, (PlacementMismatch)
  /// if the host cannot reach them.
  template <Element T>
  std::span<T> data() {
    require(dtype_of<T>);
    return {reinterpret_cast<T*>(buffer_.data()), static_cast<std::size_t>(count_)};
  }
  template <Element T>
  std::span<const T> data() const {
    require(dtype_of<T>);
    return {reinterpret_cast<const T*>(buffer_.data()), static_cast<std::size_t>(count_)};
  }
  /// One element; indices may be negative, −1 being the last. Throws TensorError (IndexOutOfBounds, RankMismatch).
  template <Element T>
  T& at(std::initializer_list<std::int64_t> indices) {
    return data<T>()[position(indices)];
  }
  template <Element T>
  const T& at(std::initializer_list<std::int64_t> indices) const {
    return data<T>()[position(indices)];
  }
  /// The value of a tensor with one element, whatever its rank; throws TensorError (ElementCountMismatch).
  ///
  /// Example:
  ///     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}});
  ///     CHECK(Tensor::full({1, 1}, 2.5).item() == Scalar(2.5));
  ///     Tensor y = x.duplicate(), column = Tensor::copy_of(x.view({all, 1}));
  ///     CHECK(y.bytes() != x.bytes() && column.data<double>()[1] == 4);
  ///     CHECK((x.to_row_major<double>() == std::vector<double>{1, 2, 3, 4}));
  Scalar item() const;

  /// A deep copy.
  Tensor duplicate() const;
  /// A compact copy of any view or tensor.
  static Tensor copy_of(TensorRead source);
  /// The elements in row-major order, last index fastest.
  template <Element T>
  std::vector<T> to_row_major() const;
  /// The same block under another shape with the same element count, column-major: nothing moves. Where it throws
  /// (ElementCountMismatch), the tensor keeps its elements.
  ///
  /// Example:
  ///     Tensor x = Tensor::from_col_major<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  ///     const std::byte* block = x.bytes();
  ///     Tensor y = std::move(x).reshaped({3, 2});
  ///     CHECK(y.bytes() == block && y.at<double>({0, 1}) == 4);
  ///     Tensor z = Tensor(std::move(y)).reshaped({2, 3}).reinterpret_as_complex();
  ///     CHECK(z.bytes() == block && z.at<std::complex<double>>({1}) == std::complex<double>(3, 4));
  ///     CHECK(std::move(z).reinterpret_as_real().shape() == Shape{2, 3});
  Tensor reshaped(Shape shape) &&;
  /// complex (n…) as real (2, n…), part 0 real and part 1 imaginary, on the same block. Throws TensorError
  /// (UnsupportedDType) for other dtypes; the tensor then keeps its elements.
  Tensor reinterpret_as_real() &&;
  /// real (2, n…) as complex (n…), on the same block. Throws TensorError (UnsupportedDType, BadArgument); the tensor
  /// then keeps its elements.
  Tensor reinterpret_as_complex() &&;

  /// Views of the whole tensor, or of the part that the indices name; see TensorView.
  ///
  /// Example:
  ///     Tensor x = Tensor::zeros<double>(2, 3);
  ///     x.mutable_view({0, all}).fill(1.0);                      // the first row
  ///     CHECK(x.view({all, 2}).at<double>({0}) == 1 && x.view().at<double>({1, 2}) == 0);
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
  static void require_count(std::string_view op, DType dtype, DimsView shape, std::size_t count);
  static void check_length(std::string_view op, std::size_t expected, std::size_t got) {
    if (expected != got) fail_length(op, expected, got);
  }
  [[noreturn]] static void fail_length(std::string_view op, std::size_t expected, std::size_t got);
  void require(DType wanted) const {
    if (wanted != dtype_ || !host_accessible(placement_)) fail_access(wanted);
  }
  [[noreturn]] void fail_access(DType wanted) const;
  std::size_t position(std::initializer_list<std::int64_t> indices) const {
    const std::span<const std::int64_t> list(indices.begin(), indices.size());
    return static_cast<std::size_t>(internal::element_offset(shape_, nullptr, list));
  }
  void reset_shape() noexcept {
    shape_.assign_one(0);
    count_ = 0;
  }

  Buffer buffer_;
  Shape shape_;
  std::int64_t count_ = 0;
  DType dtype_ = DType::f64;
  Placement placement_;
};

/// Writes the elements of `source` into `target`, index by index; any strides on both sides. Throws TensorError, with
/// `target` untouched: DTypeMismatch, ShapesDiffer, OverlappingStorage, PlacementMismatch.
///
/// Example:
///     Tensor x = Tensor::vector({1., 2.}), y = Tensor::zeros<double>(2, 2);
///     copy_elements(x, y.mutable_view({1, all}));              // into the second row
///     CHECK((y.to_row_major<double>() == std::vector<double>{0, 0, 1, 2}));
void copy_elements(TensorRead source, TensorWrite target);

/// The elements of any tensor or view in column-major order, first index fastest, whatever its strides. Throws
/// TensorError (DTypeMismatch).
///
/// Example:
///     Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}});
///     CHECK((col_major_values<double>(a.view().reversed({1})) == std::vector<double>{2, 4, 1, 3}));
template <Element T>
std::vector<T> col_major_values(TensorRead x);
/// The elements in row-major order, last index fastest, as C and NumPy write them.
///
/// Example:
///     Tensor a = Tensor::matrix({{1., 2.}, {3., 4.}});
///     CHECK((row_major_values<double>(a.view().reversed({1})) == std::vector<double>{2, 1, 4, 3}));
template <Element T>
std::vector<T> row_major_values(TensorRead x);

template <Element T>
std::vector<T> Tensor::to_row_major() const {
  return row_major_values<T>(*this);
}

template <Element T>
Tensor Tensor::vector(std::initializer_list<T> values) {
  return from_col_major<T>({static_cast<std::int64_t>(values.size())}, values);
}

template <Element T>
Tensor Tensor::matrix(std::initializer_list<std::initializer_list<T>> rows) {
  const std::size_t n = rows.size();
  const std::size_t m = n != 0 ? rows.begin()->size() : 0;
  Tensor t = zeros<T>(n, m);
  T* out = t.data<T>().data();
  for (const auto& row : rows) {
    check_length("matrix", m, row.size());
    T* at = out++;
    for (const T& value : row) {
      *at = value;
      at += n;
    }
  }
  return t;
}

template <Element T>
Tensor Tensor::cube(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes) {
  const std::size_t n = planes.size();
  const std::size_t m = n != 0 ? planes.begin()->size() : 0;
  const std::size_t depth = m != 0 ? planes.begin()->begin()->size() : 0;
  Tensor t = zeros<T>(n, m, depth);
  T* out = t.data<T>().data();
  for (const auto& plane : planes) {
    check_length("cube", m, plane.size());
    T* first = out++;
    for (const auto& row : plane) {
      check_length("cube", depth, row.size());
      T* at = first;
      for (const T& value : row) {
        *at = value;
        at += n * m;
      }
      first += n;
    }
  }
  return t;
}

}  // namespace tenferro
