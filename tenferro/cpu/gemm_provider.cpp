// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/gemm_provider.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "tenferro/cpu/blas_provider.hpp"
#include "tenferro/cpu/machine_calibration.hpp"

namespace tenferro {
namespace {

// Work from which OpenBLAS computes, by dtype.
using Thresholds = std::array<std::int64_t, kDTypeCount>;
constexpr Thresholds kAllNative = [] {
  Thresholds from{};
  from.fill(MachineCalibration::kNever);
  return from;
}();
constinit Thresholds thresholds = kAllNative;

// OpenBLAS is not asked, and so not set up, where it has nothing to do.
Thresholds thresholds_for(std::optional<GemmProvider> provider) {
  Thresholds from = kAllNative;
  if (provider != GemmProvider::native) {
    for (std::size_t i = 0; i < kBlasDTypes.size(); ++i) {
      from[index(kBlasDTypes[i])] = provider ? 0 : machine_calibration().openblas_from[i];
    }
  }
  return from == kAllNative || blas_provider().usable ? from : kAllNative;
}

}  // namespace

GemmProvider gemm_provider(DType dtype, std::int64_t work) noexcept {
  return work >= thresholds[index(dtype)] ? GemmProvider::openblas : GemmProvider::native;
}

std::optional<GemmProvider> wanted_gemm_provider() {
  const char* given = std::getenv("TENFERRO_GEMM");
  const std::string_view wanted = given == nullptr ? "" : given;
  if (wanted == "native") return GemmProvider::native;
  if (wanted == "openblas") return GemmProvider::openblas;
  return std::nullopt;
}

namespace internal {

void use_gemm_provider(std::optional<GemmProvider> provider) { thresholds = thresholds_for(provider); }

void settle_gemm_provider() {
  static const bool settled = [] {
    use_gemm_provider(wanted_gemm_provider());
    return true;
  }();
  (void)settled;
}

}  // namespace internal
}  // namespace tenferro
