// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/error.hpp"

#include "tenferro/base/text.hpp"

namespace tenferro {
namespace {

std::string operand_text(std::int64_t operand) { return operand < 0 ? "" : concat(" of operand ", operand); }

}  // namespace

std::string describe(const InvalidShape& e) {
  return concat(e.op, ": invalid shape (expected at most ", kMaxRank, " extents, none negative, got ",
                list_text(e.shape), ")");
}
std::string describe(const ShapeOverflow& e) {
  return concat(e.op, ": size overflow (expected a size below 2^63 bytes, got shape ", list_text(e.shape), ")");
}
std::string describe(const AxisOutOfRange& e) {
  const std::string expected = e.rank > 0 ? concat(-e.rank, " to ", e.rank - 1) : "none, the rank is 0";
  return concat(e.op, ": axis out of range (expected ", expected, ", got ", e.axis, ")");
}
std::string describe(const DuplicateAxis& e) {
  return concat(e.op, ": duplicate axis (expected each axis once, got ", e.axis, " twice)");
}
std::string describe(const IndexOutOfBounds& e) {
  const std::string expected = e.extent > 0 ? concat("0 to ", e.extent - 1) : "none, the axis is empty";
  return concat(e.op, ": index out of bounds", operand_text(e.operand), " at position ", e.position, " (expected ",
                expected, ", got ", e.index, ")");
}
std::string describe(const ViewOutOfBounds& e) {
  const std::string expected = e.size > 0 ? concat("elements 0 to ", e.size - 1) : "none, the buffer is empty";
  return concat(e.op, ": view reaches outside its buffer (expected ", expected, ", got ", e.first, " to ", e.last, ")");
}
std::string describe(const OverlappingStorage& e) {
  if (e.operand < 0) return concat(e.op, ": mutable view overlaps itself (expected one index for each element)");
  return concat(e.op, ": output overlaps ", e.among_outputs ? "output " : "operand ", e.operand,
                " (expected separate storage)");
}
std::string describe(const ElementCountMismatch& e) {
  return concat(e.op, ": element count differs (expected ", e.expected, ", got ", e.got, ")");
}
std::string describe(const ShapesDiffer& e) {
  return concat(e.op, ": shapes differ (expected ", list_text(e.expected), ", got ", list_text(e.got), ")");
}
std::string describe(const NotBroadcastable& e) {
  return concat(e.op, ": shape does not stretch (expected extents equal or 1, aligned at the last axis, got ",
                list_text(e.from), " against ", list_text(e.to), ")");
}
std::string describe(const RankMismatch& e) {
  return concat(e.op, ": rank", operand_text(e.operand), " differs (expected ", e.expected, ", got ", e.got, ")");
}
std::string describe(const DTypeMismatch& e) {
  return concat(e.op, ": dtype", operand_text(e.operand), " differs (expected ", name(e.expected), ", got ",
                name(e.got), ")");
}
std::string describe(const UnsupportedDType& e) {
  return concat(e.op, ": unsupported dtype", operand_text(e.operand), " (expected one of ", to_text(e.accepted),
                ", got ", name(e.got), ")");
}
std::string describe(const PlacementMismatch& e) {
  return concat(e.op, ": memory", operand_text(e.operand), " is elsewhere (expected ", to_text(e.expected), ", got ",
                to_text(e.got), ")");
}
std::string describe(const BadArgument& e) { return concat(e.op, ": ", e.what); }

}  // namespace tenferro
