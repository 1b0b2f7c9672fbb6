// SPDX-License-Identifier: MIT OR Apache-2.0
// Small products of libtorch, without autograd: at::matmul, which makes its result, and at::bmm_out for a batch.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "benches/peers/gemm_small_peer.hpp"

namespace {

struct Products {
  at::Tensor a, b, c;
};

at::Tensor wrap(char dtype, const void* data, at::IntArrayRef shape) {
  const auto options = at::TensorOptions().dtype(dtype == 's' ? at::kFloat : at::kDouble);
  return at::from_blob(const_cast<void*>(data), shape, options);
}

// Row-major matrices are the transposes: cᵀ = bᵀ·aᵀ.
void* prepare(char dtype, long n, long count, const void* a, const void* b, void* c) {
  at::set_num_threads(1);
  const c10::InferenceMode guard;
  if (count == 1) {
    auto* product = new Products{wrap(dtype, b, {n, n}), wrap(dtype, a, {n, n}), wrap(dtype, c, {n, n})};
    at::mm_out(product->c, product->a, product->b);  // runs make results of their own; this one is for the caller
    return product;
  }
  return new Products{wrap(dtype, b, {count, n, n}), wrap(dtype, a, {count, n, n}), wrap(dtype, c, {count, n, n})};
}
void run(void* products) {
  const c10::InferenceMode guard;
  Products& p = *static_cast<Products*>(products);
  if (p.c.dim() == 2) {
    p.c = at::matmul(p.a, p.b);
    return;
  }
  at::bmm_out(p.c, p.a, p.b);
}

void* prepare_vector(char dtype, long n, bool transposed, const void* a, const void* x, void* y) {
  at::set_num_threads(1);
  const c10::InferenceMode guard;
  const at::Tensor matrix = wrap(dtype, a, {n, n});
  return new Products{transposed ? matrix : matrix.t(), wrap(dtype, x, {n}), wrap(dtype, y, {n})};
}
void run_vector(void* product) {
  const c10::InferenceMode guard;
  Products& p = *static_cast<Products*>(product);
  at::mv_out(p.c, p.a, p.b);
}

}  // namespace

const tenferro::bench::GemmSmallPeer* tenferro_gemm_small_peer() {
  static const tenferro::bench::GemmSmallPeer peer{"torch", prepare, run, prepare_vector, run_vector};
  return &peer;
}
