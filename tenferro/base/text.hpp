// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Locale-free pieces of messages: `concat("rank ", 3, " of ", shape_text)`.
//
// Example:
//     const std::int64_t extents[] = {2, 3};
//     CHECK(concat("shape ", list_text(extents), ", step ", 0.1) == "shape [2, 3], step 0.1");
//     std::string text = "done: ";
//     append_text(text, true);
//     CHECK(text == "done: true");

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tenferro {

/// Appends the shortest text that reads back as the same number; locale is ignored.
void append_text(std::string& to, double value);
void append_text(std::string& to, std::int64_t value);
void append_text(std::string& to, std::uint64_t value);
inline void append_text(std::string& to, std::string_view value) { to += value; }
inline void append_text(std::string& to, const char* value) { to += value; }
inline void append_text(std::string& to, const std::string& value) { to += value; }
inline void append_text(std::string& to, char value) { to += value; }
inline void append_text(std::string& to, bool value) { to += value ? "true" : "false"; }
template <std::integral T>
void append_text(std::string& to, T value) {
  if constexpr (std::is_signed_v<T>) {
    append_text(to, static_cast<std::int64_t>(value));
  } else {
    append_text(to, static_cast<std::uint64_t>(value));
  }
}

/// The arguments' texts, one after another.
template <class... Ts>
std::string concat(const Ts&... pieces) {
  std::string text;
  (append_text(text, pieces), ...);
  return text;
}

/// "[2, 3, 4]": a list of extents, strides or axes.
std::string list_text(std::span<const std::int64_t> values);
std::string list_text(std::span<const std::uint8_t> values);

}  // namespace tenferro
