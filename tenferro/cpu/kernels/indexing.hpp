// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Kernels of the indexing rows that have a file of their own; indexing.cpp puts them into the table.

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// Windows of in[0] at the index vectors of in[1]. By mode, a window that leaves the operand fails the call before
/// anything is written, is moved inside, or gives the fill value as a whole.
void run_gather(KernelContext& context, const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out);

/// The same with window sizes that inference took from the operands' shapes.
void run_gather_dynamic_slice_sizes(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                                    std::span<const TensorWrite> out);

/// in[0] with the windows of in[2] combined into it at the index vectors of in[1], in the column-major order of the
/// vectors. By mode, a window that leaves the operand fails the call before anything is written, or is dropped whole.
template <class T>
struct Scatter {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out);
};

#define TENFERRO_DTYPE(name, type, text) extern template struct Scatter<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
