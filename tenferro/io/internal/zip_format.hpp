// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The records of a zip archive that an npz file uses; names and numbers from PKWARE's APPNOTE 6.3.

#include <cstddef>
#include <cstdint>
#include <string>

namespace tenferro::internal::zip {

inline constexpr std::uint32_t kLocal = 0x04034b50;
inline constexpr std::uint32_t kCentral = 0x02014b50;
inline constexpr std::uint32_t kEnd = 0x06054b50;
inline constexpr std::uint32_t kEnd64 = 0x06064b50;
inline constexpr std::uint32_t kEnd64Locator = 0x07064b50;

// Lengths of the records without their names and extra fields.
inline constexpr std::uint64_t kLocalBytes = 30;
inline constexpr std::uint64_t kCentralBytes = 46;
inline constexpr std::uint64_t kEndBytes = 22;
inline constexpr std::uint64_t kEnd64Bytes = 56;
inline constexpr std::uint64_t kEnd64LocatorBytes = 20;

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;
inline constexpr std::uint16_t kEncrypted = 1;        ///< flag bit 0
inline constexpr std::uint16_t kUtf8Name = 1U << 11;  ///< flag bit 11
inline constexpr std::uint16_t kZip64Extra = 1;
/// A field that says "see the zip64 record".
inline constexpr std::uint32_t kSee64 = 0xffffffff;
inline constexpr std::uint16_t kSee64Count = 0xffff;
/// Deflate makes at most 1032 bytes of one.
inline constexpr std::uint64_t kMostInflation = 1032;

/// A little-endian number of `width` bytes.
inline std::uint64_t number(const std::byte* at, std::size_t width) noexcept {
  std::uint64_t value = 0;
  for (std::size_t k = width; k-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(at[k]);
  return value;
}
inline void append(std::string& to, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) to += static_cast<char>(value >> (8 * k) & 0xff);
}

}  // namespace tenferro::internal::zip
