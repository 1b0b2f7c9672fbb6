// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Families of operations outside the core. A family lists its rows in a .def file of its own, which ends with
// `#undef TENFERRO_FAMILY_OP`, and gets an enumeration, typed rows and coverage checks from it as the core does:
//
//   // matrix_ops.def
//   TENFERRO_FAMILY_OP(qr, 1, 2, "Orthonormal and triangular factors.")      // name, arity, results, doc
//
//   // matrix_ops.hpp
//   enum class MatrixOp : std::uint16_t {
//   #define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ENUMERATOR
//   #include "matrix_ops.def"
//   };
//   inline constexpr FamilyRow kMatrixRows[] = {
//   #define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ROW
//   #include "matrix_ops.def"
//   };
//
//   // matrix_ops.cpp
//   constexpr auto kMatrixParts = family_table<MatrixOp, FamilyParts>(kMatrixRows, {{MatrixOp::qr, {infer_qr, …}}});
//   TENFERRO_COVERS_FAMILY(kMatrixRows, kMatrixParts);
//   constexpr auto kMatrixOps = family_ops(kMatrixRows, kMatrixParts);
//   const ExtensionFamily kMatrixFamily{"matrix", kMatrixOps, kernels_for};
//
// Kernels per backend are a table of the same kind: `family_table<MatrixOp, KernelFn>(kMatrixRows, {…})`, whose
// `entries` are what kernels_for returns.
//
// Example (tenferro/ops/eval_shape.hpp):
//     enum class ToyOp : std::uint16_t { twice };                                // the same without a .def file
//     constexpr FamilyRow kToyRows[] = {{"twice", "2·x.", 1, 1}};
//     OpFailure infer_twice(const Op&, std::span<const MetaView> in, std::span<TensorMeta> out) {
//       out[0] = {in[0].dtype, Shape(in[0].shape)};
//       return nullptr;
//     }
//     constexpr auto kToyParts = family_table<ToyOp, FamilyParts>(kToyRows, {{ToyOp::twice, {infer_twice}}});
//     TENFERRO_COVERS_FAMILY(kToyRows, kToyParts);
//     constexpr auto kToyOps = family_ops(kToyRows, kToyParts);
//     const ExtensionFamily kToy{"toy", kToyOps, nullptr};
//
//     int main() {
//       ShapeEvaluator shapes;
//       CHECK(bind1(shapes, family_op(kToy, ToyOp::twice), TensorMeta{DType::f32, {3}}).shape == Shape{3});
//       struct Factor {
//         std::int64_t value;
//       };
//       Op op = family_op(kToy, ToyOp::twice, Factor{3});      // with a payload
//       CHECK(op.as<ExtensionAttrs>().get<Factor>().value == 3);
//       CHECK(op.as<ExtensionAttrs>().table() == &payload_table<Factor>());
//       constexpr FamilyTable<int, 1> hole;
//       static_assert(first_missing(kToyParts) == 1 && first_missing(hole) == 0);
//       static_assert(no_family_entry_for<1, 1>::ok);          // what TENFERRO_COVERS_FAMILY asks
//       return 0;
//     }

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tenferro/ops/op.hpp"

namespace tenferro {

/// One row of a family's .def.
struct FamilyRow {
  std::string_view name, doc;
  std::uint8_t arity, results;
};

/// What the row of a family's operation points to.
struct FamilyParts {
  InferFn infer = nullptr;
  AdRule ad = {};
};

/// Entries of type T, one per row.
template <class T, std::size_t N>
struct FamilyTable {
  std::array<T, N> entries{};
  std::array<bool, N> present{};
};

/// A table from (enumerator, entry) pairs; TENFERRO_COVERS_FAMILY says whether every row has one.
template <class Enum, class T, std::size_t N, std::size_t M>
constexpr FamilyTable<T, N> family_table(const FamilyRow (&)[N], const std::pair<Enum, T> (&entries)[M]) {
  FamilyTable<T, N> table;
  for (const auto& [op, entry] : entries) {
    table.entries[static_cast<std::size_t>(op)] = entry;
    table.present[static_cast<std::size_t>(op)] = true;
  }
  return table;
}

/// Number of the first row without an entry; N if none.
template <class T, std::size_t N>
constexpr std::size_t first_missing(const FamilyTable<T, N>& table) {
  for (std::size_t i = 0; i < N; ++i) {
    if (!table.present[i]) return i;
  }
  return N;
}

/// Fails to instantiate with the number of the row.
template <std::size_t Missing, std::size_t Rows>
struct no_family_entry_for {
  static_assert(Missing == Rows, "a row of the family has no entry in this table");
  static constexpr bool ok = Missing == Rows;
};

/// The rows that an ExtensionFamily points to.
template <std::size_t N>
constexpr std::array<ExtensionOp, N> family_ops(const FamilyRow (&rows)[N], const FamilyTable<FamilyParts, N>& parts) {
  std::array<ExtensionOp, N> ops{};
  for (std::size_t i = 0; i < N; ++i) {
    ops[i] = {rows[i].name, rows[i].doc, rows[i].arity, rows[i].results, parts.entries[i].infer, parts.entries[i].ad};
  }
  return ops;
}

/// Compares and hashes payloads by their bytes; T has neither padding nor floats, so that equal values have equal
/// bytes.
template <class T>
  requires std::has_unique_object_representations_v<T>
const ExtensionAttrsTable& payload_table() noexcept {
  static constexpr ExtensionAttrsTable kTable{
      [](const std::byte* a, const std::byte* b) { return std::memcmp(a, b, sizeof(T)) == 0; },
      [](const std::byte* a) { return std::hash<std::string_view>{}({reinterpret_cast<const char*>(a), sizeof(T)}); }};
  return kTable;
}

/// An operation of a family; the payload type T is trivially copyable and at most 32 bytes.
template <class Enum>
Op family_op(const ExtensionFamily& family, Enum op) {
  return {family, static_cast<std::uint16_t>(op)};
}
template <class Enum, class T>
Op family_op(const ExtensionFamily& family, Enum op, const T& payload) {
  return {family, static_cast<std::uint16_t>(op), ExtensionAttrs::of(payload, &payload_table<T>())};
}

}  // namespace tenferro

#define TENFERRO_FAMILY_ENUMERATOR(name, ...) name,
#define TENFERRO_FAMILY_ROW(name, arity, results, doc) {#name, doc, arity, results},
/// Stops the build, showing the number of the row, where a table has no entry for it.
#define TENFERRO_COVERS_FAMILY(rows, table)                                                             \
  static_assert(::tenferro::no_family_entry_for<::tenferro::first_missing(table), std::size(rows)>::ok, \
                "a row of the family has no entry in this table")
