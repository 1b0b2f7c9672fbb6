// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/instance.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "tenferro/base/text.hpp"
#include "tenferro/io/internal/file.hpp"

namespace tenferro {
namespace {

using nlohmann::json;

struct NumpyName {
  std::string_view text;
  DType dtype;
};
constexpr NumpyName kNames[] = {{"float32", DType::f32},    {"float64", DType::f64}, {"complex64", DType::c32},
                                {"complex128", DType::c64}, {"int32", DType::i32},   {"int64", DType::i64},
                                {"bool", DType::boolean}};

class Reader {
 public:
  Reader(const json& root, const internal::Subject& subject) : root_(root), subject_(subject) {}

  [[noreturn]] void fail(std::string reason) const {
    raise<IoErrorInfo>(BadFormat{subject_.op, subject_.path, "instance", std::move(reason)});
  }

  const json* find(const json& object, const char* key) const {
    const auto at = object.find(key);
    return at != object.end() ? &*at : nullptr;
  }
  const json& need(const json& object, const char* key) const {
    const json* value = find(object, key);
    if (value == nullptr) fail(concat("key '", key, "' is missing"));
    return *value;
  }
  std::string text(const json& value, const char* key) const {
    if (!value.is_string()) fail(concat("'", key, "' is ", value.type_name(), " (expected a string)"));
    return value.get<std::string>();
  }
  std::int64_t whole(const json& value, std::string_view where) const {
    const bool fits = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}
                          : value.is_number_integer();
    if (!fits) fail(concat(where, " is no whole number of 63 bits (got ", value.dump().substr(0, 40), ")"));
    return value.get<std::int64_t>();
  }
  void require_list(const json& value, std::string_view where) const {
    if (!value.is_array()) fail(concat(where, " is ", value.type_name(), " (expected a list)"));
  }

  std::vector<Shape> shapes(const json& value, const char* key) const {
    std::vector<Shape> out;
    require_list(value, key);
    for (const json& extents : value) {
      const std::string where = concat(key, "[", out.size(), "]");
      Shape shape;
      require_list(extents, where);
      for (const json& extent : extents) shape.push_back(whole(extent, where));
      if (shape.size() > kMaxRank)
        fail(concat(where, " has ", shape.size(), " axes (expected at most ", kMaxRank, ")"));
      if (!element_count(shape)) fail(concat(where, " is no shape (got ", list_text(shape), ")"));
      out.push_back(std::move(shape));
    }
    return out;
  }

  DType dtype() const {
    const json* value = find(root_, "dtype");
    if (value == nullptr) return DType::f64;
    const std::string name = text(*value, "dtype");
    for (const NumpyName& known : kNames) {
      if (name == known.text) return known.dtype;
    }
    raise<IoErrorInfo>(UnsupportedElement{subject_.op, subject_.path, name.substr(0, 200),
                                          "float32 float64 complex64 complex128 int32 int64 bool"});
  }

  std::optional<InstancePath> path(const char* kind, std::size_t operands) const {
    const json* paths = find(root_, "paths");
    if (paths == nullptr) return std::nullopt;
    if (!paths->is_object()) fail(concat("'paths' is ", paths->type_name(), " (expected an object)"));
    const json* value = find(*paths, kind);
    if (value == nullptr) return std::nullopt;
    if (!value->is_object()) fail(concat("'", kind, "' is ", value->type_name(), " (expected an object)"));
    InstancePath out;
    out.pairs = pairs(need(*value, "path"), kind, operands);
    out.log10_flops = number(*value, "log10_flops");
    out.log2_size = number(*value, "log2_size");
    return out;
  }

 private:
  double number(const json& object, const char* key) const {
    const json* value = find(object, key);
    if (value == nullptr || value->is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value->is_number()) fail(concat("'", key, "' is ", value->type_name(), " (expected a number)"));
    return value->get<double>();
  }

  std::vector<std::array<std::int64_t, 2>> pairs(const json& value, const char* kind, std::size_t operands) const {
    std::vector<std::array<std::int64_t, 2>> out;
    auto alive = static_cast<std::int64_t>(operands);
    require_list(value, kind);
    for (const json& positions : value) {
      const std::string where = concat(kind, " step ", out.size());
      require_list(positions, where);
      // A lone operand may have the one step that only takes it.
      if (operands == 1 && positions.size() == 1 && out.empty() && whole(positions[0], where) == 0) break;
      if (positions.size() != 2) fail(concat(where, " has ", positions.size(), " positions (expected 2)"));
      const std::int64_t a = whole(positions[0], where);
      const std::int64_t b = whole(positions[1], where);
      if (std::min(a, b) < 0 || std::max(a, b) >= alive || a == b) {
        fail(concat(where, " is no pair of operands (expected two of 0 to ", alive - 1, ", got ", a, " and ", b, ")"));
      }
      out.push_back({a, b});
      --alive;
    }
    if (alive != 1 && operands != 0) fail(concat(kind, " leaves ", alive, " operands (expected 1)"));
    return out;
  }

  const json& root_;
  const internal::Subject& subject_;
};

// Operands of an expression without parentheses: commas before the arrow, and one more.
std::size_t operand_count(std::string_view notation) {
  const std::string_view inputs = notation.substr(0, notation.find("->"));
  return static_cast<std::size_t>(std::count(inputs.begin(), inputs.end(), ',')) + 1;
}

Instance parse(std::string_view text, const internal::Subject& subject) {
  json root;
  try {
    root = json::parse(text.begin(), text.end());
  } catch (const json::exception& e) {
    raise<IoErrorInfo>(BadFormat{subject.op, subject.path, "instance", e.what()});
  }
  const Reader in(root, subject);
  if (!root.is_object()) in.fail(concat("its text is ", root.type_name(), " (expected an object)"));

  Instance out;
  if (const json* name = in.find(root, "name")) out.name = in.text(*name, "name");
  const json* column = in.find(root, "format_string_colmajor");
  out.axes_reversed = column != nullptr;
  if (column != nullptr) {
    out.expression = in.text(*column, "format_string_colmajor");
    if (const json* shapes = in.find(root, "shapes_colmajor")) {
      out.shapes = in.shapes(*shapes, "shapes_colmajor");
    } else {
      out.shapes = in.shapes(in.need(root, "shapes"), "shapes");
      for (Shape& shape : out.shapes) std::reverse(shape.begin(), shape.end());
    }
  } else {
    out.expression = in.text(in.need(root, "format_string"), "format_string");
    out.shapes = in.shapes(in.need(root, "shapes"), "shapes");
  }
  out.dtype = in.dtype();
  if (operand_count(out.expression) != out.shapes.size()) {
    in.fail(concat("the expression has ", operand_count(out.expression), " operands and there are ", out.shapes.size(),
                   " shapes"));
  }
  if (const json* count = in.find(root, "num_tensors")) {
    const std::int64_t said = in.whole(*count, "'num_tensors'");
    if (said != static_cast<std::int64_t>(out.shapes.size())) {
      in.fail(concat("'num_tensors' is ", said, " and there are ", out.shapes.size(), " shapes"));
    }
  }
  out.opt_flops = in.path("opt_flops", out.shapes.size());
  out.opt_size = in.path("opt_size", out.shapes.size());
  return out;
}

}  // namespace

const std::vector<std::array<std::int64_t, 2>>& Instance::path(std::string_view kind) const {
  const auto& found = kind == "opt_flops" ? opt_flops : opt_size;
  if (!found || (kind != "opt_flops" && kind != "opt_size")) {
    raise<IoErrorInfo>(MissingEntry{"path", name.empty() ? "the instance" : name, concat("paths.", kind)});
  }
  return found->pairs;
}

Instance read_instance(const std::string& path) {
  const internal::Subject subject{"read_instance", path};
  return parse(internal::read_text(subject), subject);
}

tl::expected<Instance, IoErrorInfo> try_read_instance(const std::string& path) {
  return attempt<IoErrorInfo>([&] { return read_instance(path); });
}

Instance parse_instance(std::string_view text, const std::string& name) {
  return parse(text, {"parse_instance", name});
}

}  // namespace tenferro
