// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What can be wrong with a contraction: its text, its labels against the operands' shapes, its order, its size.
// Positions count code points of the text from 0; they are -1 where the notation did not come from text.
//
// Example (tenferro/einsum/notation.hpp):
//     auto parsed = Notation::try_parse("ij,jk->iq");
//     CHECK(std::get<UnknownOutputLabel>(parsed.error()).label == "q");
//     CHECK(std::get<UnknownOutputLabel>(parsed.error()).position == 8);
//
// Example (tenferro/einsum/contraction_tree.hpp):
//     auto why = [](std::string_view text) { return Notation::try_parse(text).error(); };
//     CHECK(std::get<InvalidUtf8>(why("i\xff")).byte == 1 && std::get<RepeatedEllipsis>(why("i...j...")).operand == 0);
//     CHECK(std::get<UnexpectedCharacter>(why("ij->->")).position == 4);
//     CHECK(std::get<UnbalancedParenthesis>(why("(ij,jk")).opening);
//     CHECK(describe(why("(ij")) == "einsum: parenthesis at position 0 has no partner (expected ')' later, got none)");
//     auto nothing = attempt<NotationErrorInfo>([] { return Notation::from_labels({}, {}); });
//     CHECK(std::holds_alternative<NoOperands>(nothing.error()));
//
// Example (tenferro/einsum/contraction_tree.hpp):
//     const std::vector<std::int64_t> a{2, 3}, b{5, 4}, c{3, 4}, v{1 << 25};
//     auto refused = [](std::string_view text, std::vector<ExtentSpan> shapes) {
//       return try_resolve(Notation::parse(text), shapes).error();
//     };
//     CHECK(std::get<OperandCountMismatch>(refused("ij,jk", {a})).got == 1);
//     CHECK(std::get<LabelRankMismatch>(refused("ijk", {a})).labels == 3);
//     CHECK(std::get<LabelExtentMismatch>(refused("ij,jk", {a, b})).other_extent == 3);
//
//     auto no_plan = [](std::string_view text, std::vector<ExtentSpan> shapes, const PathOptions& options) {
//       return try_plan_contraction(resolve(Notation::parse(text), shapes), options, sizeof(double)).error();
//     };
//     PathOptions pairs, optimal, little;
//     pairs.method = PathMethod::explicit_pairs;
//     pairs.pairs = {{0, 2}};
//     optimal.method = PathMethod::optimal;
//     little.memory_limit = 8;
//     CHECK(std::get<BadPath>(no_plan("ij,jk", {a, c}, pairs)).alive == 2);
//     CHECK(std::get<MemoryLimitUnmet>(no_plan("ij,jk->ik", {a, c}, little)).limit_bytes == 8);
//     CHECK(std::get<IntermediateTooLarge>(no_plan("i,j,k->ijk", {v, v, v}, {})).log2_elements == 75);
//     std::vector<ExtentSpan> many(17, v);
//     CHECK(std::get<TooManyForOptimal>(no_plan("i,i,i,i,i,i,i,i,i,i,i,i,i,i,i,i,i->", many, optimal)).operands == 17);

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/base/error.hpp"

namespace tenferro {

/// The text is not valid UTF-8: `byte` is the offset of the first bad byte, `position` the code points before it.
struct InvalidUtf8 {
  std::int64_t position;
  std::int64_t byte;
};

/// A reserved character, or the end of the text, where the grammar allows only what `expected` says. `character` is the
/// code point found, 0 at the end.
struct UnexpectedCharacter {
  std::int64_t position;
  std::uint32_t character;
  std::string_view expected;
};

/// A parenthesis without its partner; `opening` tells which of the two stands at `position`.
struct UnbalancedParenthesis {
  std::int64_t position;
  bool opening;
};

/// A second ellipsis in one term. `operand` is -1 for the output.
struct RepeatedEllipsis {
  std::int64_t position;
  std::int64_t operand;
};

/// An output label that no operand has.
struct UnknownOutputLabel {
  std::int64_t position;
  std::string label;
};

/// A contraction of nothing.
struct NoOperands {};

/// The notation names `expected` operands and `got` were given.
struct OperandCountMismatch {
  std::int64_t expected;
  std::int64_t got;
};

/// An operand of rank `rank` whose term has `labels` labels; with an ellipsis the rank may be larger, not smaller.
struct LabelRankMismatch {
  std::int64_t operand;
  std::int64_t labels;
  bool ellipsis;
  std::int64_t rank;
  std::int64_t position;
};

/// One label with two extents: at `axis` of `operand` and at `other_axis` of `other_operand` (the same operand where
/// the label stands twice in one term). `position` and `other_position` are those of the two labels in the text.
struct LabelExtentMismatch {
  std::string label;
  std::int64_t operand;
  std::int64_t axis;
  std::int64_t extent;
  std::int64_t other_operand;
  std::int64_t other_axis;
  std::int64_t other_extent;
  std::int64_t position;
  std::int64_t other_position;
};

/// A contraction order that does not fit the operands: pair number `step` is (`first`, `second`) with `alive` operands
/// left; or the order stops early, then `step` is its length and both are -1.
struct BadPath {
  std::int64_t step;
  std::int64_t first;
  std::int64_t second;
  std::int64_t alive;
};

/// More operands than an exact order is searched for.
struct TooManyForOptimal {
  std::int64_t operands;
  std::int64_t most;
};

/// No order was found whose intermediates and result fit: the least peak found is `least_peak_bytes`.
struct MemoryLimitUnmet {
  std::int64_t limit_bytes;
  std::int64_t least_peak_bytes;
};

/// Step number `step` makes a tensor whose number of bytes does not fit 63 bits; `log2_elements` is its size.
struct IntermediateTooLarge {
  std::int64_t step;
  double log2_elements;
};

/// Every failure of notation, contraction order and contraction plan.
using NotationErrorInfo =
    std::variant<InvalidUtf8, UnexpectedCharacter, UnbalancedParenthesis, RepeatedEllipsis, UnknownOutputLabel,
                 NoOperands, OperandCountMismatch, LabelRankMismatch, LabelExtentMismatch, BadPath, TooManyForOptimal,
                 MemoryLimitUnmet, IntermediateTooLarge>;
using NotationError = TypedError<NotationErrorInfo>;

/// One-line messages of the payloads.
std::string describe(const InvalidUtf8& info);
std::string describe(const UnexpectedCharacter& info);
std::string describe(const UnbalancedParenthesis& info);
std::string describe(const RepeatedEllipsis& info);
std::string describe(const UnknownOutputLabel& info);
std::string describe(const NoOperands& info);
std::string describe(const OperandCountMismatch& info);
std::string describe(const LabelRankMismatch& info);
std::string describe(const LabelExtentMismatch& info);
std::string describe(const BadPath& info);
std::string describe(const TooManyForOptimal& info);
std::string describe(const MemoryLimitUnmet& info);
std::string describe(const IntermediateTooLarge& info);

}  // namespace tenferro
