// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cmath>
#include <mutex>

#include "benches/arms.hpp"
#include "benches/chains.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tests/support/handoff.hpp"

namespace tenferro::bench {
namespace {

struct Setup {
  CpuBackend cpu{CpuBackend::Options{.threads = 1}};
  testing::HandOffThread thread;
  CpuBackend handoff{CpuBackend::Options{.threads = 1, .entry_hook = thread.hook()}};
  ChainInputs equal = equal_inputs();
  ChainInputs stretched = stretched_inputs();
  MixedInputs mixed = mixed_inputs();
  Tensor a8 = Tensor::arange(0.0, 8.0), b8 = Tensor::arange(1.0, 9.0);
  Tensor large = Tensor::ones(DType::f64, {1024, 1024});
  Tensor matrix = Tensor::ones(DType::f64, {512, 512});
};

Setup& setup() {
  // Never destroyed: the arms run until the process ends.
  static Setup& instance = *new Setup;
  return instance;
}

double first(const Tensor& t) {
  return t.dtype() == DType::f32 ? static_cast<double>(t.data<float>()[0]) : t.data<double>()[0];
}

template <class F>
double repeat(long count, F&& iteration) {
  double sum = 0;
  for (long i = 0; i < count; ++i) sum += iteration();
  return sum;
}

// The first element of the elementwise chain, computed with plain scalars.
double expected_elementwise(const ChainInputs& in) {
  double x = in.x.data<double>()[0];
  const double b = in.b.data<double>()[0];
  for (int i = 0; i < 3; ++i) x = std::exp(x + b) * b;
  return x;
}

double expected_mixed() {
  // The reshape to 4×1 visits (0,0), (1,0), (0,1), (1,1) of the 2×2 operands.
  const double x[] = {3.0, 5.0, 4.0, 6.0}, y[] = {1.5, 1.0, 1.25, 0.5}, column[] = {1.0, 2.0, 3.0, 4.0};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const double t = -std::fmax(std::pow(std::log(x[i] - y[i]), y[i]), y[i]);
    sum += std::fmin(std::fmax(t, -2.0), 2.0) * column[i];
  }
  return sum;
}

using Chain = std::function<Tensor(bool one_session)>;

// One arm a way of entering; `name` is that of the chain.
template <class Run>
void add_chain(std::vector<Arm>& arms, const std::string& name, const Run& run, double expected) {
  arms.push_back({name + "/one_session",
                  [run](long n) { return repeat(n, [&] { return first(in_one_session(setup().cpu, run)); }); },
                  expected});
  arms.push_back({name + "/ten_entries",
                  [run](long n) { return repeat(n, [&] { return first(in_ten_entries(setup().cpu, run)); }); },
                  expected});
  arms.push_back({name + "/ten_in_scope",
                  [run](long n) {
                    return setup().cpu.with_execution_scope(
                        [&] { return repeat(n, [&] { return first(in_ten_entries(setup().cpu, run)); }); });
                  },
                  expected});
  arms.push_back({name + "/handoff_one",
                  [run](long n) { return repeat(n, [&] { return first(in_one_session(setup().handoff, run)); }); },
                  expected});
  arms.push_back({name + "/handoff_ten",
                  [run](long n) { return repeat(n, [&] { return first(in_ten_entries(setup().handoff, run)); }); },
                  expected});
}

// The same operation inside one session and by an entry of its own.
template <class Operation>
void add_operation(std::vector<Arm>& arms, const std::string& name, const Operation& operation, double expected) {
  arms.push_back({name,
                  [operation](long n) {
                    return setup().cpu.with_session(
                        [&](BackendSession& s) { return repeat(n, [&] { return first(operation(s)); }); });
                  },
                  expected});
  arms.push_back({name + "/entry",
                  [operation](long n) { return repeat(n, [&] { return first(setup().cpu.with_session(operation)); }); },
                  expected});
}

}  // namespace

std::vector<Arm> session_arms() {
  std::vector<Arm> arms;
  arms.push_back(
      {"entry",
       [](long n) { return repeat(n, [] { return setup().cpu.with_session([](BackendSession&) { return 1.0; }); }); },
       1.0});
  arms.push_back({"mutex",
                  [](long n) {
                    static std::mutex mutex;
                    return repeat(n, [] {
                      const std::lock_guard lock(mutex);
                      return 1.0;
                    });
                  },
                  1.0});
  add_operation(arms, "add8", [](BackendSession& s) { return add(s, setup().a8, setup().b8); }, 1.0);
  add_operation(arms, "add_1024", [](BackendSession& s) { return add(s, setup().large, setup().large); }, 2.0);
  add_operation(arms, "gemm_512", [](BackendSession& s) { return matmul(s, setup().matrix, setup().matrix); }, 512.0);
  add_chain(
      arms, "chain/equal", [](auto&& run) { return elementwise_chain(run, setup().equal); },
      expected_elementwise(setup().equal));
  add_chain(
      arms, "chain/stretched", [](auto&& run) { return elementwise_chain(run, setup().stretched); },
      expected_elementwise(setup().stretched));
  add_chain(arms, "mixed", [](auto&& run) { return mixed_chain(run, setup().mixed); }, expected_mixed());
  return arms;
}

std::vector<EntryCount> count_session_entries() {
  return count_entries(session_arms(), [] { return static_cast<long>(setup().cpu.stats().sessions); });
}

}  // namespace tenferro::bench
