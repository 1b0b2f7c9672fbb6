// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element-by-element kernels: what of a call does not depend on the formula. One kernel serves every row of a number of
// operands; its loop comes from the table of loops.

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/element_runner.hpp"
#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/refused_elements.hpp"

namespace tenferro::internal {

constexpr bool is_cheap(OpKind kind) noexcept { return has(info(kind).traits, Traits::cheap); }

/// Rough cost of one element, for deciding whether to ask for helpers.
inline double ns_per_element(OpKind kind, DType d) noexcept {
  const double weight = is_complex(d) ? calibration::kComplexWeight : 1;
  return weight * (is_cheap(kind) ? calibration::kCheapElementNs : calibration::kDearElementNs);
}

/// The dtype that chooses the loop of a row of kIn operands: that of the first, of a selection the second.
template <std::size_t kIn>
DType data_dtype(const TensorRead* in) noexcept {
  return in[kIn == 3 ? 1 : 0].dtype;
}

template <std::size_t kIn>
[[gnu::noinline]] void run_any_elements(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                                        std::span<const TensorWrite> out) {
  const DType d = data_dtype<kIn>(in.data());
  run_elements(context, element_loops().row(op.kind(), d), ns_per_element(op.kind(), d), in.first<kIn>(), out[0]);
}

/// A few elements that lie anyhow: operands are brought into blocks of their own first.
template <std::size_t kIn>
[[gnu::noinline]] void run_few_elements(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                                        std::span<const TensorWrite> out) {
  const ElementLoops* loops = element_loops_if_chosen();
  const TensorWrite& y = out[0];
  const std::int64_t n = y.count();
  if (loops == nullptr || n > kFewElements) return run_any_elements<kIn>(context, op, in, out);
  if (n == 0) return;
  FewElements blocks[kIn + 1];
  const std::byte* at[kIn];
  for (std::size_t k = 0; k < kIn; ++k) at[k] = in[k].compact() ? in[k].data : gather_few(blocks[k], in[k]);
  std::byte* const to = y.compact() ? y.data : blocks[kIn].bytes;
  loops->row(op.kind(), data_dtype<kIn>(in.data()))(to, at[0], at[kIn > 1 ? 1 : 0], at[kIn - 1], n);
  if (to != y.data) scatter_few(y, to);
}

/// A few elements of which some operand is one value.
template <std::size_t kIn>
[[gnu::noinline]] void run_stretched_elements(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                                              std::span<const TensorWrite> out) {
  std::byte repeated[kIn][kFewElements * 16];
  const ElementLoops* loops = element_loops_if_chosen();
  const TensorRead* x = in.data();
  const std::byte* at[kIn];
  const std::int64_t n = out[0].count();
  if (loops == nullptr || !out[0].compact() || n > kFewElements) return run_few_elements<kIn>(context, op, in, out);
  for (std::size_t k = 0; k < kIn; ++k) {
    at[k] = x[k].data;
    if (x[k].compact()) continue;
    if (!repeats_one_value(x[k])) return run_few_elements<kIn>(context, op, in, out);
    repeat_value(repeated[k], x[k].data, static_cast<std::int64_t>(element_size(x[k].dtype)), n);
    at[k] = repeated[k];
  }
  loops->row(op.kind(), data_dtype<kIn>(x))(out[0].data, at[0], at[kIn > 1 ? 1 : 0], at[kIn - 1], n);
}

/// Rows of kIn operands. A few elements that lie one after another reach their loop in few instructions.
template <std::size_t kIn>
void run_elementwise(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                     std::span<const TensorWrite> out) {
  const ElementLoops* loops = element_loops_if_chosen();
  const TensorWrite& y = out[0];
  const TensorRead* x = in.data();
  const bool compact = y.compact() & x[0].compact() & x[kIn > 1 ? 1 : 0].compact() & x[kIn - 1].compact();
  if (!compact) [[unlikely]]
    return run_stretched_elements<kIn>(context, op, in, out);
  const std::int64_t n = y.count();
  if (loops == nullptr || n > kFewElements) [[unlikely]]
    return run_any_elements<kIn>(context, op, in, out);
  loops->row(op.kind(), data_dtype<kIn>(x))(y.data, x[0].data, x[kIn > 1 ? 1 : 0].data, x[kIn - 1].data, n);
}

/// Rows of two operands that refuse some values of the second: looked for before the first element is written.
template <OpKind kind, class T>
struct RefusingKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    refuse_elements<Refused<kind, T>, T>(context, op, in[1], 1);
    run_elementwise<2>(context, op, in, out);
  }
};

/// The kernel of every dtype that the row admits.
template <OpKind kind, std::size_t kIn>
constexpr DTypeKernels elementwise_kernels() {
  DTypeKernels kernels{};
  constexpr DTypeSet accepted = admitted(info(kind).dtypes);
#define TENFERRO_DTYPE(name, type, text)                                                                     \
  if constexpr (accepted.contains(DType::name)) {                                                            \
    kernels[index(DType::name)] = &run_elementwise<kIn>;                                                     \
    if constexpr (Refused<kind, type>::kAny) kernels[index(DType::name)] = &RefusingKernel<kind, type>::run; \
  }
#include "tenferro/tensor/dtype.def"
  return kernels;
}

/// Sets the scalar loops of a row, whose operands all have one dtype.
template <OpKind kind, std::size_t kIn>
void set_scalar_loops(ElementLoops& loops) {
  constexpr DTypeSet accepted = admitted(info(kind).dtypes);
  using Formula = ScalarFormula<kind>;
#define TENFERRO_DTYPE(name, type, text)                                                                    \
  if constexpr (accepted.contains(DType::name)) {                                                           \
    if constexpr (kIn == 1) {                                                                               \
      loops.set_row(kind, DType::name, &ElementwiseLoop<Formula, is_cheap(kind), type>::strip);             \
    } else if constexpr (kIn == 2) {                                                                        \
      loops.set_row(kind, DType::name, &ElementwiseLoop<Formula, is_cheap(kind), type, type>::strip);       \
    } else {                                                                                                \
      loops.set_row(kind, DType::name, &ElementwiseLoop<Formula, is_cheap(kind), type, type, type>::strip); \
    }                                                                                                       \
  }
#include "tenferro/tensor/dtype.def"
}

}  // namespace tenferro::internal
