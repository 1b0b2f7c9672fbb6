// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The vector instructions that kernels use. Every vector kernel is compiled for several sets of them, and the best that
// the processor has is chosen at run time. TENFERRO_SIMD (avx512, avx2, sse4, neon or baseline), read when the first
// backend is made, chooses a lesser one; a name that this processor cannot run is ignored.
//
// Example:
//     CHECK(simd_target() == simd_targets().front() || std::getenv("TENFERRO_SIMD") != nullptr);

#include <string_view>
#include <vector>

namespace tenferro {

/// The set in use, by the name that TENFERRO_SIMD takes.
std::string_view simd_target() noexcept;

/// The sets that this build has kernels for and this processor can run, the best first.
std::vector<std::string_view> simd_targets();

namespace internal {

/// Takes TENFERRO_SIMD into account, once a process.
void settle_simd_target();

/// Uses the set `name` from now on, or the best if the name is empty; false if this processor cannot run it. For tests
/// and measurements: no kernel may run meanwhile, and results of two sets may differ in their last bits.
bool use_simd_target(std::string_view name);

}  // namespace internal
}  // namespace tenferro
