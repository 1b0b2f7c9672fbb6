// SPDX-License-Identifier: MIT OR Apache-2.0

// A loop over a strip from a formula on vectors; included once for every set of vector instructions. All operands have
// the same number of lanes a step, that of the widest; a complex number is two lanes, a bool one byte. What is left at
// the end is computed by the same formula in a vector that is filled up with zeros, so that an element's bits do not
// depend on its place.
//
//   struct Add : Moving { template <class V> static V apply(V a, V b) { return hn::Add(a, b); } };
//   loops.set_row(OpKind::add, DType::f64, &VectorLoop<Add, double, double, double>::run);

#if defined(TENFERRO_VECTOR_LOOP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_LOOP_INL
#undef TENFERRO_VECTOR_LOOP_INL
#else
#define TENFERRO_VECTOR_LOOP_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "tenferro/cpu/kernels/element_loop.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct LaneOf {
  using type = T;
};
template <class T>
struct LaneOf<std::complex<T>> {
  using type = T;
};
template <>
struct LaneOf<bool> {
  using type = std::uint8_t;
};
template <class T>
using Lane = typename LaneOf<T>::type;

template <class A, class... B>
struct WidestOf {
  using type = A;
};
template <class A, class B, class... C>
struct WidestOf<A, B, C...> {
  using type = typename WidestOf<std::conditional_t<(sizeof(B) > sizeof(A)), B, A>, C...>::type;
};

// Whether lanes of this type may be loaded and stored under a mask without touching the others.
template <class T>
inline constexpr bool kMasked = HWY_TARGET == HWY_AVX3 || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);

template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, const hn::TFromD<D>* from, std::size_t n) {
  using T = hn::TFromD<D>;
  if constexpr (kMasked<T>) {
    return hn::MaskedLoad(hn::FirstN(d, n), d, from);
  } else {
    HWY_ALIGN T lanes[HWY_LANES(T)] = {};
    for (std::size_t i = 0; i < n; ++i) lanes[i] = from[i];
    return hn::Load(d, lanes);
  }
}

template <class D>
HWY_INLINE void store_first(hn::Vec<D> v, D d, hn::TFromD<D>* to, std::size_t n) {
  using T = hn::TFromD<D>;
  if constexpr (kMasked<T>) {
    hn::BlendedStore(v, hn::FirstN(d, n), d, to);
  } else {
    HWY_ALIGN T lanes[HWY_LANES(T)];
    hn::Store(v, d, lanes);
    for (std::size_t i = 0; i < n; ++i) to[i] = lanes[i];
  }
}

/// How a formula is best computed: so many vectors side by side, of at most so many bytes.
template <std::size_t unroll, std::size_t bytes = 64>
struct Pace {
  static constexpr std::size_t kUnroll = unroll, kBytes = bytes;
};
using Dear = Pace<1>;
using Cheap = Pace<4>;
/// One instruction, so that loads and stores set the pace. Those of 64 bytes wait for each other on some processors
/// where addresses of inputs and output fall together in the nearest cache, for three times as long as the loop takes.
using Moving = Pace<4, 32>;

/// The loop of F, a Pace whose `apply` takes a vector for each input and returns one of the lanes of the output.
template <class F, class Out, class... In>
class VectorLoop {
 public:
  static void run(std::byte* out, const std::byte* in0, const std::byte* in1, const std::byte* in2,
                  std::int64_t count) {
    const std::byte* in[] = {in0, in1, in2};
    run(out, in, count, std::index_sequence_for<In...>{});
  }

 private:
  using Widest = typename WidestOf<Lane<Out>, Lane<In>...>::type;
  using Wide = hn::CappedTag<Widest, F::kBytes / sizeof(Widest)>;
  template <class T>
  using Tag = hn::Rebind<Lane<T>, Wide>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Wide());
  static constexpr std::size_t kUnroll = F::kUnroll;
  static constexpr bool kComplex = !std::is_same_v<Lane<Out>, Out> && !std::is_same_v<Out, bool>;
  template <class T>
  static constexpr std::size_t kBytes = kLanes * sizeof(Lane<T>);  // of a vector

  template <class T>
  static HWY_INLINE const Lane<T>* lanes(const std::byte* at) {
    return reinterpret_cast<const Lane<T>*>(at);
  }

  template <std::size_t... k>
  static HWY_INLINE void compute(const std::byte* const* in, std::byte* out, std::size_t u, std::index_sequence<k...>) {
    const auto v = F::apply(hn::LoadU(Tag<In>(), lanes<In>(in[k] + u * kBytes<In>))...);
    hn::StoreU(v, Tag<Out>(), reinterpret_cast<Lane<Out>*>(out + u * kBytes<Out>));
  }

  template <std::size_t... k>
  static HWY_INLINE void run(std::byte* out, const std::byte** in, std::int64_t count, std::index_sequence<k...> each) {
    std::size_t n = static_cast<std::size_t>(count) * (kComplex ? 2 : 1);
    if constexpr (kUnroll > 1) {
      for (; n >= kUnroll * kLanes; n -= kUnroll * kLanes) {
        for (std::size_t u = 0; u < kUnroll; ++u) compute(in, out, u, each);
        ((in[k] += kUnroll * kBytes<In>), ...);
        out += kUnroll * kBytes<Out>;
      }
    }
    while (n >= kLanes) {
      compute(in, out, 0, each);
      n -= kLanes;
      if (n == 0) return;
      ((in[k] += kBytes<In>), ...);
      out += kBytes<Out>;
    }
    if (n == 0) return;
    const auto v = F::apply(load_first(Tag<In>(), lanes<In>(in[k]), n)...);
    store_first(v, Tag<Out>(), reinterpret_cast<Lane<Out>*>(out), n);
  }
};

// Lanes that are not equal, or not comparable. (Highway's Ne is false for NaN on some sets of instructions.)
template <class V>
HWY_INLINE auto unequal(V x, V y) {
  return hn::Not(hn::Eq(x, y));
}

// A mask as a vector of bools, one byte for each lane of D.
template <class D, class M>
HWY_INLINE hn::Vec<hn::Rebind<std::uint8_t, D>> bools(D, M mask) {
  using Unsigned = hn::RebindToUnsigned<D>;
  const Unsigned wide;
  const auto ones = hn::IfThenElseZero(hn::RebindMask(wide, mask), hn::Set(wide, 1));
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    return ones;
  } else {
    return hn::TruncateTo(hn::Rebind<std::uint8_t, D>(), ones);
  }
}

// A vector of bools as a mask for lanes of D.
template <class D, class V>
HWY_INLINE hn::Mask<D> mask_of(D d, V bytes) {
  using Unsigned = hn::RebindToUnsigned<D>;
  const Unsigned wide;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const hn::Rebind<std::uint32_t, D> half;
    return hn::RebindMask(d, hn::Ne(hn::PromoteTo(wide, hn::PromoteTo(half, bytes)), hn::Zero(wide)));
  } else if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::RebindMask(d, hn::Ne(hn::PromoteTo(wide, bytes), hn::Zero(wide)));
  } else {
    return hn::RebindMask(d, hn::Ne(bytes, hn::Zero(wide)));
  }
}

/// Sets the loop of F for the row and every dtype T of the list, whose data operands and output all have type T.
template <class F, class T, class Sequence>
struct SameLoop;
template <class F, class T, std::size_t... k>
struct SameLoop<F, T, std::index_sequence<k...>> {
  template <std::size_t>
  using Operand = T;
  using type = VectorLoop<F, T, Operand<k>...>;
};
template <class F, std::size_t kIn, class... Ts>
void set_rows(ElementLoops& loops, OpKind kind) {
  (loops.set_row(kind, dtype_of<Ts>, &SameLoop<F, Ts, std::make_index_sequence<kIn>>::type::run), ...);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#endif
