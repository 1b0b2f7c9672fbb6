// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cblas.h>

#include "benches/arms.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"

namespace tenferro::bench {
namespace {

constexpr std::int64_t kSize = 8;
constexpr double kEntry = 1.0 / kSize;  // a matrix of these is its own square

struct Setup {
  CpuBackend cpu{CpuBackend::Options{.threads = 1}};
  Tensor a = Tensor::full({kSize, kSize}, kEntry), b = Tensor::full({kSize, kSize}, kEntry);
  Tensor bare = Tensor::zeros(DType::f64, {kSize, kSize});
  EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", DType::f64, {{kSize, kSize}, {kSize, kSize}});
};

Setup& setup() {
  // Never destroyed: the arms run until the process ends.
  static Setup& instance = *new Setup;
  return instance;
}

template <class F>
double repeat(long count, F&& iteration) {
  double sum = 0;
  for (long i = 0; i < count; ++i) sum += iteration();
  return sum;
}

double first(const Tensor& t) { return t.data<double>()[0]; }

Tensor product(BackendSession& s, const Tensor& left) { return setup().plan.execute(s, {left, setup().b}); }

template <class Run>
Tensor plain_chain(Run&& run) {
  Tensor t = run([](BackendSession& s) { return product(s, setup().a); });
  for (int i = 1; i < 10; ++i) t = run([&](BackendSession& s) { return product(s, t); });
  return t;
}

// Three rounds of product, exponential and logarithm, then a sum over axis 0: every column of the result sums to 1.
template <class Run>
Tensor mixed_chain(Run&& run) {
  Tensor t = setup().a.duplicate();
  for (int i = 0; i < 3; ++i) {
    t = run([&](BackendSession& s) { return product(s, t); });
    t = run([&](BackendSession& s) { return exp(s, t); });
    t = run([&](BackendSession& s) { return log(s, t); });
  }
  return run([&](BackendSession& s) { return reduce_sum(s, t, {0}); });
}

template <class Chain>
void add_chain(std::vector<Arm>& arms, const std::string& name, const Chain& chain, double expected) {
  arms.push_back({name + "/one_session",
                  [chain](long n) {
                    return repeat(n, [&] {
                      return first(setup().cpu.with_session(
                          [&](BackendSession& s) { return chain([&s](auto&& operation) { return operation(s); }); }));
                    });
                  },
                  expected});
  arms.push_back({name + "/ten_entries",
                  [chain](long n) {
                    return repeat(n, [&] {
                      return first(chain([](auto&& operation) { return setup().cpu.with_session(operation); }));
                    });
                  },
                  expected});
}

}  // namespace

std::vector<Arm> einsum_arms() {
  std::vector<Arm> arms;
  arms.push_back({"einsum8",
                  [](long n) {
                    return setup().cpu.with_session(
                        [n](BackendSession& s) { return repeat(n, [&s] { return first(product(s, setup().a)); }); });
                  },
                  kEntry});
  arms.push_back({"dgemm8",
                  [](long n) {
                    Setup& in = setup();
                    double* out = in.bare.data<double>().data();
                    const double *a = in.a.data<double>().data(), *b = in.b.data<double>().data();
                    return repeat(n, [=] {
                      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0, a, kSize, b,
                                  kSize, 0.0, out, kSize);
                      return out[0];
                    });
                  },
                  kEntry});
  add_chain(arms, "einsum_chain", [](auto&& run) { return plain_chain(run); }, kEntry);
  add_chain(arms, "einsum_mixed", [](auto&& run) { return mixed_chain(run); }, 1.0);
  return arms;
}

std::vector<EntryCount> count_einsum_entries() {
  return count_entries(einsum_arms(), [] { return static_cast<long>(setup().cpu.stats().sessions); });
}

}  // namespace tenferro::bench
