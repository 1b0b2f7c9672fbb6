// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// An operation: which one, and its payload. Surfaces bind operations to operands.
//
// Example:
//     Op sum(OpKind::reduce_sum, ReduceAttrs{AxisSet::first(1)});
//     CHECK(sum.name() == "reduce_sum" && sum.arity() == 1 && sum.results() == 1 && sum.is_core());
//     CHECK(sum.kind() == OpKind::reduce_sum && sum.info().category == OpCategory::reduction);
//     CHECK(sum.as<ReduceAttrs>().axes.contains(0) && to_text(sum) == "reduce_sum{axes=[0]}");
//     Op same(OpKind::reduce_sum, ReduceAttrs{AxisSet(1)});
//     CHECK(sum == same && hash_value(sum) == hash_value(same) && !(sum.code == Op(OpKind::exp).code));
//     CHECK(&plain_op(OpKind::exp) == &plain_op(OpKind::exp));

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "tenferro/ops/attrs.hpp"
#include "tenferro/ops/extension.hpp"
#include "tenferro/ops/op_kind.hpp"

namespace tenferro {

/// Which operation: a row of the core catalog, or of a family.
///
/// Example (tenferro/ops/random_family.hpp):
///     Op op(kRandomFamily, 0);
///     CHECK(!op.is_core() && op.extension().arity == 1 && to_text(op) == "random.normal_from_bits");
///     CHECK(op.code == OpCode{&kRandomFamily, 0});
struct OpCode {
  const ExtensionFamily* family = nullptr;  ///< null: core
  std::uint16_t index = 0;

  friend bool operator==(const OpCode& a, const OpCode& b) noexcept {
    return a.index == b.index && same_family(a.family, b.family);
  }
};

/// Code and payload; comparable and hashable.
struct Op {
  OpCode code;
  Attrs attrs;

  /// An operation without payload.
  constexpr Op(OpKind kind) noexcept  // NOLINT: implicit by design
      : code{nullptr, static_cast<std::uint16_t>(kind)}, attrs(NoAttrs{}) {}
  Op(OpKind kind, Attrs payload) : code{nullptr, static_cast<std::uint16_t>(kind)}, attrs(std::move(payload)) {
    assert(attrs.index() == static_cast<std::size_t>(tenferro::info(kind).attrs));
  }
  Op(const ExtensionFamily& family, std::uint16_t index, ExtensionAttrs payload = {})
      : code{&family, index}, attrs(payload) {}

  bool is_core() const noexcept { return code.family == nullptr; }
  OpKind kind() const noexcept {
    assert(is_core());
    return static_cast<OpKind>(code.index);
  }
  const OpInfo& info() const noexcept { return tenferro::info(kind()); }
  const ExtensionOp& extension() const noexcept { return code.family->ops[code.index]; }
  std::string_view name() const noexcept { return is_core() ? info().name : extension().name; }
  std::uint8_t arity() const noexcept { return is_core() ? info().arity : extension().arity; }
  std::uint8_t results() const noexcept { return is_core() ? info().results : extension().results; }
  /// The payload, which must be a T.
  template <class T>
  const T& as() const noexcept {
    return *std::get_if<T>(&attrs);
  }

  friend bool operator==(const Op& a, const Op& b) { return a.code == b.code && a.attrs == b.attrs; }
};

std::size_t hash_value(const Op& op);

/// "reduce_sum{axes=[0]}", "exp", "linalg.qr".
std::string to_text(const Op& op);

namespace internal {
extern const std::array<Op, kOpCount> kPlainOps;
}

/// The one Op of a kind without payload; made once, so that a call costs no construction.
inline const Op& plain_op(OpKind kind) noexcept {
  assert(tenferro::info(kind).attrs == AttrsId::NoAttrs);
  return internal::kPlainOps[index(kind)];
}

}  // namespace tenferro
