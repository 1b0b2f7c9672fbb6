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

constexpr DTypeKernels for_any_dtype(KernelFn kernel) {
  DTypeKernels kernels{};
  for (KernelFn& entry : kernels) entry = kernel;
  return kernels;
}

}  // namespace tenferro::internal
