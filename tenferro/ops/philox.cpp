// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/philox.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace tenferro {
namespace {

constexpr std::uint32_t low(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
constexpr std::uint32_t high(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

std::array<std::uint32_t, 4> block(PhiloxKey key, std::uint64_t number) noexcept {
  const auto seed = static_cast<std::uint64_t>(key.seed);
  const auto stream = static_cast<std::uint64_t>(key.stream);
  return philox4x32_10({low(number), high(number), low(stream), high(stream)}, {low(seed), high(seed)});
}

using Words = std::array<std::uint32_t, 4>;

std::int32_t element(const Words& words, std::size_t lane, std::int32_t) {
  return static_cast<std::int32_t>(words[lane]);
}
std::int64_t element(const Words& words, std::size_t lane, std::int64_t) {
  return static_cast<std::int64_t>(words[2 * lane] | std::uint64_t{words[2 * lane + 1]} << 32);
}

template <class T>
void fill(PhiloxKey key, std::int64_t first, std::span<T> out) noexcept {
  assert(first >= 0);
  constexpr std::size_t kPerBlock = 4 * sizeof(std::uint32_t) / sizeof(T);
  std::uint64_t number = static_cast<std::uint64_t>(first) / kPerBlock;
  std::size_t lane = static_cast<std::uint64_t>(first) % kPerBlock;
  for (std::size_t i = 0; i < out.size(); ++number, lane = 0) {
    const Words words = block(key, number);
    const std::size_t end = std::min(kPerBlock, lane + out.size() - i);
    for (; lane < end; ++lane) out[i++] = element(words, lane, T{});
  }
}

}  // namespace

void philox_fill(PhiloxKey key, std::int64_t first, std::span<std::int32_t> out) noexcept { fill(key, first, out); }
void philox_fill(PhiloxKey key, std::int64_t first, std::span<std::int64_t> out) noexcept { fill(key, first, out); }

}  // namespace tenferro
