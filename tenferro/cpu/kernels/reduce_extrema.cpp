// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_max and reduce_min: NaN if any element is NaN. Inference refuses them over no elements.
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_driver.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/reduce_extrema.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/extrema_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

// In the order of DType; complex numbers have no order.
template <bool largest>
constexpr const ReduceLoops* kExtrema[] = {
    &kLoops<Extremum<float, largest>>,        &kLoops<Extremum<double, largest>>,      nullptr, nullptr,
    &kLoops<Extremum<std::int32_t, largest>>, &kLoops<Extremum<std::int64_t, largest>>};

const ReduceLoops* extrema_loops(DType dtype, bool largest) {
  return largest ? kExtrema<true>[index(dtype)] : kExtrema<false>[index(dtype)];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(extrema_loops);

void largest_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(extrema_loops)(in[0].dtype, true), context, op, in[0], out[0]);
}

void smallest_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  reduce_with(*HWY_DYNAMIC_DISPATCH(extrema_loops)(in[0].dtype, false), context, op, in[0], out[0]);
}

}  // namespace tenferro::internal
#endif
