// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The kernel of the `convert` row, for the structural table:
//
//   table.set(OpKind::convert, for_any_dtype(run_convert));

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

/// Elements in the dtype of the payload, by the rules of cast_value; inference has refused what a checked conversion
/// refuses. Any strides; conversion to the same dtype is a copy.
void run_convert(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                 std::span<const TensorWrite> out);

}  // namespace tenferro::internal
