// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/error.hpp"

#include "tenferro/base/text.hpp"
#include "tenferro/einsum/internal/utf8.hpp"

namespace tenferro {
namespace {

std::string at(std::int64_t position) { return position < 0 ? std::string() : concat(" at position ", position); }

// Control characters are named by number, so that a message stays one readable line.
std::string quoted(std::uint32_t character) {
  if (character == 0) return "the end";
  if (character < 0x20 || character == 0x7f) return concat("character ", character);
  std::string text = "'";
  internal::append_utf8(text, character);
  return text + "'";
}

std::string operand_name(std::int64_t operand) {
  return operand < 0 ? std::string("the output") : concat("operand ", operand);
}

}  // namespace

std::string describe(const InvalidUtf8& info) {
  return concat("einsum: notation is not valid UTF-8", at(info.position), " (byte ", info.byte, ")");
}

std::string describe(const UnexpectedCharacter& info) {
  return concat("einsum: misplaced character", at(info.position), " (expected ", info.expected, ", got ",
                quoted(info.character), ")");
}

std::string describe(const UnbalancedParenthesis& info) {
  return concat("einsum: parenthesis", at(info.position), " has no partner (expected ",
                info.opening ? "')' later, got none)" : "'(' before it, got none)");
}

std::string describe(const RepeatedEllipsis& info) {
  return concat("einsum: second ellipsis", at(info.position), " in ", operand_name(info.operand),
                " (expected at most one, got two)");
}

std::string describe(const UnknownOutputLabel& info) {
  return concat("einsum: output label '", info.label, "'", at(info.position),
                " stands on no operand (expected a label of an operand, got '", info.label, "')");
}

std::string describe(const NoOperands&) { return "einsum: nothing to contract (expected an operand, got none)"; }

std::string describe(const OperandCountMismatch& info) {
  return concat("einsum: wrong number of operands (expected ", info.expected, ", got ", info.got, ")");
}

std::string describe(const LabelRankMismatch& info) {
  return concat("einsum: labels of operand ", info.operand, at(info.position), " do not fit its rank (expected rank ",
                info.labels, info.ellipsis ? " or more" : "", ", got ", info.rank, ")");
}

std::string describe(const LabelExtentMismatch& info) {
  std::string text = concat("einsum: label '", info.label, "' has two extents (expected ", info.other_extent,
                            " as on operand ", info.other_operand, " axis ", info.other_axis, at(info.other_position));
  return text +
         concat(", got ", info.extent, " on operand ", info.operand, " axis ", info.axis, at(info.position), ")");
}

std::string describe(const BadPath& info) {
  if (info.first < 0 && info.second < 0) {
    return concat("einsum: contraction order stops after ", info.step, " pairs (expected one operand left, got ",
                  info.alive, ")");
  }
  return concat("einsum: pair ", info.step, " of the contraction order is bad (expected two different positions below ",
                info.alive, ", got ", info.first, " and ", info.second, ")");
}

std::string describe(const TooManyForOptimal& info) {
  return concat("einsum: too many operands for an exact order (expected at most ", info.most, ", got ", info.operands,
                ")");
}

std::string describe(const MemoryLimitUnmet& info) {
  return concat("einsum: memory limit cannot be met (expected a peak of at most ", info.limit_bytes,
                " bytes, got at least ", info.least_peak_bytes, ")");
}

std::string describe(const IntermediateTooLarge& info) {
  return concat("einsum: result of step ", info.step, " is too large (expected fewer than 2^63 bytes, got 2^",
                info.log2_elements, " elements)");
}

}  // namespace tenferro
