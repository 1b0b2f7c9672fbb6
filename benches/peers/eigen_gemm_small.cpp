// SPDX-License-Identifier: MIT OR Apache-2.0
// Small products of Eigen, sizes known at run time.
#include <Eigen/Core>

#include "benches/peers/gemm_small_peer.hpp"

namespace {

struct Products {
  char dtype;
  long n, count;
  bool transposed;
  const void* a;
  const void* b;
  void* c;
};

void* prepare(char dtype, long n, long count, const void* a, const void* b, void* c) {
  return new Products{dtype, n, count, false, a, b, c};
}
void* prepare_vector(char dtype, long n, bool transposed, const void* a, const void* x, void* y) {
  return new Products{dtype, n, 1, transposed, a, x, y};
}

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
void multiply(const Products& p) {
  for (long i = 0; i < p.count; ++i) {
    const long at = i * p.n * p.n;
    const Eigen::Map<const Matrix<T>> a(static_cast<const T*>(p.a) + at, p.n, p.n),
        b(static_cast<const T*>(p.b) + at, p.n, p.n);
    Eigen::Map<Matrix<T>>(static_cast<T*>(p.c) + at, p.n, p.n).noalias() = a * b;
  }
}
template <class T>
void multiply_vector(const Products& p) {
  const Eigen::Map<const Matrix<T>> a(static_cast<const T*>(p.a), p.n, p.n);
  const Eigen::Map<const Vector<T>> x(static_cast<const T*>(p.b), p.n);
  Eigen::Map<Vector<T>> y(static_cast<T*>(p.c), p.n);
  if (p.transposed) {
    y.noalias() = a.transpose() * x;
  } else {
    y.noalias() = a * x;
  }
}

void run(void* products) {
  const Products& p = *static_cast<const Products*>(products);
  p.dtype == 's' ? multiply<float>(p) : multiply<double>(p);
}
void run_vector(void* product) {
  const Products& p = *static_cast<const Products*>(product);
  p.dtype == 's' ? multiply_vector<float>(p) : multiply_vector<double>(p);
}

}  // namespace

const tenferro::bench::GemmSmallPeer* tenferro_gemm_small_peer() {
  static const tenferro::bench::GemmSmallPeer peer{"eigen", prepare, run, prepare_vector, run_vector};
  return &peer;
}
