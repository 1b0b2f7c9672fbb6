// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/index_checks.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include <cassert>

#include "tenferro/cpu/kernels/index_checks.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

bool all_places_of(const std::int64_t* numbers, std::int64_t count, std::int64_t extent) {
  assert(extent >= 0);
  if (extent == 0) return count == 0;
  // A number or what it lacks to the last place has its top bit set if it is none; two chains of vectors overlap.
  const hn::ScalableTag<std::uint64_t> d;
  const auto* const at = reinterpret_cast<const std::uint64_t*>(numbers);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::uint64_t last = static_cast<std::uint64_t>(extent) - 1;
  const auto lasts = hn::Set(d, last);
  auto first = hn::Zero(d), second = first;
  const auto leaves = [=](std::int64_t i) {
    const auto v = hn::LoadU(d, at + i);
    return hn::Or(v, hn::Sub(lasts, v));
  };
  std::int64_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    first = hn::Or(first, leaves(i));
    second = hn::Or(second, leaves(i + lanes));
  }
  const hn::RebindToSigned<decltype(d)> ds;
  bool inside = hn::AllFalse(ds, hn::Lt(hn::BitCast(ds, hn::Or(first, second)), hn::Zero(ds)));
  for (; i < count; ++i) inside = inside && at[i] <= last;
  return inside;
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(all_places_of);

bool all_places(const std::int64_t* numbers, std::int64_t count, std::int64_t extent) {
  return TENFERRO_DISPATCH(all_places_of)(numbers, count, extent);
}

}  // namespace tenferro::internal
#endif
