// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element-by-element loops over whole tensors: any strides, any number of threads, and the same bits for all of them,
// because every element goes through the same loop.
//
//   run_elements(context, loop, 0.2, in, out[0]);

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/kernels/element_loop.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro::internal {

/// So few that even the dearest formula takes no time worth sharing.
inline constexpr std::int64_t kFewElements = 512;

/// Whether every index leads to the same element.
inline bool repeats_one_value(const TensorRead& x) noexcept {
  if (x.strides == kStandStill) return true;
  if (x.strides == nullptr) return false;
  for (std::uint32_t k = 0; k < x.axis_count; ++k) {
    if (x.strides[k] != 0 && x.extents[k] != 1) return false;
  }
  return true;
}

/// Room for a few elements of any dtype, for whole lines.
struct alignas(64) FewElements {
  std::byte bytes[kFewElements * 16];
};

/// The elements of x, one or more, one after another in the block; returns its start.
const std::byte* gather_few(FewElements& block, const TensorRead& x);

/// The opposite.
void scatter_few(const TensorWrite& y, const std::byte* from);

/// out[i] = loop(in[0][i], …) for operands of one shape: 1 to 3 inputs, each of them disjoint from the output or the
/// very same elements. `ns_per_element` is what an element costs, about. Elements that lie one after another, or are
/// one value, cost little more than the loop.
void run_elements(KernelContext& context, ElementLoop loop, double ns_per_element, std::span<const TensorRead> in,
                  const TensorWrite& out);

}  // namespace tenferro::internal
