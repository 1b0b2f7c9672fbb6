// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The chains of ten small operations that measure what a session costs. A chain is written once, over a runner that
// decides how each operation enters: `run(f)` calls f with a session.

#include "tenferro/ops/composites.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/structural.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::bench {

/// Operands of the first chain: 1×8 and either 1×8 or, stretched, 1×1.
struct ChainInputs {
  Tensor x, b;
};
inline ChainInputs equal_inputs() {
  ChainInputs in{Tensor::uninitialized(DType::f64, {1, 8}), Tensor::uninitialized(DType::f64, {1, 8})};
  for (std::size_t i = 0; i < 8; ++i) {
    in.x.data<double>()[i] = 0.01 * static_cast<double>(i);
    in.b.data<double>()[i] = 0.1 + 0.01 * static_cast<double>(i);
  }
  return in;
}
inline ChainInputs stretched_inputs() {
  ChainInputs in = equal_inputs();
  in.b = Tensor::full({1, 1}, 0.1);
  return in;
}

/// (add, exp, mul) three times, then reduce_sum over axis 0.
template <class Run>
Tensor elementwise_chain(Run&& run, const ChainInputs& in) {
  Tensor t = run([&](auto& s) { return add(s, in.x, in.b); });
  t = run([&](auto& s) { return exp(s, t); });
  t = run([&](auto& s) { return mul(s, t, in.b); });
  for (int i = 0; i < 2; ++i) {
    t = run([&](auto& s) { return add(s, t, in.b); });
    t = run([&](auto& s) { return exp(s, t); });
    t = run([&](auto& s) { return mul(s, t, in.b); });
  }
  return run([&](auto& s) { return reduce_sum(s, t, {0}); });
}

/// Operands of the second chain: 2×2 matrices, a 4×1 column and the bounds of the clamp.
struct MixedInputs {
  Tensor x, y, column, low, high;
};
inline MixedInputs mixed_inputs() {
  return {Tensor::from_row_major<double>({2, 2}, {3.0, 4.0, 5.0, 6.0}),
          Tensor::from_row_major<double>({2, 2}, {1.5, 1.25, 1.0, 0.5}),
          Tensor::from_col_major<double>({4, 1}, {1.0, 2.0, 3.0, 4.0}), Tensor::scalar(-2.0), Tensor::scalar(2.0)};
}

/// sub, log, pow, maximum, neg, reshape to 4×1, transpose to 1×4, clamp by scalars, matmul by 4×1, cast to f32.
template <class Run>
Tensor mixed_chain(Run&& run, const MixedInputs& in) {
  Tensor t = run([&](auto& s) { return sub(s, in.x, in.y); });
  t = run([&](auto& s) { return log(s, t); });
  t = run([&](auto& s) { return pow(s, t, in.y); });
  t = run([&](auto& s) { return maximum(s, t, in.y); });
  t = run([&](auto& s) { return neg(s, t); });
  t = run([&](auto& s) { return reshape(s, t, {4, 1}); });
  t = run([&](auto& s) { return transpose(s, t, {1, 0}); });
  t = run([&](auto& s) { return clamp(s, t, in.low, in.high); });
  t = run([&](auto& s) { return matmul(s, t, in.column); });
  return run([&](auto& s) { return cast(s, t, DType::f32); });
}

/// All operations in one session.
template <class Backend, class Chain>
Tensor in_one_session(Backend& backend, Chain&& chain) {
  return backend.with_session(
      [&](auto& session) { return chain([&session](auto&& operation) { return operation(session); }); });
}

/// Each operation in a session of its own.
template <class Backend, class Chain>
Tensor in_ten_entries(Backend& backend, Chain&& chain) {
  return chain([&backend](auto&& operation) { return backend.with_session(operation); });
}

}  // namespace tenferro::bench
