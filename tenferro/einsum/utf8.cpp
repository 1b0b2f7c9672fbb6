// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/utf8.hpp"

namespace tenferro::internal {

std::uint32_t decode_utf8(std::string_view text, std::size_t& offset) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(offset);
  if (lead < 0x80) {
    ++offset;
    return lead;
  }
  std::size_t length = 0;
  std::uint32_t value = 0;
  std::uint32_t least = 0;
  if ((lead & 0xE0U) == 0xC0U) {
    length = 2;
    value = lead & 0x1FU;
    least = 0x80;
  } else if ((lead & 0xF0U) == 0xE0U) {
    length = 3;
    value = lead & 0x0FU;
    least = 0x800;
  } else if ((lead & 0xF8U) == 0xF0U) {
    length = 4;
    value = lead & 0x07U;
    least = 0x10000;
  } else {
    return kBadUtf8;
  }
  if (text.size() - offset < length) return kBadUtf8;
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint32_t next = byte(offset + i);
    if ((next & 0xC0U) != 0x80U) return kBadUtf8;
    value = (value << 6U) | (next & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least || value > 0x10FFFF || surrogate) return kBadUtf8;
  offset += length;
  return value;
}

void append_utf8(std::string& to, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

}  // namespace tenferro::internal
