// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/simd.hpp"

#include <hwy/highway.h>

#include <cstdlib>

#include "tenferro/cpu/kernels/element_loop.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

namespace tenferro {
namespace internal {
constinit std::atomic<std::size_t> simd_index = 0;
}  // namespace internal
namespace {

struct Target {
  std::int64_t bit;
  std::string_view name;
};
// The best first.
constexpr Target kTargets[] = {{HWY_AVX3, "avx512"}, {HWY_AVX2, "avx2"},       {HWY_SSE4, "sse4"},
                               {HWY_NEON, "neon"},   {HWY_EMU128, "baseline"}, {HWY_SCALAR, "baseline"}};

// The targets of the processor and of this build, whatever is in use at the moment.
std::int64_t available() {
  static const std::int64_t found = hwy::SupportedTargets() & HWY_TARGETS;
  return found;
}

std::int64_t& used() {
  static std::int64_t targets = available();
  return targets;
}

bool choose(std::int64_t targets) {
  hwy::GetChosenTarget().Update(targets);
  internal::simd_index = hwy::GetChosenTarget().GetIndex();
  return true;
}
// Kernels may run before any backend is made.
[[maybe_unused]] const bool chosen_at_start = choose(available());

}  // namespace

std::string_view simd_target() noexcept {
  for (const Target& target : kTargets) {
    if ((used() & target.bit) != 0) return target.name;
  }
  return "baseline";
}

std::vector<std::string_view> simd_targets() {
  std::vector<std::string_view> names;
  for (const Target& target : kTargets) {
    if ((available() & target.bit) != 0) names.push_back(target.name);
  }
  return names;
}

namespace internal {

bool use_simd_target(std::string_view name) {
  std::int64_t allowed = 0;
  for (const Target& target : kTargets) {
    if (name.empty() || target.name == name) allowed |= available() & target.bit;
  }
  if (allowed == 0) return false;
  used() = allowed;
  hwy::SetSupportedTargetsForTest(allowed);
  (void)choose(allowed);
  forget_element_loops();
  return true;
}

void settle_simd_target() {
  static const bool settled = [] {
    const char* wanted = std::getenv("TENFERRO_SIMD");
    return wanted != nullptr && *wanted != '\0' && use_simd_target(wanted);
  }();
  (void)settled;
}

}  // namespace internal
}  // namespace tenferro
