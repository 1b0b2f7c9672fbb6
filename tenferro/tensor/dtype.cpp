// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/dtype.hpp"

namespace tenferro {
namespace {

using enum DType;
// Rows and columns in enumerator order: f32 f64 c32 c64 i32 i64 bool external.
constexpr DType kPromotion[kDTypeCount + 1][kDTypeCount + 1] = {
    {f32, f64, c32, c64, f64, f64, f32, external},
    {f64, f64, c64, c64, f64, f64, f64, external},
    {c32, c64, c32, c64, c64, c64, c32, external},
    {c64, c64, c64, c64, c64, c64, c64, external},
    {f64, f64, c64, c64, i32, i64, i32, external},
    {f64, f64, c64, c64, i64, i64, i64, external},
    {f32, f64, c32, c64, i32, i64, boolean, external},
    {external, external, external, external, external, external, external, external},
};

constexpr std::string_view kNames[] = {
#define TENFERRO_DTYPE(name, type, text) text,
#include "tenferro/tensor/dtype.def"
    "external"};

}  // namespace

std::string_view name(DType d) noexcept { return kNames[index(d)]; }

std::string to_text(DTypeSet set) {
  std::string text;
  for (const DType d : kDTypes) {
    if (!set.contains(d)) continue;
    if (!text.empty()) text += ' ';
    text += name(d);
  }
  return text;
}

DType promote(DType a, DType b) noexcept { return kPromotion[index(a)][index(b)]; }

}  // namespace tenferro
