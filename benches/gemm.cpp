// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrix products through the public call with a ready output, one thread, beside the libraries and the peak of
// multiply-adds: <dtype>/<n>/<arm>, where the arm is ours, ours/<layout> or a peer. Every result is checked first.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benches/peers/gemm_peer.hpp"
#include "benches/peers/peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/cpu/kernels/machine_loops.hpp"
#include "tenferro/ops/contraction.hpp"

namespace {

using namespace tenferro;
using bench::GemmPeer;

CpuBackend& backend() {
  static CpuBackend& cpu = *new CpuBackend(CpuBackend::Options{.threads = 1});
  return cpu;
}

void register_timed(const std::string& name, std::function<void()> f) {
  benchmark::RegisterBenchmark(name.c_str(), [f = std::move(f)](benchmark::State& state) {
    for ([[maybe_unused]] const auto _ : state) f();
  });
}

// The peak: a fixed number of operations, which the bars know.
template <class T>
void register_peak(const std::string& name) {
  constexpr std::int64_t kOperations = std::int64_t{1} << 23;
  const std::int64_t rounds = kOperations / internal::fma_rounds<T>(1);
  register_timed(name, [rounds] { internal::fma_rounds<T>(rounds); });
}

// A product in the manner of the Fortran interface.
using Fortran = void (*)(const char*, const char*, const int*, const int*, const int*, const void*, const void*,
                         const int*, const void*, const int*, const void*, void*, const int*);

// BLIS on one thread; nothing where it is not installed.
Fortran blis(char dtype) {
  static void* const library = [] {
    setenv("BLIS_NUM_THREADS", "1", 1);
    return dlopen("/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  }();
  const std::string name = std::string(1, dtype) + "gemm_";
  return library == nullptr ? nullptr : reinterpret_cast<Fortran>(dlsym(library, name.c_str()));
}

template <class T>
constexpr char letter() {
  if constexpr (std::is_integral_v<T>) return sizeof(T) == 4 ? 'i' : 'l';
  return dtype_of<T> == DType::f32 ? 's' : dtype_of<T> == DType::f64 ? 'd' : dtype_of<T> == DType::c32 ? 'c' : 'z';
}

template <class T>
Tensor numbers(const Dims& shape, unsigned seed) {
  Tensor x = Tensor::zeros(dtype_of<T>, shape);
  const auto data = x.data<T>();
  for (std::int64_t i = 0; i < x.count(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    if constexpr (std::is_integral_v<T>) {
      data[static_cast<std::size_t>(i)] = static_cast<T>(seed >> 24) - 128;
    } else {
      data[static_cast<std::size_t>(i)] = T(static_cast<float>(seed >> 8) / 8388608.0F - 1.0F);
    }
  }
  return x;
}

// Everything about products of one size; never destroyed, since the arms run until the process ends.
template <class T>
class Products {
 public:
  Products(const std::string& dtype, std::int64_t n, const std::vector<const GemmPeer*>& peers)
      : n_(n), prefix_(dtype + "/" + std::to_string(n) + "/") {
    if constexpr (std::is_integral_v<T>) {
      multiply_plainly();
    } else {
      add_libraries();
    }
    add("ours", [this] { ours(a_.view(), b_.view(), {{1}, {0}}); });
    for (const GemmPeer* peer : peers) {
      if (peer == nullptr) continue;
      void* product = peer->prepare(letter<T>(), n, a_.data<T>().data(), b_.data<T>().data(), c_.data<T>().data());
      add(peer->name, [peer, product] { peer->run(product); });
    }
  }

  // The same product of operands that lie in other ways.
  void add_layouts() {
    const Tensor &at = kept(a_.view().permuted({1, 0}).copy()), &bt = kept(b_.view().permuted({1, 0}).copy());
    add("ours/tn", [this, &at] { ours(at.view(), b_.view(), {{0}, {0}}); });
    add("ours/nt", [this, &bt] { ours(a_.view(), bt.view(), {{1}, {1}}); });
    add("ours/tt", [this, &at, &bt] { ours(at.view(), bt.view(), {{0}, {1}}); });
    Tensor& wide = kept(Tensor::zeros(dtype_of<T>, {n_ + 8, n_}));
    wide.mutable_view({range(4, n_ + 4), all}).assign(a_.view());
    const TensorView sliced = wide.view({range(4, n_ + 4), all});
    add("ours/sliced", [this, sliced] { ours(sliced, b_.view(), {{1}, {0}}); });
    // Rows along two axes that do not merge.
    const Tensor& split = kept(a_.view().reshaped_view({16, n_ / 16, n_}).permuted({0, 2, 1}).copy());
    const MutableTensorView target = c_.mutable_view().reshaped_view({16, n_ / 16, n_});
    add("ours/split", [this, &split, target] {
      backend().with_session(
          [&](BackendSession& session) { dot_general_into(session, target, split, b_, {{1}, {0}}); });
    });
  }

 private:
  static Tensor& kept(Tensor x) { return *new Tensor(std::move(x)); }

  // The reference where no library knows the numbers.
  void multiply_plainly() {
    const auto a = a_.data<T>(), b = b_.data<T>(), c = reference_.data<T>();
    const auto n = static_cast<std::size_t>(n_);
    std::ranges::fill(c, T(0));
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t i = 0; i < n; ++i) c[i + j * n] += a[i + p * n] * b[p + j * n];
      }
    }
  }

  void add_libraries() {
    blas(reference_);
    add("openblas", [this] { blas(c_); });
    if (const Fortran gemm = blis(letter<T>())) {
      add("blis", [this, gemm] {
        const int size = static_cast<int>(n_);
        const T one(1), zero(0);
        gemm("N", "N", &size, &size, &size, &one, a_.data<T>().data(), &size, b_.data<T>().data(), &size, &zero,
             c_.data<T>().data(), &size);
      });
    }
  }

  void ours(const TensorView& a, const TensorView& b, const DotGeneralConfig& config) {
    backend().with_session([&](BackendSession& session) { dot_general_into(session, c_, a, b, config); });
  }
  void blas(Tensor& c) {
    const blasint n = static_cast<blasint>(n_);
    const T one(1), zero(0);
    const auto call = [&](auto gemm, auto alpha, auto beta) {
      gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, alpha, a_.data<T>().data(), n, b_.data<T>().data(), n,
           beta, c.data<T>().data(), n);
    };
    if constexpr (std::is_same_v<T, float>) {
      call(cblas_sgemm, one, zero);
    } else if constexpr (std::is_same_v<T, double>) {
      call(cblas_dgemm, one, zero);
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
      call(cblas_cgemm, &one, &zero);
    } else {
      call(cblas_zgemm, &one, &zero);
    }
  }

  // Registers an arm that fills c_, once its result is right.
  void add(const std::string& arm, const std::function<void()>& f) {
    std::ranges::fill(c_.data<T>(), T(7));
    f();
    const double allowed = 1e-6 * static_cast<double>(n_);
    const std::span<const T> got = c_.data<T>(), expected = reference_.data<T>();
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (static_cast<double>(std::abs(got[i] - expected[i])) <= allowed) continue;
      std::fprintf(stderr, "%s%s: wrong result\n", prefix_.c_str(), arm.c_str());
      std::exit(1);
    }
    register_timed(prefix_ + arm, f);
  }

  std::int64_t n_;
  std::string prefix_;
  Tensor a_ = numbers<T>({n_, n_}, 1), b_ = numbers<T>({n_, n_}, 2), c_ = numbers<T>({n_, n_}, 3),
         reference_ = numbers<T>({n_, n_}, 4);
};

template <class T>
void register_products(const std::string& dtype, std::initializer_list<std::int64_t> sizes,
                       const std::vector<const GemmPeer*>& peers) {
  for (const std::int64_t n : sizes) {
    Products<T>& products = *new Products<T>(dtype, n, peers);
    if (n <= 1024) products.add_layouts();
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  openblas_set_num_threads(1);  // for peers that call it, too
  const std::vector<const GemmPeer*> peers{bench::load_peer<GemmPeer>("libpeer_eigen.so", "tenferro_gemm_peer"),
                                           bench::load_peer<GemmPeer>("libpeer_torch.so", "tenferro_gemm_peer")};
  register_peak<double>("peak/f64");
  register_peak<float>("peak/f32");
  register_products<double>("f64", {256, 512, 1024, 2048}, peers);
  register_products<float>("f32", {256, 512, 1024, 2048}, peers);
  register_products<std::complex<double>>("c64", {256, 512, 1024}, peers);
  register_products<std::complex<float>>("c32", {256, 512, 1024}, peers);
  register_products<std::int32_t>("i32", {256, 512}, peers);
  register_products<std::int64_t>("i64", {256, 512}, peers);
  benchmark::RunSpecifiedBenchmarks();
}
