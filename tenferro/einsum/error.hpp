// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What can be wrong with a contraction: its text, its labels against the operands' shapes, its order, its size.
// Positions count code points of the text from 0; they are -1 where the notation did not come from text.
//
// Example (tenferro/einsum/notation.hpp):
//     auto parsed = Notation::try_parse("ij,jk->iq");
//     CHECK(std::get<UnknownOutputLabel>(parsed.error()).label == "q");
//     CHECK(std::get<UnknownOutputLabel>(parsed.error()).position == 8);

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

/// Step number `step` makes a tensor whose number of elements does not fit 63 bits; `log2_elements` is its size.
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
