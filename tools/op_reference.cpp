// SPDX-License-Identifier: MIT OR Apache-2.0
// Prints docs/reference/ops.md from the catalog: `op_reference > docs/reference/ops.md`, or `op_reference --check
// FILE`, which fails where the file says something else.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/front_ends.hpp"

namespace tenferro {
namespace {

struct Category {
  OpCategory category;
  const char *title, *about;
};

constexpr Category kCategories[] = {
    {OpCategory::unary, "One operand, element by element", "Same shape as the operand. Also `name_into(e, out, x)`."},
    {OpCategory::binary, "Two operands, element by element",
     "Operands are promoted and stretched by NumPy's rule, aligned at the last axis. Either may be a number, which "
     "takes "
     "the dtype of the other. Also `name_into(e, out, a, b)`."},
    {OpCategory::ternary, "Three operands, element by element", "Promoted and stretched likewise."},
    {OpCategory::reduction, "Reductions",
     "Over signed, distinct axes: none given means all, an empty list means none. Results keep their order of axes."},
    {OpCategory::scan, "Running reductions", "Along one axis; same shape."},
    {OpCategory::order, "Order", "Along one axis. NaN comes last."},
    {OpCategory::contraction, "Contraction",
     "See also `matmul`, `outer`, `vdot`, `tensordot` and `einsum`; `_into` and `_into_accum` forms write the caller's "
     "memory."},
    {OpCategory::structural, "Structure", "Elements moved, repeated, left out or converted."},
    {OpCategory::indexing, "Indexing",
     "Indices are i32 or i64 in [0, extent). See also `take_axis`, `index_select`, `take_along_axis`, "
     "`put_along_axis`."},
    {OpCategory::dynamic, "Sizes known at run time", "In graphs, static extents are upper bounds."},
    {OpCategory::creation, "Creation", "See also `full`, `zeros`, `ones`, `eye`, `arange`, `linspace`."},
    {OpCategory::random, "Random numbers",
     "See also `uniform`, `normal`, `bernoulli`, `categorical`, `permutation`, `random_split`."},
};

std::string result_text(const OpInfo& row) {
  switch (row.result) {
    case ResultRule::same:
      return row.kind == OpKind::top_k ? "that of x; i64" : row.shape == ShapeRule::select ? "that of b" : "same";
    case ResultRule::real_part:
      return "real part";
    case ResultRule::complex_partner:
      return "complex partner";
    case ResultRule::boolean:
      return "bool";
    case ResultRule::index:
      return "i64";
    case ResultRule::attr:
      return "as asked";
  }
  return {};
}

std::string linear_text(const OpInfo& row) {
  if (row.linear_in == 0) return "no";
  std::string text;
  if (row.arity == kVariadic) {
    text = "in all";
  } else if (row.arity == 1) {
    text = "yes";
  } else {
    for (int i = 0; i < row.arity; ++i) {
      if ((row.linear_in >> i & 1) != 0) text += concat(text.empty() ? "in " : ", ", i + 1);
    }
    if (has(row.traits, Traits::multilinear)) text += ", each alone";
  }
  if (has(row.traits, Traits::real_linear)) text += ", over the reals";
  return text;
}

constexpr const char* kPayloads[] = {
#define TENFERRO_OP(name, category, arity, results, attrs, ...) #attrs,
#include "tenferro/ops/core_ops.def"
};

std::string payload_text(const OpInfo& row) {
  return row.attrs == AttrsId::NoAttrs ? "" : concat('`', kPayloads[index(row.kind)], '`');
}

std::string page() {
  std::string text =
      "# Operations\n\n"
      "Printed by `tools/op_reference.cpp` from the catalog; do not edit. Calls take an emitter `e` (a session, a "
      "recorder, "
      "a shape evaluator …) first. Rules that hold everywhere:\n\n"
      "- Shapes are column-major. Axis arguments are signed, −1 being the last axis.\n"
      "- Everything refused is an `OpError` with a payload, the same on every emitter, before anything is written.\n"
      "- Dtype classes: **num** all but bool; **real** f32 f64 i32 i64; **flt** f32 f64; **inx** f32 f64 and their "
      "complex partners; **integer** i32 i64; **logical** bool; **any** all seven.\n"
      "- *Linear* says in which operands an operation is linear.\n"
      "- [Every operation by an example](examples.md).\n";
  constexpr const char* kRules[] = {"num", "real", "flt", "inx", "integer", "logical", "any"};
  for (const Category& category : kCategories) {
    text += concat("\n## ", category.title, "\n\n", category.about, "\n\n");
    text += "| Call | Dtypes | Result dtype | Payload | Linear | What it gives |\n|---|---|---|---|---|---|\n";
    for (const OpInfo& row : kOps) {
      if (row.category != category.category) continue;
      std::string doc;
      for (const char c : row.doc) doc += c == '|' ? std::string("\\|") : std::string(1, c);
      text += concat("| <a id=\"", row.name, "\"></a>`", kFrontEnds[row.kind].call, "` | ",
                     kRules[static_cast<std::size_t>(row.dtypes)], " | ", result_text(row), " | ", payload_text(row),
                     " | ", linear_text(row), " | ", doc, " |\n");
    }
  }
  text += "\n## Headers\n\n| Header in `tenferro/ops` | Rows |\n|---|---|\n";
  for (const OpInfo& row : kOps) {
    const std::string_view header = kFrontEnds[row.kind].header;
    bool seen = false;
    for (std::size_t i = 0; i < index(row.kind); ++i) seen = seen || kFrontEnds[kOps[i].kind].header == header;
    if (seen) continue;
    text += concat("| `", header, "` |");
    for (const OpInfo& other : kOps) {
      if (kFrontEnds[other.kind].header == header) text += concat(" [", other.name, "](#", other.name, ")");
    }
    text += " |\n";
  }
  return text;
}

int check(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (found == page()) return 0;
  std::fprintf(stderr, "%s differs from the catalog; run op_reference > %s\n", path, path);
  return 1;
}

}  // namespace
}  // namespace tenferro

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--check") == 0) return tenferro::check(argv[2]);
  if (argc != 1) return 2;
  std::fputs(tenferro::page().c_str(), stdout);
  return 0;
}
