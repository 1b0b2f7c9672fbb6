// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/index_checks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/every_target.hpp"

namespace tenferro::internal {
namespace {

TEST(IndexChecks, FindsOneNumberThatIsNoPlaceAnywhereInAList) {
  testing::with_every_target([] {
    for (std::int64_t count = 0; count <= 40; ++count) {
      std::vector<std::int64_t> list(static_cast<std::size_t>(count));
      for (std::int64_t i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = i % 7;
      EXPECT_TRUE(all_places(list.data(), count, 7));
      for (std::int64_t& number : list) {
        const std::int64_t before = number;
        for (const std::int64_t bad : {std::int64_t{7}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min()}) {
          number = bad;
          EXPECT_FALSE(all_places(list.data(), count, 7)) << count << ' ' << bad;
        }
        number = before;
      }
    }
  });
}

TEST(IndexChecks, TakesTheLongestAxisAndNothingOfAnEmptyOne) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> places(40, kMost - 1), none(40, kMost), zeros(40, 0);
  testing::with_every_target([&] {
    EXPECT_TRUE(all_places(places.data(), 40, kMost));
    EXPECT_FALSE(all_places(none.data(), 40, kMost));
    EXPECT_FALSE(all_places(zeros.data(), 40, 0));
    EXPECT_TRUE(all_places(zeros.data(), 0, 0));
  });
}

}  // namespace
}  // namespace tenferro::internal
