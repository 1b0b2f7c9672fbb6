// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The catalog as typed constants: one enumerator and one OpInfo per row of core_ops.def.
//
// Example:
//     const OpInfo& row = info(OpKind::div);
//     CHECK(row.name == "div" && row.category == OpCategory::binary && row.arity == 2);
//     CHECK(has(row.traits, Traits::data_checked));
//     CHECK(admitted(row.dtypes).contains(DType::c64) && !admitted(DTypeRule::flt).contains(DType::c64));
//     CHECK(&kOps[index(OpKind::div)] == &row);

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tenferro/tensor/dtype.hpp"

namespace tenferro {

/// The core operations, in catalog order.
enum class OpKind : std::uint8_t {
#define TENFERRO_OP(name, ...) name,
#include "tenferro/ops/core_ops.def"
};

inline constexpr std::size_t kOpCount = 0
#define TENFERRO_OP(...) +1
#include "tenferro/ops/core_ops.def"
    ;

constexpr std::size_t index(OpKind kind) noexcept { return static_cast<std::size_t>(kind); }

enum class OpCategory : std::uint8_t {
  unary,
  binary,
  ternary,
  reduction,
  scan,
  order,
  contraction,
  structural,
  indexing,
  dynamic,
  creation,
  random,
};

/// Which dtypes the data operands of an operation may have.
enum class DTypeRule : std::uint8_t { num, real, flt, inx, integer, logical, any };

namespace internal {
using enum DType;
inline constexpr DTypeSet kAdmitted[] = {
    DTypeSet::of(f32, f64, c32, c64, i32, i64),           // num
    DTypeSet::of(f32, f64, i32, i64),                     // real
    DTypeSet::of(f32, f64),                               // flt
    DTypeSet::of(f32, f64, c32, c64),                     // inx
    DTypeSet::of(i32, i64),                               // integer
    DTypeSet::of(boolean),                                // logical
    DTypeSet::of(f32, f64, c32, c64, i32, i64, boolean),  // any
};
}  // namespace internal

/// The dtypes that a rule admits.
constexpr DTypeSet admitted(DTypeRule rule) noexcept { return internal::kAdmitted[static_cast<std::size_t>(rule)]; }

/// How the dtype of the result follows from that of the data operand; `attr`: the payload says it.
enum class ResultRule : std::uint8_t { same, real_part, complex_partner, boolean, index, attr };

/// Which rule gives the shape of the result and checks the operands' shapes.
enum class ShapeRule : std::uint8_t {
  same,
  select,
  reduce,
  arg_reduce,
  scan,
  sort,
  top_k,
  dot_general,
  transpose,
  reshape,
  broadcast_in_dim,
  extract_diag,
  embed_diag,
  matrix,
  reverse,
  concatenate,
  pad,
  slice,
  gather,
  scatter,
  dynamic_slice,
  dynamic_update_slice,
  gather_dynamic,
  shape_of,
  dynamic_truncate,
  pad_to_match,
  constant,
  iota,
  random_bits,
};

/// Facts that rules and compilers use; a set of flags.
enum class Traits : std::uint8_t {
  none = 0,
  commutative = 1,     ///< operands may be swapped
  multilinear = 2,     ///< linear in each operand of linear_in alone, not in all together
  real_linear = 4,     ///< linear over the reals only
  data_checked = 8,    ///< may fail by the values of its operands, before any output is written
  dynamic_shape = 16,  ///< the shape of the result depends on values
  cheap = 32           ///< a few instructions an element: bound by memory, worth a vectorised loop
};
constexpr Traits operator|(Traits a, Traits b) noexcept {
  return static_cast<Traits>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Traits set, Traits flag) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(flag)) != 0;
}

/// Arity of an operation that takes any number of operands, at least one.
inline constexpr std::uint8_t kVariadic = 255;

/// Which alternative of Attrs an operation carries; named after the alternatives in attrs.hpp.
enum class AttrsId : std::uint8_t {
  NoAttrs,
  ReduceAttrs,
  ArgReduceAttrs,
  ScanAttrs,
  SortAttrs,
  TopKAttrs,
  DotGeneralConfig,
  TransposeAttrs,
  ReshapeAttrs,
  BroadcastInDimAttrs,
  ConvertAttrs,
  DiagAttrs,
  TriAttrs,
  AxesAttrs,
  AxisAttrs,
  PadAttrs,
  SliceAttrs,
  GatherAttrs,
  ScatterAttrs,
  DynamicSliceAttrs,
  GatherDynamicAttrs,
  ConstantAttrs,
  IotaAttrs,
  RandomBitsAttrs,
  ExtensionAttrs,
};

/// One row of the catalog.
struct OpInfo {
  OpKind kind;
  std::string_view name, doc;
  OpCategory category;
  std::uint8_t arity, results;
  AttrsId attrs;
  DTypeRule dtypes;
  ResultRule result;
  ShapeRule shape;
  std::uint8_t linear_in;
  Traits traits;
};

namespace internal {
using enum Traits;  // so that a row may write commutative | multilinear
inline constexpr std::array<OpInfo, kOpCount> kOpRows{{
#define TENFERRO_OP(name, category, arity, results, attrs, dtypes, result, shape, linear_in, traits, doc) \
  {OpKind::name,                                                                                          \
   #name,                                                                                                 \
   doc,                                                                                                   \
   OpCategory::category,                                                                                  \
   arity,                                                                                                 \
   results,                                                                                               \
   AttrsId::attrs,                                                                                        \
   DTypeRule::dtypes,                                                                                     \
   ResultRule::result,                                                                                    \
   ShapeRule::shape,                                                                                      \
   linear_in,                                                                                             \
   traits},
#include "tenferro/ops/core_ops.def"
}};

constexpr bool catalog_is_sound() {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (index(kOpRows[i].kind) != i || kOpRows[i].doc.empty()) return false;
    if (kOpRows[i].arity != kVariadic && kOpRows[i].arity > 3) return false;
    if (kOpRows[i].results < 1 || kOpRows[i].results > 2) return false;
  }
  return true;
}
static_assert(catalog_is_sound(), "core_ops.def: rows need a doc, an arity up to 3 or kVariadic, 1 or 2 results");
}  // namespace internal

/// Every row, in catalog order.
inline constexpr const std::array<OpInfo, kOpCount>& kOps = internal::kOpRows;

constexpr const OpInfo& info(OpKind kind) noexcept { return internal::kOpRows[index(kind)]; }

}  // namespace tenferro
