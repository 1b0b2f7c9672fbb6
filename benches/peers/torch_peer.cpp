// SPDX-License-Identifier: MIT OR Apache-2.0
// libtorch's C++ API without autograd, one thread.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "benches/peers/peer.hpp"

namespace {

struct Inputs {
  // Inference mode: no autograd bookkeeping, the fastest state that libtorch has for plain evaluation.
  c10::InferenceMode guard;
  at::Tensor x, b, one, m, y, column, a8, b8, m8, n8;

  Inputs() {
    at::set_num_threads(1);
    const auto f64 = at::TensorOptions().dtype(at::kDouble);
    x = at::arange(8, f64).mul(0.01).reshape({1, 8});
    b = at::arange(8, f64).mul(0.01).add(0.1).reshape({1, 8});
    one = at::full({1, 1}, 0.1, f64);
    m = at::tensor({3.0, 4.0, 5.0, 6.0}, f64).reshape({2, 2});
    y = at::tensor({1.5, 1.25, 1.0, 0.5}, f64).reshape({2, 2});
    column = at::tensor({1.0, 2.0, 3.0, 4.0}, f64).reshape({4, 1});
    a8 = at::arange(8, f64);
    b8 = at::arange(8, f64).add(1.0);
    m8 = at::arange(64, f64).mul(0.01).reshape({8, 8});
    n8 = at::arange(64, f64).mul(0.02).reshape({8, 8});
  }
};

Inputs& inputs() {
  static Inputs in;
  return in;
}

double elementwise_chain(bool stretched) {
  Inputs& in = inputs();
  const at::Tensor& b = stretched ? in.one : in.b;
  at::Tensor t = at::mul(at::exp(at::add(in.x, b)), b);
  for (int i = 0; i < 2; ++i) t = at::mul(at::exp(at::add(t, b)), b);
  return *at::sum(t, {0}).data_ptr<double>();
}

double mixed_chain() {
  Inputs& in = inputs();
  at::Tensor t = at::maximum(at::pow(at::log(at::sub(in.m, in.y)), in.y), in.y);
  t = at::neg(t).reshape({4, 1}).transpose(0, 1);
  t = at::matmul(at::clamp(t, -2.0, 2.0), in.column);
  return t.to(at::kFloat).data_ptr<float>()[0];
}

double add8() {
  Inputs& in = inputs();
  return *at::add(in.a8, in.b8).data_ptr<double>();
}

double einsum8() {
  Inputs& in = inputs();
  return *at::einsum("ij,jk->ik", {in.m8, in.n8}).data_ptr<double>();
}

double einsum_chain() {
  Inputs& in = inputs();
  at::Tensor t = in.m8;
  for (int i = 0; i < 10; ++i) t = at::einsum("ij,jk->ik", {t, in.n8});
  return *t.data_ptr<double>();
}

}  // namespace

const tenferro::bench::Peer* tenferro_peer() {
  static const tenferro::bench::Peer peer{"libtorch", elementwise_chain, mixed_chain, add8, einsum8, einsum_chain};
  inputs();
  return &peer;
}
