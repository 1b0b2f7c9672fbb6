// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Why an operation is refused. Payloads that tensors share (axis, dtype, index, overlap …) come from tensor/error.hpp.
//
// Example (session, tenferro/ops/conveniences.hpp):
//     Tensor x = Tensor::zeros<double>(2, 3), none = Tensor::zeros<double>(0), n = Tensor::vector({1, 0});
//     auto why = [](auto f) { return attempt<OpErrorInfo>(f).error(); };
//     CHECK(std::get<ShapeMismatch>(why([&] { return add(session, x, n); })).rhs == Shape{2});
//     CHECK(std::get<EmptyReduction>(why([&] { return reduce_max(session, none); })).shape == Shape{0});
//     CHECK(std::get<UnsupportedConversion>(why([&] { return convert(session, x, DType::f32); })).to == DType::f32);
//     CHECK(std::get<BadElement>(why([&] { return div(session, n, n); })).position == 1);                // 0 / 0
//     CHECK(std::get<ArityMismatch>(why([&] { return bind1(session, Op(OpKind::exp), x, x); })).expected == 1);

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/tensor/error.hpp"

namespace tenferro {

/// Shapes of two operands that do not fit; `hint` says the rule, and may be empty.
struct ShapeMismatch {
  std::string_view op;
  Shape lhs, rhs;
  std::string hint;
};
/// A number of operands, or of whatever `what` says, that the operation does not have.
struct ArityMismatch {
  std::string_view op;
  std::int64_t expected, got;  ///< expected −1: at least one
  std::string_view what = "operands";
};
/// Largest, smallest or their index over no elements at all.
struct EmptyReduction {
  std::string_view op;
  Shape shape;
};
struct UnsupportedConversion {
  std::string_view op;
  DType from, to;
};
/// An element that has no result: zero divisor, negative exponent, shift outside the width. `position` is the
/// column-major index of the element.
struct BadElement {
  std::string_view op;
  std::int64_t operand;
  std::int64_t position;
  std::string what;
};
/// No kernel for this operation on this backend.
struct Unsupported {
  std::string_view family, op, backend;
  std::string why;
};
struct BackendFailure {
  std::string_view op;
  std::string text;
};

std::string describe(const ShapeMismatch& e);
std::string describe(const ArityMismatch& e);
std::string describe(const EmptyReduction& e);
std::string describe(const UnsupportedConversion& e);
std::string describe(const BadElement& e);
std::string describe(const Unsupported& e);
std::string describe(const BackendFailure& e);

using OpErrorInfo = std::variant<ShapeMismatch, DTypeMismatch, UnsupportedDType, RankMismatch, AxisOutOfRange,
                                 DuplicateAxis, BadArgument, ArityMismatch, ElementCountMismatch, EmptyReduction,
                                 IndexOutOfBounds, UnsupportedConversion, BadElement, InvalidShape, ShapeOverflow,
                                 OverlappingStorage, PlacementMismatch, Unsupported, BackendFailure>;
using OpError = TypedError<OpErrorInfo>;

/// A failure behind one pointer, null when there is none: what inference returns on the hot path.
using OpFailure = std::unique_ptr<OpErrorInfo>;

/// The failure with this payload.
///
/// Example (tenferro/ops/infer.hpp):
///     auto infer_square = [](const Op& op, std::span<const MetaView> in) -> OpFailure {
///       if (in.size() != 1) return op_failure(ArityMismatch{op.name(), 1, static_cast<std::int64_t>(in.size())});
///       return nullptr;                                        // accepted
///     };
///     auto refused = attempt<OpErrorInfo>([&] { throw_failure(infer_square(Op(OpKind::square), {})); });
///     CHECK(std::get<ArityMismatch>(refused.error()).got == 0);
template <class Payload>
[[gnu::noinline, gnu::cold]] OpFailure op_failure(Payload payload) {
  return std::make_unique<OpErrorInfo>(std::move(payload));
}

/// Throws what an OpFailure holds.
[[noreturn, gnu::cold]] void throw_failure(OpFailure failure);

namespace internal {
// Throws the error again with `op` as the operation that it names.
[[noreturn, gnu::cold]] void rethrow_as(std::string_view op, const OpError& error);
}  // namespace internal

/// f(); an OpError out of it names `op`, the function that was called, instead of the row that it binds.
///
/// Example (session):
///     Tensor x = Tensor::vector({1., 2.});
///     auto refused = attempt<OpErrorInfo>([&] { return on_behalf_of("halves", [&] { return reshape(session, x, {3});
///     }); }); CHECK(std::get<ElementCountMismatch>(refused.error()).op == "halves");
template <class F>
decltype(auto) on_behalf_of(std::string_view op, F&& f) {
  try {
    return f();
  } catch (const OpError& error) {
    internal::rethrow_as(op, error);
  }
}

/// A failure inside a backend's library, as the one error type for them.
///
/// Example:
///     auto failed = attempt<OpErrorInfo>([] { backend_failure("svd", "no convergence"); });
///     CHECK(describe(std::get<BackendFailure>(failed.error())) == "svd: backend failure (no convergence)");
///     CHECK(describe(Unsupported{"linalg", "svd", "gpu", ""}) == "svd: unsupported by backend gpu in family linalg");
[[noreturn, gnu::cold]] void backend_failure(std::string_view op, std::string text);

}  // namespace tenferro
