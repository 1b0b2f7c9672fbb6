// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Who computes a matrix product: our own kernels or OpenBLAS. TENFERRO_GEMM (native or openblas), read when the first
// backend is made, decides for all; otherwise the thresholds of machine_calibration() decide by dtype and size, so that
// the choice, and with it the bits of a result, does not depend on layout or threads. OpenBLAS is set up, and set to
// one thread for the whole process, only where it has something to do.
//
// Example:
//     CHECK(gemm_provider(DType::i32, 1'000'000) == GemmProvider::native);       // OpenBLAS has no integers

#include <cstdint>
#include <optional>

#include "tenferro/tensor/dtype.hpp"

namespace tenferro {

enum class GemmProvider : std::uint8_t { native, openblas };

/// The provider for a product of `work` = m·n·k multiply-adds of this dtype; never OpenBLAS where blas_provider() says
/// that it cannot be used, nor before the first backend is made.
GemmProvider gemm_provider(DType dtype, std::int64_t work) noexcept;

/// What TENFERRO_GEMM asks for; nothing if it is not set or not known.
///
/// Example:
///     CHECK(std::getenv("TENFERRO_GEMM") != nullptr || !wanted_gemm_provider());
std::optional<GemmProvider> wanted_gemm_provider();

namespace internal {

/// Uses one provider for all products from now on, where it can compute them, or the thresholds again. For tests and
/// measurements: no kernel may run meanwhile.
void use_gemm_provider(std::optional<GemmProvider> provider);

/// Takes TENFERRO_GEMM and the calibration into account, once a process.
void settle_gemm_provider();

}  // namespace internal
}  // namespace tenferro
