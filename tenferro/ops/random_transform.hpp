// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// From random bits to uniform and normal numbers, one element to one element. Every step is an integer operation or one
// of + − · / √, which IEEE 754 rounds in one way only, and products are never fused with sums: the bits of a result are
// the same everywhere.
//
// Example:
//     CHECK(uniform_from_bits(std::int64_t{-1}) == 1 - 0x1p-53 && uniform_from_bits(std::int32_t{0}) == 0);
//     const std::int64_t bits = 0x123456789abcdef, opposite = bits ^ std::numeric_limits<std::int64_t>::min();
//     CHECK(normal_from_bits(opposite) == -normal_from_bits(bits));             // the top bit is the sign

#include <cstdint>

namespace tenferro {

/// A uniform number in [0, 1): the upper 53 (f64) or 24 (f32) bits as a fraction. Exact.
constexpr double uniform_from_bits(std::int64_t bits) noexcept {
  return static_cast<double>(static_cast<std::uint64_t>(bits) >> 11) * 0x1p-53;
}
constexpr float uniform_from_bits(std::int32_t bits) noexcept {
  return static_cast<float>(static_cast<std::uint32_t>(bits) >> 8) * 0x1p-24F;
}

/// A standard normal number by inversion: the top bit is the sign, the other w−1 bits m give the probability
/// q = (m + ½)·2^(1−w) that a normal number is larger in size, evaluated in f64, and the answer is ±√2·erfc⁻¹(q). At
/// most 9.2 (f64) or 6.4 (f32) in size. Relative to the exact function of q the error is below 1e-15, plus the rounding
/// to f32 where that is the result.
double normal_from_bits(std::int64_t bits) noexcept;
float normal_from_bits(std::int32_t bits) noexcept;

}  // namespace tenferro
