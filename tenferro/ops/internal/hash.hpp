// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Combining of hashes: each value is mixed in by a multiplication and a shift that spread all of its bits.

#include <cstddef>
#include <cstdint>

namespace tenferro::internal {

/// The hash of a sequence that has hash `seed` so far and continues with `value`.
constexpr std::size_t hash_mix(std::size_t seed, std::uint64_t value) noexcept {
  std::uint64_t h = (static_cast<std::uint64_t>(seed) ^ value) * 0x9E3779B97F4A7C15U;
  h ^= h >> 32U;
  return static_cast<std::size_t>(h + value);
}

template <class... Ts>
constexpr std::size_t hash_all(Ts... values) noexcept {
  std::size_t seed = 0;
  ((seed = hash_mix(seed, static_cast<std::uint64_t>(values))), ...);
  return seed;
}

/// Hash of a list, its length included.
template <class List>
constexpr std::size_t hash_list(std::size_t seed, const List& values) noexcept {
  seed = hash_mix(seed, values.size());
  for (const auto value : values) seed = hash_mix(seed, static_cast<std::uint64_t>(value));
  return seed;
}

}  // namespace tenferro::internal
