// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_prod.
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_driver.hpp"
#include "tenferro/ops/scalar_arithmetic.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/reduce_product.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/reduce_loops_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

/// Integers are multiplied as unsigned ones, which wrap.
template <class T>
struct Product {
  using In = T;
  using Acc = T;
  using Part = T;
  using Next = Product;
  static constexpr bool kHasIdentity = true, kAnyOrder = !hwy::IsFloat<T>();
  static constexpr T kPartIdentity = 1, kIdentity = 1, kEmpty = 1;
  template <class D>
  using Watch = Unwatched<Product, D>;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return a * b; }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const T* x) {
    return hn::LoadU(d, x);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> map(D, hn::Vec<D> v) {
    return v;
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Mul(a, b);
  }
};

/// The textbook product; 1 is no identity, for 0 times an infinity is NaN.
template <class T>
struct Product<std::complex<T>> {
  using In = std::complex<T>;
  using Acc = In;
  using Part = T;
  using Next = Product;
  static constexpr bool kHasIdentity = false, kAnyOrder = false;
  static constexpr T kPartIdentity = 1;
  static constexpr In kIdentity{1}, kEmpty{1};
  static In map(In x) { return x; }
  static In combine(In a, In b) { return scalar::mul(a, b); }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const In* x) {
    return hn::LoadU(d, reinterpret_cast<const T*>(x));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> map(D, hn::Vec<D> v) {
    return v;
  }
#if HWY_TARGET != HWY_SCALAR
  template <class D>
  static HWY_INLINE hn::Vec<D> combine(D d, hn::Vec<D> a, hn::Vec<D> b) {
    const auto by_real = hn::Mul(hn::DupEven(a), b), by_imag = hn::Mul(hn::DupOdd(a), hn::Reverse2(d, b));
    return hn::OddEven(hn::Add(by_real, by_imag), hn::Sub(by_real, by_imag));
  }
#endif
};

// In the order of DType.
const ReduceLoops* product_loops(DType dtype) {
  constexpr const ReduceLoops* kTable[] = {&kLoops<Product<float>>,
                                           &kLoops<Product<double>>,
                                           &kLoops<Product<std::complex<float>>>,
                                           &kLoops<Product<std::complex<double>>>,
                                           &kLoops<Product<std::uint32_t>>,
                                           &kLoops<Product<std::uint64_t>>};
  return kTable[index(dtype)];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(product_loops);

void product_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(product_loops)(in[0].dtype), context, op, in[0], out[0]);
}

}  // namespace tenferro::internal
#endif
