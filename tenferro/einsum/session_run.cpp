// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/internal/session_run.hpp"

#include "tenferro/backend/overlap.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro::internal {
namespace {

// A source seen through a recipe; holds the strides that the view points to.
class Seen {
 public:
  Seen(const ViewRecipe& recipe, const TensorRead& source) : read_(source) {
    if (recipe.identity) return;
    const Dims from = strides_of(source);
    bool in_order = source.compact();
    std::int64_t running = 1;
    std::size_t axis = 0;
    for (std::size_t k = 0; k < recipe.shape.size(); ++k) {
      std::int64_t stride = 0;
      for (; axis < recipe.ends[k]; ++axis) stride += from[recipe.axes[axis]];
      strides_.push_back(stride);
      in_order = in_order && (stride == running || recipe.shape[k] == 1);
      running *= recipe.shape[k];
    }
    read_.extents = recipe.shape.data();
    // Compact operands take the short ways through kernels.
    read_.strides = in_order ? nullptr : strides_.data();
    read_.axis_count = static_cast<std::uint32_t>(recipe.shape.size());
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  const TensorRead& read() const noexcept { return read_; }

 private:
  Dims strides_;
  TensorRead read_;
};

// The result's memory with the axes in the order of the last tensor.
class Placed {
 public:
  Placed(const EinsumProgram& program, const TensorWrite& out) : write_(out) {
    if (!program.only_permutes) return;
    const Dims from = strides_of(out);
    for (const std::uint8_t axis : program.last_in_result) {
      extents_.push_back(out.extents[axis]);
      strides_.push_back(from[axis]);
    }
    write_.extents = extents_.data();
    write_.strides = strides_.data();
  }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  const TensorWrite& write() const noexcept { return write_; }

 private:
  Dims extents_, strides_;
  TensorWrite write_;
};

}  // namespace

void check_output(const EinsumProgram& program, const BackendSession& session, std::span<const TensorRead> operands,
                  const TensorWrite& out) {
  if (out.placement != session.placement()) {
    raise<OpErrorInfo>(PlacementMismatch{"einsum", -1, session.placement(), out.placement});
  }
  if (out.dtype != program.result.dtype) {
    raise<OpErrorInfo>(DTypeMismatch{"einsum", -1, program.result.dtype, out.dtype});
  }
  if (!same_shape(out.shape(), program.result.shape)) {
    raise<OpErrorInfo>(
        ShapeMismatch{"einsum", program.result.shape, Shape(out.shape()), "an output of the shape of the result"});
  }
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (overlap(operands[k], out) != Overlap::none) {
      raise<OpErrorInfo>(OverlappingStorage{"einsum", static_cast<std::int64_t>(k)});
    }
  }
}

SessionRun::SessionRun(const EinsumProgram& program, BackendSession& session, std::span<const TensorRead> operands)
    : program_(program), session_(session), operands_(operands) {
  const std::size_t tensors = static_cast<std::size_t>(program.tensors());
  if (tensors > few_.size()) many_.resize(tensors);
  slots_ = tensors > few_.size() ? std::span(many_) : std::span(few_).first(tensors);
}

void SessionRun::empty_slots() {
  for (std::optional<Tensor>& used : slots_) used.reset();
}

TensorRead SessionRun::source(std::int32_t tensor) const {
  const std::size_t number = static_cast<std::size_t>(tensor);
  const bool as_given = number < operands_.size() && !program_.leaves[number].makes_tensor();
  return as_given ? operands_[number] : TensorRead(*slots_[number]);
}

Tensor SessionRun::bind(const Op& op, std::span<const TensorRead> in) { return session_.bind_single(op, in); }

void SessionRun::prepare(std::int32_t tensor) {
  const std::size_t number = static_cast<std::size_t>(tensor);
  if (number >= operands_.size()) return;
  const ProgramLeaf& leaf = program_.leaves[number];
  TensorRead from = operands_[number];
  if (leaf.convert) {
    slot(tensor) = bind(*leaf.convert, {&from, 1});
    from = *slot(tensor);
  }
  if (leaf.reduce) {
    const Seen seen(leaf.view, from);
    // Assigned only when done: the sum may read what the slot holds.
    Tensor sum = bind(*leaf.reduce, {&seen.read(), 1});
    slot(tensor) = std::move(sum);
  }
}

void SessionRun::run_steps_before_last(const FunctionRef<void(std::size_t)>* after_step) {
  for (std::size_t s = 0; s + 1 < program_.steps.size(); ++s) {
    const ProgramStep& step = program_.steps[s];
    prepare(step.lhs.tensor);
    prepare(step.rhs.tensor);
    const Seen lhs(step.lhs.view, source(step.lhs.tensor));
    const Seen rhs(step.rhs.view, source(step.rhs.tensor));
    const TensorRead in[] = {lhs.read(), rhs.read()};
    slots_[operands_.size() + s] = bind(step.op, in);
    slot(step.lhs.tensor).reset();
    slot(step.rhs.tensor).reset();
    if (after_step != nullptr) (*after_step)(s);
  }
}

bool SessionRun::last_step_accumulates() const {
  const bool contracts = !program_.steps.empty() && program_.steps.back().op.kind() == OpKind::dot_general;
  return contracts && (program_.finals.empty() || program_.only_permutes);
}

// The last operation on the operands: a step, a sum over the only operand, or its copy.
Tensor SessionRun::last_step(const Target& target) {
  const auto finish = [&](const Op& op, std::span<const TensorRead> in) {
    if (target.out == nullptr) return bind(op, in);
    if (target.alpha != nullptr) {
      session_.accumulate_into(op, in, *target.out, *target.alpha, *target.beta);
    } else {
      session_.bind_into(op, in, {target.out, 1});
    }
    return Tensor();
  };
  if (!program_.steps.empty()) {
    const ProgramStep& step = program_.steps.back();
    prepare(step.lhs.tensor);
    prepare(step.rhs.tensor);
    const Seen lhs(step.lhs.view, source(step.lhs.tensor));
    const Seen rhs(step.rhs.view, source(step.rhs.tensor));
    const TensorRead in[] = {lhs.read(), rhs.read()};
    return finish(step.op, in);
  }
  const ProgramLeaf& leaf = program_.leaves[0];
  TensorRead from = operands_[0];
  if (leaf.convert) {
    slot(0) = bind(*leaf.convert, {&from, 1});
    from = *slot(0);
  }
  const Seen seen(leaf.reduce ? leaf.view : program_.only.view, from);
  return finish(leaf.reduce ? *leaf.reduce : *program_.copy, {&seen.read(), 1});
}

Tensor SessionRun::run(const FunctionRef<void(std::size_t)>* after_step) {
  run_steps_before_last(after_step);
  Tensor last = last_step({});
  if (after_step != nullptr && !program_.steps.empty()) (*after_step)(program_.steps.size() - 1);
  // Its operands go before the result is rewritten.
  empty_slots();
  for (const Op& op : program_.finals) {
    const TensorRead from = last;
    Tensor next = bind(op, {&from, 1});
    last = std::move(next);
  }
  return last;
}

void SessionRun::run_into(const TensorWrite& out) {
  run_steps_before_last();
  if (program_.finals.empty() || program_.only_permutes) {
    const Placed placed(program_, out);
    last_step({&placed.write(), nullptr, nullptr});
    return;
  }
  Tensor last = last_step({});
  empty_slots();
  for (std::size_t k = 0; k < program_.finals.size(); ++k) {
    const TensorRead from = last;
    if (k + 1 == program_.finals.size()) {
      session_.bind_into(program_.finals[k], {&from, 1}, {&out, 1});
    } else {
      Tensor next = bind(program_.finals[k], {&from, 1});
      last = std::move(next);
    }
  }
}

void SessionRun::run_accumulating(const TensorWrite& out, const Scalar& alpha, const Scalar& beta) {
  if (last_step_accumulates()) {
    run_steps_before_last();
    const Placed placed(program_, out);
    last_step({&placed.write(), &alpha, &beta});
    return;
  }
  // A contraction with the number one adds a finished result to the output, in every dtype that contracts.
  const Tensor result = run();
  const Tensor one = Tensor::scalar(Scalar(1.0).as(out.dtype));
  const TensorRead in[] = {result, one};
  session_.accumulate_into(Op(OpKind::dot_general, DotGeneralConfig()), in, out, alpha, beta);
}

}  // namespace tenferro::internal
