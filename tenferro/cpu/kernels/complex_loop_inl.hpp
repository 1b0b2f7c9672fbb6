// SPDX-License-Identifier: MIT OR Apache-2.0

// A loop over a strip of complex numbers from a formula on vectors of real and of imaginary parts; included once for
// every set of vector instructions. Formulas of numbers of the type `Lane`: with f64 for c32 as well, operands are
// widened on the way in. Where `safe` excludes elements, the scalar loop of the row computes them, each on its own;
// what is left at the end of a strip is filled up with twos, which every formula takes. So an element's bits do not
// depend on its place.
//
//   struct Square { template <class D> static Parts<D> apply(D, Parts<D> z) {
//                     return {hn::Sub(hn::Mul(z.re, z.re), hn::Mul(z.im, z.im)), …}; } };
//   loops.set_row(OpKind::square, DType::c64, &ComplexLoop<Square, double, c64, c64>::run);

#if defined(TENFERRO_COMPLEX_LOOP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_COMPLEX_LOOP_INL
#undef TENFERRO_COMPLEX_LOOP_INL
#else
#define TENFERRO_COMPLEX_LOOP_INL
#endif

#include "tenferro/cpu/kernels/vector_loop_inl.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

/// The real and the imaginary parts of as many numbers as a vector has lanes.
template <class D>
struct Parts {
  hn::Vec<D> re, im;
};

/// Formulas that hold for every number.
struct ForAll {
  static constexpr bool kPartial = false;
};

/// Formulas that hold where `safe` does; elsewhere the scalar loop of the row serves.
template <OpKind kind>
struct WhereSafe {
  static constexpr bool kPartial = true;
  static constexpr OpKind kKind = kind;
};

/// The loop of F, whose `apply` takes D and, for each input, Parts, a vector or (bools) a mask, and returns one of
/// them.
template <class F, class Lane, class Out, class... In>
class ComplexLoop {
 public:
  static void run(std::byte* out, const std::byte* in0, const std::byte* in1, const std::byte* in2,
                  std::int64_t count) {
    const std::byte* in[] = {in0, in1, in2};
    run(out, in, count, std::index_sequence_for<In...>{});
  }

 private:
  using D = hn::ScalableTag<Lane>;
  using Bytes = hn::Rebind<std::uint8_t, D>;
  static constexpr std::size_t kCount = HWY_LANES(Lane);
  static constexpr auto kLanes = static_cast<std::int64_t>(kCount);

  template <class V>
  static HWY_INLINE hn::Vec<D> widened(V v) {
    if constexpr (sizeof(hn::TFromV<V>) < sizeof(Lane)) {
      return hn::PromoteTo(D(), v);
    } else {
      return v;
    }
  }
  template <class R>
  static HWY_INLINE auto narrowed(hn::Vec<D> v) {
    if constexpr (sizeof(R) < sizeof(Lane)) {
      return hn::DemoteTo(hn::Rebind<R, D>(), v);
    } else {
      return v;
    }
  }

  template <class T>
  static HWY_INLINE auto load(const std::byte* at) {
    if constexpr (std::is_same_v<T, bool>) {
      return mask_of(D(), hn::LoadU(Bytes(), reinterpret_cast<const std::uint8_t*>(at)));
    } else {
      const hn::Rebind<typename T::value_type, D> narrow;
      hn::Vec<decltype(narrow)> re, im;
      hn::LoadInterleaved2(narrow, reinterpret_cast<const typename T::value_type*>(at), re, im);
      return Parts<D>{widened(re), widened(im)};
    }
  }
  template <class Result>
  static HWY_INLINE void store(const Result& result, std::byte* at) {
    if constexpr (std::is_same_v<Out, bool>) {
      hn::StoreU(bools(D(), result), Bytes(), reinterpret_cast<std::uint8_t*>(at));
    } else if constexpr (is_complex(dtype_of<Out>)) {
      using R = typename Out::value_type;
      hn::StoreInterleaved2(narrowed<R>(result.re), narrowed<R>(result.im), hn::Rebind<R, D>(),
                            reinterpret_cast<R*>(at));
    } else {
      hn::StoreU(narrowed<Out>(result), hn::Rebind<Out, D>(), reinterpret_cast<Out*>(at));
    }
  }

  // A vector of elements.
  template <std::size_t... k>
  static HWY_INLINE void compute(std::byte* out, const std::byte* const* in, std::index_sequence<k...>) {
    const D d;
    if constexpr (F::kPartial) {
      const auto safe = F::safe(d, load<In>(in[k])...);
      if (HWY_UNLIKELY(!hn::AllTrue(d, safe))) {
        std::byte results[kCount * sizeof(Out)];
        store(F::apply(d, load<In>(in[k])...), results);
        repair(results, in, bools(d, hn::Not(safe)));
        std::memcpy(out, results, sizeof results);
        return;
      }
    }
    store(F::apply(d, load<In>(in[k])...), out);
  }
  static HWY_NOINLINE void repair(std::byte* results, const std::byte* const* in, hn::Vec<Bytes> unsafe) {
    HWY_ALIGN std::uint8_t where[kCount];
    hn::Store(unsafe, Bytes(), where);
    constexpr DType kDTypes[] = {dtype_of<In>...};
    constexpr std::int64_t kWidths[] = {sizeof(In)...};
    Strip strip{results, {}, kLanes};
    strip.out_width = sizeof(Out);
    for (std::size_t k = 0; k < sizeof...(In); ++k) {
      strip.in[k] = in[k];
      strip.width[k] = kWidths[k];
    }
    strip.compute_where(scalar_loops().row(F::kKind, kDTypes[0]), where);
  }

  template <class T>
  static void fill_up(std::byte* block, const std::byte* from, std::int64_t n) {
    const T two(2);
    for (std::int64_t i = n; i < kLanes; ++i)
      std::memcpy(block + i * static_cast<std::int64_t>(sizeof(T)), &two, sizeof(T));
    std::memcpy(block, from, static_cast<std::size_t>(n) * sizeof(T));
  }

  template <std::size_t... k>
  static HWY_INLINE void run(std::byte* out, const std::byte** in, std::int64_t n, std::index_sequence<k...> each) {
    for (; n >= kLanes; n -= kLanes) {
      compute(out, in, each);
      ((in[k] += kCount * sizeof(In)), ...);
      out += kCount * sizeof(Out);
    }
    if (n == 0) return;
    std::byte blocks[sizeof...(In)][kCount * 16], results[kCount * sizeof(Out)];
    const std::byte* filled[] = {blocks[k]...};
    (fill_up<In>(blocks[k], in[k], n), ...);
    compute(results, filled, each);
    std::memcpy(out, results, static_cast<std::size_t>(n) * sizeof(Out));
  }
};

using c32 = std::complex<float>;
using c64 = std::complex<double>;

/// Sets the rows of both complex dtypes by a formula of f64.
template <class F>
void set_in_double(ElementLoops& loops, OpKind kind) {
  loops.set_row(kind, DType::c32, &ComplexLoop<F, double, c32, c32>::run);
  loops.set_row(kind, DType::c64, &ComplexLoop<F, double, c64, c64>::run);
}

/// |z|² of numbers that are safe to square: their parts are at most 2⁵⁰⁰, and one of them is at least 2⁻⁵⁰⁰.
template <class D>
HWY_INLINE hn::Vec<D> norm(Parts<D> z) {
  return hn::Add(hn::Mul(z.re, z.re), hn::Mul(z.im, z.im));
}
template <class D>
HWY_INLINE hn::Mask<D> safe_to_square(D d, Parts<D> z) {
  const auto x = hn::Abs(z.re), y = hn::Abs(z.im), most = hn::Set(d, 0x1p500), least = hn::Set(d, 0x1p-500);
  return hn::And(hn::And(hn::Le(x, most), hn::Le(y, most)), hn::Or(hn::Ge(x, least), hn::Ge(y, least)));
}

template <class D>
HWY_INLINE hn::Mask<D> is_zero(D d, Parts<D> z) {
  return hn::And(hn::Eq(z.re, hn::Zero(d)), hn::Eq(z.im, hn::Zero(d)));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();
#endif

#endif
