// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/internal/npy_header.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/io/error.hpp"

namespace tenferro::internal {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr bool kLittle = std::endian::native == std::endian::little;

// "f8" and the like, without the byte order.
struct Code {
  std::string_view text;
  DType dtype;
};
constexpr Code kCodes[] = {{"f4", DType::f32}, {"f8", DType::f64}, {"c8", DType::c32},     {"c16", DType::c64},
                           {"i4", DType::i32}, {"i8", DType::i64}, {"b1", DType::boolean}, {"?", DType::boolean}};

// A reader of the Python literals that such a dict can hold. It never evaluates anything; what it does not know is
// skipped as text, so that a message can name it.
class Literal {
 public:
  Literal(std::string_view text, const Subject& subject) : text_(text), subject_(subject) {}

  [[noreturn]] void fail(std::string reason) const {
    raise<IoErrorInfo>(BadFormat{subject_.op, subject_.path, "npy", "header: " + std::move(reason)});
  }

  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(concat("no '", c, "' at character ", at_));
  }

  // A string in either kind of quotes, with or without a prefix u, b or r.
  std::optional<std::string> string() {
    skip_blanks();
    std::size_t i = at_;
    while (i < text_.size() && i < at_ + 2 && std::string_view("uUbBrR").find(text_[i]) != std::string_view::npos) ++i;
    if (i >= text_.size() || (text_[i] != '\'' && text_[i] != '"')) return std::nullopt;
    const char quote = text_[i++];
    std::string out;
    for (; i < text_.size() && text_[i] != quote; ++i) {
      if (text_[i] == '\n') fail("a string runs over the end of its line");
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;  // keys and type codes need no escapes but these
      out += text_[i];
    }
    if (i == text_.size()) fail("a string without an end");
    at_ = i + 1;
    return out;
  }

  std::optional<bool> boolean() {
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      skip_blanks();
      if (text_.substr(at_, word.size()) == word && !is_word(at_ + word.size())) {
        at_ += word.size();
        return value;
      }
    }
    return std::nullopt;
  }

  // A whole number: optional sign, digits with underscores between them, optional L of old Python.
  std::optional<std::int64_t> integer() {
    skip_blanks();
    std::size_t i = at_;
    const bool negative = i < text_.size() && text_[i] == '-';
    if (negative || (i < text_.size() && text_[i] == '+')) ++i;
    if (i == text_.size() || !is_digit(text_[i])) return std::nullopt;
    std::string digits;
    for (; i < text_.size() &&
           (is_digit(text_[i]) || (text_[i] == '_' && i + 1 < text_.size() && is_digit(text_[i + 1])));
         ++i) {
      if (text_[i] != '_') digits += text_[i];
    }
    if (i < text_.size() && (text_[i] == 'L' || text_[i] == 'l')) ++i;
    if (is_word(i)) return std::nullopt;
    std::int64_t value = 0;
    const auto end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ec != std::errc()) fail("an extent beyond 63 bits");
    at_ = i;
    return negative ? -value : value;
  }

  // The text of any value, up to the comma or bracket that ends it.
  std::string raw_value() {
    skip_blanks();
    const std::size_t start = at_;
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        (void)string();
        continue;
      }
      if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ')')) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      ++at_;
    }
    std::string_view out = text_.substr(start, at_ - start);
    while (!out.empty() && is_blank(out.back())) out.remove_suffix(1);
    return std::string(out.substr(0, 200));
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool is_word(std::size_t i) const {
    if (i >= text_.size()) return false;
    const char c = text_[i];
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::string_view text_;
  const Subject& subject_;
  std::size_t at_ = 0;
};

void read_descr(Literal& in, NpyHeader& header, const Subject& subject) {
  const std::optional<std::string> text = in.string();
  if (!text) {
    std::string raw = in.raw_value();
    if (raw.empty()) in.fail("descr without a value");
    raise<IoErrorInfo>(UnsupportedElement{subject.op, subject.path, std::move(raw)});
  }
  std::string_view code = *text;
  char order = '=';
  if (!code.empty() && std::string_view("<>=|").find(code[0]) != std::string_view::npos) {
    order = code[0];
    code.remove_prefix(1);
  }
  for (const Code& known : kCodes) {
    if (code != known.text) continue;
    header.dtype = known.dtype;
    header.swapped = (order == '<' && !kLittle) || (order == '>' && kLittle);
    return;
  }
  raise<IoErrorInfo>(UnsupportedElement{subject.op, subject.path, text->substr(0, 200)});
}

// (), (3,), (3, 4), (3, 4,): one number alone needs its comma to be a tuple.
void read_shape(Literal& in, NpyHeader& header) {
  in.expect('(');
  bool comma = true;
  while (!in.take(')')) {
    if (!comma) in.fail("shape without commas between its extents");
    const auto extent = in.integer();
    if (!extent) in.fail("shape is not a tuple of whole numbers");
    if (*extent < 0) in.fail(concat("negative extent ", *extent));
    if (header.shape.size() == kMaxRank) in.fail(concat("more than ", kMaxRank, " axes"));
    header.shape.push_back(*extent);
    comma = in.take(',');
  }
  if (header.shape.size() == 1 && !comma) in.fail("shape is a number and not a tuple");
}

}  // namespace

bool NpyHeader::column_major() const noexcept {
  if (fortran_order || count == 0) return true;
  int long_axes = 0;
  for (const std::int64_t extent : shape) long_axes += extent > 1 ? 1 : 0;
  return long_axes <= 1;
}

NpyHeader parse_npy_dict(std::string_view text, const Subject& subject) {
  Literal in(text, subject);
  NpyHeader header;
  constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};
  bool seen[3] = {};
  in.expect('{');
  bool comma = true;
  while (!in.take('}')) {
    if (!comma) in.fail("no comma between two entries");
    const auto key = in.string();
    if (!key) in.fail("no key in quotes where one should be");
    in.expect(':');
    std::size_t which = 0;
    while (which < 3 && *key != kKeys[which]) ++which;
    if (which == 3) in.fail(concat("unknown key '", key->substr(0, 200), "'"));
    if (std::exchange(seen[which], true)) in.fail(concat("key '", *key, "' twice"));
    if (which == 0) {
      read_descr(in, header, subject);
    } else if (which == 1) {
      const auto flag = in.boolean();
      if (!flag) in.fail("fortran_order is neither True nor False");
      header.fortran_order = *flag;
    } else {
      read_shape(in, header);
    }
    comma = in.take(',');
  }
  if (!in.at_end()) in.fail("text after the closing brace");
  for (std::size_t k = 0; k < 3; ++k) {
    if (!seen[k]) in.fail(concat("key '", kKeys[k], "' is missing"));
  }
  const auto count = element_count(header.shape);
  std::int64_t bytes = 0;
  if (!count || mul_overflows(*count, static_cast<std::int64_t>(element_size(header.dtype)), &bytes)) {
    in.fail(concat("shape ", list_text(header.shape), " has more bytes than 63 bits can count"));
  }
  header.count = static_cast<std::uint64_t>(*count);
  return header;
}

NpyHeader read_npy_header(ByteSource& source, const Subject& subject) {
  const auto too_short = [&](std::uint64_t expected) {
    raise<IoErrorInfo>(ByteCountMismatch{subject.op, subject.path, expected, source.size()});
  };
  const auto bad = [&](std::string reason) {
    raise<IoErrorInfo>(BadFormat{subject.op, subject.path, "npy", std::move(reason)});
  };
  // Magic and version, as far as the file goes: a short file of another kind is called that.
  char start[8] = {};
  const std::uint64_t have = std::min<std::uint64_t>(source.left(), sizeof start);
  source.read(start, have);
  if (have == 0) bad("it is empty");
  if (std::memcmp(start, kMagic.data(), std::min<std::size_t>(have, kMagic.size())) != 0) {
    bad("it does not start with \\x93NUMPY");
  }
  if (have < sizeof start) too_short(10);
  const auto major = static_cast<unsigned char>(start[6]);
  const auto minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    bad(concat("version ", unsigned{major}, ".", unsigned{minor}, " (expected 1.0, 2.0 or 3.0)"));
  }
  const std::uint64_t width = major == 1 ? 2 : 4;
  if (source.left() < width) too_short(sizeof start + width);
  unsigned char digits[4] = {};
  source.read(digits, width);
  std::uint64_t length = 0;
  for (std::uint64_t k = width; k-- > 0;) length = length * 256 + digits[k];
  const std::uint64_t header_bytes = sizeof start + width + length;
  if (source.left() < length) too_short(header_bytes);
  std::string text(length, '\0');
  source.read(text.data(), length);

  NpyHeader header = parse_npy_dict(text, subject);
  header.header_bytes = header_bytes;
  if (source.left() != header.data_bytes()) too_short(header_bytes + header.data_bytes());
  return header;
}

std::string npy_header_text(DType dtype, DimsView shape, bool fortran_order) {
  std::string_view code;
  for (const Code& known : kCodes) {
    if (known.dtype == dtype && code.empty()) code = known.text;
  }
  const char order = element_size(dtype) == 1 ? '|' : kLittle ? '<' : '>';
  std::string dict =
      concat("{'descr': '", order, code, "', 'fortran_order': ", fortran_order ? "True" : "False", ", 'shape': (");
  for (const std::int64_t extent : shape) dict += concat(extent, shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) dict.resize(dict.size() - 2);
  dict += "), }";
  constexpr std::size_t kFront = 10;
  constexpr std::size_t kAlign = 64;
  dict.append(kAlign - 1 - (kFront + dict.size()) % kAlign, ' ');
  dict += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(dict.size() & 0xff);
  out += static_cast<char>(dict.size() >> 8);
  return out + dict;
}

}  // namespace tenferro::internal
