// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A contraction worked out down to pairs: how each operand is made ready, and for each step which labels are batch,
// summed or free and in which order the result's axes come. It knows labels and extents, but no tensors; a plan walks
// it with tensors, a reader prints it.
//
// Example:
//     const std::vector<std::int64_t> a{2, 3}, b{3, 4};
//     const std::vector<ExtentSpan> shapes{a, b};
//     ContractionTree tree = plan_contraction(resolve(Notation::parse("ij,jk->ik"), shapes), {}, sizeof(double));
//     CHECK(tree.path.cost.flops == 24);
//     std::puts(tree.to_text().c_str());

#include <cstdint>
#include <string>
#include <vector>

#include "tenferro/einsum/path.hpp"
#include "tenferro/einsum/resolved_notation.hpp"

namespace tenferro {

/// What happens to an operand before it meets another one, in this order: axes that stretch are dropped (extent 1),
/// axes with equal labels become their diagonal, labels that stand nowhere else are summed.
struct LeafStep {
  /// Labels of the axes that are left after dropping, repeated labels included, in axis order; and the dropped axes.
  LabelList axes;
  InlineVector<std::int64_t, 8> dropped;
  /// Distinct labels of `axes`, in order of first appearance: the axes of the diagonal.
  LabelList diagonal;
  /// Of these the ones summed, and the ones left: in that order, or where there is a sum as the next step wants them.
  LabelList summed;
  LabelList labels;
  /// Whether the operand is converted to another dtype, and so copied, first of all.
  bool converted = false;

  bool takes_diagonal() const noexcept { return diagonal.size() != axes.size(); }
  /// True if the operand takes part as it is.
  bool untouched() const noexcept { return dropped.empty() && !takes_diagonal() && summed.empty() && !converted; }
};

/// How the two tensors of a step are joined.
enum class StepKind : std::uint8_t {
  dot,      ///< labels are summed: dot_general, whose result's axes are lhs free, rhs free, batch
  multiply  ///< no label is summed: product of broadcast views, axes in any order
};

/// One pairwise step. Tensors are numbered as in ContractionPath, but either may stand on the left here.
struct ContractionStep {
  std::int32_t lhs = -1;
  std::int32_t rhs = -1;
  StepKind kind = StepKind::dot;
  /// Axes of the two tensors, in the order in which the step takes them: as they are, or permuted.
  LabelList lhs_labels;
  LabelList rhs_labels;
  bool lhs_permuted = false;
  bool rhs_permuted = false;
  /// Whether a matrix product has to gather the tensor in memory first.
  bool lhs_gathered = false;
  bool rhs_gathered = false;
  LabelList batch;
  LabelList contracted;
  LabelList lhs_free;
  LabelList rhs_free;
  /// Axes of the result.
  LabelList output;
  /// Product of all extents of the step.
  double flops = 0;
  /// Bytes of both tensors and of the result.
  double bytes = 0;
};

/// A contraction, step by step. Tensor n + s is the result of steps[s], n being the number of operands.
///
/// Example:
///     const std::vector<std::int64_t> a{3, 3}, b{3, 4};
///     const std::vector<ExtentSpan> shapes{a, b};
///     const auto tree = try_plan_contraction(resolve(Notation::parse("ii,ij->j"), shapes), {}, sizeof(double));
///     CHECK(tree && !tree->permutes_last() && !tree->embeds());
///     const LeafStep& first = tree->leaves[0];
///     CHECK(first.takes_diagonal() && !first.untouched() && tree->leaves[1].untouched());
///     const ContractionStep& step = tree->steps[0];
///     CHECK(step.kind == StepKind::dot && step.contracted.size() == 1 && step.flops == 12);
struct ContractionTree {
  ResolvedNotation notation;
  ContractionPath path;
  std::vector<LeafStep> leaves;
  std::vector<ContractionStep> steps;
  /// Axes of the last tensor as the steps leave them, and the distinct labels of the output in its order.
  LabelList last;
  LabelList distinct_output;

  bool permutes_last() const noexcept { return !(last == distinct_output); }
  /// Whether a label repeated in the output puts the result on a diagonal.
  bool embeds() const noexcept { return distinct_output.size() != notation.output.size(); }
  /// One line a step: tensors, labels, labels summed, multiply-adds, bytes; a head line with the totals.
  std::string to_text() const;
};

/// Finds the order and works out the steps for elements of `element_bytes`. A memory limit that the order found exceeds
/// makes it search for orders that need less. Allocates nothing of the size of a tensor. Time: microseconds for a few
/// operands, at most about 0.2 s for hundreds (see PathOptions::effort). `converted` marks operands of another dtype,
/// or is empty. Throws NotationError: BadPath, TooManyForOptimal, MemoryLimitUnmet, IntermediateTooLarge.
ContractionTree plan_contraction(const ResolvedNotation& notation, const PathOptions& options,
                                 std::int64_t element_bytes, std::span<const std::uint8_t> converted = {});
/// plan_contraction with the error as a value.
tl::expected<ContractionTree, NotationErrorInfo> try_plan_contraction(const ResolvedNotation& notation,
                                                                      const PathOptions& options,
                                                                      std::int64_t element_bytes);

}  // namespace tenferro
