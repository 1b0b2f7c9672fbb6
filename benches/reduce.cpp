// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions of n×n matrices through the public call in a session, one thread, beside libraries and a plain loop that
// reads the same memory: <n>/<sum|max>/<all|0|1>/<contiguous|transposed>/<arm>, and <n>/read. Results are checked
// first.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benches/peers/peer.hpp"
#include "benches/peers/reduce_peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/kernels/machine_loops.hpp"
#include "tenferro/ops/reduction.hpp"

namespace {

using namespace tenferro;
using bench::ReducePeer;
using bench::Reduction;

CpuBackend& backend() {
  static CpuBackend& cpu = *new CpuBackend(CpuBackend::Options{.threads = 1});
  return cpu;
}

Tensor ours(BackendSession& session, const Reduction& what, const TensorView& x) {
  const Axes axes = what.axis < 0 ? Axes(std::nullopt) : Axes(what.axis);
  return what.largest ? reduce_max(session, x, axes) : reduce_sum(session, x, axes);
}

void check(const std::string& arm, const Tensor& expected, const std::vector<double>& got) {
  const auto values = expected.data<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(got[i] - values[i]) <= 1e-9 * std::abs(values[i]) + 1e-6) continue;
    std::fprintf(stderr, "%s: wrong result\n", arm.c_str());
    std::exit(1);
  }
}

// Operands live until the process ends, as the arms do.
void register_reductions(std::int64_t n, const std::vector<const ReducePeer*>& peers) {
  Tensor& x = *new Tensor(Tensor::zeros(DType::f64, {n, n}));
  unsigned seed = 1;
  for (double& value : x.data<double>()) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<double>(seed >> 8) / 8388608.0 - 1.0;
  }
  const double* data = x.data<double>().data();
  benchmark::RegisterBenchmark((std::to_string(n) + "/read").c_str(), [data, n](benchmark::State& state) {
    for ([[maybe_unused]] const auto _ : state) {
      benchmark::DoNotOptimize(internal::read_elements(data, static_cast<std::size_t>(n * n)));
    }
  });
  for (const bool largest : {false, true}) {
    for (const int axis : {-1, 0, 1}) {
      for (const bool transposed : {false, true}) {
        const Reduction what{n, largest, axis, transposed};
        const std::string row = std::to_string(n) + (largest ? "/max/" : "/sum/") +
                                (axis < 0 ? "all" : std::to_string(axis)) +
                                (transposed ? "/transposed/" : "/contiguous/");
        const TensorView view = transposed ? x.view().permuted({1, 0}) : x.view();
        const Tensor expected =
            backend().with_session([&](BackendSession& session) { return ours(session, what, view); });
        benchmark::RegisterBenchmark((row + "ours").c_str(), [what, view](benchmark::State& state) {
          backend().with_session([&](BackendSession& session) {
            for ([[maybe_unused]] const auto _ : state) benchmark::DoNotOptimize(ours(session, what, view).bytes());
          });
        });
        for (const ReducePeer* peer : peers) {
          if (peer == nullptr) continue;
          auto& out = *new std::vector<double>(static_cast<std::size_t>(n));
          void* const prepared = peer->prepare(what, data, out.data());
          peer->run(prepared);
          check(row + peer->name, expected, out);
          benchmark::RegisterBenchmark((row + peer->name).c_str(), [peer, prepared](benchmark::State& state) {
            for ([[maybe_unused]] const auto _ : state) peer->run(prepared);
          });
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<const ReducePeer*> peers{bench::load_peer<ReducePeer>("libpeer_eigen.so", "tenferro_reduce_peer"),
                                             bench::load_peer<ReducePeer>("libpeer_torch.so", "tenferro_reduce_peer")};
  for (const std::int64_t n : {8, 64, 512, 1024, 4096}) register_reductions(n, peers);
  benchmark::RunSpecifiedBenchmarks();
}
