// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tests of what each set of vector instructions computes.
//
//   with_every_target([] { EXPECT_EQ(sum_of(x), 3); });
//   with_every_target([](std::string_view target) { EXPECT_EQ(sum_of(x), 3) << target; });

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "tenferro/cpu/simd.hpp"

namespace tenferro::testing {

/// Uses one set of vector instructions as long as it lives, and then again the set that was in use before.
class ForcedTarget {
 public:
  explicit ForcedTarget(std::string_view name) : before_(simd_target()), used_(internal::use_simd_target(name)) {}
  ~ForcedTarget() { internal::use_simd_target(before_); }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;

  /// Whether this processor can run that set.
  bool used() const noexcept { return used_; }

 private:
  std::string before_;
  bool used_;
};

/// f(), or f(name), under each set that this processor can run, the best first, until a fatal failure.
template <class F>
void with_every_target(F&& f) {
  for (const std::string_view name : simd_targets()) {
    SCOPED_TRACE(std::string(name));
    const ForcedTarget target(name);
    ASSERT_TRUE(target.used());
    if constexpr (std::is_invocable_v<F&, std::string_view>) {
      f(name);
    } else {
      f();
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace tenferro::testing
