// SPDX-License-Identifier: MIT OR Apache-2.0
// Elementwise operations into given tensors inside one session, on one thread, beside bare loops over the same arrays
// and peers; and what operands of other layouts cost beside contiguous ones.
#include "tenferro/ops/elementwise.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benches/peers/elementwise_peer.hpp"
#include "benches/peers/peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace {

using namespace tenferro;
using Call = std::function<void(BackendSession&)>;

// Registers an arm that runs inside a session.
void register_call(const std::string& name, Call call) {
  benchmark::RegisterBenchmark(name.c_str(), [call = std::move(call)](benchmark::State& state) {
    static CpuBackend& cpu = *new CpuBackend(CpuBackend::Options{.threads = 1});
    cpu.with_session([&](BackendSession& session) {
      constexpr long kBatch = 4;
      while (state.KeepRunningBatch(kBatch)) {
        for (long i = 0; i < kBatch; ++i) call(session);
        benchmark::ClobberMemory();
      }
    });
  });
}

// The operands of one size; they live until the process ends, as the arms do.
struct Operands {
  std::int64_t n;
  Tensor a, b, mask, out;

  explicit Operands(std::int64_t count)
      : n(count),
        a(Tensor::zeros<double>(count)),
        b(Tensor::zeros<double>(count)),
        mask(Tensor::zeros<bool>(count)),
        out(Tensor::zeros<double>(count)) {
    for (std::int64_t i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      a.data<double>()[k] = 0.25 + static_cast<double>(i * 7919 % 1000) * 0.001;
      b.data<double>()[k] = 0.5 + static_cast<double>(i * 104729 % 1000) * 0.001;
      mask.data<bool>()[k] = i * 31 % 7 < 3;
    }
  }
  bench::ElementwiseArrays arrays() {
    return {static_cast<long>(n), out.data<double>().data(), a.data<double>().data(), b.data<double>().data(),
            mask.data<bool>().data()};
  }
};

struct Operation {
  const char* name;
  void (*run)(BackendSession&, Operands&);
  double (*expected)(double a, double b, bool mask);
};
const Operation kOperations[] = {
    {"add", [](BackendSession& s, Operands& x) { add_into(s, x.out, x.a, x.b); },
     [](double a, double b, bool) { return a + b; }},
    {"mul", [](BackendSession& s, Operands& x) { mul_into(s, x.out, x.a, x.b); },
     [](double a, double b, bool) { return a * b; }},
    {"select", [](BackendSession& s, Operands& x) { select_into(s, x.out, x.mask, x.a, x.b); },
     [](double a, double b, bool m) { return m ? a : b; }},
    {"exp", [](BackendSession& s, Operands& x) { exp_into(s, x.out, x.a); },
     [](double a, double, bool) { return std::exp(a); }},
    {"log", [](BackendSession& s, Operands& x) { log_into(s, x.out, x.a); },
     [](double a, double, bool) { return std::log(a); }},
    {"sin", [](BackendSession& s, Operands& x) { sin_into(s, x.out, x.a); },
     [](double a, double, bool) { return std::sin(a); }},
    {"cos", [](BackendSession& s, Operands& x) { cos_into(s, x.out, x.a); },
     [](double a, double, bool) { return std::cos(a); }},
    {"tanh", [](BackendSession& s, Operands& x) { tanh_into(s, x.out, x.a); },
     [](double a, double, bool) { return std::tanh(a); }},
    {"pow", [](BackendSession& s, Operands& x) { pow_into(s, x.out, x.a, x.b); },
     [](double a, double b, bool) { return std::pow(a, b); }},
};

// Ends the program if the result of an operation is not what it should be.
void check(const Operation& operation, Operands& x, const char* who) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.n); ++i) {
    double& got = x.out.data<double>()[i];
    const double expected = operation.expected(x.a.data<double>()[i], x.b.data<double>()[i], x.mask.data<bool>()[i]);
    if (std::abs(got - expected) > 1e-14 * std::abs(expected)) {
      std::fprintf(stderr, "%s by %s: got %.17g, expected %.17g\n", operation.name, who, got, expected);
      std::exit(3);
    }
    got = 0;
  }
}

struct NamedPeer {
  const char* name;
  const bench::ElementwisePeer* peer;
};

void register_operations(std::int64_t n, const std::vector<NamedPeer>& peers) {
  auto& x = *new Operands(n);
  for (const Operation& operation : kOperations) {
    const std::string name = std::string(operation.name) + '/' + std::to_string(n) + '/';
    const Call call = [&](BackendSession& session) { operation.run(session, x); };
    CpuBackend().with_session(call);
    check(operation, x, "tenferro");
    register_call(name + "tenferro", call);
    if (n >= 1'000'000) register_call(name + "tenferro/again", call);
    for (const NamedPeer& other : peers) {
      void* ready = other.peer->prepare(operation.name, x.arrays());
      if (ready == nullptr) continue;
      other.peer->run(ready);
      // Bare loops leave out what does not fill a vector.
      if (n % 8 == 0) check(operation, x, other.name);
      register_call(name + other.name, [peer = other.peer, ready](BackendSession&) { peer->run(ready); });
    }
  }
}

// One operand in another layout, 1000×1000.
void register_layouts() {
  constexpr std::int64_t kSide = 1000;
  const auto matrix = [](std::int64_t rows, std::int64_t columns) -> Tensor& {
    return *new Tensor(Tensor::ones(DType::f64, {rows, columns}));
  };
  Tensor &a = matrix(kSide, kSide), &b = matrix(kSide, kSide), &out = matrix(kSide, kSide);
  Tensor &column = matrix(kSide, 1), &row = matrix(1, kSide), &wide = matrix(2 * kSide, kSide);
  const auto with = [&](const std::string& name, auto make_view) {
    register_call("layout/add/" + name, [&, make_view](BackendSession& s) { add_into(s, out, a, make_view()); });
    register_call("layout/exp/" + name, [&, make_view](BackendSession& s) { exp_into(s, out, make_view()); });
  };
  with("contiguous", [&] { return b.view(); });
  with("contiguous/again", [&] { return b.view(); });
  with("transposed", [&] { return b.view().permuted({1, 0}); });
  with("reversed", [&] { return b.view().reversed({0, 1}); });
  with("every_second", [&] { return wide.view({range(0, 2 * kSide, 2), all}); });
  with("column", [&] { return column.view().broadcast_to({kSide, kSide}); });
  with("row", [&] { return row.view().broadcast_to({kSide, kSide}); });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<NamedPeer> peers;
  for (const auto& [name, library] :
       {std::pair{"bare", "libpeer_plain.so"}, {"eigen", "libpeer_eigen.so"}, {"torch", "libpeer_torch.so"}}) {
    const auto* peer = bench::load_peer<bench::ElementwisePeer>(library, "tenferro_elementwise_peer");
    if (peer != nullptr) peers.push_back({name, peer});
  }
  for (const std::int64_t n : {64, 1000, 100'000, 1'000'000}) register_operations(n, peers);
  register_layouts();
  benchmark::RunSpecifiedBenchmarks();
}
