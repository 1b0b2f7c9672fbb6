// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One row per operation of the catalog: what to try it on, and an independent way to compute the answer. All suites of
// this folder run over these rows; a catalog row without one does not build.
//
// An element-by-element operation is described by a formula for one element and by the domain of its operands; the
// calls (shapes, edges, empty, rank 0, large) follow. Any other operation names its calls and its oracle.

#include <array>
#include <string>
#include <vector>

#include "tenferro/ops/op_table.hpp"
#include "tests/conformance/array.hpp"

namespace tenferro::testing {

/// An operation with operands; the label says what is special about it.
struct OpCall {
  std::string label;
  Op op;
  std::vector<Array> in;
};
using Calls = std::vector<OpCall>;

/// One element of the result from one element of each operand, per class of dtypes and number of operands; null where
/// the row does not admit the class. Integers come sign-extended and are cut to their width afterwards.
struct Formula {
  Real (*real1)(Real) = nullptr;
  Real (*real2)(Real, Real) = nullptr;
  Real (*real3)(Real, Real, Real) = nullptr;
  Complex (*complex1)(Complex) = nullptr;
  Complex (*complex2)(Complex, Complex) = nullptr;
  Complex (*complex3)(Complex, Complex, Complex) = nullptr;
  Whole (*whole1)(Whole) = nullptr;
  Whole (*whole2)(Whole, Whole) = nullptr;
  Whole (*whole3)(Whole, Whole, Whole) = nullptr;
};

/// Dtype of the result of a formula. `joined`: the operands are real and imaginary part.
enum class ElementResult : std::uint8_t { same, real_part, joined, boolean };

struct OpSample {
  // Element by element:
  Formula formula{};
  ElementResult result = ElementResult::same;
  std::array<Domain, 3> domain{};
  // Any other:
  Calls (*calls)(DType) = nullptr;
  Calls (*large)(DType) = nullptr;  ///< enough work for several threads
  std::vector<Array> (*oracle)(const Op&, const std::vector<Array>&) = nullptr;

  Tolerance tolerance{};
};

const OpSample& op_sample(OpKind kind);

/// Calls of the operation with data operands of an admitted dtype: ordinary ones, some without any element, some of
/// rank 0 where the operation allows it.
Calls sample_calls(OpKind kind, DType dtype);
/// Calls with enough work for several threads.
Calls large_calls(OpKind kind, DType dtype);
/// The expected results, wide.
std::vector<Array> expected_results(const OpCall& call);

bool is_elementwise(OpKind kind);
/// The first admitted dtype, for tests where one is as good as another.
DType any_dtype(OpKind kind);

}  // namespace tenferro::testing
