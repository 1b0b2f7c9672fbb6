// SPDX-License-Identifier: MIT OR Apache-2.0
// What a second thread brings: each piece of work on one thread and on two, hot, beside the peak of multiply-adds on as
// many.
#include <benchmark/benchmark.h>

#include <string>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/kernels/machine_loops.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"

namespace {

using namespace tenferro;

// Registers <name>/1 and <name>/2, run inside one session each; f(session) is one iteration.
template <class F>
void register_pair(const std::string& name, F f) {
  for (const std::uint32_t threads : {1U, 2U}) {
    benchmark::RegisterBenchmark((name + "/" + std::to_string(threads)).c_str(), [f, threads](benchmark::State& state) {
      static CpuBackend* const backends[] = {new CpuBackend(CpuBackend::Options{.threads = 1}),
                                             new CpuBackend(CpuBackend::Options{.threads = 2})};
      backends[threads - 1]->with_session([&](BackendSession& session) {
        for ([[maybe_unused]] const auto _ : state) f(session);
      });
    })->UseRealTime();
  }
}

// Operands live until the process ends, as the arms do.
const Tensor& ones(DType dtype, const Dims& shape) { return *new Tensor(Tensor::ones(dtype, shape)); }

void register_products(DType dtype, const std::string& name, std::int64_t n) {
  const Tensor &a = ones(dtype, {n, n}), &b = ones(dtype, {n, n});
  Tensor& c = *new Tensor(Tensor::zeros(dtype, {n, n}));
  register_pair("gemm/" + name + "/" + std::to_string(n), [&a, &b, &c](BackendSession& session) {
    matmul_into(session, c, a, b);
    benchmark::DoNotOptimize(c.bytes());
  });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  constexpr std::int64_t kPieces = 64, kRounds = 20'000;
  register_pair("peak", [](BackendSession& session) {
    session.context().parallel_for(kPieces, 1e5, [](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) internal::fma_rounds<double>(kRounds);
    });
  });
  for (const std::int64_t n : {128, 192, 256, 512, 1024}) register_products(DType::f64, "f64", n);
  for (const std::int64_t n : {256, 1024}) register_products(DType::f32, "f32", n);
  for (const std::int64_t n : {256, 512}) register_products(DType::c64, "c64", n);
  const Tensor& x = ones(DType::f64, {1'000'000});
  register_pair("exp", [&x](BackendSession& session) { benchmark::DoNotOptimize(exp(session, x).bytes()); });
  const Tensor& square = ones(DType::f64, {2048, 2048});
  register_pair("sum", [&square](BackendSession& session) {
    benchmark::DoNotOptimize(reduce_sum(session, square, {0, 1}).bytes());
  });
  benchmark::RunSpecifiedBenchmarks();
}
