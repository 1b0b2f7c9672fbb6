// SPDX-License-Identifier: MIT OR Apache-2.0
// Lists of integers, sorted and merged, against std::sort.
#include "tenferro/cpu/kernels/sort_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tenferro/cpu/calibration.hpp"
#include "tests/support/every_target.hpp"

namespace tenferro {
namespace {

using testing::with_every_target;

template <class Key>
void expect_sorted_keys() {
  std::mt19937_64 random(3);
  std::vector<std::int64_t> lengths{1000, 1023, 1024, 1025, 5000, 40'000};
  for (std::int64_t n = 0; n <= 300; ++n) lengths.push_back(n);
  for (const std::int64_t longest :
       {calibration::kNetworkKeys32, calibration::kNetworkKeys64, calibration::kNetworkKeys64Short}) {
    lengths.insert(lengths.end(), {longest - 1, longest, longest + 1});
  }
  for (const std::int64_t n : lengths) {
    for (const std::uint64_t distinct : {std::uint64_t{5}, ~std::uint64_t{0}}) {
      std::vector<Key> keys(static_cast<std::size_t>(internal::sort_room(n))), work(keys.size());
      for (Key& key : keys) key = static_cast<Key>(random() % distinct);
      if (n > 2) keys[1] = std::numeric_limits<Key>::max();
      std::vector<Key> expected(keys.begin(), keys.begin() + n);
      std::sort(expected.begin(), expected.end());
      internal::sort_keys(keys.data(), work.data(), n);
      keys.resize(expected.size());
      ASSERT_EQ(keys, expected) << n;
    }
  }
}

TEST(SortKeys, ListsOfEveryLengthAreSortedByEveryTarget) {
  with_every_target([&] {
    expect_sorted_keys<std::int32_t>();
    expect_sorted_keys<std::int64_t>();
  });
}

TEST(SortKeys, RunsOfAnyLengthsAreMergedByEveryTarget) {
  std::mt19937 random(4);
  with_every_target([&] {
    for (const std::size_t a : {0U, 1U, 7U, 16U, 33U, 100U}) {
      for (const std::size_t b : {0U, 2U, 15U, 32U, 64U, 257U}) {
        std::vector<std::int64_t> x(a + b), merged(a + b);
        for (auto& key : x) key = static_cast<std::int64_t>(random() % 100);
        std::sort(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(a));
        std::sort(x.begin() + static_cast<std::ptrdiff_t>(a), x.end());
        internal::sort_networks<std::int64_t>().merge(x.data(), static_cast<std::int64_t>(a), x.data() + a,
                                                      static_cast<std::int64_t>(b), merged.data());
        std::sort(x.begin(), x.end());
        ASSERT_EQ(merged, x) << a << ' ' << b;
      }
    }
  });
}

}  // namespace
}  // namespace tenferro
