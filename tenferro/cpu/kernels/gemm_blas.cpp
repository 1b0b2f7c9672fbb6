// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemm_blas.hpp"

#include <cblas.h>

#include <cstdio>
#include <vector>

namespace tenferro {
namespace internal {
namespace {

template <class T>
CBLAS_TRANSPOSE flag(const BlasMatrix<T>& x) noexcept {
  if (x.conj) return x.transposed ? CblasConjTrans : CblasConjNoTrans;
  return x.transposed ? CblasTrans : CblasNoTrans;
}

blasint narrow(std::int64_t n) noexcept { return static_cast<blasint>(n); }

// A product of small whole numbers, exact in every type, by the library and by the definition.
template <class T>
bool multiplies(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a) {
  std::vector<T> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  std::vector<T> c(static_cast<std::size_t>(m * n), T(3)), expected(static_cast<std::size_t>(m * n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(static_cast<float>(static_cast<int>(i % 7) - 3));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(static_cast<float>(static_cast<int>(i % 5) - 2));
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      T sum(0);
      for (std::int64_t p = 0; p < k; ++p) {
        const std::int64_t at = transpose_a ? p + i * k : i + p * m;
        sum += a[static_cast<std::size_t>(at)] * b[static_cast<std::size_t>(p + j * k)];
      }
      expected[static_cast<std::size_t>(i + j * m)] = T(2) * sum - T(3);
    }
  }
  blas_gemm<T>(m, n, k, T(2), {a.data(), transpose_a ? k : m, transpose_a, false}, {b.data(), k, false, false}, T(-1),
               c.data(), m);
  return c == expected;
}

template <class T>
bool multiplies_all() {
  return multiplies<T>(3, 5, 2, false) && multiplies<T>(19, 11, 33, false) && multiplies<T>(17, 9, 40, true);
}

BlasFlavour flavour() noexcept {
  switch (openblas_get_parallel()) {
    case OPENBLAS_SEQUENTIAL:
      return BlasFlavour::serial;
    case OPENBLAS_THREAD:
      return BlasFlavour::pthread;
    default:
      return BlasFlavour::openmp;
  }
}

// Products go to the library from any lane and any session, so what it declares must allow that. This is the one place
// where the choice between it and our own kernels is made.
BlasProvider look() {
  BlasProvider found;
  found.core = openblas_get_corename();
  found.declaration = declare_openblas(flavour());
  if (!may_run_in_lanes(found.declaration)) {
    found.reason = is_uncontrolled(found.declaration)
                       ? "this OpenBLAS is the OpenMP flavour, which starts its own threads"
                       : "this OpenBLAS is the serial flavour, which several threads break";
  } else {
    openblas_set_num_threads(1);
    found.usable = multiplies_all<float>() && multiplies_all<double>() && multiplies_all<std::complex<float>>() &&
                   multiplies_all<std::complex<double>>();
    if (found.usable) return found;
    found.reason = "its matrix products are wrong on this CPU (kernels " + found.core +
                   "); setting OPENBLAS_CORETYPE to another one may help";
  }
  std::fprintf(stderr, "tenferro: OpenBLAS is not used, our own kernels multiply: %s\n", found.reason.c_str());
  return found;
}

}  // namespace

}  // namespace internal

const BlasProvider& blas_provider() {
  static const BlasProvider provider = internal::look();
  return provider;
}

namespace internal {

template <class T>
void blas_gemm(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, const BlasMatrix<T>& a, const BlasMatrix<T>& b,
               T beta, T* c, std::int64_t ldc) {
  const auto call = [&](auto* gemm, auto al, auto be) {
    gemm(CblasColMajor, flag(a), flag(b), narrow(m), narrow(n), narrow(k), al, a.data, narrow(a.ld), b.data,
         narrow(b.ld), be, c, narrow(ldc));
  };
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm, alpha, beta);
  } else if constexpr (std::is_same_v<T, double>) {
    call(cblas_dgemm, alpha, beta);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    call(cblas_cgemm, &alpha, &beta);
  } else {
    call(cblas_zgemm, &alpha, &beta);
  }
}

template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, float, const BlasMatrix<float>&,
                        const BlasMatrix<float>&, float, float*, std::int64_t);
template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, double, const BlasMatrix<double>&,
                        const BlasMatrix<double>&, double, double*, std::int64_t);
template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, std::complex<float>,
                        const BlasMatrix<std::complex<float>>&, const BlasMatrix<std::complex<float>>&,
                        std::complex<float>, std::complex<float>*, std::int64_t);
template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, std::complex<double>,
                        const BlasMatrix<std::complex<double>>&, const BlasMatrix<std::complex<double>>&,
                        std::complex<double>, std::complex<double>*, std::int64_t);

}  // namespace internal
}  // namespace tenferro
