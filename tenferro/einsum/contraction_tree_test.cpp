// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/contraction_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/loop_einsum.hpp"

namespace tenferro {
namespace {

using Array = testing::LoopArray<double>;
using Labels = std::vector<Label>;

Labels list(const LabelList& labels) { return {labels.begin(), labels.end()}; }

ContractionTree plan(const Notation& notation, const std::vector<Array>& operands, const PathOptions& options = {}) {
  std::vector<ExtentSpan> shapes;
  for (const Array& operand : operands) shapes.emplace_back(operand.shape);
  return plan_contraction(resolve(notation, shapes), options, 8);
}

// Does literally what the tree says, each step by plain loops.
Array walk(const ContractionTree& tree, const std::vector<Array>& operands) {
  std::vector<Array> tensors;
  std::vector<Labels> orders;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const LeafStep& leaf = tree.leaves[k];
    Array kept = operands[k];
    for (std::size_t d = leaf.dropped.size(); d-- > 0;) {
      const std::ptrdiff_t axis = leaf.dropped[d];
      EXPECT_EQ(kept.shape[static_cast<std::size_t>(axis)], 1);
      kept.shape.erase(kept.shape.begin() + axis);
    }
    tensors.push_back(testing::loop_einsum<double, Label>({list(leaf.axes)}, {kept}, list(leaf.labels)));
    orders.push_back(list(leaf.labels));
  }
  for (const ContractionStep& step : tree.steps) {
    const std::size_t a = static_cast<std::size_t>(step.lhs);
    const std::size_t b = static_cast<std::size_t>(step.rhs);
    // The step's own label sets must describe the same pairing.
    Labels natural = list(step.lhs_free);
    for (const LabelList& more : {step.rhs_free, step.batch}) natural.insert(natural.end(), more.begin(), more.end());
    if (step.kind == StepKind::dot) {
      EXPECT_EQ(natural, list(step.output));
      EXPECT_FALSE(step.contracted.empty());
    } else {
      EXPECT_TRUE(step.contracted.empty());
    }
    Labels sorted_order = orders[a];
    Labels sorted_taken = list(step.lhs_labels);
    EXPECT_EQ(sorted_order != sorted_taken, step.lhs_permuted);
    std::sort(sorted_order.begin(), sorted_order.end());
    std::sort(sorted_taken.begin(), sorted_taken.end());
    EXPECT_EQ(sorted_order, sorted_taken);
    tensors.push_back(
        testing::loop_einsum<double, Label>({orders[a], orders[b]}, {tensors[a], tensors[b]}, list(step.output)));
    orders.push_back(list(step.output));
  }
  EXPECT_EQ(orders.back(), list(tree.last));
  return testing::loop_einsum<double, Label>({orders.back()}, {tensors.back()}, list(tree.notation.output));
}

Array direct(const ContractionTree& tree, const std::vector<Array>& operands) {
  std::vector<Labels> labels;
  for (const ResolvedOperand& operand : tree.notation.operands) labels.push_back(list(operand.labels));
  return testing::loop_einsum<double, Label>(labels, operands, list(tree.notation.output));
}

void expect_right(std::string_view text, const std::vector<Array>& operands, const PathOptions& options = {}) {
  const ContractionTree tree = plan(Notation::parse(text), operands, options);
  const Array got = walk(tree, operands);
  const Array expected = direct(tree, operands);
  EXPECT_EQ(got.shape, expected.shape) << text;
  EXPECT_EQ(got.data, expected.data) << text << "\n" << tree.to_text();
}

Array seq(std::vector<std::int64_t> shape) { return testing::sequence<double>(std::move(shape)); }

TEST(ContractionTree, StepsMeanTheContraction) {
  expect_right("ij,jk->ik", {seq({2, 3}), seq({3, 4})});
  expect_right("ij,jk->ki", {seq({2, 3}), seq({3, 4})});
  expect_right("iij,j->ij", {seq({2, 2, 4}), seq({4})});
  expect_right("abc,ba->c", {seq({2, 3, 4}), seq({3, 2})});
  expect_right("ab,ac->", {seq({2, 3}), seq({2, 4})});
  expect_right("iijk,kl->jl", {seq({2, 2, 3, 2}), seq({2, 2})});
  expect_right("ij->ji", {seq({2, 3})});
  expect_right("i->ii", {seq({3})});
  expect_right("ij->jij", {seq({2, 3})});
  expect_right(",i,->i", {seq({}), seq({3}), seq({})});
  expect_right("i,i,i,i->", {seq({3}), seq({3}), seq({3}), seq({3})});
  expect_right("ij,ji->ij", {seq({2, 3}), seq({3, 2})});
  expect_right("aebf,cdef->abcd", {seq({2, 0, 3, 4}), seq({2, 3, 0, 4})});
  expect_right("ij,jk,k->i", {seq({3, 1}), seq({1, 4}), seq({4})});
  expect_right("ii,i->i", {seq({1, 1}), seq({3})});
  expect_right("...i,i...->...", {seq({2, 3}), seq({3, 2})});
}

TEST(ContractionTree, RandomNetworksMeanTheContraction) {
  std::mt19937 random(5);
  const auto draw = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (int round = 0; round < 300; ++round) {
    const std::size_t labels = 1 + draw(6);
    std::vector<std::int64_t> extents;
    for (std::size_t l = 0; l < labels; ++l) extents.push_back(static_cast<std::int64_t>(1 + draw(3)));
    std::string text;
    std::vector<Array> operands;
    const std::size_t count = 1 + draw(5);
    std::string used;
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) text += ',';
      std::vector<std::int64_t> shape;
      const std::size_t rank = draw(4);
      const bool stretch = draw(6) == 0;
      for (std::size_t a = 0; a < rank; ++a) {
        const std::size_t label = draw(labels);
        text += static_cast<char>('a' + label);
        used += static_cast<char>('a' + label);
        shape.push_back(stretch ? 1 : extents[label]);
      }
      Array operand(shape);
      for (double& value : operand.data) value = static_cast<double>(draw(7)) - 3;
      operands.push_back(std::move(operand));
    }
    text += "->";
    for (std::size_t a = draw(4); a > 0 && !used.empty(); --a) text += used[draw(used.size())];
    PathOptions options;
    options.method = draw(2) == 0 ? PathMethod::automatic : PathMethod::greedy;
    expect_right(text, operands, options);
  }
}

TEST(ContractionTree, PlainProductsMoveNothing) {
  for (const char* text : {"ij,jk->ik", "ji,jk->ik", "ij,kj->ik", "ji,kj->ik", "ij,jk->ki"}) {
    const ContractionTree tree = plan(Notation::parse(text), std::vector<Array>(2, seq({2, 2})));
    ASSERT_EQ(tree.steps.size(), 1U);
    EXPECT_FALSE(tree.steps[0].lhs_gathered || tree.steps[0].rhs_gathered || tree.permutes_last()) << text;
    EXPECT_FALSE(tree.steps[0].lhs_permuted || tree.steps[0].rhs_permuted) << text;
  }
}

TEST(ContractionTree, ColumnMajorBatchMovesNothing) {
  const ContractionTree tree = plan(Notation::parse("ijb,jkb->ikb"), {seq({2, 3, 4}), seq({3, 5, 4})});
  EXPECT_FALSE(tree.steps[0].lhs_gathered || tree.steps[0].rhs_gathered || tree.permutes_last());
  EXPECT_EQ(tree.steps[0].batch.size(), 1U);
}

TEST(ContractionTree, ChainOfMatricesMovesNothing) {
  const ContractionTree tree = plan(Notation::parse("ab,bc,cd,de,ef->af"), std::vector<Array>(5, seq({3, 3})));
  for (const ContractionStep& step : tree.steps) {
    EXPECT_FALSE(step.lhs_gathered || step.rhs_gathered) << tree.to_text();
  }
  EXPECT_FALSE(tree.permutes_last());
}

TEST(ContractionTree, ProductWithoutSumsComesInTheOrderOfTheOutput) {
  const ContractionTree tree = plan(Notation::parse("tkj,to->tokj"), {seq({2, 3, 4}), seq({2, 5})});
  EXPECT_EQ(tree.steps[0].kind, StepKind::multiply);
  EXPECT_FALSE(tree.permutes_last());
}

TEST(ContractionTree, TextShowsStepsWithLabelsAndCosts) {
  PathOptions options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = {{0, 1}, {0, 1}};
  const ContractionTree tree =
      plan(Notation::parse("ij,jk,kkl->il"), {seq({2, 3}), seq({3, 4}), seq({4, 4, 5})}, options);
  EXPECT_EQ(tree.to_text(),
            "einsum ij,jk,kkl->il: 3 operands, 2 steps, 64 multiply-adds, largest 2^3.32 elements, peak 304 B\n"
            "  operand %2: kkl->kl, diagonal kl\n"
            "  %3 = dot %0 %1: ij,jk->ik, sums j, 24 multiply-adds, 208 B\n"
            "  %4 = dot %3 %2: ik,kl->il, sums k, 40 multiply-adds, 304 B, gathers %2\n");
}

}  // namespace
}  // namespace tenferro
