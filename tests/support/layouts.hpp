// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The same logical tensor in many memory layouts, for tests that a layout changes no result.
//
//   for (LayoutKind kind : kLayoutKinds) {
//     Laid<double> x(kind, {3, 4}, values);          // values in column-major order
//     run(x.read());
//   }

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <valarray>
#include <vector>

#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro::testing {

/// Elements in column-major order of their indices. (A vector of bool would be no array of bool.)
template <class T>
using Values = std::valarray<T>;

enum class LayoutKind : std::uint8_t {
  compact,     ///< no strides at all
  spelled,     ///< compact, with strides written out
  transposed,  ///< last axis contiguous
  rotated,     ///< axis order in memory 1, 2, …, 0
  padded,      ///< axis 0 contiguous with gaps between columns
  sliced,      ///< every second element along each axis
  reversed,    ///< backwards along every axis
  mixed,       ///< backwards along even axes, steps of three along odd ones, transposed
};
inline constexpr std::array<LayoutKind, 8> kLayoutKinds{
    LayoutKind::compact, LayoutKind::spelled, LayoutKind::transposed, LayoutKind::rotated,
    LayoutKind::padded,  LayoutKind::sliced,  LayoutKind::reversed,   LayoutKind::mixed};

constexpr std::string_view name(LayoutKind kind) {
  constexpr std::array<std::string_view, 8> kNames{"compact", "spelled", "transposed", "rotated",
                                                   "padded",  "sliced",  "reversed",   "mixed"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Number of elements of a shape.
inline std::int64_t count_of(DimsView shape) {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  return n;
}

/// f(index, linear) for every index tuple in column-major order.
template <class F>
void for_each_index(DimsView shape, F&& f) {
  const std::int64_t n = count_of(shape);
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::int64_t linear = 0; linear < n; ++linear) {
    f(DimsView(index), linear);
    for (std::size_t k = 0; k < shape.size() && ++index[k] == shape[k]; ++k) index[k] = 0;
  }
}

/// Column-major position of an index tuple.
inline std::int64_t linear_of(DimsView index, DimsView shape) {
  std::int64_t linear = 0;
  for (std::size_t k = shape.size(); k-- > 0;) linear = linear * shape[k] + index[k];
  return linear;
}

/// Where the elements of a tensor stand: its axes from the one nearest in memory, the step along each (negative:
/// backwards), and elements of nothing after each run of the nearest.
struct MemoryOrder {
  std::vector<std::size_t> axes;
  std::vector<std::int64_t> steps;
  std::int64_t gap = 0;
};

inline MemoryOrder memory_order(LayoutKind kind, DimsView shape) {
  const std::size_t rank = shape.size();
  MemoryOrder order{std::vector<std::size_t>(rank), std::vector<std::int64_t>(rank, 1),
                    kind == LayoutKind::padded ? 3 : 0};
  for (std::size_t k = 0; k < rank; ++k) {
    const bool backwards = kind == LayoutKind::transposed || kind == LayoutKind::mixed;
    order.axes[k] = backwards ? rank - 1 - k : kind == LayoutKind::rotated ? (k + 1) % rank : k;
    if (kind == LayoutKind::sliced && shape[k] > 1) order.steps[k] = 2;
    if (kind == LayoutKind::mixed && k % 2 == 1 && shape[k] > 1) order.steps[k] = 3;
    if (kind == LayoutKind::reversed || (kind == LayoutKind::mixed && k % 2 == 0)) order.steps[k] = -order.steps[k];
  }
  return order;
}

/// A tensor with storage of its own in a chosen layout. Bytes between its elements hold a pattern; `gaps_intact` tells
/// whether they still do.
template <class T>
class Laid {
 public:
  Laid(LayoutKind kind, DimsView shape, const Values<T>& values) : Laid(kind, shape) { assign(values); }
  Laid(const MemoryOrder& order, DimsView shape, const Values<T>& values) : Laid(order, shape) { assign(values); }
  Laid(LayoutKind kind, std::initializer_list<std::int64_t> shape, const Values<T>& values)
      : Laid(kind, DimsView(shape.begin(), shape.size()), values) {}

  /// Uninitialised elements, for outputs.
  Laid(LayoutKind kind, DimsView shape) : Laid(memory_order(kind, shape), shape) {
    compact_ = kind == LayoutKind::compact;
  }
  Laid(const MemoryOrder& order, DimsView shape) : shape_(shape), strides_(shape.size()), compact_(false) {
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::size_t k = order.axes[i];
      const std::int64_t extent = shape[k] > 0 ? shape[k] : 1, step = std::abs(order.steps[k]);
      strides_[k] = stride * order.steps[k];
      if (order.steps[k] < 0) offset_ += stride * step * (extent - 1);
      stride *= extent * step + (i == 0 ? order.gap : 0);
    }
    fill(stride);
  }

  /// `values` of a shape with extent 1 along the axes where `shape` is larger; those get stride zero.
  static Laid broadcast(DimsView shape, DimsView stored_shape, const Values<T>& values) {
    Laid laid(LayoutKind::spelled, stored_shape, values);
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (stored_shape[k] == 1) laid.strides_[k] = 0;
    }
    laid.shape_ = Dims(shape);
    return laid;
  }

  TensorRead read() const { return {{base(), shape_.data(), strides(), rank(), dtype_of<T>, Placement{}}}; }
  TensorWrite write() {
    return {{const_cast<std::byte*>(base()), shape_.data(), strides(), rank(), dtype_of<T>, Placement{}}};
  }
  const Shape& shape() const { return shape_; }

  /// The elements in column-major order.
  Values<T> values() const {
    Values<T> result(static_cast<std::size_t>(count_of(shape_)));
    for_each_index(shape_, [&](DimsView index, std::int64_t linear) {
      std::memcpy(&result[static_cast<std::size_t>(linear)], at(index), sizeof(T));
    });
    return result;
  }

  /// True if nothing outside the elements has been written.
  bool gaps_intact() const {
    std::vector<bool> mine(storage_.size(), false);
    for_each_index(shape_, [&](DimsView index, std::int64_t) {
      const auto first = static_cast<std::size_t>(at(index) - storage_.data());
      for (std::size_t i = 0; i < sizeof(T); ++i) mine[first + i] = true;
    });
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      if (!mine[i] && storage_[i] != pattern(i)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 64;

  static std::byte pattern(std::size_t i) { return static_cast<std::byte>(0xA5U ^ (i & 0xFFU)); }
  void fill(std::int64_t elements) {
    storage_.resize(static_cast<std::size_t>(elements) * sizeof(T) + 2 * kGuard);
    for (std::size_t i = 0; i < storage_.size(); ++i) storage_[i] = pattern(i);
  }
  void assign(const Values<T>& values) {
    for_each_index(shape_, [&](DimsView index, std::int64_t linear) {
      const T value = values[static_cast<std::size_t>(linear)];
      std::memcpy(at(index), &value, sizeof(T));
    });
  }
  std::uint32_t rank() const { return static_cast<std::uint32_t>(shape_.size()); }
  const std::int64_t* strides() const { return compact_ ? nullptr : strides_.data(); }
  const std::byte* base() const { return storage_.data() + kGuard + offset_ * static_cast<std::int64_t>(sizeof(T)); }
  const std::byte* at(DimsView index) const {
    std::int64_t position = 0;
    for (std::size_t k = 0; k < index.size(); ++k) position += index[k] * strides_[k];
    return base() + position * static_cast<std::int64_t>(sizeof(T));
  }
  std::byte* at(DimsView index) { return const_cast<std::byte*>(std::as_const(*this).at(index)); }

  Shape shape_;
  Dims strides_;
  std::int64_t offset_ = 0;
  bool compact_;
  std::vector<std::byte> storage_;
};

}  // namespace tenferro::testing
