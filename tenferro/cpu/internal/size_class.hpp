// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Size classes of pooled blocks: 64 bytes, then four a power of two, so a block is at most 25 % larger than asked for.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tenferro::internal {

/// Number of classes; the last one holds blocks of 2^47 bytes, the size of the address space.
inline constexpr std::uint32_t kSizeClasses = 165;
inline constexpr std::uint64_t kLargestClass = std::uint64_t{1} << 47;

/// Smallest class whose blocks hold `bytes`. Requires bytes ≤ kLargestClass.
constexpr std::uint32_t size_class_of(std::uint64_t bytes) noexcept {
  if (bytes <= 64) return 0;
  const std::uint64_t last = bytes - 1;
  const auto top_bit = static_cast<std::uint32_t>(63 - std::countl_zero(last));
  return (top_bit - 6) * 4 + static_cast<std::uint32_t>((last >> (top_bit - 2)) & 3) + 1;
}

/// Payload bytes of the blocks of a class.
constexpr std::uint64_t size_class_bytes(std::uint32_t size_class) noexcept {
  if (size_class == 0) return 64;
  const std::uint32_t power = (size_class - 1) / 4;
  const std::uint64_t quarter = (size_class - 1) % 4;
  return (5 + quarter) << (power + 4);
}

static_assert(size_class_of(64) == 0 && size_class_of(65) == 1 && size_class_of(80) == 1 && size_class_of(81) == 2);
static_assert(size_class_bytes(size_class_of(128)) == 128 && size_class_bytes(size_class_of(129)) == 160);
static_assert(size_class_of(kLargestClass) + 1 == kSizeClasses && size_class_bytes(kSizeClasses - 1) == kLargestClass);

}  // namespace tenferro::internal
