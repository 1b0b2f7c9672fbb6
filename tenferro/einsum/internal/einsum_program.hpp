// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A contraction tree turned into operations. Each tensor that a step takes is described twice: as a view, for surfaces
// whose operands are views and cost nothing, and as a chain of operations, for all others.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/ops/emitter.hpp"

namespace tenferro::internal {

/// A tensor seen through other strides: axis k of the view runs along the source axes listed for it, together where
/// there are several (a diagonal), along none where there are none (a stretch).
struct ViewRecipe {
  Shape shape;
  AxisList axes;
  AxisList ends;
  bool identity = false;
};

/// A tensor as a step takes it: view, or operations and then a stretch.
struct StepSource {
  std::int32_t tensor = -1;
  ViewRecipe view;
  std::vector<Op> ops;
  std::optional<Shape> stretch;
};

struct ProgramStep {
  StepSource lhs, rhs;
  Op op;
};

/// What is done to an operand alone. Diagonals and dropped axes without a sum are left to the step's view.
struct ProgramLeaf {
  std::optional<Op> convert;
  /// Where there is a sum: the view that it runs over, and the sum.
  ViewRecipe view;
  std::optional<Op> reduce;
  /// All of it but the conversion as operations; the result has the axes of LeafStep::labels.
  std::vector<Op> ops;

  bool makes_tensor() const noexcept { return convert.has_value() || reduce.has_value(); }
};

/// Tensors are numbered as in ContractionTree.
struct EinsumProgram {
  ContractionTree tree;
  std::vector<TensorMeta> operands;
  TensorMeta result;
  std::vector<ProgramLeaf> leaves;
  std::vector<ProgramStep> steps;
  /// Without steps: operand 0 in the order of the result, and its copy.
  StepSource only;
  std::optional<Op> copy;
  /// What is done to the last tensor: a permutation, then embeddings on diagonals.
  std::vector<Op> finals;
  /// Whether the only final is a permutation, and that permutation: axis k of the last tensor in the result.
  bool only_permutes = false;
  AxisList last_in_result;
  /// One step on the operands as they are, and nothing after it.
  bool direct = false;

  std::int32_t tensors() const noexcept { return static_cast<std::int32_t>(leaves.size() + steps.size()); }
};

/// Works out the operations for operands of these dtypes and shapes. Throws NotationError as plan_contraction, OpError
/// where an operation would refuse its operands (bool is not summed or multiplied).
EinsumProgram make_program(const Notation& notation, std::span<const MetaView> operands, const PathOptions& options);

/// Throws NotationError (OperandCountMismatch) or OpError (DTypeMismatch, ShapeMismatch) unless the operands are those
/// that the program was made for.
void check_operand_count(const EinsumProgram& program, std::size_t count);
void check_operand(const EinsumProgram& program, std::size_t operand, const MetaView& meta);

/// Binds chains of operations on any emitter.
template <Emitter E>
class ProgramEmission {
 public:
  using Operand = typename E::Operand;

  ProgramEmission(const EinsumProgram& program, E& emitter, std::span<const Operand> operands)
      : program_(program),
        emitter_(emitter),
        operands_(operands),
        made_(static_cast<std::size_t>(program.tensors())),
        ready_(program.leaves.size(), 0) {}

  Value<E> run() {
    std::optional<Value<E>> last;
    if (program_.steps.empty()) {
      prepare(0);
      last.emplace(chain(program_.only.ops, operand(0), made_[0]));
    }
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const ProgramStep& step = program_.steps[s];
      Value<E> result = join(step);
      made_[at(step.lhs.tensor)].reset();
      made_[at(step.rhs.tensor)].reset();
      if (s + 1 < program_.steps.size()) {
        made_[program_.leaves.size() + s].emplace(std::move(result));
      } else {
        last.emplace(std::move(result));
      }
    }
    for (const Op& op : program_.finals) last.emplace(bind1(emitter_, op, Operand(*last)));
    return std::move(*last);
  }

 private:
  static std::size_t at(std::int32_t tensor) { return static_cast<std::size_t>(tensor); }

  Operand operand(std::int32_t tensor) const {
    return made_[at(tensor)] ? Operand(*made_[at(tensor)]) : operands_[at(tensor)];
  }

  // One operation after another; with none, what was made before, or else a copy: a result must be a new value.
  Value<E> chain(const std::vector<Op>& ops, const Operand& from, std::optional<Value<E>>& made) {
    if (ops.empty()) return made ? std::move(*made) : bind1(emitter_, *program_.copy, from);
    Value<E> value = bind1(emitter_, ops[0], from);
    for (std::size_t i = 1; i < ops.size(); ++i) value = bind1(emitter_, ops[i], Operand(value));
    return value;
  }

  void prepare(std::int32_t tensor) {
    if (at(tensor) >= program_.leaves.size() || ready_[at(tensor)] != 0) return;
    ready_[at(tensor)] = 1;
    const ProgramLeaf& leaf = program_.leaves[at(tensor)];
    if (leaf.convert) made_[at(tensor)].emplace(bind1(emitter_, *leaf.convert, operands_[at(tensor)]));
    for (const Op& op : leaf.ops) {
      Value<E> next = bind1(emitter_, op, operand(tensor));
      made_[at(tensor)].emplace(std::move(next));
    }
  }

  // A step's tensor with what had to be made for it.
  struct Ready {
    std::optional<Value<E>> value;
    std::optional<decltype(std::declval<E&>().broadcast(std::declval<const Operand&>(), DimsView{}))> stretched;
  };

  Operand take(const StepSource& source, Ready& ready) {
    prepare(source.tensor);
    for (const Op& op : source.ops) {
      Value<E> next = bind1(emitter_, op, ready.value ? Operand(*ready.value) : operand(source.tensor));
      ready.value.emplace(std::move(next));
    }
    Operand taken = ready.value ? Operand(*ready.value) : operand(source.tensor);
    if (!source.stretch) return taken;
    ready.stretched.emplace(emitter_.broadcast(taken, DimsView(*source.stretch)));
    return Operand(*ready.stretched);
  }

  Value<E> join(const ProgramStep& step) {
    Ready lhs;
    Ready rhs;
    const Operand left = take(step.lhs, lhs);
    const Operand right = take(step.rhs, rhs);
    return bind1(emitter_, step.op, left, right);
  }

  const EinsumProgram& program_;
  E& emitter_;
  std::span<const Operand> operands_;
  std::vector<std::optional<Value<E>>> made_;
  std::vector<char> ready_;
};

}  // namespace tenferro::internal
