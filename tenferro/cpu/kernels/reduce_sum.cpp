// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_sum and reduce_sum_squares.
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_driver.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/reduce_sum.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/reduce_loops_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

/// Integers are summed as unsigned ones, which wrap; a complex number is two parts.
template <class T, class PartT = T>
struct Sum {
  using In = T;
  using Acc = T;
  using Part = PartT;
  using Next = Sum;
  static constexpr bool kHasIdentity = true;
  static constexpr bool kAnyOrder = !hwy::IsFloat<Part>();
  static constexpr Part kPartIdentity = hwy::IsFloat<Part>() ? Part(-0.0F) : Part{0};  // x + −0 is x also for x = −0
  static constexpr Acc kIdentity = [] {
    if constexpr (std::is_same_v<Acc, Part>) {
      return kPartIdentity;
    } else {
      return Acc(kPartIdentity, kPartIdentity);
    }
  }();
  static constexpr Acc kEmpty{};
  template <class D>
  using Watch = Unwatched<Sum, D>;
  static Acc map(In x) { return x; }
  static Acc combine(Acc a, Acc b) { return a + b; }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const In* x) {
    return hn::LoadU(d, reinterpret_cast<const Part*>(x));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> map(D, hn::Vec<D> v) {
    return v;
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Add(a, b);
  }
};

template <class T>
struct SumSquares : Sum<T> {
  using Next = Sum<T>;
  static T map(T x) { return x * x; }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const T* x) {
    return map(d, hn::LoadU(d, x));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> map(D, hn::Vec<D> v) {
    return hn::Mul(v, v);
  }
};

template <class T>
struct SumSquares<std::complex<T>> : Sum<T> {
  using In = std::complex<T>;
  using Next = Sum<T>;
  static T map(In x) { return x.real() * x.real() + x.imag() * x.imag(); }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const In* x) {
#if HWY_TARGET == HWY_SCALAR
    return {};
#else
    hn::Vec<D> re, im;
    hn::LoadInterleaved2(d, reinterpret_cast<const T*>(x), re, im);
    return hn::Add(hn::Mul(re, re), hn::Mul(im, im));
#endif
  }
};

// In the order of DType.
const ReduceLoops* sum_loops(DType dtype) {
  constexpr const ReduceLoops* kTable[] = {&kLoops<Sum<float>>,
                                           &kLoops<Sum<double>>,
                                           &kLoops<Sum<std::complex<float>, float>>,
                                           &kLoops<Sum<std::complex<double>, double>>,
                                           &kLoops<Sum<std::uint32_t>>,
                                           &kLoops<Sum<std::uint64_t>>};
  return kTable[index(dtype)];
}

const ReduceLoops* sum_squares_loops(DType dtype) {
  constexpr const ReduceLoops* kTable[] = {&kLoops<SumSquares<float>>, &kLoops<SumSquares<double>>,
                                           &kLoops<SumSquares<std::complex<float>>>,
                                           &kLoops<SumSquares<std::complex<double>>>};
  return kTable[index(dtype)];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(sum_loops);
HWY_EXPORT(sum_squares_loops);

void sum_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(sum_loops)(in[0].dtype), context, op, in[0], out[0]);
}

void sum_squares_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(sum_squares_loops)(in[0].dtype), context, op, in[0], out[0]);
}

}  // namespace tenferro::internal
#endif
