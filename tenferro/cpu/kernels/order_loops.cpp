// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/order_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/order_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T, bool descending>
struct Loops {
  using D = hn::CappedTag<T, 64 / sizeof(T)>;
  using DK = hn::RebindToSigned<D>;
  using V = hn::Vec<D>;
  using VK = hn::Vec<DK>;
  using Key = hn::TFromD<DK>;
  static constexpr bool kFloat = hwy::IsFloat<T>();
  static constexpr std::int64_t N = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr Key kTop = std::numeric_limits<Key>::max();

  // Bits of a float whose sign is apart, as an integer in the same order; and back.
  static HWY_INLINE VK turned(VK bits) {
    return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(DK(), kTop)));
  }
  static HWY_INLINE VK key(V x) {
    VK key = hn::BitCast(DK(), x);
    if constexpr (kFloat) key = turned(hn::BitCast(DK(), hn::Add(x, hn::Zero(D()))));  // −0 + 0 is +0
    if constexpr (descending) key = hn::Not(key);
    if constexpr (kFloat) key = hn::IfThenElse(hn::RebindMask(DK(), hn::IsNaN(x)), hn::Set(DK(), kTop), key);
    return key;
  }
  static HWY_INLINE V element(VK key) {
    if constexpr (descending) key = hn::Not(key);
    if constexpr (kFloat) key = turned(key);
    return hn::BitCast(D(), key);
  }

  // Vectors of n elements; the last ones are followed by copies of the last element.
  template <class F>
  static HWY_INLINE void each(const T* x, std::int64_t n, F f) {
    std::int64_t i = 0;
    for (; i + N <= n; i += N) f(i, N, hn::LoadU(D(), x + i));
    if (i == n) return;
    alignas(64) T copy[static_cast<std::size_t>(N)];
    for (std::int64_t k = 0; k < N; ++k) copy[k] = x[std::min(i + k, n - 1)];
    f(i, n - i, hn::Load(D(), copy));
  }
  template <class DV, class VV>
  static HWY_INLINE void put(DV d, VV v, hn::TFromD<DV>* to, std::int64_t n) {
    if (n == N) return hn::StoreU(v, d, to);
    alignas(64) hn::TFromD<DV> copy[static_cast<std::size_t>(N)];
    hn::Store(v, d, copy);
    for (std::int64_t k = 0; k < n; ++k) to[k] = copy[k];
  }

  static bool in_order(const std::byte* from, std::int64_t n) {
    const T* const x = reinterpret_cast<const T*>(from);
    const std::int64_t rising = rise<false>(x, 0, n);
    return rising + 1 >= n || (kFloat && rise<kFloat>(x, rising, n) + 1 >= n);
  }
  // Up to where, from x[i] on, no element comes before the one ahead of it, as far as whole pieces tell; with or
  // without a thought for NaN, which comes last.
  template <bool nan>
  static HWY_INLINE std::int64_t rise(const T* x, std::int64_t i, std::int64_t n) {
    const auto falls = [x](std::int64_t k) HWY_ATTR {
      const V a = hn::LoadU(D(), x + k), b = hn::LoadU(D(), x + k + 1);
      if constexpr (kFloat && !nan) return hn::Not(descending ? hn::Le(b, a) : hn::Le(a, b));
      const auto before = descending ? hn::Lt(a, b) : hn::Lt(b, a);
      if constexpr (nan) return hn::Or(before, hn::AndNot(hn::IsNaN(b), hn::IsNaN(a)));
      if constexpr (!kFloat) return before;
    };
    constexpr std::int64_t kPiece = 16 * N;
    for (; i + kPiece < n; i += kPiece) {
      auto any = falls(i);
      for (std::int64_t k = N; k < kPiece; k += N) any = hn::Or(any, falls(i + k));
      if (!hn::AllFalse(D(), any)) return i;
    }
    for (; i + N < n; i += N) {
      if (!hn::AllFalse(D(), falls(i))) return i;
    }
    for (; i + 1 < n; ++i) {
      const T a = x[i], b = x[i + 1];
      if (!((descending ? a >= b : a <= b) || (nan && b != b))) return i;
    }
    return i;
  }

  static KeyFacts keys(const std::byte* from, std::int64_t n, std::byte* to) {
    KeyFacts facts;
    if (n == 0) return facts;
    VK least = hn::Set(DK(), kTop), most = hn::Not(least), zeros = hn::Zero(DK());
    each(reinterpret_cast<const T*>(from), n, [&](std::int64_t i, std::int64_t count, V x) HWY_ATTR {
      const VK v = key(x);
      least = hn::Min(least, v);
      most = hn::Max(most, v);
      if constexpr (kFloat) {
        const VK bits = hn::BitCast(DK(), x);
        zeros = hn::Or(zeros, hn::VecFromMask(DK(), hn::Eq(bits, hn::Set(DK(), std::numeric_limits<Key>::min()))));
      }
      put(DK(), v, reinterpret_cast<Key*>(to) + i, count);
    });
    facts.least = hn::GetLane(hn::MinOfLanes(DK(), least));
    facts.most = hn::GetLane(hn::MaxOfLanes(DK(), most));
    if constexpr (kFloat) {
      facts.negative_zero = !hn::AllTrue(DK(), hn::Eq(zeros, hn::Zero(DK())));
      for (std::int64_t i = 0; facts.most == kTop && i < n; ++i) {
        facts.nans += reinterpret_cast<const Key*>(to)[i] == kTop ? 1 : 0;
      }
    }
    return facts;
  }

  static void elements(const std::byte* from, std::int64_t n, std::byte* to) {
    const Key* const keys = reinterpret_cast<const Key*>(from);
    T* const out = reinterpret_cast<T*>(to);
    std::int64_t i = 0;
    for (; i + N <= n; i += N) hn::StoreU(element(hn::LoadU(DK(), keys + i)), D(), out + i);
    if (i == n) return;
    alignas(64) Key copy[static_cast<std::size_t>(N)] = {};
    for (std::int64_t k = i; k < n; ++k) copy[k - i] = keys[k];
    put(D(), element(hn::Load(DK(), copy)), out + i, n - i);
  }
};

template <class T, bool descending>
constexpr OrderLoops kLoops{&Loops<T, descending>::in_order, &Loops<T, descending>::keys,
                            &Loops<T, descending>::elements};

template <bool descending>
const OrderLoops* of_dtype(DType dtype) {
  if (dtype == DType::f32) return &kLoops<float, descending>;
  if (dtype == DType::f64) return &kLoops<double, descending>;
  if (dtype == DType::i32) return &kLoops<std::int32_t, descending>;
  return &kLoops<std::int64_t, descending>;
}

const OrderLoops* loops_of(DType dtype, bool descending) {
  return descending ? of_dtype<true>(dtype) : of_dtype<false>(dtype);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(loops_of);

const OrderLoops& order_loops(DType dtype, bool descending) { return *TENFERRO_DISPATCH(loops_of)(dtype, descending); }

}  // namespace tenferro::internal
#endif
