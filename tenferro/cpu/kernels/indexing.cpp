// SPDX-License-Identifier: MIT OR Apache-2.0
// The table of the indexing rows, and slices whose starts are operands: those are clamped, then copied like any other.
#include "tenferro/cpu/kernels/indexing.hpp"

#include <algorithm>

#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"

namespace tenferro::internal {
namespace {

// Elements from the origin of x to the window, whose starts are moved inside.
std::int64_t window_start(const TensorRead& starts, DimsView extents, DimsView sizes, DimsView strides) {
  const std::int64_t step = starts.compact() ? 1 : starts.strides[0];
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const std::int64_t at = static_cast<std::int64_t>(k) * step;
    const std::int64_t start =
        starts.dtype == DType::i32 ? starts.as<std::int32_t>()[at] : starts.as<std::int64_t>()[at];
    offset += std::clamp<std::int64_t>(start, 0, extents[k] - sizes[k]) * strides[k];
  }
  return offset;
}

void run_dynamic_slice(KernelContext& context, const Op&, std::span<const TensorRead> in,
                       std::span<const TensorWrite> out) {
  if (out[0].count() == 0) return;
  const TensorRead& x = in[0];
  const Dims strides = strides_of(x);
  const std::size_t width = element_size(x.dtype);
  const std::int64_t offset = window_start(in[1], x.shape(), out[0].shape(), strides);
  strided_copy(context, width, out[0].shape(), x.data + offset * static_cast<std::int64_t>(width), strides, out[0].data,
               strides_of(out[0]));
}

void run_dynamic_update_slice(KernelContext& context, const Op&, std::span<const TensorRead> in,
                              std::span<const TensorWrite> out) {
  if (out[0].count() == 0) return;
  const TensorRead &x = in[0], &update = in[1];
  const Dims strides = strides_of(out[0]);
  const std::size_t width = element_size(x.dtype);
  const std::int64_t offset = window_start(in[2], x.shape(), update.shape(), strides);
  copy_operand(context, x, out[0]);
  strided_copy(context, width, update.shape(), update.data, strides_of(update),
               out[0].data + offset * static_cast<std::int64_t>(width), strides);
}

}  // namespace

constexpr CpuKernelTable kIndexingKernels = {
    {OpKind::gather, for_any_dtype(run_gather)},
    {OpKind::scatter, kernels_for_row<OpKind::scatter, Scatter>()},
    {OpKind::dynamic_slice, for_any_dtype(run_dynamic_slice)},
    {OpKind::dynamic_update_slice, for_any_dtype(run_dynamic_update_slice)},
    {OpKind::gather_dynamic_slice_sizes, for_any_dtype(run_gather_dynamic_slice_sizes)},
};
TENFERRO_COVERS(kIndexingKernels, OpCategory::indexing);

}  // namespace tenferro::internal
