// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/machine_rates.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tenferro/cpu/kernels/machine_loops.hpp"
#include "tenferro/cpu/simd.hpp"

namespace tenferro {
namespace {

TEST(MachineLoops, DoWhatTheyAreTimedForOnEveryTarget) {
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(internal::use_simd_target(target));
    for (const std::size_t n : {std::size_t{0}, std::size_t{7}, std::size_t{64}, std::size_t{203}}) {
      std::vector<double> a(n), b(n), c(n);
      std::iota(a.begin(), a.end(), 1.0);
      internal::store_elements(b.data(), n, 2.5);
      EXPECT_EQ(b, std::vector<double>(n, 2.5));
      internal::add_elements(a.data(), b.data(), c.data(), n);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(c[i], static_cast<double>(i) + 3.5);
      EXPECT_EQ(internal::read_elements(a.data(), n), static_cast<double>(n * (n + 1) / 2)) << target;
    }
    EXPECT_GT(internal::fma_rounds<double>(10), 0);
    EXPECT_GE(internal::fma_rounds<float>(10), internal::fma_rounds<double>(10));
  }
  ASSERT_TRUE(internal::use_simd_target(""));
}

TEST(MachineRates, MemoryLevelsGrow) {
  const std::vector<MemoryLevel> levels = memory_levels();
  for (std::size_t i = 1; i < levels.size(); ++i) EXPECT_GT(levels[i].working_set, levels[i - 1].working_set);
  EXPECT_EQ(levels.back().name, "memory");
}

}  // namespace
}  // namespace tenferro
