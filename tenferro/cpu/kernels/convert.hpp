// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The kernel of the `convert` row, for the structural table:
//
//   table.set(OpKind::convert, kernels_for_row<OpKind::convert, ConvertKernel>());

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// Elements of type From in the dtype of the payload, by the rules of cast_value; inference has refused what a checked
/// conversion refuses. Any strides; conversion to the same dtype is a copy.
template <class From>
struct ConvertKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out);
};

#define TENFERRO_DTYPE(name, type, text) extern template struct ConvertKernel<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
