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

/// Rows that call the mathematical library, divide whole numbers or look at bits one by one.
inline constexpr std::array kDearRows{
    OpKind::arg,       OpKind::exp,   OpKind::exp2,   OpKind::expm1,  OpKind::log,     OpKind::log2,  OpKind::log10,
    OpKind::log1p,     OpKind::sin,   OpKind::cos,    OpKind::tan,    OpKind::asin,    OpKind::acos,  OpKind::atan,
    OpKind::sinh,      OpKind::cosh,  OpKind::tanh,   OpKind::asinh,  OpKind::acosh,   OpKind::atanh, OpKind::cbrt,
    OpKind::erf,       OpKind::erfc,  OpKind::erfinv, OpKind::lgamma, OpKind::digamma, OpKind::pow,   OpKind::rem,
    OpKind::floor_mod, OpKind::atan2, OpKind::hypot};

constexpr bool is_cheap(OpKind kind) noexcept {
  return std::find(kCheapRows.begin(), kCheapRows.end(), kind) != kCheapRows.end();
}
constexpr bool each_row_is_cheap_or_dear() noexcept {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const OpCategory category = kOps[i].category;
    if (category != OpCategory::unary && category != OpCategory::binary && category != OpCategory::ternary) continue;
    const auto kind = static_cast<OpKind>(i);
    const bool dear = std::find(kDearRows.begin(), kDearRows.end(), kind) != kDearRows.end();
    if (is_cheap(kind) == dear) return false;
  }
  return true;
}
static_assert(each_row_is_cheap_or_dear(), "an element-by-element row stands in neither list, or in both");

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
