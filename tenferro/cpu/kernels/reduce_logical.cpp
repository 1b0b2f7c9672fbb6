// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_any and reduce_all. The order of looking does not matter, so a run ends with the element that decides it.
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_driver.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/reduce_logical.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "tenferro/cpu/kernels/reduce_tree.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <bool all>
struct LogicalLoops {
  using D = hn::ScalableTag<std::uint8_t>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t N = static_cast<std::int64_t>(hn::MaxLanes(D()));

  static HWY_INLINE V load(const std::byte* x) { return hn::LoadU(D(), reinterpret_cast<const std::uint8_t*>(x)); }
  static HWY_INLINE V combine(V a, V b) { return all ? hn::And(a, b) : hn::Or(a, b); }
  static HWY_INLINE std::byte combine(std::byte a, std::byte b) { return all ? a & b : a | b; }
  // Whether some lane has decided the result.
  static HWY_INLINE bool decided(V v) {
    const auto zero = hn::Eq(v, hn::Zero(D()));
    return all ? !hn::AllFalse(D(), zero) : !hn::AllTrue(D(), zero);
  }

  static bool run_of(const std::byte* x, std::int64_t n) {
    constexpr bool kDeciding = !all;
    std::int64_t i = 0;
    for (; i + 8 * N <= n; i += 8 * N) {
      V v = load(x + i);
      for (std::int64_t j = 1; j < 8; ++j) v = combine(v, load(x + i + j * N));
      if (decided(v)) return kDeciding;
    }
    for (; i + N <= n; i += N) {
      if (decided(load(x + i))) return kDeciding;
    }
    for (; i < n; ++i) {
      if ((x[i] != std::byte{0}) == kDeciding) return kDeciding;
    }
    return !kDeciding;
  }

  static void runs(const ReducedRuns& x, std::byte* out, std::int64_t out_step, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      out[i * out_step] = static_cast<std::byte>(run_of(x.data + i * x.apart, x.length));
    }
  }

  static void combine_in_place(const std::byte* a, std::byte* b, std::int64_t width) {
    std::int64_t c = 0;
    for (; c + N <= width; c += N) {
      hn::StoreU(combine(load(a + c), load(b + c)), D(), reinterpret_cast<std::uint8_t*>(b + c));
    }
    for (; c < width; ++c) b[c] = combine(a[c], b[c]);
  }

  static void block(const ReducedRows& x, std::byte*, std::byte* out) {
    std::memcpy(out, x.base + x.offset[0], static_cast<std::size_t>(x.width));
    for (std::int64_t r = 1; r < x.count; ++r) combine_in_place(x.base + x.offset[r], out, x.width);
  }

  static bool settled(const std::byte* x, std::int64_t width) {
    for (std::int64_t c = 0; c < width; ++c) {
      if ((x[c] != std::byte{0}) == all) return false;
    }
    return true;
  }
};

template <bool all>
constexpr ReduceLoops kLogical{
    .in_size = 1,
    .acc_size = 1,
    .block_length = kBlock<bool>,
    .lanes = 1,
    .any_order = true,
    .empty = element_bytes(all),
    .runs = &LogicalLoops<all>::runs,
    .block = &LogicalLoops<all>::block,
    .combine = &LogicalLoops<all>::combine_in_place,
    .settled = &LogicalLoops<all>::settled,
    .next = &kLogical<all>,
};

const ReduceLoops* logical_loops(bool all) { return all ? &kLogical<true> : &kLogical<false>; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(logical_loops);

void any_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(logical_loops)(false), context, op, in[0], out[0]);
}

void all_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(logical_loops)(true), context, op, in[0], out[0]);
}

}  // namespace tenferro::internal
#endif
