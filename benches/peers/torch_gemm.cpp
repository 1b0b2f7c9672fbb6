// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrix products of libtorch, without autograd, into a ready output.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "benches/peers/gemm_peer.hpp"

namespace {

struct Product {
  at::Tensor a, b, c;
};

at::ScalarType type_of(char dtype) {
  switch (dtype) {
    case 's':
      return at::kFloat;
    case 'd':
      return at::kDouble;
    case 'c':
      return at::kComplexFloat;
    case 'i':
      return at::kInt;
    case 'l':
      return at::kLong;
    default:
      return at::kComplexDouble;
  }
}

void* prepare(char dtype, long n, const void* a, const void* b, void* c) {
  at::set_num_threads(1);
  const c10::InferenceMode guard;
  // Row-major matrices are the transposes: cᵀ = bᵀ·aᵀ.
  const auto matrix = [&](const void* data) {
    return at::from_blob(const_cast<void*>(data), {n, n}, at::TensorOptions().dtype(type_of(dtype)));
  };
  return new Product{matrix(b), matrix(a), matrix(c)};
}

void run(void* product) {
  const c10::InferenceMode guard;
  Product& p = *static_cast<Product*>(product);
  at::mm_out(p.c, p.a, p.b);
}

}  // namespace

const tenferro::bench::GemmPeer* tenferro_gemm_peer() {
  static const tenferro::bench::GemmPeer peer{"torch", prepare, run};
  return &peer;
}
