// SPDX-License-Identifier: MIT OR Apache-2.0
// libxsmm: one kernel made beforehand, called in a loop over contiguous matrices.
#include <libxsmm.h>

#include "benches/peers/gemm_small_peer.hpp"

namespace {

struct Products {
  libxsmm_dmmfunction f64;
  libxsmm_smmfunction f32;
  long step, count;
  const void* a;
  const void* b;
  void* c;
};

void* prepare(char dtype, long n, long count, const void* a, const void* b, void* c) {
  libxsmm_init();
  const libxsmm_blasint size = static_cast<libxsmm_blasint>(n);
  const int flags = LIBXSMM_GEMM_FLAG_NONE;
  Products* p = new Products{nullptr, nullptr, n * n, count, a, b, c};
  if (dtype == 'd') {
    const double alpha = 1, beta = 0;
    p->f64 = libxsmm_dmmdispatch(size, size, size, &size, &size, &size, &alpha, &beta, &flags, nullptr);
  } else {
    const float alpha = 1, beta = 0;
    p->f32 = libxsmm_smmdispatch(size, size, size, &size, &size, &size, &alpha, &beta, &flags, nullptr);
  }
  return p->f64 == nullptr && p->f32 == nullptr ? nullptr : p;
}

template <class T, class F>
void run_all(const Products& p, F kernel) {
  const T *a = static_cast<const T*>(p.a), *b = static_cast<const T*>(p.b);
  T* c = static_cast<T*>(p.c);
  for (long i = 0; i < p.count; ++i) kernel(a + i * p.step, b + i * p.step, c + i * p.step);
}

void run(void* products) {
  const Products& p = *static_cast<const Products*>(products);
  p.f64 != nullptr ? run_all<double>(p, p.f64) : run_all<float>(p, p.f32);
}

}  // namespace

const tenferro::bench::GemmSmallPeer* tenferro_gemm_small_peer() {
  static const tenferro::bench::GemmSmallPeer peer{"xsmm", prepare, run, nullptr, nullptr};
  return &peer;
}
