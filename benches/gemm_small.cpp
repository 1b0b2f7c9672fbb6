// SPDX-License-Identifier: MIT OR Apache-2.0
// Small matrix products on one thread: the kernel below dispatch beside OpenBLAS and libxsmm, batches with the batch
// axis last and first, matmul through a session beside at::matmul, and matrix times vector. Arms are named
// <what>/<dtype>/<size>/<who>; every result is checked first.
#include "tenferro/cpu/kernels/gemm_small.hpp"

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benches/peers/gemm_small_peer.hpp"
#include "benches/peers/peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/contraction.hpp"

namespace {

using namespace tenferro;
using bench::GemmSmallPeer;

const std::vector<const GemmSmallPeer*>& peers() {
  static const std::vector<const GemmSmallPeer*> all = [] {
    std::vector<const GemmSmallPeer*> found;
    for (const char* name : {"libpeer_xsmm.so", "libpeer_eigen.so", "libpeer_torch.so"}) {
      if (const auto* peer = bench::load_peer<GemmSmallPeer>(name, "tenferro_gemm_small_peer")) found.push_back(peer);
    }
    return found;
  }();
  return all;
}

CpuBackend& backend() {
  static CpuBackend& cpu = *new CpuBackend(CpuBackend::Options{.threads = 1});
  return cpu;
}

// In batches, so that the timer's own cost does not count, all inside one session.
void register_timed(const std::string& name, std::function<void(BackendSession&)> f) {
  benchmark::RegisterBenchmark(name.c_str(), [f = std::move(f)](benchmark::State& state) {
    backend().with_session([&](BackendSession& session) {
      constexpr long kBatch = 64;
      while (state.KeepRunningBatch(kBatch)) {
        for (long i = 0; i < kBatch; ++i) f(session);
      }
    });
  });
}

template <class T>
Tensor numbers(const Dims& shape, unsigned seed) {
  Tensor x = Tensor::zeros(dtype_of<T>, shape);
  for (T& value : x.data<T>()) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<T>(static_cast<float>(seed >> 8) / 8388608.0F - 1.0F);
  }
  return x;
}

template <class T>
void check(const std::string& name, const TensorView& got, const TensorView& expected) {
  const Tensor a = got.copy(), b = expected.copy();
  for (std::size_t i = 0; i < a.data<T>().size(); ++i) {
    if (std::abs(a.data<T>()[i] - b.data<T>()[i]) <= T(1e-4)) continue;
    std::fprintf(stderr, "%s: wrong result\n", name.c_str());
    std::exit(1);
  }
}

template <class T>
void blas(std::int64_t size, const T* a, const T* b, T* c) {
  const blasint n = static_cast<blasint>(size);
  if constexpr (std::is_same_v<T, float>) {
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
  } else {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
  }
}

Tensor& kept(Tensor x) { return *new Tensor(std::move(x)); }

// Products of n×n matrices, one or a batch; never destroyed, since the arms run until the process ends.
template <class T>
class Products {
 public:
  Products(const char* dtype, std::int64_t n, std::int64_t count)
      : dtype_(dtype), n_(n), count_(count), shape_(count == 1 ? Dims{n, n} : Dims{n, n, count}) {
    const std::int64_t step = n * n;
    for (std::int64_t i = 0; i < count; ++i)
      blas<T>(n, data(a_) + i * step, data(b_) + i * step, data(expected_) + i * step);
  }

  // The kernel on its own.
  void add_bare() {
    const std::string prefix = name("bare");
    T *const a = data(a_), *const b = data(b_), *const c = data(c_);
    add(prefix + "ours", c_, [n = n_, a, b, c](BackendSession&) {
      internal::gemm_small<T>(n, n, n, {a, 1, n}, {b, 1, n}, {c, 1, n}, {T(1), T(0)});
    });
    add(prefix + "openblas", c_, [n = n_, a, b, c](BackendSession&) { blas<T>(n, a, b, c); });
    add_peers(prefix, "xsmm", "eigen");
  }

  // Through the public call, with a new result.
  void add_public() {
    const std::string prefix = name("matmul");
    add(prefix + "ours", made_, [this](BackendSession& session) { made_ = matmul(session, a_, b_); });
    add_peers(prefix, "torch", "eigen");
  }

  void add_batches() {
    const std::string last = name("batch_last"), first = name("batch_first");
    add(last + "ours", c_, [this](BackendSession& session) { matmul_into(session, c_, a_, b_); });
    const Tensor &a = kept(a_.view().permuted({2, 0, 1}).copy()), &b = kept(b_.view().permuted({2, 0, 1}).copy());
    Tensor& c = kept(a.duplicate());
    const TensorView a_view = a.view().permuted({1, 2, 0}), b_view = b.view().permuted({1, 2, 0});
    const MutableTensorView c_view = c.mutable_view().permuted({1, 2, 0});
    add(first + "ours", c_view,
        [a_view, b_view, c_view](BackendSession& session) { matmul_into(session, c_view, a_view, b_view); });
    add_peers(last, "xsmm", "torch", "eigen");
  }

  void add_vectors() {
    for (const bool transposed : {false, true}) {
      const std::string prefix = name(transposed ? "vector_t" : "vector");
      Tensor &x = kept(numbers<T>({n_}, 5)), &y = kept(numbers<T>({n_}, 6));
      const Tensor expected = times_vector(transposed, x);
      const auto add_arm = [&](const std::string& name, const std::function<void(BackendSession&)>& f) {
        std::ranges::fill(y.data<T>(), T(7));
        backend().with_session([&](BackendSession& session) { f(session); });
        check<T>(name, y.view(), expected.view());
        register_timed(name, f);
      };
      if (transposed) {
        add_arm(prefix + "ours", [this, &x, &y](BackendSession& session) { matmul_into(session, y, x, a_); });
      } else {
        add_arm(prefix + "ours", [this, &x, &y](BackendSession& session) { matmul_into(session, y, a_, x); });
      }
      for (const GemmSmallPeer* peer : peers()) {
        if (peer->prepare_vector == nullptr) continue;
        void* product = peer->prepare_vector(letter(), n_, transposed, data(a_), data(x), data(y));
        add_arm(prefix + peer->name, [peer, product](BackendSession&) { peer->run_vector(product); });
      }
    }
  }

 private:
  // The plain loop.
  Tensor times_vector(bool transposed, Tensor& x) {
    Tensor y = Tensor::zeros(dtype_of<T>, {n_});
    for (std::int64_t j = 0; j < n_; ++j) {
      for (std::int64_t i = 0; i < n_; ++i)
        data(y)[transposed ? j : i] += data(a_)[i + j * n_] * data(x)[transposed ? i : j];
    }
    return y;
  }

  static T* data(Tensor& x) { return x.data<T>().data(); }
  static char letter() { return std::is_same_v<T, float> ? 's' : 'd'; }
  std::string name(const std::string& what) const {
    const std::string size =
        std::to_string(n_) + (count_ == 1 ? std::string() : std::string("x") + std::to_string(count_));
    return what + "/" + dtype_ + "/" + size + "/";
  }

  template <class F>
  void add(const std::string& name, const TensorView& result, const F& f) {
    backend().with_session([&](BackendSession& session) { f(session); });
    check<T>(name, result, expected_.view());
    register_timed(name, f);
  }
  template <class Target, class F>
    requires std::is_same_v<Target, Tensor>
  void add(const std::string& name, Target& result, const F& f) {
    backend().with_session([&](BackendSession& session) { f(session); });
    check<T>(name, result.view(), expected_.view());
    register_timed(name, f);
  }
  template <class... Names>
  void add_peers(const std::string& prefix, Names... names) {
    for (const GemmSmallPeer* peer : peers()) {
      if (((std::string(names) != peer->name) && ...)) continue;
      std::ranges::fill(c_.data<T>(), T(7));
      if (void* products = peer->prepare(letter(), n_, count_, data(a_), data(b_), data(c_))) {
        peer->run(products);
        check<T>(prefix + peer->name, c_.view(), expected_.view());
        register_timed(prefix + peer->name, [peer, products](BackendSession&) { peer->run(products); });
      }
    }
  }

  const char* dtype_;
  std::int64_t n_, count_;
  Dims shape_;
  Tensor a_ = numbers<T>(shape_, 1), b_ = numbers<T>(shape_, 2), c_ = numbers<T>(shape_, 3),
         expected_ = numbers<T>(shape_, 4), made_ = numbers<T>(shape_, 5);
};

template <class T>
void register_all(const char* dtype) {
  for (const std::int64_t n : {2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64, 128}) {
    Products<T>& products = *new Products<T>(dtype, n, 1);
    products.add_bare();
    if (n <= 16) products.add_public();
  }
  for (const std::int64_t n : {4, 8, 16, 32}) {
    for (const std::int64_t count : {64, 1024}) (new Products<T>(dtype, n, count))->add_batches();
  }
  for (const std::int64_t n : {16, 64, 256, 1024}) (new Products<T>(dtype, n, 1))->add_vectors();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  openblas_set_num_threads(1);  // for peers that call it, too
  register_all<double>("f64");
  register_all<float>("f32");
  benchmark::RunSpecifiedBenchmarks();
}
