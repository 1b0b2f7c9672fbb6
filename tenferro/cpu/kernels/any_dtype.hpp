// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What kernels share that serve every dtype with one function, because they look at the width of elements only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {

using Inputs = std::span<const TensorRead>;
using Outputs = std::span<const TensorWrite>;

/// One element of any dtype, as bytes from the front.
using Element = std::array<std::byte, 16>;
/// The value zero of every dtype.
inline constexpr Element kZeroElement{};
/// The scalar as an element of the dtype, which can hold it.
inline Element element_of(const Scalar& value, DType dtype) {
  Element element{};
  visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
    const T x = value.get<T>();
    std::memcpy(element.data(), &x, sizeof x);
  });
  return element;
}

template <class Word>
void copy_words(const std::byte* from, std::int64_t from_step, std::byte* to, std::int64_t to_step, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, sizeof(Word));
}
/// n elements of `size` bytes; steps are bytes.
inline void copy_elements(std::int64_t size, const std::byte* from, std::int64_t from_step, std::byte* to,
                          std::int64_t to_step, std::int64_t n) {
  if (from_step == size && to_step == size) {
    std::memcpy(to, from, static_cast<std::size_t>(n * size));
  } else if (size == 1) {
    copy_words<std::uint8_t>(from, from_step, to, to_step, n);
  } else if (size == 4) {
    copy_words<std::uint32_t>(from, from_step, to, to_step, n);
  } else if (size == 8) {
    copy_words<std::uint64_t>(from, from_step, to, to_step, n);
  } else {
    copy_words<Element>(from, from_step, to, to_step, n);
  }
}

constexpr DTypeKernels for_any_dtype(KernelFn kernel) {
  DTypeKernels kernels{};
  for (KernelFn& entry : kernels) entry = kernel;
  return kernels;
}

}  // namespace tenferro::internal
