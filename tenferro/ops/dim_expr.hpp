// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Extents as expressions: constants, extents of inputs, and + − · ⌊/⌋ min max of them.
//
// Example (tenferro/ops/infer.hpp):
//     DimExpr half = floor_div(DimExpr::extent(0, 1), 2);   // half of axis 1 of operand 0
//     TensorMeta x{DType::f64, {3, 7}};
//     MetaView operands[] = {x};
//     CHECK(half.evaluate(operands) == 3 && half.to_text() == "(x0.shape[1] // 2)");

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// An immutable integer expression over the extents of operands; cheap to copy. Written out it has at most kMaxTerms
/// constants and extents, so that no walk over it is deep; building a larger one throws OpError (BadArgument).
///
/// Example (tenferro/ops/infer.hpp):
///     DimExpr rows = DimExpr::extent(0, 0), columns = DimExpr::extent(0, 1);
///     TensorMeta x{DType::f64, {3, 7}};
///     MetaView operands[] = {x};
///     CHECK(min(rows, columns).evaluate(operands) == 3 && max(rows, columns).evaluate(operands) == 7);
///     CHECK((rows * columns - 1 + 2).evaluate(operands) == 22);
///     CHECK(rows + columns == DimExpr::extent(0, 0) + columns && (rows + columns).hash() == (rows + columns).hash());
class DimExpr {
 public:
  enum class Kind : std::uint8_t { constant, extent, add, sub, mul, floor_div, min, max };

  static constexpr std::int64_t kMaxTerms = 1024;

  DimExpr(std::int64_t value = 0) : value_(value) {}  // NOLINT: implicit by design
  /// The extent of one axis of one operand.
  static DimExpr extent(std::uint8_t operand, std::uint8_t axis);

  friend DimExpr operator+(const DimExpr& a, const DimExpr& b) { return node(Kind::add, a, b); }
  friend DimExpr operator-(const DimExpr& a, const DimExpr& b) { return node(Kind::sub, a, b); }
  friend DimExpr operator*(const DimExpr& a, const DimExpr& b) { return node(Kind::mul, a, b); }
  /// Rounded toward minus infinity.
  friend DimExpr floor_div(const DimExpr& a, const DimExpr& b) { return node(Kind::floor_div, a, b); }
  friend DimExpr min(const DimExpr& a, const DimExpr& b) { return node(Kind::min, a, b); }
  friend DimExpr max(const DimExpr& a, const DimExpr& b) { return node(Kind::max, a, b); }

  /// The value for these operands. Throws OpError (BadArgument) on a missing operand or axis, a zero divisor, overflow.
  std::int64_t evaluate(std::span<const MetaView> operands) const;

  /// Structural equality.
  friend bool operator==(const DimExpr& a, const DimExpr& b);
  std::size_t hash() const;
  /// "min(x0.shape[1], 4)".
  std::string to_text() const;

 private:
  struct Pair;
  static DimExpr node(Kind kind, const DimExpr& a, const DimExpr& b);
  std::int64_t terms() const noexcept;

  std::shared_ptr<const Pair> pair_;  // operands of an inner node
  std::int64_t value_ = 0;            // constant, or operand·256 + axis
  Kind kind_ = Kind::constant;
};

}  // namespace tenferro
