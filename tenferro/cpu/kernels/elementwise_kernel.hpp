// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element-by-element kernels by row and dtype: which loops a row gets and what an element costs.

#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/refused_elements.hpp"

namespace tenferro::internal {

constexpr bool is_cheap(OpKind kind) noexcept { return has(info(kind).traits, Traits::cheap); }

/// Rough cost of one element, for deciding whether to ask for helpers.
template <OpKind kind, class T>
constexpr double ns_per_element() noexcept {
  const double weight = is_complex(dtype_of<T>) ? calibration::kComplexWeight : 1;
  return weight * (is_cheap(kind) ? calibration::kCheapElementNs : calibration::kDearElementNs);
}

template <OpKind kind, class T>
struct UnaryKernel {
  static void run(KernelContext& context, const Op&, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
    ElementwiseLoop<ScalarFormula<kind>, is_cheap(kind), T>::run(context, ns_per_element<kind, T>(), in, out[0]);
  }
};

template <OpKind kind, class T>
struct BinaryKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    if constexpr (Refused<kind, T>::kAny) refuse_elements<Refused<kind, T>, T>(context, op, in[1], 1);
    ElementwiseLoop<ScalarFormula<kind>, is_cheap(kind), T, T>::run(context, ns_per_element<kind, T>(), in, out[0]);
  }
};

/// Three operands of one dtype.
template <OpKind kind, class T>
struct TernaryKernel {
  static void run(KernelContext& context, const Op&, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
    ElementwiseLoop<ScalarFormula<kind>, is_cheap(kind), T, T, T>::run(context, ns_per_element<kind, T>(), in, out[0]);
  }
};
template <class T>
struct TernaryKernel<OpKind::select, T> {
  static void run(KernelContext& context, const Op&, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
    ElementwiseLoop<ScalarFormula<OpKind::select>, true, bool, T, T>::run(context, ns_per_element<OpKind::select, T>(),
                                                                          in, out[0]);
  }
};

/// The three templates as families over T alone, the form that kernels_for_row takes.
template <OpKind kind>
struct ElementwiseRow {
  template <class T>
  using Unary = UnaryKernel<kind, T>;
  template <class T>
  using Binary = BinaryKernel<kind, T>;
  template <class T>
  using Ternary = TernaryKernel<kind, T>;
};

}  // namespace tenferro::internal
