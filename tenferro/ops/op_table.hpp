// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tables over operations. A table says which category it serves and must have an entry for every row of it; a hole
// stops the build, and the compiler's message names the operation.
//
// Example:
//     static constexpr OpTable<int> kLanes = {{OpKind::sort, 1}, {OpKind::argsort, 1}, {OpKind::top_k, 2}};
//     TENFERRO_COVERS(kLanes, OpCategory::order);
//     CHECK(kLanes[OpKind::top_k] == 2 && !kLanes.contains(OpKind::exp));
//     OpTable<int> more = kLanes;
//     more.set(OpKind::cumsum, 4);
//     CHECK(first_missing(more, OpCategory::scan) == index(OpKind::cumprod));
//     CHECK(no_entry_for<static_cast<OpKind>(first_missing(kLanes, OpCategory::order))>::ok);      // the macro

#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

#include "tenferro/ops/op_kind.hpp"

namespace tenferro {

/// Entries of type T, looked up by operation.
template <class T>
class OpTable {
 public:
  constexpr OpTable() = default;
  constexpr OpTable(std::initializer_list<std::pair<OpKind, T>> entries) {
    for (const auto& [kind, entry] : entries) set(kind, entry);
  }
  constexpr void set(OpKind kind, T entry) {
    entries_[index(kind)] = entry;
    present_[index(kind)] = true;
  }
  constexpr bool contains(OpKind kind) const noexcept { return present_[index(kind)]; }
  constexpr const T& operator[](OpKind kind) const noexcept { return entries_[index(kind)]; }

 private:
  std::array<T, kOpCount> entries_{};
  std::array<bool, kOpCount> present_{};
};

/// Number of the first operation of the category (of all of them for nullopt) without an entry; kOpCount if none.
template <class T>
constexpr std::size_t first_missing(const OpTable<T>& table, std::optional<OpCategory> category) {
  for (const OpInfo& row : kOps) {
    if ((!category || row.category == *category) && !table.contains(row.kind)) return index(row.kind);
  }
  return kOpCount;
}

/// Fails to instantiate with the operation's name: no_entry_for<OpKind::gather>.
template <OpKind Missing>
struct no_entry_for {
  static_assert(index(Missing) == kOpCount, "an operation of the catalog has no entry in this table");
  static constexpr bool ok = index(Missing) == kOpCount;
};

#define TENFERRO_COVERS(table, category) \
  static_assert(                         \
      ::tenferro::no_entry_for<static_cast<::tenferro::OpKind>(::tenferro::first_missing(table, category))>::ok)
#define TENFERRO_COVERS_ALL_OPS(table) TENFERRO_COVERS(table, std::nullopt)

}  // namespace tenferro
