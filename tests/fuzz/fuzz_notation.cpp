// SPDX-License-Identifier: MIT OR Apache-2.0

// Any bytes are either refused as notation by a typed error, or mean a contraction that survives printing, resolving
// and planning.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/einsum/notation.hpp"
#include "tenferro/einsum/resolved_notation.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// Small extents that depend on the label alone, so that they agree.
std::vector<std::vector<std::int64_t>> shapes_for(const tenferro::Notation& notation) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const tenferro::Term& term : notation.operands()) {
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i <= term.labels.size(); ++i) {
      if (term.ellipsis == static_cast<std::int32_t>(i)) shape.insert(shape.end(), shapes.size() % 3, 2);
      if (i < term.labels.size()) {
        shape.push_back(notation.names()[static_cast<std::size_t>(term.labels[i])].value % 4);
      }
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = tenferro::Notation::try_parse(text);
  if (!parsed) {
    require(!describe(parsed.error()).empty());
    return 0;
  }
  const std::string printed = parsed->to_text();
  const auto again = tenferro::Notation::try_parse(printed);
  require(again.has_value() && again->to_text() == printed);
  if (parsed->operands().size() > 40 || size > 400) return 0;
  const auto shapes = shapes_for(*parsed);
  const std::vector<tenferro::ExtentSpan> spans(shapes.begin(), shapes.end());
  const auto resolved = tenferro::try_resolve(*parsed, spans);
  if (!resolved) return 0;
  tenferro::PathOptions options;
  options.effort = 0;
  const auto tree = tenferro::try_plan_contraction(*resolved, options, 8);
  if (tree) require(tree->steps.size() + 1 == parsed->operands().size() && !tree->to_text().empty());
  return 0;
}
