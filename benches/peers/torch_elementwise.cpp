// SPDX-License-Identifier: MIT OR Apache-2.0
// libtorch's operations into given tensors, without autograd, on one thread.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <cstring>

#include "benches/peers/elementwise_peer.hpp"

namespace {

using tenferro::bench::ElementwiseArrays;

struct Operation {
  void (*run)(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask);
  at::Tensor out, a, b, mask;
};

struct Named {
  const char* name;
  void (*run)(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask);
};
#define TORCH_OPERATION(name, call)                                                               \
  Named {                                                                                         \
    name, [](at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask) { \
      (void)a, (void)b, (void)mask;                                                               \
      call;                                                                                       \
    }                                                                                             \
  }
const Named kOperations[] = {TORCH_OPERATION("add", at::add_out(out, a, b)),
                             TORCH_OPERATION("mul", at::mul_out(out, a, b)),
                             TORCH_OPERATION("select", at::where_out(out, mask, a, b)),
                             TORCH_OPERATION("exp", at::exp_out(out, a)),
                             TORCH_OPERATION("log", at::log_out(out, a)),
                             TORCH_OPERATION("sin", at::sin_out(out, a)),
                             TORCH_OPERATION("cos", at::cos_out(out, a)),
                             TORCH_OPERATION("tanh", at::tanh_out(out, a)),
                             TORCH_OPERATION("pow", at::pow_out(out, a, b))};

void* prepare(const char* operation, const ElementwiseArrays& x) {
  // Inference mode: no autograd bookkeeping, the fastest state that libtorch has for plain evaluation.
  static const c10::InferenceMode guard;
  at::set_num_threads(1);
  const auto wrap = [&](const void* data, at::ScalarType type) {
    return at::from_blob(const_cast<void*>(data), {x.n}, at::TensorOptions().dtype(type));
  };
  for (const Named& named : kOperations) {
    if (std::strcmp(named.name, operation) == 0) {
      return new Operation{named.run, wrap(x.out, at::kDouble), wrap(x.a, at::kDouble), wrap(x.b, at::kDouble),
                           wrap(x.mask, at::kBool)};
    }
  }
  return nullptr;
}

void run(void* operation) {
  auto* ready = static_cast<Operation*>(operation);
  ready->run(ready->out, ready->a, ready->b, ready->mask);
}

}  // namespace

const tenferro::bench::ElementwisePeer* tenferro_elementwise_peer() {
  static const tenferro::bench::ElementwisePeer peer{"libtorch", prepare, run};
  return &peer;
}
