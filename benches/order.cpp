// SPDX-License-Identifier: MIT OR Apache-2.0
// Scans, sorts and searches through the public call in a session, beside libtorch and std::stable_sort:
// <op>/<dtype>/<rows>x<columns>/<axis>/<random|sorted>/<arm>. Arms with 2 threads are timed by the wall clock.
#include "tenferro/ops/order.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "benches/peers/order_peer.hpp"
#include "benches/peers/peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"

namespace {

using namespace tenferro;
using bench::OrderCase;
using bench::OrderDType;
using bench::OrderOp;

CpuBackend& backend(int threads) {
  static CpuBackend& one = *new CpuBackend(CpuBackend::Options{.threads = 1});
  static CpuBackend& two = *new CpuBackend(CpuBackend::Options{.threads = 2});
  return threads == 1 ? one : two;
}

Tensor ours(BackendSession& session, const OrderCase& what, const TensorView& x) {
  switch (what.op) {
    case OrderOp::cumsum:
      return cumsum(session, x, what.axis);
    case OrderOp::cummax:
      return cummax(session, x, what.axis);
    case OrderOp::cumprod:
      return cumprod(session, x, what.axis);
    case OrderOp::sort:
      return sort(session, x, what.axis);
    case OrderOp::argsort:
      return argsort(session, x, what.axis);
    case OrderOp::top_k:
      return top_k(session, x, bench::kTopK, what.axis).values;
    case OrderOp::argmax:
      return argmax(session, x);
    case OrderOp::any:
      return reduce_any(session, x);
    case OrderOp::sum_squares:
      return reduce_sum_squares(session, x);
  }
  return sort(session, x);
}

double digest(const Tensor& result) {
  double sum = 0;
  visit_dtype(result.dtype(), [&]<class T>(TypeTag<T>) {
    if constexpr (!is_complex(dtype_of<T>)) {
      std::int64_t i = 0;
      for (const T value : result.data<T>()) sum += static_cast<double>(1 + i++ % 7) * static_cast<double>(value);
    }
  });
  return sum;
}

constexpr const char* kOps[] = {"cumsum", "cummax", "cumprod", "sort",       "argsort",
                                "top_k",  "argmax", "any",     "sum_squares"};
constexpr const char* kDTypes[] = {"f64", "f32", "i32", "i64", "bool"};
constexpr DType kOurs[] = {DType::f64, DType::f32, DType::i32, DType::i64, DType::boolean};

template <class T>
void fill(Tensor& x, bool sorted) {
  std::mt19937 random(1);
  for (T& value : x.data<T>()) {
    const auto bits = static_cast<std::int32_t>(random());
    value = std::is_integral_v<T> ? static_cast<T>(bits) : static_cast<T>(bits) / static_cast<T>(1U << 31U);
  }
  if (sorted) std::sort(x.data<T>().begin(), x.data<T>().end());
}

template <class T>
void stable_sort(const T* x, std::size_t n, bool positions) {
  if (!positions) {
    std::vector<T> copy(x, x + n);
    std::stable_sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
    return;
  }
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [x](std::int64_t a, std::int64_t b) { return x[a] < x[b]; });
  benchmark::DoNotOptimize(order.data());
}

template <class T>
void add(const OrderCase& what, bool sorted, const bench::OrderPeer* peer) {
  const auto place = static_cast<std::size_t>(what.dtype);
  Tensor& x = *new Tensor(Tensor::zeros(kOurs[place], {what.rows, what.columns}));  // as long as the arms
  if constexpr (std::is_same_v<T, bool>) {
    x.data<bool>()[x.data<bool>().size() / 2] = true;
  } else {
    fill<T>(x, sorted);
  }
  const std::string row = std::string(kOps[static_cast<std::size_t>(what.op)]) + '/' + kDTypes[place] + '/' +
                          std::to_string(what.rows) + 'x' + std::to_string(what.columns) + '/' +
                          std::to_string(what.axis) + (sorted ? "/sorted/" : "/random/");
  const TensorView view = x.view();
  const auto mine = [what, view](int threads) {
    return [what, view, threads](benchmark::State& state) {
      backend(threads).with_session([&](BackendSession& session) {
        for ([[maybe_unused]] const auto _ : state) benchmark::DoNotOptimize(ours(session, what, view).bytes());
      });
    };
  };
  benchmark::RegisterBenchmark((row + "ours").c_str(), mine(1));
  if (what.rows * what.columns >= 1'000'000) {
    benchmark::RegisterBenchmark((row + "two").c_str(), mine(2))->UseRealTime();
  }
  const bool argsort = what.op == OrderOp::argsort;
  if constexpr (!std::is_same_v<T, bool>) {
    if ((what.op == OrderOp::sort || argsort) && what.columns == 1) {
      const T* data = x.data<T>().data();
      const auto n = static_cast<std::size_t>(what.rows);
      benchmark::RegisterBenchmark((row + "std").c_str(), [data, n, argsort](benchmark::State& state) {
        for ([[maybe_unused]] const auto _ : state) stable_sort(data, n, argsort);
      });
    }
  }
  if (peer == nullptr) return;
  void* const prepared = peer->prepare(what, x.bytes());
  peer->run(prepared);
  const double expected =
      backend(1).with_session([&](BackendSession& session) { return digest(ours(session, what, view)); });
  const double got = peer->digest(prepared);
  if (std::abs(got - expected) > 1e-9 * std::abs(expected) + 1e-6) {
    std::fprintf(stderr, "%s%s: wrong result\n", row.c_str(), peer->name);
    std::exit(1);
  }
  benchmark::RegisterBenchmark((row + peer->name).c_str(), [peer, prepared](benchmark::State& state) {
    for ([[maybe_unused]] const auto _ : state) peer->run(prepared);
  });
}

template <class T>
void add_sorts(OrderDType dtype, const bench::OrderPeer* peer) {
  for (const OrderOp op : {OrderOp::sort, OrderOp::argsort}) {
    for (const long n : {16L, 64L, 256L, 1000L, 1'000'000L}) {
      for (const bool sorted : {false, true}) add<T>({op, dtype, n, 1, 0}, sorted, peer);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const auto* peer = bench::load_peer<bench::OrderPeer>("libpeer_torch.so", "tenferro_order_peer");
  for (const OrderOp op : {OrderOp::cumsum, OrderOp::cummax}) {
    add<double>({op, OrderDType::f64, 1'000'000, 1, 0}, false, peer);
    for (const int axis : {0, 1}) add<double>({op, OrderDType::f64, 1024, 1024, axis}, false, peer);
  }
  for (const OrderOp op : {OrderOp::cumsum, OrderOp::cumprod}) {
    add<std::int64_t>({op, OrderDType::i64, 1'000'000, 1, 0}, false, peer);
  }
  add_sorts<double>(OrderDType::f64, peer);
  add_sorts<float>(OrderDType::f32, peer);
  add_sorts<std::int32_t>(OrderDType::i32, peer);
  add_sorts<std::int64_t>(OrderDType::i64, peer);
  for (const int axis : {0, 1}) add<double>({OrderOp::sort, OrderDType::f64, 1000, 1000, axis}, false, peer);
  for (const OrderOp op : {OrderOp::top_k, OrderOp::argmax, OrderOp::sum_squares}) {
    add<double>({op, OrderDType::f64, 1'000'000, 1, 0}, false, peer);
  }
  add<bool>({OrderOp::any, OrderDType::boolean, 1'000'000, 1, 0}, false, peer);
  benchmark::RunSpecifiedBenchmarks();
}
