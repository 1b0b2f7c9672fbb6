// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrix products of Eigen by its own kernels.
#include <Eigen/Core>
#include <cstdint>

#include "benches/peers/gemm_peer.hpp"

namespace {

struct Product {
  char dtype;
  long n;
  const void* a;
  const void* b;
  void* c;
};

void* prepare(char dtype, long n, const void* a, const void* b, void* c) { return new Product{dtype, n, a, b, c}; }

template <class T>
void multiply(const Product& p) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Map<const Matrix> a(static_cast<const T*>(p.a), p.n, p.n), b(static_cast<const T*>(p.b), p.n, p.n);
  Eigen::Map<Matrix>(static_cast<T*>(p.c), p.n, p.n).noalias() = a * b;
}

void run(void* product) {
  const Product& p = *static_cast<const Product*>(product);
  switch (p.dtype) {
    case 's':
      return multiply<float>(p);
    case 'd':
      return multiply<double>(p);
    case 'c':
      return multiply<std::complex<float>>(p);
    case 'i':
      return multiply<std::int32_t>(p);
    case 'l':
      return multiply<std::int64_t>(p);
    default:
      return multiply<std::complex<double>>(p);
  }
}

}  // namespace

const tenferro::bench::GemmPeer* tenferro_gemm_peer() {
  static const tenferro::bench::GemmPeer peer{"eigen", prepare, run};
  return &peer;
}
