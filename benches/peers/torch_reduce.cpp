// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions of libtorch, without autograd, into a ready output.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <vector>

#include "benches/peers/reduce_peer.hpp"

namespace {

using tenferro::bench::Reduction;

struct Prepared {
  bool largest;
  std::vector<std::int64_t> axes;
  at::Tensor x, out;
};

void* prepare(const Reduction& what, const double* x, double* out) {
  at::set_num_threads(1);
  const c10::InferenceMode guard;
  const auto f64 = at::TensorOptions().dtype(at::kDouble);
  const std::int64_t n = what.n, step0 = what.transposed ? n : 1, step1 = what.transposed ? 1 : n;
  const at::Tensor matrix = at::from_blob(const_cast<double*>(x), {n, n}, {step0, step1}, f64);
  if (what.axis < 0) return new Prepared{what.largest, {0, 1}, matrix, at::from_blob(out, {}, f64)};
  return new Prepared{what.largest, {what.axis}, matrix, at::from_blob(out, {n}, f64)};
}

void run(void* prepared) {
  const c10::InferenceMode guard;
  Prepared& p = *static_cast<Prepared*>(prepared);
  p.largest ? at::amax_out(p.out, p.x, p.axes) : at::sum_out(p.out, p.x, p.axes);
}

}  // namespace

const tenferro::bench::ReducePeer* tenferro_reduce_peer() {
  static const tenferro::bench::ReducePeer peer{"torch", prepare, run};
  return &peer;
}
