// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/plan.hpp"

#include <array>

#include "tenferro/einsum/internal/session_run.hpp"

namespace tenferro {
namespace {

// The operands of a program's only step, in its order.
std::array<TensorRead, 2> pair(const internal::ProgramStep& step, std::span<const TensorRead> operands) {
  return {operands[static_cast<std::size_t>(step.lhs.tensor)], operands[static_cast<std::size_t>(step.rhs.tensor)]};
}

}  // namespace

EinsumPlan EinsumPlan::prepare(const Notation& notation, std::span<const MetaView> operands,
                               const PathOptions& options) {
  return EinsumPlan(internal::make_program(notation, operands, options));
}

EinsumPlan EinsumPlan::prepare(std::string_view text, DType dtype, std::initializer_list<Shape> shapes,
                               const PathOptions& options) {
  std::vector<MetaView> metas;
  for (const Shape& shape : shapes) metas.push_back({dtype, shape});
  return prepare(Notation::parse(text), metas, options);
}

EinsumPlan EinsumPlan::prepare(std::string_view text, std::initializer_list<TensorRead> operands,
                               const PathOptions& options) {
  std::vector<MetaView> metas;
  for (const TensorRead& operand : operands) metas.push_back(operand.meta());
  return prepare(Notation::parse(text), metas, options);
}

tl::expected<EinsumPlan, NotationErrorInfo> EinsumPlan::try_prepare(const Notation& notation,
                                                                    std::span<const MetaView> operands,
                                                                    const PathOptions& options) {
  return attempt<NotationErrorInfo>([&] { return prepare(notation, operands, options); });
}

Tensor EinsumPlan::execute_on(BackendSession& s, std::span<const TensorRead> operands) const {
  const internal::EinsumProgram& program = *program_;
  internal::check_session_operands(program, operands);
  if (program.direct) [[likely]] {
    const internal::ProgramStep& step = program.steps[0];
    return s.bind_single(step.op, pair(step, operands));
  }
  return internal::SessionRun(program, s, operands).run();
}

Tensor EinsumPlan::execute(BackendSession& s, std::span<const TensorRead> operands,
                           FunctionRef<void(std::size_t)> after_step) const {
  internal::check_session_operands(*program_, operands);
  return internal::SessionRun(*program_, s, operands).run(&after_step);
}

void EinsumPlan::execute_into(BackendSession& s, std::span<const TensorRead> operands, TensorWrite out) const {
  internal::check_session_operands(*program_, operands);
  internal::check_output(*program_, s, operands, out);
  if (program_->direct) [[likely]] {
    const internal::ProgramStep& step = program_->steps[0];
    s.bind_into(step.op, pair(step, operands), {&out, 1});
    return;
  }
  internal::SessionRun(*program_, s, operands).run_into(out);
}

void EinsumPlan::execute_into_accum(BackendSession& s, std::span<const TensorRead> operands, TensorWrite out,
                                    Scalar alpha, Scalar beta) const {
  internal::check_session_operands(*program_, operands);
  internal::check_output(*program_, s, operands, out);
  for (const Scalar* scalar : {&alpha, &beta}) {
    const DType dtype = program_->result.dtype;
    if (scalar->dtype() != dtype) raise<OpErrorInfo>(DTypeMismatch{"einsum", -1, dtype, scalar->dtype()});
  }
  if (program_->direct && program_->steps[0].op.kind() == OpKind::dot_general) [[likely]] {
    const internal::ProgramStep& step = program_->steps[0];
    s.accumulate_into(step.op, pair(step, operands), out, alpha, beta);
    return;
  }
  internal::SessionRun(*program_, s, operands).run_accumulating(out, alpha, beta);
}

}  // namespace tenferro
