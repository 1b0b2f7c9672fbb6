// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The counter-based generator behind the row `random_bits`: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel random
// numbers: as easy as 1, 2, 3, SC 2011). An element depends on the key and on its column-major index alone, so results
// are the same for every split among threads, on every backend and platform.
//
// Example:
//     PhiloxKey key{.seed = 42, .stream = 0};                  // the two entries of a key tensor, in order
//     std::int64_t all[6], tail[2];
//     philox_fill(key, 0, all);
//     philox_fill(key, 4, tail);                               // any part by itself
//     CHECK(tail[0] == all[4] && tail[1] == all[5]);
//     CHECK((philox4x32_10({}, {}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
//
// Which bits an element gets. Block number b = 0, 1, 2, … is the cipher of the counter words
//   (b mod 2³², b div 2³², low half of stream, high half of stream)
// under the key words (low half of seed, high half of seed), halves being of the two's-complement bits. It has four
// words w₀…w₃. Element i of an i32 result is word i mod 4 of block i div 4. Element i of an i64 result takes words 2h
// (low half) and 2h+1 (high half), h = i mod 2, of block i div 2. All 128 bits of a key matter: no two keys share a
// block.

#include <array>
#include <cstdint>
#include <span>

namespace tenferro {

/// The two entries of a key tensor.
struct PhiloxKey {
  std::int64_t seed = 0;
  std::int64_t stream = 0;
  friend bool operator==(const PhiloxKey&, const PhiloxKey&) = default;
};

/// The cipher itself: ten rounds over four counter words under two key words.
constexpr std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                                     std::array<std::uint32_t, 2> key) noexcept {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;  // golden ratio
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;  // √3 − 1
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

/// Elements first, first+1, … of the bits under `key`, as many as `out` has. `first` ≥ 0.
void philox_fill(PhiloxKey key, std::int64_t first, std::span<std::int32_t> out) noexcept;
void philox_fill(PhiloxKey key, std::int64_t first, std::span<std::int64_t> out) noexcept;

}  // namespace tenferro
