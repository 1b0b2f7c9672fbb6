// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A contraction prepared once for dtypes and shapes and executed many times. On a session an execution compares dtypes
// and shapes with those of the plan and binds its operations, with permutations, diagonals and stretches as views;
// through any other emitter it is a chain of operations.
//
// Example (session):
//     EinsumPlan plan = EinsumPlan::prepare("ij,jk,kl->il", DType::f64, {{2, 3}, {3, 4}, {4, 5}});
//     CHECK(plan.cost().flops == 64 && plan.tree().steps.size() == 2 && plan.result().shape == Shape{2, 5});
//     std::puts(plan.to_text().c_str());
//     Tensor a = Tensor::ones<double>(2, 3), b = Tensor::ones<double>(3, 4), c = Tensor::ones<double>(4, 5);
//     Tensor y = plan.execute(session, {a, b, c});
//     CHECK(y.at<double>({1, 4}) == 12);
//     plan.execute_into(session, {a, b, c}, y);
//     plan.execute_into_accum(session, {a, b, c}, y, 2.0, 1.0);
//     CHECK(y.at<double>({0, 0}) == 36);                       // 2·12 + 12

#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tenferro/backend/session.hpp"
#include "tenferro/einsum/internal/einsum_program.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro {

/// An immutable value, cheap to copy; one plan may be executed on many threads at once. The operands of an execution
/// must have the dtypes and shapes of the preparation, views with any strides included. Moving copies, so that no plan
/// is ever empty.
class EinsumPlan {
 public:
  EinsumPlan(const EinsumPlan&) = default;
  EinsumPlan& operator=(const EinsumPlan&) = default;

  /// Finds the order and works out the operations. Operands of different dtypes are converted to the one that they
  /// promote to. Throws NotationError (shapes that do not fit the notation, order, memory limit, size), OpError
  /// (UnsupportedDType: bool has no sums and products). Costs microseconds for a few operands, see plan_contraction.
  static EinsumPlan prepare(const Notation& notation, std::span<const MetaView> operands,
                            const PathOptions& options = {});
  static EinsumPlan prepare(std::string_view text, std::span<const MetaView> operands,
                            const PathOptions& options = {}) {
    return prepare(Notation::parse(text), operands, options);
  }
  /// For operands of one dtype.
  static EinsumPlan prepare(std::string_view text, DType dtype, std::initializer_list<Shape> shapes,
                            const PathOptions& options = {});
  /// For operands like these; they are not kept.
  static EinsumPlan prepare(std::string_view text, std::initializer_list<TensorRead> operands,
                            const PathOptions& options = {});
  /// prepare with failures of notation and order as values.
  ///
  /// Example:
  ///     const Shape a{2, 3}, b{4, 5};
  ///     const MetaView operands[] = {{DType::f64, a}, {DType::f64, b}};
  ///     CHECK(!EinsumPlan::try_prepare(Notation::parse("ij,jk"), operands));       // 3 is not 4
  static tl::expected<EinsumPlan, NotationErrorInfo> try_prepare(const Notation& notation,
                                                                 std::span<const MetaView> operands,
                                                                 const PathOptions& options = {});

  const ContractionTree& tree() const noexcept { return program_->tree; }
  const PathCost& cost() const noexcept { return program_->tree.path.cost; }
  /// Dtype and shape of the result.
  const TensorMeta& result() const noexcept { return program_->result; }
  /// Steps with labels, multiply-adds and bytes; see ContractionTree::to_text.
  std::string to_text() const { return program_->tree.to_text(); }

  /// The contraction as a new tensor or value. Intermediate results die with their last use. Throws NotationError
  /// (OperandCountMismatch), OpError (DTypeMismatch, ShapeMismatch).
  template <Emitter E>
  Value<E> execute(E& e, std::span<const typename E::Operand> operands) const {
    if constexpr (std::derived_from<E, BackendSession>) {
      return execute_on(e, operands);
    } else {
      internal::check_operand_count(*program_, operands.size());
      for (std::size_t k = 0; k < operands.size(); ++k) internal::check_operand(*program_, k, e.meta(operands[k]));
      return internal::ProgramEmission<E>(*program_, e, operands).run();
    }
  }
  template <Emitter E>
  Value<E> execute(E& e, std::initializer_list<typename E::Operand> operands) const {
    return execute(e, std::span<const typename E::Operand>(operands.begin(), operands.size()));
  }

  /// The same for typed tensors of one element type: plan.execute(session, a, b).
  template <ConcreteEmitter E, Element T, std::same_as<TypedTensor<T>>... Others>
  TypedTensor<T> execute(E& e, const TypedTensor<T>& first, const Others&... others) const {
    return TypedTensor<T>(execute(e, {TensorRead(first), TensorRead(others)...}));
  }

  /// execute that calls `after_step` with the number of each step of tree() that has ended, for showing progress. What
  /// it throws ends the execution and passes through.
  Tensor execute(BackendSession& s, std::span<const TensorRead> operands,
                 FunctionRef<void(std::size_t)> after_step) const;

  /// The contraction into a tensor or view of exactly the dtype and shape of the result. Throws as execute, and OpError
  /// (OverlappingStorage) if `out` shares memory with an operand; `out` is then untouched.
  void execute_into(BackendSession& s, std::span<const TensorRead> operands, TensorWrite out) const;
  void execute_into(BackendSession& s, std::initializer_list<TensorRead> operands, TensorWrite out) const {
    execute_into(s, std::span<const TensorRead>(operands.begin(), operands.size()), out);
  }

  /// out = alpha · contraction + beta · out, with scalars of exactly the result's dtype. With beta = 0 the old content
  /// of `out` is never read. Throws as execute_into.
  void execute_into_accum(BackendSession& s, std::span<const TensorRead> operands, TensorWrite out, Scalar alpha,
                          Scalar beta) const;
  void execute_into_accum(BackendSession& s, std::initializer_list<TensorRead> operands, TensorWrite out, Scalar alpha,
                          Scalar beta) const {
    execute_into_accum(s, std::span<const TensorRead>(operands.begin(), operands.size()), out, alpha, beta);
  }

 private:
  explicit EinsumPlan(internal::EinsumProgram program)
      : program_(std::make_shared<const internal::EinsumProgram>(std::move(program))) {}

  Tensor execute_on(BackendSession& s, std::span<const TensorRead> operands) const;

  std::shared_ptr<const internal::EinsumProgram> program_;
};

}  // namespace tenferro
