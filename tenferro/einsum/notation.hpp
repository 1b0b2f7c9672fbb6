// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a contraction says about labels, apart from any shape: the labels of each operand and of the output, and
// optionally an order of contraction. Text, integer labels, terms and nested groups all become one Notation.
//
// Example:
//     Notation n = Notation::parse("(ij,jk),kl");       // labels are code points; parentheses give the order
//     CHECK(n.to_text() == "(ij,jk),kl->il");
//     Notation m = Notation::from_labels({{7, 3}, {3, -1}}, {7, -1});
//     CHECK(m.operands().size() == 2);

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tenferro/base/inline_vector.hpp"
#include "tenferro/einsum/error.hpp"

namespace tenferro {

/// A label inside one Notation: dense from 0, in order of first appearance.
using Label = std::int32_t;
using LabelList = InlineVector<Label, 12>;

/// What a label was called: a code point of the text, an integer, or an axis under the ellipsis, counted from the last.
///
/// Example:
///     Notation n = Notation::parse("iβ->β");
///     CHECK(n.names()[1] == (LabelName{LabelName::Kind::code_point, 0x3b2}) && n.names()[1].text() == "β");
struct LabelName {
  enum class Kind : std::uint8_t { code_point, integer, ellipsis };
  Kind kind = Kind::integer;
  std::int64_t value = 0;

  /// UTF-8 text of the name, as messages and plans print it.
  std::string text() const;
  friend bool operator==(const LabelName&, const LabelName&) = default;
};

/// Labels of one operand or of the output.
struct Term {
  LabelList labels;
  /// Number of labels before the ellipsis, or -1 without one.
  std::int32_t ellipsis = -1;
  /// Position in the text of each label and of the term's start; empty and -1 where there is no text.
  InlineVector<std::int64_t, 12> positions;
  std::int64_t start = -1;
};

/// One node of a nested form: a group when `group` is not empty, else an operand with these labels.
struct NestedTerm {
  std::vector<int> labels;
  std::vector<NestedTerm> group;
};

/// A parsed contraction. An immutable value.
///
/// Example:
///     const auto n = Notation::try_parse("a(bc,c...)");
///     CHECK(!n);                                               // a term is labels or a group, not both
///     Notation m = Notation::parse("ab,(b...,...c)->ac");
///     const Term& second = m.operands()[1];
///     CHECK(m.operands().size() == 3 && second.labels.size() == 1 && second.ellipsis == 1);
///     CHECK(m.output().labels.size() == 2 && m.stretches() && m.names()[0].text() == "a");
///     const Notation::OrderNode& root = m.order().back();      // the first operand with the group of the others
///     CHECK(root.operand == -1 && root.children.size() == 2);
///     const std::string_view terms[] = {"ij", "jk"};
///     CHECK(Notation::from_terms(terms, "ik").to_text() == "ij,jk->ik");
///     NestedTerm group{{}, {NestedTerm{{1, 2}, {}}, NestedTerm{{2, 3}, {}}}};
///     Notation nested = Notation::nested(NestedTerm{{}, {NestedTerm{{0, 1}, {}}, group}}, {0, 3});
///     CHECK(!nested.order().empty() && !nested.stretches() && nested.to_text() == "0 1,(1 2,2 3)->0 3");
class Notation {
 public:
  /// A node of the order of contraction: an operand (`operand` ≥ 0), or children that are contracted with one another
  /// before anything outside. Children come before their parent; the last node is the root.
  struct OrderNode {
    std::int32_t operand = -1;
    std::vector<std::int32_t> children;
  };

  /// Parses text: terms separated by commas, `->` and the output's labels. Labels are code points other than the
  /// reserved `, - > . ( )` and ASCII blanks, which are skipped anywhere. One `...` a term stands for the axes not
  /// named. Without `->` the output is the ellipsis and then each label that appears once, in code-point order.
  /// Parentheses around operands give the order. Throws NotationError. Linear in the length of the text.
  static Notation parse(std::string_view text);
  /// parse with the error as a value.
  static tl::expected<Notation, NotationErrorInfo> try_parse(std::string_view text);

  /// Notation of integer labels, any values; extents of equal labels must then be equal, none stretches.
  /// Throws NotationError (no operand; an output label that no operand has).
  static Notation from_labels(const std::vector<std::vector<int>>& operands, const std::vector<int>& output);
  /// parse of each term by itself, joined: from_terms({"ij", "jk"}, "ik").
  static Notation from_terms(std::span<const std::string_view> operands, std::string_view output);
  /// Integer labels with groups that give the order; operands are numbered from left to right. A group within a group
  /// of one adds nothing. Throws as from_labels.
  static Notation nested(const NestedTerm& root, const std::vector<int>& output);

  const std::vector<Term>& operands() const noexcept { return operands_; }
  const Term& output() const noexcept { return output_; }
  /// Name of each label.
  const std::vector<LabelName>& names() const noexcept { return names_; }
  /// Order given by parentheses or groups; empty when none was given.
  const std::vector<OrderNode>& order() const noexcept { return order_; }
  /// Whether an extent of 1 stretches to another operand's (text and terms) or must be equal (integer labels).
  bool stretches() const noexcept { return stretches_; }

  /// The notation with its output written out and no blanks; integer labels are separated by blanks.
  std::string to_text() const;

 private:
  friend class NotationParser;
  friend class NotationBuilder;
  Notation() = default;

  std::vector<Term> operands_;
  Term output_;
  std::vector<LabelName> names_;
  std::vector<OrderNode> order_;
  bool stretches_ = true;
};

}  // namespace tenferro
