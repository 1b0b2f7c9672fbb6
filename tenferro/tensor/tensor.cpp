// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/cast.hpp"

namespace tenferro {
namespace {

constexpr DTypeSet kNumbers = DTypeSet::of(DType::f32, DType::f64, DType::c32, DType::c64, DType::i32, DType::i64);

// Element count of a tensor to be made. Only built-in types have a size that is known here.
std::int64_t checked_count(std::string_view op, DType dtype, DimsView shape) {
  if (dtype == DType::external) raise<TensorErrorInfo>(UnsupportedDType{op, -1, dtype, kBuiltInDTypes});
  return checked_element_count(op, shape, element_size(dtype));
}

Tensor fresh(std::string_view op, DType dtype, Shape shape) {
  const std::int64_t count = checked_count(op, dtype, shape);
  Buffer buffer = heap_block(static_cast<std::uint64_t>(count) * element_size(dtype));
  return Tensor::adopt_unchecked(dtype, std::move(shape), count, std::move(buffer), {});
}

Tensor fresh_zeros(std::string_view op, DType dtype, Shape shape) {
  Tensor t = fresh(op, dtype, std::move(shape));
  // Pages that were just mapped are zero already.
  if (t.byte_size() < kHugeBlock) std::memset(t.bytes(), 0, t.byte_size());
  return t;
}

// Fills with start, start+step, … whose every value the caller has found to fit.
template <class T>
void fill_sequence(std::span<T> out, std::int64_t start, std::int64_t step) {
  std::int64_t value = start;
  for (T& element : out) {
    element = cast_value<T>(value);
    value = wrapping_add(value, step);
  }
}

}  // namespace

Tensor Tensor::uninitialized(DType dtype, Shape shape) { return fresh("uninitialized", dtype, std::move(shape)); }

Tensor Tensor::zeros(DType dtype, Shape shape) { return fresh_zeros("zeros", dtype, std::move(shape)); }

Tensor Tensor::ones(DType dtype, Shape shape) {
  if (dtype == DType::external) raise<TensorErrorInfo>(UnsupportedDType{"ones", -1, dtype, kBuiltInDTypes});
  return full(std::move(shape), Scalar(1.0).as(dtype));
}

Tensor Tensor::full(Shape shape, Scalar value) {
  Tensor t = fresh("full", value.dtype(), std::move(shape));
  visit_dtype(value.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto elements = t.data<T>();
    std::fill(elements.begin(), elements.end(), value.get<T>());
  });
  return t;
}

Tensor Tensor::eye(DType dtype, std::int64_t n, std::int64_t m) {
  if (m == -1) m = n;
  Tensor t = fresh_zeros("eye", dtype, {n, m});
  visit_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto elements = t.data<T>();
    for (std::int64_t i = 0; i < std::min(n, m); ++i) elements[static_cast<std::size_t>(i + i * n)] = T{1};
  });
  return t;
}

Tensor Tensor::arange(double start, double stop, double step) {
  if (!std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step) || step == 0) {
    raise<TensorErrorInfo>(BadArgument{"arange", concat("bad bounds (expected finite numbers and a step other than 0, "
                                                        "got start ",
                                                        start, ", stop ", stop, ", step ", step, ")")});
  }
  const double length = std::max(0.0, std::ceil((stop - start) / step));
  constexpr double kTooLong = 0x1p60;
  if (!(length < kTooLong)) raise<TensorErrorInfo>(ShapeOverflow{"arange", {std::numeric_limits<std::int64_t>::max()}});
  Tensor t = fresh("arange", DType::f64, {static_cast<std::int64_t>(length)});
  const auto out = t.data<double>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = start + static_cast<double>(i) * step;
  return t;
}

Tensor Tensor::arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (!kNumbers.contains(dtype)) raise<TensorErrorInfo>(UnsupportedDType{"arange", -1, dtype, kNumbers});
  if (step == 0) raise<TensorErrorInfo>(BadArgument{"arange", "step is zero (expected another number)"});
  // The distance of two 64-bit numbers always fits in the unsigned type.
  std::uint64_t length = 0;
  if (step > 0 ? start < stop : start > stop) {
    const auto low = static_cast<std::uint64_t>(step > 0 ? start : stop);
    const auto high = static_cast<std::uint64_t>(step > 0 ? stop : start);
    const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : 0U - static_cast<std::uint64_t>(step);
    length = (high - low - 1) / stride + 1;
  }
  const auto count = static_cast<std::int64_t>(std::min(length, std::uint64_t{1} << 62));
  if (dtype == DType::i32 && count > 0) {
    const std::int64_t last = start + (count - 1) * step;
    for (const std::int64_t v : {start, last}) {
      if (v != static_cast<std::int32_t>(v)) {
        raise<TensorErrorInfo>(BadArgument{"arange", concat("value does not fit in i32 (got ", v, ")")});
      }
    }
  }
  Tensor t = fresh("arange", dtype, {count});
  visit_dtype(dtype, [&](auto tag) { fill_sequence(t.data<typename decltype(tag)::type>(), start, step); });
  return t;
}

Tensor Tensor::linspace(double first, double last, std::int64_t n) { return linspace(DType::f64, first, last, n); }

Tensor Tensor::linspace(DType dtype, double first, double last, std::int64_t n) {
  if (!kNumbers.contains(dtype)) raise<TensorErrorInfo>(UnsupportedDType{"linspace", -1, dtype, kNumbers});
  Tensor t = fresh("linspace", dtype, {n});
  const double gaps = static_cast<double>(n > 1 ? n - 1 : 1);
  const double width = last - first;
  const bool overflows = std::isinf(width) && std::isfinite(first) && std::isfinite(last);
  const double step = overflows ? last / gaps - first / gaps : width / gaps;
  visit_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto out = t.data<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto at = static_cast<double>(i);
      // Where the width is beyond the range of double, each half counts from its own end.
      const bool from_last = overflows && at > gaps / 2;
      out[i] = cast_value<T>(from_last ? last - (gaps - at) * step : first + at * step);
    }
    if (n > 1) out.back() = cast_value<T>(last);
  });
  return t;
}

Tensor Tensor::scalar(Scalar value) { return full({}, value); }

Tensor Tensor::wrap(DType dtype, Shape shape, void* data, std::function<void(void*)> deleter) {
  const std::int64_t count = checked_count("wrap", dtype, shape);
  if (data == nullptr && count != 0) {
    raise<TensorErrorInfo>(BadArgument{"wrap", "null pointer (expected the address of the elements)"});
  }
  const std::size_t alignment = visit_dtype(dtype, [](auto tag) { return alignof(typename decltype(tag)::type); });
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    raise<TensorErrorInfo>(BadArgument{
        "wrap", concat("misaligned pointer (expected a multiple of ", alignment, " for ", name(dtype), ")")});
  }
  Buffer buffer = foreign_block(data, static_cast<std::uint64_t>(count) * element_size(dtype),
                                [run = std::move(deleter)](void* memory) {
                                  if (run) run(memory);
                                });
  return adopt_unchecked(dtype, std::move(shape), count, std::move(buffer), {});
}

Tensor Tensor::adopt(DType dtype, Shape shape, Buffer buffer, Placement placement) {
  const std::int64_t count = checked_count("adopt", dtype, shape);
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * element_size(dtype);
  if (buffer.capacity() < bytes) {
    raise<TensorErrorInfo>(
        BadArgument{"adopt", concat("buffer too small (expected ", bytes, " bytes, got ", buffer.capacity(), ")")});
  }
  return adopt_unchecked(dtype, std::move(shape), count, std::move(buffer), placement);
}

Tensor Tensor::from_col_major_bytes(DType dtype, Shape shape, const void* values, std::size_t count) {
  require_count("from_col_major", dtype, shape, count);
  Tensor t = fresh("from_col_major", dtype, std::move(shape));
  if (count != 0) std::memcpy(t.bytes(), values, t.byte_size());
  return t;
}

Tensor Tensor::from_row_major_bytes(DType dtype, Shape shape, const void* values, std::size_t count) {
  require_count("from_row_major", dtype, shape, count);
  Tensor t = fresh("from_row_major", dtype, std::move(shape));
  const auto* data = static_cast<const std::byte*>(values);
  copy_elements(TensorView::trusted(data, dtype, {t.shape(), row_major_strides(t.shape()), 0}, {}), t);
  return t;
}

void Tensor::require_count(std::string_view op, DType dtype, DimsView shape, std::size_t count) {
  const std::int64_t wanted = checked_count(op, dtype, shape);
  if (static_cast<std::size_t>(wanted) != count) fail_length(op, static_cast<std::size_t>(wanted), count);
}

void Tensor::fail_length(std::string_view op, std::size_t expected, std::size_t got) {
  raise<TensorErrorInfo>(ElementCountMismatch{op, static_cast<std::int64_t>(expected), static_cast<std::int64_t>(got)});
}

Scalar Tensor::item() const { return view().item(); }

Tensor Tensor::duplicate() const { return copy_of(*this); }

Tensor Tensor::copy_of(TensorRead source) {
  Tensor t = fresh("copy_of", source.dtype, Shape(source.shape()));
  copy_elements(source, t);
  return t;
}

Tensor Tensor::reshaped(Shape shape) && {
  const std::int64_t count = checked_count("reshaped", dtype_, shape);
  if (count != count_) raise<TensorErrorInfo>(ElementCountMismatch{"reshaped", count_, count});
  Tensor t(std::move(*this));
  t.shape_ = std::move(shape);
  return t;
}

Tensor Tensor::reinterpret_as_real() && {
  constexpr std::string_view kOp = "reinterpret_as_real";
  if (!is_complex(dtype_)) {
    raise<TensorErrorInfo>(UnsupportedDType{kOp, 0, dtype_, DTypeSet::of(DType::c32, DType::c64)});
  }
  Shape shape = shape_;
  shape.insert(0, 2);
  const std::int64_t count = checked_count(kOp, real_part(dtype_), shape);
  Tensor t(std::move(*this));
  t.dtype_ = real_part(t.dtype_);
  t.shape_ = std::move(shape);
  t.count_ = count;
  return t;
}

Tensor Tensor::reinterpret_as_complex() && {
  constexpr std::string_view kOp = "reinterpret_as_complex";
  if (!is_float(dtype_)) {
    raise<TensorErrorInfo>(UnsupportedDType{kOp, 0, dtype_, DTypeSet::of(DType::f32, DType::f64)});
  }
  if (rank() == 0 || shape_[0] != 2) {
    raise<TensorErrorInfo>(
        BadArgument{kOp, concat("leading extent is not 2 (expected [2, …], got ", list_text(shape_), ")")});
  }
  Tensor t(std::move(*this));
  t.dtype_ = complex_partner(t.dtype_);
  t.shape_.erase(0);
  t.count_ /= 2;
  return t;
}

void Tensor::fail_access(DType wanted) const {
  if (wanted != dtype_) raise<TensorErrorInfo>(DTypeMismatch{"data", -1, wanted, dtype_});
  raise<TensorErrorInfo>(PlacementMismatch{"data", -1, Placement{}, placement_});
}

template <Element T>
std::vector<T> col_major_values(TensorRead x) {
  if (x.dtype != dtype_of<T>) raise<TensorErrorInfo>(DTypeMismatch{"col_major_values", 0, dtype_of<T>, x.dtype});
  const Tensor compact = Tensor::copy_of(x);
  const auto elements = compact.data<T>();
  return {elements.begin(), elements.end()};
}

template <Element T>
std::vector<T> row_major_values(TensorRead x) {
  // Row-major order is column-major order of the transposed.
  const Dims strides = internal::strides_of(x);
  const Shape turned_shape(std::make_reverse_iterator(x.shape().end()), std::make_reverse_iterator(x.shape().begin()));
  const Dims turned_strides(std::make_reverse_iterator(strides.end()), std::make_reverse_iterator(strides.begin()));
  return col_major_values<T>(TensorRead{{x.data, turned_shape.data(), turned_strides.data(),
                                         static_cast<std::uint32_t>(x.rank()), x.dtype, x.placement}});
}

#define TENFERRO_DTYPE(name, type, text)                         \
  template std::vector<type> col_major_values<type>(TensorRead); \
  template std::vector<type> row_major_values<type>(TensorRead);
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro
