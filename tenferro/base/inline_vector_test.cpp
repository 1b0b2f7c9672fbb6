// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/inline_vector.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tenferro {
namespace {

using V = InlineVector<std::int64_t, 4>;

TEST(InlineVector, KeepsOrderAcrossTheInlineLimit) {
  V v;
  std::vector<std::int64_t> model;
  for (std::int64_t i = 0; i < 40; ++i) {
    v.push_back(i * i);
    model.push_back(i * i);
    EXPECT_TRUE(std::equal(v.begin(), v.end(), model.begin(), model.end()));
  }
}

TEST(InlineVector, CopiesAreIndependent) {
  for (std::size_t n : {0u, 3u, 4u, 5u, 20u}) {
    V a(n, 7);
    V b = a;
    b.push_back(1);
    EXPECT_EQ(a.size(), n);
    a = b;
    EXPECT_EQ(a, b);
  }
}

TEST(InlineVector, MovedFromIsEmptyAndUsable) {
  for (std::size_t n : {3u, 20u}) {
    V a(n, 7);
    V b = std::move(a);
    EXPECT_EQ(b.size(), n);
    EXPECT_TRUE(a.empty());
    a.push_back(2);
    EXPECT_EQ(a.back(), 2);
  }
}

TEST(InlineVector, InsertsAndErasesInTheMiddle) {
  V v{1, 2, 4, 5};
  v.insert(2, 3);
  EXPECT_EQ(v, (V{1, 2, 3, 4, 5}));
  v.erase(0);
  EXPECT_EQ(v, (V{2, 3, 4, 5}));
}

}  // namespace
}  // namespace tenferro
