// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/op.hpp"

#include <array>
#include <functional>

#include "tenferro/ops/internal/hash.hpp"

namespace tenferro {
namespace {

template <std::size_t... I>
std::array<Op, kOpCount> plain_ops(std::index_sequence<I...>) {
  // Rows with a payload get an entry too, so that the table can be indexed; nobody asks for theirs.
  return {(kOps[I].attrs == AttrsId::NoAttrs ? Op(kOps[I].kind) : Op(OpKind::neg))...};
}

}  // namespace

std::size_t hash_value(const Op& op) {
  const std::size_t family = op.is_core() ? 0 : std::hash<std::string_view>{}(op.code.family->id);
  return internal::hash_all(family, op.code.index, hash_value(op.attrs));
}

const Op& plain_op(OpKind kind) noexcept {
  assert(info(kind).attrs == AttrsId::NoAttrs);
  static const std::array<Op, kOpCount> kPlainOps = plain_ops(std::make_index_sequence<kOpCount>{});
  return kPlainOps[index(kind)];
}

}  // namespace tenferro
