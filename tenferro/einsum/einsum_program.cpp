// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/einsum_program.hpp"

#include <algorithm>
#include <utility>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/eval_shape.hpp"

namespace tenferro::internal {
namespace {

std::uint8_t as_axis(std::size_t axis) { return static_cast<std::uint8_t>(axis); }

std::size_t position(const LabelList& labels, Label label) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

bool contains(const LabelList& labels, Label label) { return position(labels, label) < labels.size(); }

// Translates a tree, tensor by tensor, into views and into operations.
class ProgramMaker {
 public:
  explicit ProgramMaker(EinsumProgram& program) : program_(program), tree_(program.tree) {}

  void run(DType dtype) {
    add_leaves(dtype);
    for (const ContractionStep& step : tree_.steps) add_step(step);
    if (tree_.steps.empty()) add_copy();
    add_finals();
    program_.result = {dtype, shape_of(tree_.notation.output)};
    const bool plain_leaves = std::none_of(program_.leaves.begin(), program_.leaves.end(),
                                           [](const ProgramLeaf& leaf) { return leaf.makes_tensor(); });
    program_.direct = program_.steps.size() == 1 && plain_leaves && program_.finals.empty() &&
                      program_.steps[0].lhs.view.identity && program_.steps[0].rhs.view.identity;
  }

 private:
  std::int64_t extent(Label label) const { return tree_.notation.extent(label); }

  Shape shape_of(const LabelList& labels) const {
    Shape shape;
    for (const Label label : labels) shape.push_back(extent(label));
    return shape;
  }

  const LeafStep* leaf_of(std::int32_t tensor) const {
    const std::size_t number = static_cast<std::size_t>(tensor);
    return number < tree_.leaves.size() ? &tree_.leaves[number] : nullptr;
  }

  // Labels of the axes that the tensor has in memory; kDropped for axes that stretch.
  LabelList stored(std::int32_t tensor) const {
    const std::size_t number = static_cast<std::size_t>(tensor);
    const LeafStep* leaf = leaf_of(tensor);
    if (leaf == nullptr) return tree_.steps[number - tree_.leaves.size()].output;
    if (!leaf->summed.empty()) return leaf->labels;
    return given(number);
  }

  LabelList given(std::size_t operand) const {
    LabelList labels = tree_.notation.operands[operand].labels;
    for (const std::int64_t axis : tree_.leaves[operand].dropped) labels[static_cast<std::size_t>(axis)] = kDropped;
    return labels;
  }

  // Axis k of the view runs along all axes of the source that have labels[k].
  ViewRecipe recipe(const LabelList& source, const LabelList& labels) const {
    ViewRecipe view;
    view.shape = shape_of(labels);
    for (const Label label : labels) {
      for (std::size_t axis = 0; axis < source.size(); ++axis) {
        if (source[axis] == label) view.axes.push_back(as_axis(axis));
      }
      view.ends.push_back(as_axis(view.axes.size()));
    }
    view.identity = source == labels;
    return view;
  }

  static void permute(std::vector<Op>& ops, const LabelList& from, const LabelList& to) {
    if (from == to) return;
    AxisList perm;
    for (const Label label : to) perm.push_back(as_axis(position(from, label)));
    ops.emplace_back(OpKind::transpose, TransposeAttrs{perm});
  }

  // Drops axes, takes diagonals, sums; the result has the axes of leaf.labels.
  std::vector<Op> leaf_ops(const LeafStep& leaf) const {
    std::vector<Op> ops;
    LabelList now = leaf.axes;
    if (!leaf.dropped.empty()) ops.emplace_back(OpKind::reshape, ReshapeAttrs{shape_of(now)});
    for (std::size_t axis = 0; axis < now.size();) {
      const Label label = now[axis];
      const auto twin = std::find(now.begin() + axis + 1, now.end(), label);
      if (twin == now.end()) {
        ++axis;
        continue;
      }
      const std::size_t other = static_cast<std::size_t>(twin - now.begin());
      ops.emplace_back(OpKind::extract_diag, DiagAttrs{0, as_axis(axis), as_axis(other)});
      now.erase(other);
      now.erase(axis);
      now.push_back(label);
    }
    if (!leaf.summed.empty()) {
      AxisSet axes;
      LabelList left;
      for (std::size_t axis = 0; axis < now.size(); ++axis) {
        if (contains(leaf.summed, now[axis])) {
          axes.insert(axis);
        } else {
          left.push_back(now[axis]);
        }
      }
      ops.emplace_back(OpKind::reduce_sum, ReduceAttrs{axes});
      now = left;
    }
    permute(ops, now, leaf.labels);
    return ops;
  }

  void add_leaves(DType dtype) {
    for (std::size_t k = 0; k < tree_.leaves.size(); ++k) {
      const LeafStep& leaf = tree_.leaves[k];
      ProgramLeaf made;
      if (program_.operands[k].dtype != dtype) made.convert.emplace(OpKind::convert, ConvertAttrs{dtype, true});
      made.ops = leaf_ops(leaf);
      if (!leaf.summed.empty()) {
        LabelList labels = leaf.labels;
        AxisSet axes;
        for (const Label label : leaf.summed) {
          axes.insert(labels.size());
          labels.push_back(label);
        }
        made.view = recipe(given(k), labels);
        made.reduce.emplace(OpKind::reduce_sum, ReduceAttrs{axes});
      }
      program_.leaves.push_back(std::move(made));
    }
  }

  StepSource source(std::int32_t tensor, const LabelList& labels) const {
    StepSource from;
    from.tensor = tensor;
    from.view = recipe(stored(tensor), labels);
    const LeafStep* leaf = leaf_of(tensor);
    permute(from.ops, leaf != nullptr ? leaf->labels : stored(tensor), labels);
    return from;
  }

  // A factor of a product without sums: laid along the axes of the result.
  StepSource factor(std::int32_t tensor, const LabelList& labels, const LabelList& result) const {
    StepSource from = source(tensor, labels);
    if (labels == result) return from;
    from.view = recipe(stored(tensor), result);
    // Stretching aligns at the last axis, so that axes of extent 1 are needed after the first own one only.
    Shape laid;
    for (const Label label : result) {
      const bool own = contains(labels, label);
      if (own || !laid.empty()) laid.push_back(own ? extent(label) : 1);
    }
    if (laid.size() != labels.size()) from.ops.emplace_back(OpKind::reshape, ReshapeAttrs{laid});
    if (!(laid == shape_of(result))) from.stretch = shape_of(result);
    return from;
  }

  static AxisList axes_of(const LabelList& labels, const LabelList& within) {
    AxisList axes;
    for (const Label label : labels) axes.push_back(as_axis(position(within, label)));
    return axes;
  }

  void add_step(const ContractionStep& step) {
    if (step.kind == StepKind::multiply) {
      program_.steps.push_back({factor(step.lhs, step.lhs_labels, step.output),
                                factor(step.rhs, step.rhs_labels, step.output), plain_op(OpKind::mul)});
      return;
    }
    const DotGeneralConfig config(axes_of(step.contracted, step.lhs_labels), axes_of(step.contracted, step.rhs_labels),
                                  axes_of(step.batch, step.lhs_labels), axes_of(step.batch, step.rhs_labels));
    program_.steps.push_back(
        {source(step.lhs, step.lhs_labels), source(step.rhs, step.rhs_labels), Op(OpKind::dot_general, config)});
  }

  void add_copy() {
    program_.only = source(0, tree_.distinct_output);
    AxisList same;
    for (std::size_t axis = 0; axis < tree_.distinct_output.size(); ++axis) same.push_back(as_axis(axis));
    program_.copy.emplace(OpKind::transpose, TransposeAttrs{same});
  }

  void add_finals() {
    LabelList now = tree_.steps.empty() ? tree_.distinct_output : tree_.last;
    if (!tree_.embeds()) {
      permute(program_.finals, now, tree_.distinct_output);
      program_.only_permutes = !program_.finals.empty();
      for (const Label label : now) program_.last_in_result.push_back(as_axis(position(tree_.distinct_output, label)));
      return;
    }
    // Each further appearance of a label is an embedding of that label's axis on the diagonal of two.
    const LabelList& output = tree_.notation.output;
    for (const Label label : tree_.distinct_output) {
      for (std::ptrdiff_t more = std::count(output.begin(), output.end(), label); more > 1; --more) {
        LabelList moved;
        bool first = true;
        for (const Label other : now) {
          // One axis of the label goes last, those made before it stay.
          if (other != label || !std::exchange(first, false)) moved.push_back(other);
        }
        moved.push_back(label);
        permute_one_last(now, label, moved);
        const std::size_t rank = moved.size() + 1;
        program_.finals.emplace_back(OpKind::embed_diag, DiagAttrs{0, as_axis(rank - 2), as_axis(rank - 1)});
        moved.push_back(label);
        now = moved;
      }
    }
    // Axes of one label are alike, so that each appearance takes the next free one.
    AxisList perm;
    std::vector<char> taken(now.size(), 0);
    bool moves = false;
    for (std::size_t k = 0; k < output.size(); ++k) {
      std::size_t axis = 0;
      while (taken[axis] != 0 || now[axis] != output[k]) ++axis;
      taken[axis] = 1;
      perm.push_back(as_axis(axis));
      moves = moves || axis != k;
    }
    if (moves) program_.finals.emplace_back(OpKind::transpose, TransposeAttrs{perm});
  }

  void permute_one_last(const LabelList& now, Label label, const LabelList& moved) {
    if (now == moved) return;
    const std::size_t from = position(now, label);
    AxisList perm;
    for (std::size_t axis = 0; axis < now.size(); ++axis) {
      if (axis != from) perm.push_back(as_axis(axis));
    }
    perm.push_back(as_axis(from));
    program_.finals.emplace_back(OpKind::transpose, TransposeAttrs{perm});
  }

  static constexpr Label kDropped = -1;

  EinsumProgram& program_;
  const ContractionTree& tree_;
};

}  // namespace

EinsumProgram make_program(const Notation& notation, std::span<const MetaView> operands, const PathOptions& options) {
  std::vector<ExtentSpan> shapes;
  std::vector<TensorMeta> metas;
  shapes.reserve(operands.size());
  metas.reserve(operands.size());
  for (const MetaView& meta : operands) {
    shapes.push_back(meta.shape);
    metas.push_back({meta.dtype, Shape(meta.shape)});
  }
  const ResolvedNotation resolved = resolve(notation, shapes);
  DType dtype = metas[0].dtype;
  for (const TensorMeta& meta : metas) dtype = promote(dtype, meta.dtype);
  std::vector<std::uint8_t> converted;
  converted.reserve(metas.size());
  for (const TensorMeta& meta : metas) converted.push_back(meta.dtype != dtype ? 1 : 0);
  EinsumProgram program;
  program.tree = plan_contraction(resolved, options, static_cast<std::int64_t>(element_size(dtype)), converted);
  program.operands = std::move(metas);
  ProgramMaker(program).run(dtype);
  // Asks each operation whether it takes its operands.
  ShapeEvaluator shapes_only;
  ProgramEmission<ShapeEvaluator>(program, shapes_only, operands).run();
  return program;
}

void check_operand_count(const EinsumProgram& program, std::size_t count) {
  if (count == program.operands.size()) return;
  raise<NotationErrorInfo>(
      OperandCountMismatch{static_cast<std::int64_t>(program.operands.size()), static_cast<std::int64_t>(count)});
}

void check_operand(const EinsumProgram& program, std::size_t operand, const MetaView& meta) {
  const TensorMeta& planned = program.operands[operand];
  if (meta.dtype != planned.dtype) {
    raise<OpErrorInfo>(DTypeMismatch{"einsum", static_cast<std::int64_t>(operand), planned.dtype, meta.dtype});
  }
  if (!same_shape(meta.shape, planned.shape)) {
    raise<OpErrorInfo>(ShapeMismatch{"einsum", planned.shape, Shape(meta.shape),
                                     concat("operand ", operand, " of the shape that the plan was made for")});
  }
}

}  // namespace tenferro::internal
