// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Large matrix products by our own kernels: operands of any layout are packed block by block into panels that the
// caches hold, so that none is copied as a whole, and the result goes straight to where it belongs.
//
//   gemm_packed<double>(context, plan_contraction(config, lhs, rhs, out), {a, false}, {b, false}, c, {1.0, 0.0});

#include "tenferro/cpu/kernels/contraction_plan.hpp"
#include "tenferro/cpu/kernels/gemm_types.hpp"

namespace tenferro::internal {

/// The first element of an operand, and whether it is conjugated.
template <class T>
struct GemmOperand {
  const T* data;
  bool conj;
};

/// c = alpha·a·b + beta·c for a plan without empty groups. Cost: one pass over each operand per block of the other, on
/// all lanes; scratch for the blocks of each lane.
template <class T>
void gemm_packed(KernelContext& context, const ContractionPlan& plan, GemmOperand<T> a, GemmOperand<T> b, T* c,
                 Blend<T> blend);

}  // namespace tenferro::internal
