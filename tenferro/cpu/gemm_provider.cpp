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
constexpr std::array<DType, 4> kBlasDTypes{DType::f32, DType::f64, DType::c32, DType::c64};

Thresholds thresholds_for(std::optional<GemmProvider> provider) {
  Thresholds from;
  from.fill(MachineCalibration::kNever);
  if (provider == GemmProvider::native || !blas_provider().usable) return from;
  for (std::size_t i = 0; i < kBlasDTypes.size(); ++i) {
    from[index(kBlasDTypes[i])] = provider ? 0 : machine_calibration().openblas_from[i];
  }
  return from;
}

Thresholds& thresholds() noexcept {
  static Thresholds from = thresholds_for(std::nullopt);
  return from;
}

}  // namespace

GemmProvider gemm_provider(DType dtype, std::int64_t work) noexcept {
  return work >= thresholds()[index(dtype)] ? GemmProvider::openblas : GemmProvider::native;
}

namespace internal {

void use_gemm_provider(std::optional<GemmProvider> provider) noexcept { thresholds() = thresholds_for(provider); }

void settle_gemm_provider() {
  static const bool settled = [] {
    const char* given = std::getenv("TENFERRO_GEMM");
    const std::string_view wanted = given == nullptr ? "" : given;
    if (wanted == "native") use_gemm_provider(GemmProvider::native);
    if (wanted == "openblas") use_gemm_provider(GemmProvider::openblas);
    return true;
  }();
  (void)settled;
}

}  // namespace internal
}  // namespace tenferro
