// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Matrix products from OpenBLAS, one thread a call. The library is looked at once, at the first use: only its pthread
// flavour locks what its callers share (the serial one gives wrong results under several threads, the OpenMP one brings
// threads of its own), and small products must come out right. Otherwise one line goes to standard error and our
// own kernels take over.

#include <complex>
#include <cstdint>

#include "tenferro/cpu/blas_provider.hpp"

namespace tenferro::internal {

/// How OpenBLAS was built.
enum class BlasFlavour : std::uint8_t { serial, pthread, openmp };

/// What the flavour declares. Only pthread, told once to use one thread, locks what its callers share; serial is for
/// one caller in the process, openmp starts threads of its own.
constexpr ProviderDeclaration declare_openblas(BlasFlavour flavour) noexcept {
  switch (flavour) {
    case BlasFlavour::serial:
      return {"openblas-serial", ThreadControl::sequential, ThreadPlacement::calling_thread, kModeSequential};
    case BlasFlavour::pthread:
      return {"openblas-pthread", ThreadControl::clamp_to_one, ThreadPlacement::calling_thread,
              kModeSequential | kModeOuter};
    case BlasFlavour::openmp:
      break;
  }
  return {"openblas-openmp", ThreadControl::uncontrolled, ThreadPlacement::own_workers, kModeSequential};
}

/// A matrix as BLAS takes it: column-major with leading dimension `ld`, or its transpose; conj on top.
template <class T>
struct BlasMatrix {
  const T* data;
  std::int64_t ld;
  bool transposed;
  bool conj;
};

/// c = alpha·a·b + beta·c for m×k and k×n; c is column-major. Every size and leading dimension fits an int and is at
/// least what BLAS asks for. T is float, double or a complex of them.
template <class T>
void blas_gemm(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, const BlasMatrix<T>& a, const BlasMatrix<T>& b,
               T beta, T* c, std::int64_t ldc);

extern template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, float, const BlasMatrix<float>&,
                               const BlasMatrix<float>&, float, float*, std::int64_t);
extern template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, double, const BlasMatrix<double>&,
                               const BlasMatrix<double>&, double, double*, std::int64_t);
extern template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, std::complex<float>,
                               const BlasMatrix<std::complex<float>>&, const BlasMatrix<std::complex<float>>&,
                               std::complex<float>, std::complex<float>*, std::int64_t);
extern template void blas_gemm(std::int64_t, std::int64_t, std::int64_t, std::complex<double>,
                               const BlasMatrix<std::complex<double>>&, const BlasMatrix<std::complex<double>>&,
                               std::complex<double>, std::complex<double>*, std::int64_t);

}  // namespace tenferro::internal
