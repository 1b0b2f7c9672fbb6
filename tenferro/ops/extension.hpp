// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Operation families outside the core. An operation carries a pointer to its family's record, and the record carries
// everything about it: nothing is registered and nothing is global. See docs/howto/add-a-decomposition-family.md.
//
// Example (tenferro/ops/random_family.hpp):
//     const ExtensionFamily& family = kRandomFamily;
//     const ExtensionOp& row = family.ops[0];
//     CHECK(family.id == "random" && row.name == "normal_from_bits" && row.arity == 1);
//     CHECK(family.kernels_for(BackendKind{"cpu"}).size() == family.ops.size());
//     CHECK(same_family(&family, &kRandomFamily) && !same_family(&family, nullptr));      // null: the core

#include <cstdint>
#include <span>
#include <string_view>

#include "tenferro/ops/ad_rule.hpp"
#include "tenferro/ops/error.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

struct Op;
class KernelContext;
struct TensorMeta;

/// Name of a kind of backend, e.g. "cpu"; third parties choose their own. Compared by text.
struct BackendKind {
  std::string_view id;
  friend bool operator==(BackendKind, BackendKind) = default;
};

/// Gives dtypes and shapes of all results, or why the operation is refused. The numbers of operands and results have
/// been checked against the row.
using InferFn = OpFailure (*)(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out);

/// Computes all results into outputs of the inferred dtypes and shapes; any strides on both sides.
using KernelFn = void (*)(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                          std::span<const TensorWrite> out);

/// One row of a family; `arity` may be kVariadic.
struct ExtensionOp {
  std::string_view name, doc;
  std::uint8_t arity, results;
  InferFn infer;
  AdRule ad;
};

/// A family: its rows, and its kernels for a kind of backend, one per row (null: none). Lives as one constant object in
/// the family's source file; families are equal if their ids are.
struct ExtensionFamily {
  std::string_view id;
  std::span<const ExtensionOp> ops;
  std::span<const KernelFn> (*kernels_for)(BackendKind kind);
};

inline bool same_family(const ExtensionFamily* a, const ExtensionFamily* b) noexcept {
  return a == b || (a != nullptr && b != nullptr && a->id == b->id);
}

}  // namespace tenferro
