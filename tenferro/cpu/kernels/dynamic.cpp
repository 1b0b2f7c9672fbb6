// SPDX-License-Identifier: MIT OR Apache-2.0
// Operations about sizes that are known at run time only. Shapes have been settled before a kernel runs.
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"

namespace tenferro::internal {
namespace {

void run_shape_of(KernelContext&, const Op& op, Inputs in, Outputs out) {
  *out[0].as<std::int64_t>() = in[0].extents[op.as<AxisAttrs>().axis];
}

// The result has the shape of what is kept, whatever the `size` operand says now.
void run_dynamic_truncate(KernelContext& context, const Op&, Inputs in, Outputs out) {
  strided_copy(context, element_size(in[0].dtype), out[0].shape(), in[0].data, strides_of(in[0]), out[0].data,
               strides_of(out[0]));
}

void run_pad_to_match(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  if (out[0].count() == 0) return;
  const std::size_t axis = op.as<AxisAttrs>().axis, width = element_size(in[0].dtype);
  const Dims to = strides_of(out[0]);
  const std::int64_t kept = in[0].extents[axis];
  strided_copy(context, width, in[0].shape(), in[0].data, strides_of(in[0]), out[0].data, to);
  Shape rest(out[0].shape());
  rest[axis] -= kept;
  strided_fill(context, width, rest, kZeroElement.data(),
               out[0].data + kept * to[axis] * static_cast<std::int64_t>(width), to);
}

}  // namespace

constexpr CpuKernelTable kDynamicKernels = {
    {OpKind::shape_of, for_any_dtype(run_shape_of)},
    {OpKind::dynamic_truncate, for_any_dtype(run_dynamic_truncate)},
    {OpKind::pad_to_match, for_any_dtype(run_pad_to_match)},
};
TENFERRO_COVERS(kDynamicKernels, OpCategory::dynamic);

}  // namespace tenferro::internal
