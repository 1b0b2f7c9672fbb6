// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/text.hpp"

#include <charconv>

namespace tenferro {
namespace {

template <class T>
void append_number(std::string& to, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  to.append(digits, end);
}

template <class T>
std::string bracketed(std::span<const T> values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    append_text(text, static_cast<std::int64_t>(values[i]));
  }
  text += ']';
  return text;
}

}  // namespace

void append_text(std::string& to, double value) { append_number(to, value); }
void append_text(std::string& to, std::int64_t value) { append_number(to, value); }
void append_text(std::string& to, std::uint64_t value) { append_number(to, value); }

std::string list_text(std::span<const std::int64_t> values) { return bracketed(values); }
std::string list_text(std::span<const std::uint8_t> values) { return bracketed(values); }

}  // namespace tenferro
