// SPDX-License-Identifier: MIT OR Apache-2.0
// Results from a payload alone. The dtype that picks the kernel is that of the result.
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/tensor/cast.hpp"

namespace tenferro::internal {
namespace {

void run_constant(KernelContext& context, const Op& op, std::span<const TensorRead>, std::span<const TensorWrite> out) {
  copy_operand(context, *op.as<ConstantAttrs>().value, out[0]);
}

template <class T>
struct Iota {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead>, std::span<const TensorWrite> out) {
    const TensorWrite& y = out[0];
    const std::size_t axis = op.as<IotaAttrs>().axis;
    const Dims strides = strides_of(y);
    // Operand 0 is the result, operand 1 the number itself, which changes along one axis only.
    BoxAxes<2> axes;
    for (std::size_t k = 0; k < y.rank(); ++k) {
      append_axis<2>(axes, {y.extents[k], {strides[k], k == axis ? 1 : 0}});
    }
    parallel_runs<2>(context, axes, {0, 0}, calibration::kCheapElementNs,
                     [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
                       T* target = y.as<T>() + at[0];
                       for (std::int64_t i = 0; i < count; ++i) {
                         target[i * step[0]] = cast_value<T>(at[1] + i * step[1]);
                       }
                     });
  }
};

}  // namespace

constexpr CpuKernelTable kCreationKernels = {
    {OpKind::constant, for_any_dtype(run_constant)},
    {OpKind::iota, kernels_for_row<OpKind::iota, Iota>()},
};
TENFERRO_COVERS(kCreationKernels, OpCategory::creation);

}  // namespace tenferro::internal
