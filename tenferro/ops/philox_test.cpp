// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/philox.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <set>
#include <vector>

namespace tenferro {
namespace {

using Words = std::array<std::uint32_t, 4>;

template <class T>
std::vector<T> bits(PhiloxKey key, std::int64_t first, std::size_t count) {
  std::vector<T> out(count);
  philox_fill(key, first, std::span<T>(out));
  return out;
}

// The published known answers of the generator.
TEST(Philox, CipherGivesThePublishedAnswers) {
  static_assert(philox4x32_10({0, 0, 0, 0}, {0, 0}) == Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
  constexpr std::uint32_t kOnes = 0xFFFFFFFF;
  EXPECT_EQ(philox4x32_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox4x32_10({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

// From an independent implementation of the documented mapping.
TEST(Philox, GoldenBitsOfSeed42) {
  EXPECT_EQ(bits<std::int32_t>({42, 0}, 0, 8),
            (std::vector<std::int32_t>{-1662324653, 2012563771, 314527917, 1463989207, -52747993, 1404726525,
                                       -2087757202, 1951270651}));
  EXPECT_EQ(bits<std::int64_t>({42, 0}, 0, 4), (std::vector<std::int64_t>{8643895580192075859, 6287785766076502189,
                                                                          6033254488940945703, 8380643633896839790}));
}

TEST(Philox, GoldenBitsOfANegativeSeedAndAStream) {
  EXPECT_EQ(bits<std::int32_t>({-2, 7}, 0, 5),
            (std::vector<std::int32_t>{-956485577, -1964476041, 1883664127, 775412195, -1200457767}));
}

TEST(Philox, ElementsFollowTheDocumentedMapping) {
  const PhiloxKey key{0x123456789ABCDEF0, -0x0FEDCBA987654321};
  const std::int64_t block = (std::int64_t{5} << 32) + 3;
  const auto stream = static_cast<std::uint64_t>(key.stream);
  const Words words = philox4x32_10(
      {3, 5, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}, {0x9ABCDEF0, 0x12345678});
  const auto narrow = bits<std::int32_t>(key, 4 * block, 4);
  const auto wide = bits<std::int64_t>(key, 2 * block, 2);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(static_cast<std::uint32_t>(narrow[k]), words[k]);
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_EQ(static_cast<std::uint64_t>(wide[h]), words[2 * h] | std::uint64_t{words[2 * h + 1]} << 32);
  }
}

template <class T>
void expect_same_in_pieces() {
  const PhiloxKey key{7, 9};
  const auto whole = bits<T>(key, 0, 41);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    auto pieces = bits<T>(key, 0, cut);
    const auto rest = bits<T>(key, static_cast<std::int64_t>(cut), whole.size() - cut);
    pieces.insert(pieces.end(), rest.begin(), rest.end());
    EXPECT_EQ(pieces, whole) << cut;
  }
}

TEST(Philox, PiecesJoinToTheWhole) {
  expect_same_in_pieces<std::int32_t>();
  expect_same_in_pieces<std::int64_t>();
}

TEST(Philox, EveryBitOfTheKeyMatters) {
  std::set<std::int64_t> seen{bits<std::int64_t>({0, 0}, 0, 1)[0]};
  for (int bit = 0; bit < 64; ++bit) {
    const auto flipped = static_cast<std::int64_t>(std::uint64_t{1} << bit);
    seen.insert(bits<std::int64_t>({flipped, 0}, 0, 1)[0]);
    seen.insert(bits<std::int64_t>({0, flipped}, 0, 1)[0]);
  }
  EXPECT_EQ(seen.size(), 129U);
}

TEST(Philox, EmptyFillAndTheLastElement) {
  EXPECT_TRUE(bits<std::int32_t>({1, 2}, 5, 0).empty());
  EXPECT_EQ(bits<std::int64_t>({1, 2}, std::numeric_limits<std::int64_t>::max(), 1).size(), 1U);
}

}  // namespace
}  // namespace tenferro
