// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/print.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <string_view>
#include <vector>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kGap = -1;

// ---- numbers
// ---------------------------------------------------------------------------------------------------------

std::string number(double v, std::chars_format format, int digits) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof text, v, format, digits).ptr};
}

// Digits behind the point of "12.500e-3", trailing zeros aside.
int fraction_digits(std::string_view text) {
  text = text.substr(0, text.find('e'));
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return 0;
  return static_cast<int>(text.find_last_not_of('0') - point);
}

// One notation for a set of real numbers, found by seeing each of them before the first is written.
class RealFormat {
 public:
  explicit RealFormat(const PrintOptions& options)
      : precision_(std::clamp(options.precision, 0, 40)), numbers_(options.numbers) {}

  template <class T>
  void see(T v) {
    if (!std::isfinite(v)) return;
    const double size = std::abs(static_cast<double>(v));
    if (size != 0 && (size >= 1e8 || size < 1e-4)) wide_range_ = true;
    fixed_ = std::max(fixed_, needed(v, std::chars_format::fixed));
    scientific_ = std::max(scientific_, needed(v, std::chars_format::scientific));
  }

  std::string text(double v) const {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    const bool powers =
        numbers_ == PrintOptions::Numbers::scientific || (numbers_ == PrintOptions::Numbers::automatic && wide_range_);
    return powers ? number(v, std::chars_format::scientific, scientific_) : number(v, std::chars_format::fixed, fixed_);
  }

 private:
  // The shortest text that reads back as v, if it is shorter than the precision; T matters, as 0.1f is not 0.1.
  template <class T>
  int needed(T v, std::chars_format format) const {
    char text[400];
    const char* end = std::to_chars(text, text + sizeof text, v, format).ptr;
    const int shortest = fraction_digits({text, static_cast<std::size_t>(end - text)});
    return shortest <= precision_ ? shortest : fraction_digits(number(static_cast<double>(v), format, precision_));
  }

  int precision_;
  PrintOptions::Numbers numbers_;
  int fixed_ = 0;
  int scientific_ = 0;
  bool wide_range_ = false;
};

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values, const PrintOptions& options) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  if constexpr (is_complex(dtype_of<T>)) {
    RealFormat real(options);
    RealFormat imag(options);
    for (const T& v : values) {
      real.see(v.real());
      imag.see(v.imag());
    }
    for (const T& v : values) {
      const std::string second = imag.text(v.imag());
      texts.push_back(concat(real.text(v.real()), second[0] == '-' ? "" : "+", second, 'i'));
    }
  } else if constexpr (is_float(dtype_of<T>)) {
    RealFormat format(options);
    for (const T v : values) format.see(v);
    for (const T v : values) texts.push_back(format.text(v));
  } else {
    for (const T v : values) texts.push_back(concat(v));
  }
  return texts;
}

// ---- what is shown
// ---------------------------------------------------------------------------------------------------

using Positions = std::vector<std::int64_t>;

Positions shown_positions(std::int64_t extent, bool summary, std::int64_t edge) {
  Positions shown;
  const bool cut = summary && extent > saturating_mul(2, edge);
  for (std::int64_t i = 0; i < (cut ? edge : extent); ++i) shown.push_back(i);
  if (!cut) return shown;
  shown.push_back(kGap);
  for (std::int64_t i = extent - edge; i < extent; ++i) shown.push_back(i);
  return shown;
}

// The planes that are shown: positions along the axes from 2 on, the earliest fastest; kGap anywhere stands for
// planes that are left out.
struct Planes {
  std::vector<Dims> shown;
  bool cut_short = false;
};

class Printer {
 public:
  Printer(const TensorRead& x, const PrintOptions& options) : x_(x), options_(options) {
    strides_ = internal::strides_of(x);
    if (x.count() == 0) return;  // the other extents may be too many to list
    const bool summary = x.count() > options.max_elements;
    const std::int64_t edge = std::max<std::int64_t>(options.edge_items, 1);
    for (const std::int64_t extent : x.shape()) shown_.push_back(shown_positions(extent, summary, edge));
  }

  std::string elements() const {
    if (x_.count() == 0) return "[]";
    return visit_dtype(x_.dtype, [this](auto tag) { return typed_elements<typename decltype(tag)::type>(); });
  }

 private:
  std::size_t extent_shown(std::size_t axis) const { return axis < shown_.size() ? shown_[axis].size() : 1; }

  Planes planes() const {
    Planes out;
    const std::size_t outer = x_.rank() > 2 ? x_.rank() - 2 : 0;
    const std::size_t each = extent_shown(0) * extent_shown(1);
    const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(options_.max_elements, 1));
    Dims place(outer);
    while (true) {
      Dims at(outer);
      for (std::size_t k = 0; k < outer; ++k) at[k] = shown_[k + 2][static_cast<std::size_t>(place[k])];
      // One gap says it: a gap in several axes at once would only repeat it.
      const bool gap = std::find(at.begin(), at.end(), kGap) != at.end();
      const bool repeated = gap && !out.shown.empty() && is_gap(out.shown.back());
      if (!repeated) out.shown.push_back(std::move(at));
      std::size_t k = 0;
      for (; k < outer; ++k) {
        if (++place[k] < static_cast<std::int64_t>(shown_[k + 2].size())) break;
        place[k] = 0;
      }
      if (k == outer) return out;
      if ((out.shown.size() + 1) * each > std::max(limit, each)) {
        out.cut_short = true;
        return out;
      }
    }
  }

  static bool is_gap(const Dims& at) { return std::find(at.begin(), at.end(), kGap) != at.end(); }

  template <class F>
  void visit_plane(const Dims& at, F&& element) const {
    std::int64_t base = 0;
    for (std::size_t k = 0; k < at.size(); ++k) base += at[k] * strides_[k + 2];
    static const Positions kOne{0};
    const Positions& rows = x_.rank() > 0 ? shown_[0] : kOne;
    const Positions& columns = x_.rank() > 1 ? shown_[1] : kOne;
    for (const std::int64_t i : rows) {
      for (const std::int64_t j : columns) {
        if (i == kGap || j == kGap) continue;
        element(base + (x_.rank() > 0 ? i * strides_[0] : 0) + (x_.rank() > 1 ? j * strides_[1] : 0));
      }
    }
  }

  template <class T>
  std::string typed_elements() const {
    const Planes list = planes();
    std::vector<T> values;
    for (const Dims& at : list.shown) {
      if (!is_gap(at)) visit_plane(at, [&](std::int64_t offset) { values.push_back(x_.as<T>()[offset]); });
    }
    std::vector<std::string> texts = texts_of(values, options_);
    std::size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    if (x_.rank() == 0) return texts[0];
    for (std::string& text : texts) text.insert(0, width - text.size(), ' ');

    std::string out;
    auto next = texts.begin();
    for (const Dims& at : list.shown) {
      if (!out.empty()) out += "\n\n";
      if (is_gap(at)) {
        out += "...";
        continue;
      }
      if (x_.rank() > 2) append_plane_name(out, at);
      append_plane(out, next);
    }
    if (list.cut_short) out += "\n\n...";
    return out;
  }

  static void append_plane_name(std::string& out, const Dims& at) {
    out += "[:, :";
    for (const std::int64_t k : at) out += concat(", ", k);
    out += "] =\n";
  }

  template <class It>
  void append_plane(std::string& out, It& next) const {
    if (x_.rank() == 1) {
      append_row(out, shown_[0], next, " ");
      return;
    }
    out += '[';
    bool first = true;
    for (const std::int64_t i : shown_[0]) {
      if (!first) out += ",\n ";
      first = false;
      if (i == kGap) {
        out += "...";
      } else {
        append_row(out, shown_[1], next, "  ");
      }
    }
    out += ']';
  }

  template <class It>
  void append_row(std::string& out, const Positions& positions, It& next, std::string_view indent) const {
    std::size_t column = indent.size();
    out += '[';
    for (std::size_t p = 0; p < positions.size(); ++p) {
      const std::string_view piece = positions[p] == kGap ? std::string_view("...") : std::string_view(*next++);
      if (p != 0) {
        out += ',';
        if (column + 2 + piece.size() + 2 > options_.line_width) {
          out += concat('\n', indent);
          column = indent.size();
        } else {
          out += ' ';
          column += 2;
        }
      }
      out += piece;
      column += piece.size();
    }
    out += ']';
  }

  const TensorRead& x_;
  const PrintOptions& options_;
  Dims strides_;
  std::vector<Positions> shown_;
};

}  // namespace

std::string to_text(TensorRead x, const PrintOptions& options) {
  std::string out;
  if (options.header) out = concat(name(x.dtype), ' ', list_text(x.shape()), " on ", to_text(x.placement), '\n');
  if (!host_accessible(x.placement)) return out + "(elements are not in host memory)";
  if (x.dtype == DType::external) return out + "(elements of an external type)";
  return out + Printer(x, options).elements();
}

std::ostream& operator<<(std::ostream& out, TensorRead x) { return out << to_text(x); }

}  // namespace tenferro
