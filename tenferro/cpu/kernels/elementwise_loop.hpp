// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Scalar formulas as loops over strips: what every elementwise row has for every dtype, and what vector loops
// (vector_*.cpp) take the place of where there are some.
//
//   loops.set_row(OpKind::add, DType::f64, &ElementwiseLoop<ScalarFormula<OpKind::add>, true, double, double>::strip);

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "tenferro/cpu/kernels/element_runner.hpp"
#include "tenferro/ops/op_kind.hpp"
#include "tenferro/ops/scalar_functions.hpp"

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
      return scalar::name(xs...);               \
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

/// The loop of `Formula` over operands of types In…; that of `cheap` formulas is one that the compiler vectorises.
template <class Formula, bool cheap, class... In>
class ElementwiseLoop {
 public:
  using Out = std::invoke_result_t<Formula, In...>;

  static void strip(std::byte* out, const std::byte* in0, const std::byte* in1, const std::byte* in2,
                    std::int64_t count) {
    const std::byte* in[] = {in0, in1, in2};
    run(reinterpret_cast<Out*>(out), in, count, std::index_sequence_for<In...>{});
  }

 private:
  template <std::size_t... k>
  static void run(Out* out, const std::byte* const* in, std::int64_t n, std::index_sequence<k...>) {
    compute(out, n, reinterpret_cast<const In*>(in[k])...);
  }

  static void compute(Out* out, std::int64_t n, const In*... in) {
    if constexpr (cheap) {
      TENFERRO_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) out[i] = Formula{}(in[i]...);
    } else {
      for (std::int64_t i = 0; i < n; ++i) out[i] = Formula{}(in[i]...);
    }
  }
};

}  // namespace tenferro::internal
