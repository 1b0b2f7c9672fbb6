// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tenferro {
namespace {

TEST(Simd, ThereIsAlwaysASetOfInstructions) { EXPECT_FALSE(simd_targets().empty()); }

TEST(Simd, EveryTargetOfTheProcessorCanBeForced) {
  for (const std::string_view name : simd_targets()) {
    ASSERT_TRUE(internal::use_simd_target(name)) << name;
    EXPECT_EQ(simd_target(), name);
  }
  EXPECT_TRUE(internal::use_simd_target(""));
  EXPECT_EQ(simd_target(), simd_targets().front());
}

TEST(Simd, AnUnknownTargetChangesNothing) {
  const std::string_view before = simd_target();
  EXPECT_FALSE(internal::use_simd_target("avx9"));
  EXPECT_EQ(simd_target(), before);
}

TEST(Simd, TheSetsOfAProcessorWithAvx512IncludeItsLesserOnes) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto targets = simd_targets();
  const auto has = [&](std::string_view name) { return std::count(targets.begin(), targets.end(), name) == 1; };
  EXPECT_EQ(has("avx2"), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(has("avx512"), __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                               __builtin_cpu_supports("avx512vl"));
#endif
}

}  // namespace
}  // namespace tenferro
