// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/dim_expr.hpp"

#include <algorithm>
#include <optional>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/error.hpp"
#include "tenferro/ops/internal/hash.hpp"

namespace tenferro {

struct DimExpr::Pair {
  DimExpr a, b;
  std::int64_t terms;
  std::size_t hash;
};

namespace {

constexpr std::string_view kName = "DimExpr";

/// Nothing where the result does not exist or does not fit.
std::optional<std::int64_t> apply(DimExpr::Kind kind, std::int64_t a, std::int64_t b) noexcept {
  std::int64_t result = 0;
  bool fails = false;
  switch (kind) {
    case DimExpr::Kind::add:
      fails = add_overflows(a, b, &result);
      break;
    case DimExpr::Kind::sub:
      fails = sub_overflows(a, b, &result);
      break;
    case DimExpr::Kind::mul:
      fails = mul_overflows(a, b, &result);
      break;
    case DimExpr::Kind::floor_div:
      fails = b == 0 || (b == -1 && sub_overflows(0, a, &result));
      if (!fails && b != -1) result = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
      break;
    case DimExpr::Kind::min:
      result = std::min(a, b);
      break;
    case DimExpr::Kind::max:
      result = std::max(a, b);
      break;
    case DimExpr::Kind::constant:
    case DimExpr::Kind::extent:
      fails = true;
      break;
  }
  if (fails) return std::nullopt;
  return result;
}

std::string_view symbol(DimExpr::Kind kind) noexcept {
  switch (kind) {
    case DimExpr::Kind::add:
      return " + ";
    case DimExpr::Kind::sub:
      return " - ";
    case DimExpr::Kind::mul:
      return " * ";
    case DimExpr::Kind::floor_div:
      return " // ";
    case DimExpr::Kind::min:
      return "min";
    case DimExpr::Kind::max:
      return "max";
    case DimExpr::Kind::constant:
    case DimExpr::Kind::extent:
      break;
  }
  return "";
}

}  // namespace

DimExpr DimExpr::extent(std::uint8_t operand, std::uint8_t axis) {
  DimExpr e;
  e.kind_ = Kind::extent;
  e.value_ = operand * 256 + axis;
  return e;
}

std::int64_t DimExpr::terms() const noexcept { return pair_ != nullptr ? pair_->terms : 1; }

DimExpr DimExpr::node(Kind kind, const DimExpr& a, const DimExpr& b) {
  if (a.kind_ == Kind::constant && b.kind_ == Kind::constant) {
    if (const auto value = apply(kind, a.value_, b.value_)) return DimExpr(*value);
  }
  const std::int64_t terms = a.terms() + b.terms();
  if (terms > kMaxTerms) {
    raise<OpErrorInfo>(BadArgument{
        kName, concat("the expression is too long (expected up to ", kMaxTerms, " terms, got ", terms, ")")});
  }
  DimExpr e;
  e.kind_ = kind;
  const std::size_t hash = internal::hash_all(static_cast<std::size_t>(kind), a.hash(), b.hash());
  e.pair_ = std::make_shared<const Pair>(Pair{a, b, terms, hash});
  return e;
}

std::int64_t DimExpr::evaluate(std::span<const MetaView> operands) const {
  if (kind_ == Kind::constant) return value_;
  if (kind_ == Kind::extent) {
    const auto operand = static_cast<std::size_t>(value_ / 256), axis = static_cast<std::size_t>(value_ % 256);
    if (operand >= operands.size() || axis >= operands[operand].rank()) {
      raise<OpErrorInfo>(BadArgument{kName, concat("there is no ", to_text())});
    }
    return operands[operand].shape[axis];
  }
  const std::int64_t a = pair_->a.evaluate(operands), b = pair_->b.evaluate(operands);
  const auto value = apply(kind_, a, b);
  if (!value) {
    raise<OpErrorInfo>(BadArgument{kName, concat(to_text(), " has no value (operands ", a, " and ", b, ")")});
  }
  return *value;
}

bool operator==(const DimExpr& a, const DimExpr& b) {
  if (a.kind_ != b.kind_ || a.value_ != b.value_) return false;
  if (a.pair_ == b.pair_) return true;
  return a.pair_->hash == b.pair_->hash && a.pair_->a == b.pair_->a && a.pair_->b == b.pair_->b;
}

std::size_t DimExpr::hash() const {
  if (pair_ != nullptr) return pair_->hash;
  return internal::hash_all(static_cast<std::size_t>(kind_), static_cast<std::uint64_t>(value_));
}

std::string DimExpr::to_text() const {
  switch (kind_) {
    case Kind::constant:
      return concat(value_);
    case Kind::extent:
      return concat('x', value_ / 256, ".shape[", value_ % 256, ']');
    case Kind::min:
    case Kind::max:
      return concat(symbol(kind_), '(', pair_->a.to_text(), ", ", pair_->b.to_text(), ')');
    case Kind::add:
    case Kind::sub:
    case Kind::mul:
    case Kind::floor_div:
      return concat('(', pair_->a.to_text(), symbol(kind_), pair_->b.to_text(), ')');
  }
  return {};
}

}  // namespace tenferro
