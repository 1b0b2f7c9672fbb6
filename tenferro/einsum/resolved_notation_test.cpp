// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/resolved_notation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tenferro {
namespace {

using Shapes = std::vector<std::vector<std::int64_t>>;

ResolvedNotation resolved(const Notation& notation, const Shapes& shapes) {
  const std::vector<ExtentSpan> spans(shapes.begin(), shapes.end());
  return resolve(notation, spans);
}

ResolvedNotation resolved(std::string_view text, const Shapes& shapes) {
  return resolved(Notation::parse(text), shapes);
}

template <class Payload>
Payload failure(const Notation& notation, const Shapes& shapes) {
  const std::vector<ExtentSpan> spans(shapes.begin(), shapes.end());
  const auto result = try_resolve(notation, spans);
  if (result || !std::holds_alternative<Payload>(result.error())) {
    ADD_FAILURE() << (result ? "accepted" : describe(result.error()));
    return {};
  }
  return std::get<Payload>(result.error());
}

std::vector<std::int64_t> shape_of(const ResolvedNotation& r) {
  const auto shape = r.output_shape();
  return {shape.begin(), shape.end()};
}

TEST(Resolve, GivesEachLabelItsExtent) {
  const ResolvedNotation r = resolved("ij,jk->ki", {{2, 3}, {3, 4}});
  EXPECT_EQ(r.extents, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(shape_of(r), (std::vector<std::int64_t>{4, 2}));
}

TEST(Resolve, AlignsEllipsesAtTheLastAxis) {
  const ResolvedNotation r = resolved("i...,...j->i...j", {{2, 5, 1, 3}, {7, 3, 4}});
  EXPECT_EQ(shape_of(r), (std::vector<std::int64_t>{2, 5, 7, 3, 4}));
  EXPECT_EQ(r.operands[0].labels[2], r.operands[1].labels[0]);
  EXPECT_EQ(r.operands[0].stretched[2], 1);
  EXPECT_EQ(r.name(r.operands[1].labels[0]), "...-2");
}

TEST(Resolve, EllipsisMayCoverNothing) {
  EXPECT_EQ(shape_of(resolved("i...j->j...i", {{2, 3}})), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(shape_of(resolved("ij->...ji", {{2, 3}})), (std::vector<std::int64_t>{3, 2}));
}

TEST(Resolve, OutputWithoutEllipsisSumsWhatItCovers) {
  EXPECT_EQ(shape_of(resolved("i...->i", {{2, 3, 4}})), (std::vector<std::int64_t>{2}));
}

TEST(Resolve, ExtentOneStretchesBetweenOperandsInEitherOrder) {
  EXPECT_EQ(resolved("ik,jk->ij", {{4, 1}, {1, 3}}).extents, (std::vector<std::int64_t>{4, 3, 1}));
  EXPECT_EQ(resolved("ik,jk->ij", {{4, 3}, {1, 1}}).extents, (std::vector<std::int64_t>{4, 3, 1}));
}

TEST(Resolve, OneAgainstZeroGivesZero) {
  EXPECT_EQ(resolved("i,i->", {{1}, {0}}).extents[0], 0);
  EXPECT_EQ(resolved("i,i->", {{0}, {1}}).extents[0], 0);
}

TEST(Resolve, IntegerLabelsDoNotStretch) {
  const auto info = failure<LabelExtentMismatch>(Notation::from_labels({{5, 6}, {6, 7}}, {5, 7}), {{2, 3}, {1, 4}});
  EXPECT_EQ(info.label, "6");
  EXPECT_EQ(info.operand, 1);
  EXPECT_EQ(info.extent, 1);
  EXPECT_EQ(info.other_extent, 3);
  EXPECT_EQ(info.position, -1);
}

TEST(Resolve, ClashWithinOneOperandNamesTheAxes) {  // EIN-30
  const auto info = failure<LabelExtentMismatch>(Notation::parse("aabcb,abc"), {{3, 3, 4, 5, 6}, {3, 4, 5}});
  EXPECT_EQ(info.label, "b");
  EXPECT_EQ(info.operand, 0);
  EXPECT_EQ(info.other_operand, 0);
  EXPECT_EQ(info.axis, 4);
  EXPECT_EQ(info.other_axis, 2);
  EXPECT_EQ(info.extent, 6);
  EXPECT_EQ(info.other_extent, 4);
  EXPECT_EQ(info.position, 4);
  EXPECT_EQ(info.other_position, 2);
}

TEST(Resolve, DiagonalNeedsEqualExtentsEvenIfOneIsOne) {  // EIN-05
  const auto info = failure<LabelExtentMismatch>(Notation::parse("ii->i"), {{3, 1}});
  EXPECT_EQ(info.label, "i");
  EXPECT_EQ(info.operand, 0);
  EXPECT_EQ(info.extent, 1);
  EXPECT_EQ(info.other_extent, 3);
}

TEST(Resolve, ClashBetweenOperandsNamesBoth) {
  const auto info = failure<LabelExtentMismatch>(Notation::parse("ij, jk->ik"), {{2, 3}, {4, 2}});
  EXPECT_EQ(info.label, "j");
  EXPECT_EQ(info.operand, 1);
  EXPECT_EQ(info.axis, 0);
  EXPECT_EQ(info.extent, 4);
  EXPECT_EQ(info.other_operand, 0);
  EXPECT_EQ(info.other_axis, 1);
  EXPECT_EQ(info.position, 4);
  EXPECT_EQ(info.other_position, 1);
  EXPECT_EQ(
      describe(info),
      "einsum: label 'j' has two extents (expected 3 as on operand 0 axis 1 at position 1, got 4 on operand 1 axis "
      "0 at position 4)");
}

TEST(Resolve, ClashUnderAnEllipsisIsFound) {
  EXPECT_EQ(failure<LabelExtentMismatch>(Notation::parse("...i,...i->..."), {{2, 3}, {4, 3}}).label, "...-1");
}

TEST(Resolve, CountsOperands) {
  const auto info = failure<OperandCountMismatch>(Notation::parse("ij,jk->ik"), {{2, 2}});
  EXPECT_EQ(info.expected, 2);
  EXPECT_EQ(info.got, 1);
  EXPECT_EQ(failure<OperandCountMismatch>(Notation::parse("->"), {}).got, 0);
}

TEST(Resolve, ChecksRanks) {
  const auto info = failure<LabelRankMismatch>(Notation::parse("ij,jk->ik"), {{2, 3}, {3}});
  EXPECT_EQ(info.operand, 1);
  EXPECT_EQ(info.labels, 2);
  EXPECT_EQ(info.rank, 1);
  EXPECT_EQ(info.position, 3);
  EXPECT_TRUE(failure<LabelRankMismatch>(Notation::parse("ij...k->k"), {{2, 3}}).ellipsis);
}

TEST(Resolve, RepeatedEllipsisAxisStretchesLikeALabel) {
  EXPECT_EQ(shape_of(resolved("...,...", {{3, 1}, {1, 4}})), (std::vector<std::int64_t>{3, 4}));
}

}  // namespace
}  // namespace tenferro
