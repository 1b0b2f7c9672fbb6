// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/session_caches.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace tenferro {
namespace {

struct Lengths final : BoundedCache<std::string, std::size_t, 3> {
  int made = 0;
  std::size_t of(const std::string& text) {
    return get(text, [&] {
      ++made;
      return text.size();
    });
  }
};
struct Names final : BoundedCache<int, std::string> {};

TEST(SessionCaches, HoldsOneOfEachType) {
  SessionCaches caches;
  auto& lengths = caches.of<Lengths>();
  auto& names = caches.of<Names>();
  names.get(1, [] { return std::string("one"); });
  EXPECT_EQ(&caches.of<Lengths>(), &lengths);
  EXPECT_EQ(&caches.of<Names>(), &names);
  EXPECT_EQ(lengths.size(), 0u);
  EXPECT_EQ(names.size(), 1u);
}

TEST(SessionCaches, ClearEmptiesAllOfThem) {
  SessionCaches caches;
  caches.of<Lengths>().of("a");
  caches.of<Names>().get(1, [] { return std::string("one"); });
  caches.clear();
  EXPECT_EQ(caches.of<Lengths>().size(), 0u);
  EXPECT_EQ(caches.of<Names>().size(), 0u);
}

TEST(BoundedCache, MakesAValueOnce) {
  Lengths cache;
  EXPECT_EQ(cache.of("four"), 4u);
  EXPECT_EQ(cache.of("four"), 4u);
  EXPECT_EQ(cache.made, 1);
}

TEST(BoundedCache, DropsWhatWasNotAskedForTheLongest) {
  Lengths cache;
  for (const char* text : {"a", "b", "c", "a", "d"}) cache.of(text);
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_EQ(cache.made, 4);
  for (const char* text : {"a", "c", "d"}) cache.of(text);
  EXPECT_EQ(cache.made, 4) << "these were kept";
  cache.of("b");
  EXPECT_EQ(cache.made, 5) << "this one was dropped";
}

TEST(BoundedCache, KeepsNothingOfAFailedMake) {
  Lengths cache;
  for (const char* text : {"a", "b", "c"}) cache.of(text);
  EXPECT_THROW(cache.get("d", []() -> std::size_t { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(cache.size(), 3u);
  for (const char* text : {"a", "b", "c"}) cache.of(text);
  EXPECT_EQ(cache.made, 3);
}

}  // namespace
}  // namespace tenferro
