// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// UTF-8 decoding and encoding of single code points; the notation's labels are code points, not bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenferro::internal {

inline constexpr std::uint32_t kBadUtf8 = 0xFFFFFFFFU;

/// Decodes the code point at `offset` and moves `offset` past it. Returns kBadUtf8, leaving `offset`, where the bytes
/// are no shortest-form encoding of a scalar value (stray continuation, cut sequence, surrogate, above U+10FFFF).
std::uint32_t decode_utf8(std::string_view text, std::size_t& offset);

/// Appends the UTF-8 bytes of a scalar value.
void append_utf8(std::string& to, std::uint32_t code_point);

}  // namespace tenferro::internal
