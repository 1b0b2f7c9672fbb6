// SPDX-License-Identifier: MIT OR Apache-2.0
#include "benches/arms.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/kernels/gemm_small.hpp"
#include "tenferro/ops/contraction.hpp"

namespace tenferro::bench {
namespace {

CpuBackend& backend() {
  // Never destroyed: the arms run until the process ends.
  static CpuBackend& cpu = *new CpuBackend(CpuBackend::Options{.threads = 1});
  return cpu;
}

void add_size(std::vector<Arm>& arms, std::int64_t n) {
  const double entry = 1.0 / static_cast<double>(n);  // a matrix of these is its own square
  Tensor &a = *new Tensor(Tensor::full({n, n}, entry)), &c = *new Tensor(Tensor::zeros(DType::f64, {n, n}));
  arms.push_back({std::string("matmul") + std::to_string(n),
                  [&a](long count) {
                    return backend().with_session([&](BackendSession& session) {
                      double sum = 0;
                      for (long i = 0; i < count; ++i) sum += matmul(session, a, a).data<double>()[0];
                      return sum;
                    });
                  },
                  entry});
  arms.push_back({std::string("product") + std::to_string(n),
                  [&a, &c, n](long count) {
                    const double* const x = a.data<double>().data();
                    double* const y = c.data<double>().data();
                    double sum = 0;
                    for (long i = 0; i < count; ++i) {
                      internal::gemm_small<double>(n, n, n, {x, 1, n}, {x, 1, n}, {y, 1, n}, {1, 0});
                      sum += y[0];
                    }
                    return sum;
                  },
                  entry});
}

}  // namespace

std::vector<Arm> product_arms() {
  std::vector<Arm> arms;
  for (const std::int64_t n : {2, 3, 4, 5, 7, 8}) add_size(arms, n);
  return arms;
}

}  // namespace tenferro::bench
