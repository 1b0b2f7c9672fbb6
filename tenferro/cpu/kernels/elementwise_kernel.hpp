// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element-by-element kernels by row and dtype: which loops a row gets and what an element costs.

#include <algorithm>
#include <array>

#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/refused_elements.hpp"

namespace tenferro::internal {

/// Rows whose formula is a few instructions; their loops are worth vectorising and are bound by memory.
inline constexpr std::array kCheapRows{
    OpKind::neg,         OpKind::abs,        OpKind::sign,        OpKind::square,       OpKind::conj,
    OpKind::real,        OpKind::imag,       OpKind::sqrt,        OpKind::rsqrt,        OpKind::reciprocal,
    OpKind::is_nan,      OpKind::is_inf,     OpKind::is_finite,   OpKind::logical_not,  OpKind::bit_not,
    OpKind::popcount,    OpKind::add,        OpKind::sub,         OpKind::mul,          OpKind::div,
    OpKind::maximum,     OpKind::minimum,    OpKind::copysign,    OpKind::make_complex, OpKind::eq,
    OpKind::ne,          OpKind::lt,         OpKind::le,          OpKind::gt,           OpKind::ge,
    OpKind::logical_and, OpKind::logical_or, OpKind::logical_xor, OpKind::bit_and,      OpKind::bit_or,
    OpKind::bit_xor,     OpKind::shift_left, OpKind::shift_right, OpKind::select,       OpKind::clamp,
    OpKind::fma,         OpKind::floor,      OpKind::ceil,        OpKind::round,        OpKind::trunc};

constexpr bool is_cheap(OpKind kind) noexcept {
  return std::find(kCheapRows.begin(), kCheapRows.end(), kind) != kCheapRows.end();
}

/// Rough cost of one element, for deciding whether to ask for helpers.
template <OpKind kind, class T>
constexpr double ns_per_element() noexcept {
  const double weight = is_complex(dtype_of<T>) ? 4 : 1;
  return weight * (is_cheap(kind) ? 0.5 : 8);
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
