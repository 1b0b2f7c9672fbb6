// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/notation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace tenferro {
namespace {

template <class Payload>
Payload failure(std::string_view text) {
  const auto parsed = Notation::try_parse(text);
  if (parsed) {
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }
  const Payload* payload = std::get_if<Payload>(&parsed.error());
  if (payload == nullptr) {
    ADD_FAILURE() << "another failure: " << describe(parsed.error());
    return {};
  }
  return *payload;
}

std::vector<int> ids(const Term& term) { return {term.labels.begin(), term.labels.end()}; }

TEST(Notation, NumbersLabelsInOrderOfAppearance) {
  const Notation n = Notation::parse("ij,jk->ki");
  ASSERT_EQ(n.operands().size(), 2U);
  EXPECT_EQ(ids(n.operands()[0]), (std::vector<int>{0, 1}));
  EXPECT_EQ(ids(n.operands()[1]), (std::vector<int>{1, 2}));
  EXPECT_EQ(ids(n.output()), (std::vector<int>{2, 0}));
  EXPECT_EQ(n.names()[2].text(), "k");
  EXPECT_TRUE(n.stretches());
  EXPECT_TRUE(n.order().empty());
}

TEST(Notation, SkipsBlanksAnywhere) {
  EXPECT_EQ(Notation::parse(" i j\t,\nj k - > i  . . . k ").to_text(), "ij,jk->i...k");
}

TEST(Notation, TakesAnyCodePointButTheReservedAsLabel) {
  const Notation n = Notation::parse("çб,б1,1×,×\U0001D400->ç\U0001D400");
  EXPECT_EQ(n.names().size(), 5U);
  EXPECT_EQ(n.names()[1].value, 0x431);
  EXPECT_EQ(n.names()[4].text(), "\U0001D400");
  EXPECT_EQ(n.to_text(), "çб,б1,1×,×\U0001D400->ç\U0001D400");
}

TEST(Notation, TellsCaseApart) { EXPECT_EQ(Notation::parse("aA,Ab").to_text(), "aA,Ab->ab"); }

TEST(Notation, ImplicitOutputIsTheLabelsMetOnceByCodePoint) {
  EXPECT_EQ(Notation::parse("ba").to_text(), "ba->ab");
  EXPECT_EQ(Notation::parse("cb,bA").to_text(), "cb,bA->Ac");
  EXPECT_EQ(Notation::parse("ii").to_text(), "ii->");
  EXPECT_EQ(Notation::parse("Яa...,a").to_text(), "Яa...,a->...Я");
  EXPECT_EQ(Notation::parse("").to_text(), "->");
  EXPECT_EQ(Notation::parse(",").to_text(), ",->");
}

TEST(Notation, KeepsWhereTheEllipsisStands) {
  const Notation n = Notation::parse("i...j,...->j...");
  EXPECT_EQ(n.operands()[0].ellipsis, 1);
  EXPECT_EQ(n.operands()[1].ellipsis, 0);
  EXPECT_EQ(n.output().ellipsis, 1);
}

TEST(Notation, HasNoLimitOnTheNumberOfLabels) {
  std::string text;
  for (char32_t c = 0x4E00; c < 0x4E00 + 300; ++c) {
    text += "a";
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
    text += ',';
  }
  EXPECT_EQ(Notation::parse(text + "->").names().size(), 301U);
}

TEST(Notation, ReadsRepeatedLabelsInOperandAndOutput) {
  const Notation n = Notation::parse("iij->ii");
  EXPECT_EQ(ids(n.operands()[0]), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(ids(n.output()), (std::vector<int>{0, 0}));
}

TEST(Notation, ParenthesesBecomeAnOrder) {
  const Notation n = Notation::parse("(ij,jk),kl->il");
  ASSERT_EQ(n.order().size(), 5U);
  EXPECT_EQ(n.order()[2].children, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(n.order()[3].operand, 2);
  EXPECT_EQ(n.order()[4].children, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(n.to_text(), "(ij,jk),kl->il");
}

TEST(Notation, ParenthesesMayComeLateAndNest) {
  EXPECT_EQ(Notation::parse("ab,(bc,(cd,de)),ef->af").to_text(), "ab,(bc,(cd,de)),ef->af");
}

TEST(Notation, ParenthesesAroundOneThingAddNothing) {
  EXPECT_EQ(Notation::parse("((ij)),((jk))->ik").to_text(), "ij,jk->ik");
  EXPECT_EQ(Notation::parse("()").to_text(), "->");
}

TEST(Notation, DepthCostsNoCallStack) {
  const std::size_t depth = 200000;
  std::string text(depth, '(');
  text.append("ij").append(depth, ')').append("->ij");
  EXPECT_EQ(Notation::parse(text).order().size(), 1U);
}

TEST(Notation, IntegerLabelsTakeAnyValueAndDoNotStretch) {
  const Notation n = Notation::from_labels({{7, -3}, {-3, 2000000000}}, {2000000000, 7});
  EXPECT_EQ(ids(n.operands()[1]), (std::vector<int>{1, 2}));
  EXPECT_EQ(n.names()[1].text(), "-3");
  EXPECT_FALSE(n.stretches());
  EXPECT_EQ(n.to_text(), "7 -3,-3 2000000000->2000000000 7");
}

TEST(Notation, IntegerFormRefusesUnknownOutputAndNoOperands) {
  try {
    Notation::from_labels({{1, 2}}, {3});
    FAIL();
  } catch (const NotationError& error) {
    EXPECT_EQ(std::get<UnknownOutputLabel>(error.info()).label, "3");
    EXPECT_EQ(std::get<UnknownOutputLabel>(error.info()).position, -1);
  }
  EXPECT_THROW(Notation::from_labels({}, {}), NotationError);
}

TEST(Notation, NestedFormGivesTheOrder) {
  const NestedTerm pair{{}, {{{1, 2}, {}}, {{2, 3}, {}}}};
  const Notation n = Notation::nested({{}, {pair, {{3, 4}, {}}}}, {1, 4});
  EXPECT_EQ(n.to_text(), "(1 2,2 3),3 4->1 4");
  EXPECT_FALSE(n.stretches());
}

TEST(Notation, TermsAreTextApart) {
  const std::array<std::string_view, 2> terms{"i...", "...j"};
  EXPECT_EQ(Notation::from_terms(terms, "i...j").to_text(), "i...,...j->i...j");
  const std::array<std::string_view, 1> two_in_one{"i,j"};
  EXPECT_THROW(Notation::from_terms(two_in_one, "i"), NotationError);
}

TEST(NotationError, PlacesAMisplacedCharacter) {
  EXPECT_EQ(failure<UnexpectedCharacter>("ij-ji").position, 3);
  EXPECT_EQ(failure<UnexpectedCharacter>("ij>ji").position, 2);
  EXPECT_EQ(failure<UnexpectedCharacter>("ij->i->j").position, 5);
  EXPECT_EQ(failure<UnexpectedCharacter>("ij->(ij)").position, 4);
  EXPECT_EQ(failure<UnexpectedCharacter>("ij->i,j").position, 5);
  EXPECT_EQ(failure<UnexpectedCharacter>("a(b,c)").position, 1);
  EXPECT_EQ(failure<UnexpectedCharacter>("(b,c)a").position, 5);
  EXPECT_EQ(failure<UnexpectedCharacter>("ij-").character, 0U);
}

TEST(NotationError, PositionsCountCodePointsNotBytes) {
  const UnexpectedCharacter info = failure<UnexpectedCharacter>("éé , яя>a");
  EXPECT_EQ(info.position, 7);
  EXPECT_EQ(info.character, static_cast<std::uint32_t>('>'));
}

TEST(NotationError, DotsComeInThrees) {
  EXPECT_EQ(failure<UnexpectedCharacter>("i..->i").position, 3);
  EXPECT_EQ(failure<UnexpectedCharacter>("i.j->ij").position, 2);
  EXPECT_EQ(failure<RepeatedEllipsis>("i....->i").position, 4);
}

TEST(NotationError, OneEllipsisATerm) {
  EXPECT_EQ(failure<RepeatedEllipsis>("ab,...i...->i").position, 7);
  EXPECT_EQ(failure<RepeatedEllipsis>("ab,...i...->i").operand, 1);
  EXPECT_EQ(failure<RepeatedEllipsis>("a->...a...").operand, -1);
}

TEST(NotationError, ParenthesesNeedPartners) {
  EXPECT_EQ(failure<UnbalancedParenthesis>("ab,(bc,(cd),de->ae").position, 3);
  EXPECT_TRUE(failure<UnbalancedParenthesis>("(ab->ab").opening);
  EXPECT_EQ(failure<UnbalancedParenthesis>("ab),bc->ac").position, 2);
  EXPECT_FALSE(failure<UnbalancedParenthesis>("ab),bc->ac").opening);
}

TEST(NotationError, NamesTheUnknownOutputLabel) {
  const UnknownOutputLabel info = failure<UnknownOutputLabel>("ij -> iщ");
  EXPECT_EQ(info.position, 7);
  EXPECT_EQ(info.label, "щ");
}

TEST(NotationError, RefusesWhatIsNoUtf8) {
  EXPECT_EQ(failure<InvalidUtf8>("i\xFFj").position, 1);
  EXPECT_EQ(failure<InvalidUtf8>("é\xC3").byte, 2);
  EXPECT_EQ(failure<InvalidUtf8>("a\x80").position, 1);
  EXPECT_EQ(failure<InvalidUtf8>("\xC0\xAC").position, 0);          // a comma, two bytes long
  EXPECT_EQ(failure<InvalidUtf8>("\xED\xA0\x80").position, 0);      // a surrogate
  EXPECT_EQ(failure<InvalidUtf8>("\xF4\x90\x80\x80").position, 0);  // above U+10FFFF
  EXPECT_EQ(failure<InvalidUtf8>("ij->i\xE4\xB8").byte, 5);
}

TEST(NotationError, MessageTellsPlaceExpectationAndFinding) {
  const auto parsed = Notation::try_parse("ij-ji");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(describe(parsed.error()), "einsum: misplaced character at position 3 (expected '>' after '-', got 'j')");
}

}  // namespace
}  // namespace tenferro
