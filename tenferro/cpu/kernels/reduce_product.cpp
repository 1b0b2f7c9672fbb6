// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_prod.
#include "tenferro/cpu/kernels/reduce_driver.hpp"

namespace tenferro::internal {
namespace {

template <class T>
struct Product {
  using In = T;
  using Acc = T;
  using Next = Product;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::mul(a, b); }
  static T empty() { return T{1}; }
};

}  // namespace

template <class T>
void ProductKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                           std::span<const TensorWrite> out) {
  reduce_with<Product<T>>(context, op, in[0], out[0]);
}

template struct ProductKernel<float>;
template struct ProductKernel<double>;
template struct ProductKernel<std::complex<float>>;
template struct ProductKernel<std::complex<double>>;
template struct ProductKernel<std::int32_t>;
template struct ProductKernel<std::int64_t>;

}  // namespace tenferro::internal
