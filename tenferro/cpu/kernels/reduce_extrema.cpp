// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_max and reduce_min: NaN if any element is NaN. Inference refuses them over no elements.
#include <limits>

#include "tenferro/cpu/kernels/reduce_driver.hpp"

namespace tenferro::internal {
namespace {

template <class T>
struct Largest {
  using In = T;
  using Acc = T;
  using Next = Largest;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::maximum(a, b); }
  static T empty() { return std::numeric_limits<T>::lowest(); }
};

template <class T>
struct Smallest {
  using In = T;
  using Acc = T;
  using Next = Smallest;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::minimum(a, b); }
  static T empty() { return std::numeric_limits<T>::max(); }
};

}  // namespace

template <class T>
void LargestKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                           std::span<const TensorWrite> out) {
  reduce_with<Largest<T>>(context, op, in[0], out[0]);
}

template <class T>
void SmallestKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                            std::span<const TensorWrite> out) {
  reduce_with<Smallest<T>>(context, op, in[0], out[0]);
}

template struct LargestKernel<float>;
template struct LargestKernel<double>;
template struct LargestKernel<std::int32_t>;
template struct LargestKernel<std::int64_t>;
template struct SmallestKernel<float>;
template struct SmallestKernel<double>;
template struct SmallestKernel<std::int32_t>;
template struct SmallestKernel<std::int64_t>;

}  // namespace tenferro::internal
