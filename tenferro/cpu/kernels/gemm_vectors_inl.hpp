// SPDX-License-Identifier: MIT OR Apache-2.0

// What the loops of small products have in common, once for each set of vector instructions: vectors of fewer elements
// than lanes, fused multiply-add of any element, and complex products from sums of real ones.
//
//   const Few<D> few(d, 3);
//   StoreFew(d, few, MultiplyAdd(LoadFew(d, few, a), factor, sum), c);

#if defined(TENFERRO_GEMM_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMM_VECTORS_INL
#undef TENFERRO_GEMM_VECTORS_INL
#else
#define TENFERRO_GEMM_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "tenferro/cpu/kernels/gemm_tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Whether partial vectors are read by one instruction, and whether they are written as fast as whole ones.
inline constexpr bool kMasks = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2;
inline constexpr bool kFreeMasks = HWY_TARGET == HWY_AVX3;
// 32 vector registers rather than 16.
inline constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
template <class D>
inline constexpr std::int64_t kWidth = static_cast<std::int64_t>(hn::MaxLanes(D()));

// The first n lanes.
template <class D>
struct Few {
  hn::Mask<D> mask;
  std::int64_t n;
  Few(D d, std::int64_t lanes) : mask(hn::FirstN(d, static_cast<std::size_t>(lanes))), n(lanes) {}
};

template <class D, class R = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadFew(D d, const Few<D>& few, const R* from) {
  if constexpr (kMasks) {
    return hn::MaskedLoad(few.mask, d, from);
  } else {
    if (few.n == kWidth<D>) return hn::LoadU(d, from);
    R lanes[kWidth<D>] = {};
    for (std::int64_t i = 0; i < few.n; ++i) lanes[i] = from[i];
    return hn::LoadU(d, lanes);
  }
}

template <class D, class V, class R = hn::TFromD<D>>
HWY_INLINE void StoreFew(D d, const Few<D>& few, V v, R* to) {
  if (!kFreeMasks && few.n == kWidth<D>) return hn::StoreU(v, d, to);
  if constexpr (kMasks) {
    hn::BlendedStore(v, few.mask, d, to);
  } else {
    R lanes[kWidth<D>];
    hn::StoreU(v, d, lanes);
    for (std::int64_t i = 0; i < few.n; ++i) to[i] = lanes[i];
  }
}

// x·y + sum.
template <class V>
HWY_INLINE V MultiplyAdd(V x, V y, V sum) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(x, y, sum);
  } else {
    return hn::Add(sum, hn::Mul(x, y));
  }
}

#if HWY_TARGET == HWY_SCALAR

// One element of a product: c = Σ a·b, or c + Σ a·b, over the columns of a and the rows of b. By sums of real numbers
// if complex, in the order of the vector loops.
template <class R, bool kComplex, class Call>
void PlainElement(const Call& call, const R* a, const R* b, R* c) {
  const auto signed_if = [](bool negative, R x) { return negative ? R(0) - x : x; };
  constexpr int kParts = kComplex ? 2 : 1;
  R x[] = {R(0), R(0)}, y[] = {R(0), R(0)};
  for (std::int64_t p = 0; p < call.k; ++p, a += call.a_col, b += call.b_row) {
    for (int part = 0; part < kParts; ++part) {
      x[part] = a[part] * b[0] + x[part];
      if constexpr (kComplex) y[part] = a[part] * b[1] + y[part];
    }
  }
  if constexpr (kComplex) {
    const R re = x[0] + signed_if(call.conj_a == call.conj_b, y[1]);
    x[1] = signed_if(call.conj_a, x[1]) + signed_if(call.conj_b, y[0]);
    x[0] = re;
  }
  for (int part = 0; part < kParts; ++part) c[part] = call.add ? x[part] + c[part] : x[part];
}

#else

// Combines x = Σ a·Re b and y = Σ a·Im b into Σ a·b for either operand conjugated or not: signs of the lanes of x and
// of those of y with neighbours exchanged.
template <class D>
struct ComplexSum {
  using R = hn::TFromD<D>;
  hn::Vec<D> x_sign, y_sign;
  ComplexSum(D d, bool conj_a, bool conj_b)
      : x_sign(Signs(d, false, conj_a)), y_sign(Signs(d, conj_a == conj_b, conj_b)) {}
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<D> x, hn::Vec<D> y) const {
    return hn::Add(hn::Xor(x, x_sign), hn::Xor(hn::Reverse2(d, y), y_sign));
  }
  static hn::Vec<D> Signs(D d, bool even, bool odd) {
    const R e = even ? R(-0.0) : R(0), o = odd ? R(-0.0) : R(0);
    return hn::OddEven(hn::Set(d, o), hn::Set(d, e));
  }
};

#endif

}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
