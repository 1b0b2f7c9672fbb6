// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The loops of element-by-element kernels: a scalar formula becomes a loop over compact operands, over a run with any
// strides, and over whole tensors. A faster loop for one operation and dtype replaces `compact` and keeps the rest.
//
//   using AddF64 = ElementwiseLoop<ScalarFormula<OpKind::add>, true, double, double>;
//   AddF64::run(context, ns_per_element, in, out);

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "tenferro/cpu/kernels/strided_loop.hpp"
#include "tenferro/cpu/kernels/vector_exp.hpp"
#include "tenferro/ops/op_kind.hpp"

// No element of an output depends on another: operands are either the very same storage or disjoint.
#if defined(__clang__)
#define TENFERRO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TENFERRO_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tenferro::internal {

/// The formula of an elementwise row as a function object.
template <OpKind kind>
struct ScalarFormula;
#define TENFERRO_OP(name, category, ...) TENFERRO_FORMULA_##category(name)
#define TENFERRO_FORMULA(name)                  \
  template <>                                   \
  struct ScalarFormula<OpKind::name> {          \
    template <class... Ts>                      \
    constexpr auto operator()(Ts... xs) const { \
      return formulas::name(xs...);             \
    }                                           \
  };
#define TENFERRO_FORMULA_unary(name) TENFERRO_FORMULA(name)
#define TENFERRO_FORMULA_binary(name) TENFERRO_FORMULA(name)
#define TENFERRO_FORMULA_ternary(name) TENFERRO_FORMULA(name)
#define TENFERRO_FORMULA_reduction(name)
#define TENFERRO_FORMULA_scan(name)
#define TENFERRO_FORMULA_order(name)
#define TENFERRO_FORMULA_contraction(name)
#define TENFERRO_FORMULA_structural(name)
#define TENFERRO_FORMULA_indexing(name)
#define TENFERRO_FORMULA_dynamic(name)
#define TENFERRO_FORMULA_creation(name)
#define TENFERRO_FORMULA_random(name)
#include "tenferro/ops/core_ops.def"
#undef TENFERRO_FORMULA
#undef TENFERRO_FORMULA_unary
#undef TENFERRO_FORMULA_binary
#undef TENFERRO_FORMULA_ternary
#undef TENFERRO_FORMULA_reduction
#undef TENFERRO_FORMULA_scan
#undef TENFERRO_FORMULA_order
#undef TENFERRO_FORMULA_contraction
#undef TENFERRO_FORMULA_structural
#undef TENFERRO_FORMULA_indexing
#undef TENFERRO_FORMULA_dynamic
#undef TENFERRO_FORMULA_creation
#undef TENFERRO_FORMULA_random

/// A loop over compact operands that takes the place of the plain one, where there is one.
template <class Formula, class... In>
struct FastLoop {
  static constexpr bool kExists = false;
};
template <>
struct FastLoop<ScalarFormula<OpKind::exp>, double> {
  static constexpr bool kExists = true;
  static void run(double* out, std::int64_t n, const double* in) { exp_lanes(out, n, in); }
};

/// Loops of `Formula` over operands of types In…; `cheap` formulas get loops of their own for compact operands and for
/// operands that are one value stretched, so that the compiler vectorises them.
template <class Formula, bool cheap, class... In>
class ElementwiseLoop {
 public:
  using Out = std::invoke_result_t<Formula, In...>;
  static constexpr std::size_t kOperands = sizeof...(In) + 1;
  using Strip = Run<kOperands>;

  /// out[i] = formula(in[i]…) for i < n.
  static void compact(Out* out, std::int64_t n, const In*... in) {
    if constexpr (FastLoop<Formula, In...>::kExists) {
      FastLoop<Formula, In...>::run(out, n, in...);
    } else {
      TENFERRO_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) out[i] = Formula{}(in[i]...);
    }
  }

  /// One run with any strides.
  static void strip(const Strip& run) { strip(run, std::index_sequence_for<In...>{}); }

  /// Whole tensors of one shape, on helpers too where the work is worth it.
  [[gnu::always_inline]] static void run(KernelContext& context, double ns_per_element, std::span<const TensorRead> in,
                                         const TensorWrite& out) {
    run(context, ns_per_element, in, out, std::index_sequence_for<In...>{});
  }

 private:
  // Small compact work must reach its loop in a few instructions: everything else is out of line.
  template <std::size_t... k>
  [[gnu::always_inline]] static void run(KernelContext& context, double ns_per_element, std::span<const TensorRead> in,
                                         const TensorWrite& out, std::index_sequence<k...>) {
    const std::int64_t n = out.count();
    if (!(out.compact() && (in[k].compact() && ...))) [[unlikely]] {
      const bool at_once = out.compact() && n < static_cast<std::int64_t>(kSerialNs / ns_per_element);
      if (!at_once || !((in[k].compact() || is_one_value(in[k])) && ...)) {
        return run_strided(context, ns_per_element, in, out);
      }
      const std::int64_t strides[] = {sizeof(Out), (in[k].compact() ? std::int64_t{sizeof(In)} : 0)...};
      return strip(
          Strip{{reinterpret_cast<std::byte*>(out.as<Out>()), const_cast<std::byte*>(in[k].data)...}, strides, n});
    }
    if (n >= static_cast<std::int64_t>(kSerialNs / ns_per_element)) [[unlikely]] {
      return share(context, ns_per_element, n, out.as<Out>(), in[k].template as<In>()...);
    }
    compact(out.as<Out>(), n, in[k].template as<In>()...);
  }

  [[gnu::noinline]] static void run_strided(KernelContext& context, double ns_per_element,
                                            std::span<const TensorRead> in, const TensorWrite& out) {
    std::array<LoopOperand, kOperands> operands{operand(out)};
    for (std::size_t i = 0; i < sizeof...(In); ++i) operands[i + 1] = operand(in[i]);
    const StridedLoop<kOperands> loop(out.shape(), operands);
    loop.run_parallel(context, ns_per_element, [](const Strip& run) { strip(run); });
  }

  [[gnu::noinline]] static void share(KernelContext& context, double ns_per_element, std::int64_t n, Out* out,
                                      const In*... in) {
    context.parallel_for(n, ns_per_element, [&](std::int64_t first, std::int64_t last) {
      compact(out + first, last - first, (in + first)...);
    });
  }

  template <std::size_t... k>
  static void strip(const Strip& run, std::index_sequence<k...>) {
    auto* const out = reinterpret_cast<Out*>(run.data[0]);
    const std::int64_t n = run.count;
    if constexpr (cheap) {
      if (run.strides[0] == static_cast<std::int64_t>(sizeof(Out))) {
        if (((run.strides[k + 1] == static_cast<std::int64_t>(sizeof(In))) && ...)) {
          return compact(out, n, reinterpret_cast<const In*>(run.data[k + 1])...);
        }
        if (stretched(run, out, std::index_sequence<k...>{})) return;
      }
    }
    const std::byte* from[] = {run.data[k + 1]...};
    std::byte* to = run.data[0];
    for (std::int64_t i = 0; i < n; ++i) {
      *reinterpret_cast<Out*>(to) = Formula{}(*reinterpret_cast<const In*>(from[k])...);
      to += run.strides[0];
      ((from[k] += run.strides[k + 1]), ...);
    }
  }

  /// Handles a run in which each operand is contiguous or one value; false if this is none, or all are contiguous.
  template <std::size_t... k>
  static bool stretched(const Strip& run, Out* out, std::index_sequence<k...>) {
    if constexpr (sizeof...(In) == 1) {
      if (run.strides[1] != 0) return false;
      const Out value = Formula{}(*reinterpret_cast<const In*>(run.data[1])...);
      for (std::int64_t i = 0; i < run.count; ++i) out[i] = value;
      return true;
    } else if constexpr (sizeof...(In) == 2) {
      return stretched_as<true, false>(run, out) || stretched_as<false, true>(run, out);
    } else {
      return stretched_as<true, true, false>(run, out) || stretched_as<true, false, true>(run, out) ||
             stretched_as<true, false, false>(run, out);
    }
  }

  template <bool... varies>
  static bool stretched_as(const Strip& run, Out* out) {
    return stretched_as<varies...>(run, out, std::index_sequence_for<In...>{});
  }
  template <bool... varies, std::size_t... k>
  static bool stretched_as(const Strip& run, Out* out, std::index_sequence<k...>) {
    if (!((run.strides[k + 1] == (varies ? static_cast<std::int64_t>(sizeof(In)) : 0)) && ...)) return false;
    const auto loop = [n = run.count, out](const auto&... operands) {
      TENFERRO_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) out[i] = Formula{}(operands[i]...);
    };
    loop(Strand<varies, In>(run.data[k + 1])...);
    return true;
  }

  /// An operand of a run: contiguous elements, or one value everywhere.
  template <bool varies, class T>
  struct Strand {
    explicit Strand(const std::byte* at) : data(reinterpret_cast<const T*>(at)) {}
    const T& operator[](std::int64_t i) const { return data[i]; }
    const T* data;
  };
  template <class T>
  struct Strand<false, T> {
    explicit Strand(const std::byte* at) : value(*reinterpret_cast<const T*>(at)) {}
    const T& operator[](std::int64_t) const { return value; }
    T value;
  };
};

}  // namespace tenferro::internal
