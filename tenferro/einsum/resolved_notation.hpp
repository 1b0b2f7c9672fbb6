// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A Notation met with shapes: every axis of every operand has a label, every label one extent. An ellipsis has become
// labels of its own; extents that stretch are marked.
//
// Example:
//     const std::vector<std::int64_t> a{2, 3, 4}, b{3, 1};
//     const std::vector<ExtentSpan> shapes{a, b};
//     ResolvedNotation r = resolve(Notation::parse("i...,...->i..."), shapes);
//     CHECK(r.output_shape() == (InlineVector<std::int64_t, 8>{2, 3, 4}));

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tenferro/einsum/notation.hpp"

namespace tenferro {

using ExtentSpan = std::span<const std::int64_t>;

/// Labels of one operand, an entry an axis.
struct ResolvedOperand {
  LabelList labels;
  /// 1 where the axis has extent 1 and its label a larger (or zero) extent: the axis stretches.
  InlineVector<std::uint8_t, 16> stretched;
};

/// Labels and extents of a contraction of given shapes.
///
/// Example:
///     const std::vector<std::int64_t> a{2, 3}, b{1};
///     const std::vector<ExtentSpan> shapes{a, b};
///     const auto r = try_resolve(Notation::parse("ij,j->i"), shapes);
///     CHECK(r && r->extent(r->operands[0].labels[1]) == 3 && r->name(r->output[0]) == "i");
///     const ResolvedOperand& second = r->operands[1];
///     CHECK(second.stretched[0] == 1 && r->names_text(second.labels) == "j");
struct ResolvedNotation {
  std::vector<ResolvedOperand> operands;
  LabelList output;
  /// Extent and name of each label.
  std::vector<std::int64_t> extents;
  std::vector<LabelName> names;
  /// Order of contraction as in Notation, empty when free.
  std::vector<Notation::OrderNode> order;

  std::int64_t extent(Label label) const { return extents[static_cast<std::size_t>(label)]; }
  std::string name(Label label) const { return names[static_cast<std::size_t>(label)].text(); }
  /// Names of some labels, joined; blanks between them where a name is longer than one code point.
  std::string names_text(const LabelList& labels) const;
  /// Extents of the output.
  InlineVector<std::int64_t, 8> output_shape() const;
};

/// Expands ellipses and settles extents. Axes under ellipses align at the last one, across all terms. An output without
/// an ellipsis sums the axes under it; an ellipsis of the output that no operand has stands for no axes.
/// Throws NotationError: operand count, rank, extents of one label that are neither equal nor, between different
/// operands of a notation that stretches, 1.
ResolvedNotation resolve(const Notation& notation, std::span<const ExtentSpan> shapes);
/// resolve with the error as a value.
tl::expected<ResolvedNotation, NotationErrorInfo> try_resolve(const Notation& notation,
                                                              std::span<const ExtentSpan> shapes);

}  // namespace tenferro
