// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Executes an einsum program on a session: permutations, diagonals and stretches are views, results go into slots that
// are emptied by the step that takes them.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "tenferro/backend/session.hpp"
#include "tenferro/einsum/internal/einsum_program.hpp"

namespace tenferro::internal {

/// Throws as check_operand, for all operands.
inline void check_session_operands(const EinsumProgram& program, std::span<const TensorRead> operands) {
  if (operands.size() != program.operands.size()) [[unlikely]]
    check_operand_count(program, operands.size());
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const TensorMeta& planned = program.operands[k];
    if (operands[k].dtype != planned.dtype || !same_shape(operands[k].shape(), planned.shape)) [[unlikely]] {
      check_operand(program, k, operands[k].meta());
    }
  }
}

/// Throws OpError unless `out` lies where the session works, has the result's dtype and shape and shares no memory with
/// an operand.
void check_output(const EinsumProgram& program, const BackendSession& session, std::span<const TensorRead> operands,
                  const TensorWrite& out);

/// One execution; the operands have been checked.
class SessionRun {
 public:
  SessionRun(const EinsumProgram& program, BackendSession& session, std::span<const TensorRead> operands);
  SessionRun(const SessionRun&) = delete;
  SessionRun& operator=(const SessionRun&) = delete;

  /// `after_step`, if given, is called with the number of each step that has ended; what it throws ends the execution.
  Tensor run(const FunctionRef<void(std::size_t)>* after_step = nullptr);
  void run_into(const TensorWrite& out);
  void run_accumulating(const TensorWrite& out, const Scalar& alpha, const Scalar& beta);

 private:
  // Where the last operation writes: a new tensor, or the caller's, then with factors or without.
  struct Target {
    const TensorWrite* out = nullptr;
    const Scalar* alpha = nullptr;
    const Scalar* beta = nullptr;
  };

  void prepare(std::int32_t tensor);
  TensorRead source(std::int32_t tensor) const;
  std::optional<Tensor>& slot(std::int32_t tensor) { return slots_[static_cast<std::size_t>(tensor)]; }
  void empty_slots();
  void run_steps_before_last(const FunctionRef<void(std::size_t)>* after_step = nullptr);
  Tensor bind(const Op& op, std::span<const TensorRead> in);
  Tensor last_step(const Target& target);
  bool last_step_accumulates() const;

  const EinsumProgram& program_;
  BackendSession& session_;
  std::span<const TensorRead> operands_;
  // A slot a tensor of the tree, empty until the tensor is made and from its last use on.
  std::array<std::optional<Tensor>, 8> few_;
  std::vector<std::optional<Tensor>> many_;
  std::span<std::optional<Tensor>> slots_;
};

}  // namespace tenferro::internal
