// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Operands of operations: light borrowed descriptions of a tensor or view, made implicitly at the call.
//
// Example:
//     auto first = [](TensorRead x) { return x.as<double>()[0]; };
//     Tensor t = Tensor::matrix({{1., 2.}, {3., 4.}});
//     CHECK(first(t) == 1);
//     CHECK(first(t.view({-1, all}).reversed({0})) == 4);
//
// They point into the tensor or view that they were made from, so they are parameters, never members.

#include <cstddef>
#include <cstdint>

#include "tenferro/tensor/dtype.hpp"
#include "tenferro/tensor/placement.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro {

/// Dtype and shape without data; borrowed.
struct MetaView {
  DType dtype = DType::f64;
  DimsView shape;

  std::size_t rank() const noexcept { return shape.size(); }
};

namespace internal {

/// What TensorRead and TensorWrite share. Null strides mean compact column-major.
template <class Byte>
struct Borrowed {
  Byte* data = nullptr;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
  std::uint32_t axis_count = 0;
  DType dtype = DType::f64;
  Placement placement;

  DimsView shape() const noexcept { return {extents, axis_count}; }
  std::size_t rank() const noexcept { return axis_count; }
  MetaView meta() const noexcept { return {dtype, shape()}; }
  /// True if the elements are known to lie compactly in column-major order.
  bool compact() const noexcept { return strides == nullptr; }
  /// Number of elements; the shape is one that was checked before.
  std::int64_t count() const noexcept {
    std::int64_t n = 1;
    for (std::uint32_t k = 0; k < axis_count; ++k) n *= extents[k];
    return n;
  }
};

}  // namespace internal

/// Borrowed input: any tensor or view, any strides.
struct TensorRead : internal::Borrowed<const std::byte> {
  template <Element T>
  const T* as() const noexcept {
    return reinterpret_cast<const T*>(data);
  }
};

/// Borrowed output: a tensor or mutable view that does not overlap itself.
///
/// Example:
///     auto doubled = [](TensorRead x, TensorWrite y) {
///       CHECK(x.meta().dtype == y.dtype && x.rank() == 1 && x.compact() && x.count() == y.count());
///       for (std::int64_t i = 0; i < x.shape()[0]; ++i) y.as<double>()[i] = 2 * x.as<double>()[i];
///       return y.read().as<double>()[0];
///     };
///     Tensor t = Tensor::vector({1., 2.});
///     CHECK(doubled(t, t) == 2 && t.at<double>({1}) == 4);
///     MetaView meta{DType::f32, t.shape()};                    // a dtype and a shape, no data
///     CHECK(meta.rank() == 1);
struct TensorWrite : internal::Borrowed<std::byte> {
  template <Element T>
  T* as() const noexcept {
    return reinterpret_cast<T*>(data);
  }
  TensorRead read() const noexcept { return {{data, extents, strides, axis_count, dtype, placement}}; }
};

}  // namespace tenferro
