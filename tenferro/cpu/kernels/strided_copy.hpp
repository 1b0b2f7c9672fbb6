// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Copies between strided layouts by width of element, on all lanes: what every operation that only moves data rests on.
// The tiles are those of move_plan.hpp.
//
//   strided_copy(context, sizeof(double), shape, from, from_strides, to, to_strides);

#include <cstddef>
#include <cstdint>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro::internal {

/// Copies the box `shape`. Strides count elements of `width` bytes (1, 4, 8 or 16); those of the source may be zero,
/// both may be negative. Source and target must not overlap. Cost: one pass, on all lanes from about 64 KiB on.
void strided_copy(KernelContext& context, std::size_t width, DimsView shape, const std::byte* from,
                  DimsView from_strides, std::byte* to, DimsView to_strides);

/// Sets the box `shape` to the one element at `value`.
void strided_fill(KernelContext& context, std::size_t width, DimsView shape, const void* value, std::byte* to,
                  DimsView to_strides);

/// Copies a whole operand into an output of the same shape and width of element.
void copy_operand(KernelContext& context, const TensorRead& from, const TensorWrite& to);

}  // namespace tenferro::internal
