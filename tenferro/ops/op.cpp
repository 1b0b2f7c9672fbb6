// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/op.hpp"

#include <array>
#include <functional>

#include "tenferro/ops/internal/hash.hpp"

namespace tenferro {
namespace internal {

// Rows with a payload get an entry too, so that the table can be indexed; nobody asks for theirs.
constinit const std::array<Op, kOpCount> kPlainOps = {
#define TENFERRO_OP(name, category, arity, results, attrs, ...) \
  Op(AttrsId::attrs == AttrsId::NoAttrs ? OpKind::name : OpKind::neg),
#include "tenferro/ops/core_ops.def"
};

}  // namespace internal

std::size_t hash_value(const Op& op) {
  const std::size_t family = op.is_core() ? 0 : std::hash<std::string_view>{}(op.code.family->id);
  return internal::hash_all(family, op.code.index, hash_value(op.attrs));
}

}  // namespace tenferro
