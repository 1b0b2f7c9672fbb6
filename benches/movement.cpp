// SPDX-License-Identifier: MIT OR Apache-2.0
// Movements that are no permutations, of a million f64 through the public call in a session, beside memcpy of as many
// bytes as the result has: <operation>/<case>/<ours|memcpy>. Every result is looked at, element by element.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/structural.hpp"

namespace {

using namespace tenferro;
using Run = std::function<Tensor(BackendSession&)>;
// Which element of x, in column-major order, stands at a place of the result; −1 for a zero.
using Origin = std::function<std::int64_t(std::int64_t)>;

constexpr std::int64_t kN = 1000, kWindow = 8, kWindows = kN * kN / (kWindow * kWindow);
constexpr std::size_t kMostBytes = kN * kN * sizeof(double);  // of a result

CpuBackend& backend() {
  static CpuBackend& one = *new CpuBackend(CpuBackend::Options{.threads = 1});
  return one;
}

// Operands live as long as the arms.
Tensor& kept(Tensor tensor) { return *new Tensor(std::move(tensor)); }

Tensor& some_indices(const Shape& shape, std::int64_t below) {
  Tensor& indices = kept(Tensor::zeros(DType::i64, shape));
  std::mt19937 random(1);
  for (std::int64_t& index : indices.data<std::int64_t>()) index = static_cast<std::int64_t>(random()) % below;
  return indices;
}
Tensor& shuffled(std::int64_t count) {
  Tensor& indices = kept(Tensor::zeros(DType::i64, {count, 1}));
  const auto values = indices.data<std::int64_t>();
  std::iota(values.begin(), values.end(), 0);
  std::shuffle(values.begin(), values.end(), std::mt19937(1));
  return indices;
}
std::vector<std::int64_t> inverse(const Tensor& permutation) {
  const auto values = permutation.data<std::int64_t>();
  std::vector<std::int64_t> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    result[static_cast<std::size_t>(values[i])] = static_cast<std::int64_t>(i);
  return result;
}

void add(const std::string& row, const Run& run, const Origin& origin) {
  const Tensor result = backend().with_session(run);
  const auto values = result.data<double>();
  if (values.size_bytes() > kMostBytes) {
    std::fprintf(stderr, "%s: more bytes than memcpy has room for\n", row.c_str());
    std::exit(1);
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != static_cast<double>(origin(static_cast<std::int64_t>(k)) + 1)) {
      std::fprintf(stderr, "%s: element %zu is wrong\n", row.c_str(), k);
      std::exit(1);
    }
  }
  benchmark::RegisterBenchmark((row + "/ours").c_str(), [run](benchmark::State& state) {
    backend().with_session([&](BackendSession& session) {
      for ([[maybe_unused]] const auto _ : state) benchmark::DoNotOptimize(run(session).bytes());
    });
  });
  benchmark::RegisterBenchmark((row + "/memcpy").c_str(), [bytes = values.size_bytes()](benchmark::State& state) {
    static std::vector<std::byte> from(kMostBytes), to(kMostBytes);
    for ([[maybe_unused]] const auto _ : state) {
      std::memcpy(to.data(), from.data(), bytes);
      benchmark::ClobberMemory();
    }
  });
}

void add_structural(const Tensor& x) {
  const TensorView plain = x.view(), turned = plain.permuted({1, 0});
  const TensorView small = plain.reshaped_view({4, 4, kN * kN / 16}), column = plain.view({all, 0});
  const auto lower = [](std::int64_t k) { return k / kN <= k % kN; };
  add("tril/plain", [=](auto& s) { return tril(s, plain); }, [=](std::int64_t k) { return lower(k) ? k : -1; });
  add(
      "tril/turned", [=](auto& s) { return tril(s, turned); },
      [=](std::int64_t k) { return lower(k) ? k % kN * kN + k / kN : -1; });
  add(
      "tril/small", [=](auto& s) { return tril(s, small); },
      [](std::int64_t k) { return k / 4 % 4 <= k % 4 ? k : -1; });
  add(
      "reverse/lines", [=](auto& s) { return reverse(s, plain, 0); },
      [](std::int64_t k) { return k - k % kN + kN - 1 - k % kN; });
  add(
      "slice/every_second", [=](auto& s) { return slice(s, plain, {0, 0}, {kN, kN}, {2, 1}); },
      [](std::int64_t k) { return 2 * k; });
  add(
      "embed_diag/line", [=](auto& s) { return embed_diag(s, column); },
      [](std::int64_t k) { return k % kN == k / kN ? k / kN : -1; });
}

void add_indexing(const Tensor& x) {
  const TensorView plain = x.view(), flat = plain.reshaped_view({kN * kN});
  const Tensor &any = some_indices({kN * kN}, kN * kN), &few = some_indices({kN}, kN);
  const auto at = [](const Tensor& list, std::int64_t k) {
    return list.data<std::int64_t>()[static_cast<std::size_t>(k)];
  };
  add(
      "take/elements", [=, &any](auto& s) { return take_axis(s, flat, any, 0); },
      [=, &any](std::int64_t k) { return at(any, k); });
  add(
      "take/columns", [=, &few](auto& s) { return take_axis(s, plain, few, 1); },
      [=, &few](std::int64_t k) { return at(few, k / kN) * kN + k % kN; });
  add(
      "take/rows", [=, &few](auto& s) { return take_axis(s, plain, few, 0); },
      [=, &few](std::int64_t k) { return k / kN * kN + at(few, k % kN); });
  const Tensor& starts = some_indices({kWindows, 2}, kN - kWindow + 1);
  GatherConfig windows;
  windows.offset_dims = {0, 1};
  windows.start_index_map = {0, 1};
  windows.index_vector_dim = 1;
  windows.slice_sizes = {kWindow, kWindow};
  add(
      "gather/windows", [=, &starts](auto& s) { return gather(s, plain, starts, windows); },
      [=, &starts](std::int64_t k) {
        const std::int64_t w = k / (kWindow * kWindow);
        return at(starts, w) + k % kWindow + (at(starts, kWindows + w) + k / kWindow % kWindow) * kN;
      });
  ScatterConfig config;
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  config.combine = ScatterCombine::set;
  const Tensor &all_places = shuffled(kN * kN), &columns = shuffled(kN);
  add(
      "scatter/elements", [=, &all_places](auto& s) { return scatter(s, flat, all_places, flat, config); },
      [back = inverse(all_places)](std::int64_t k) { return back[static_cast<std::size_t>(k)]; });
  config.update_window_dims = {0};
  config.inserted_window_dims = {1};
  config.scatter_dims_to_operand_dims = {1};
  add(
      "scatter/columns", [=, &columns](auto& s) { return scatter(s, plain, columns, plain, config); },
      [back = inverse(columns)](std::int64_t k) { return back[static_cast<std::size_t>(k / kN)] * kN + k % kN; });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Tensor& x = kept(Tensor::zeros(DType::f64, {kN, kN}));
  std::iota(x.data<double>().begin(), x.data<double>().end(), 1.0);
  add_structural(x);
  add_indexing(x);
  benchmark::RunSpecifiedBenchmarks();
}
