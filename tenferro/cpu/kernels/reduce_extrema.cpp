// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_max and reduce_min: NaN if any element is NaN. Inference refuses them over no elements.
#include "tenferro/cpu/kernels/extrema.hpp"
#include "tenferro/cpu/kernels/reduce_driver.hpp"

namespace tenferro::internal {
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
