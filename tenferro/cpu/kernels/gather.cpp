// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/index_windows.hpp"
#include "tenferro/cpu/kernels/indexing.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/cpu/kernels/window_copy.hpp"

namespace tenferro::internal {
namespace {

// Few large windows: each is one copy that all lanes share.
void copy_large(KernelContext& context, std::size_t width, const WindowCopy& w, std::int64_t count, DimsView sizes,
                DimsView from, DimsView to) {
  BoxWalker<1> walker(w.batch, 0);
  for (std::int64_t b = 0; b < count; ++b, walker.next()) {
    std::byte* y = w.to + walker.at()[0];
    if (w.offsets[b] == kOutside) {
      strided_fill(context, width, sizes, w.fill, y, to);
    } else {
      strided_copy(context, width, sizes, w.from + w.offsets[b] * static_cast<std::int64_t>(width), from, y, to);
    }
  }
}

Outside outside_of(GatherMode mode) noexcept {
  return mode == GatherMode::check ? Outside::fail : mode == GatherMode::clamp ? Outside::clamp : Outside::mark;
}

void gather(KernelContext& context, const Op& op, const GatherConfig& config, std::span<const TensorRead> in,
            const TensorWrite& out) {
  const TensorRead& x = in[0];
  const Dims x_strides = strides_of(x), out_strides = strides_of(out);
  const std::size_t width = element_size(x.dtype);
  const auto bytes = static_cast<std::int64_t>(width);
  AxisSet collapsed, offset_dims;
  for (const std::uint8_t axis : config.collapsed_slice_dims) collapsed.insert(axis);
  for (const std::uint8_t axis : config.offset_dims) offset_dims.insert(axis);
  // Sizes, and strides on both sides, along the axes that windows keep; sizes of all axes for the check.
  Dims sizes(x.rank(), 1), kept_sizes, from, to;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (collapsed.contains(axis)) continue;
    const std::uint8_t target = config.offset_dims[next++];
    sizes[axis] = out.extents[target];
    kept_sizes.push_back(sizes[axis]);
    from.push_back(x_strides[axis]);
    to.push_back(out_strides[target]);
  }
  const IndexedWindows indexed{&in[1],    config.index_vector_dim, &config.start_index_map, x.shape(), sizes,
                               x_strides, outside_of(config.mode)};
  const std::int64_t count = window_count(indexed);
  if (count == 0) return;
  Buffer work = context.scratch(static_cast<std::uint64_t>(count) * sizeof(std::int64_t));
  auto* offsets = reinterpret_cast<std::int64_t*>(work.data());
  WindowCopy w{};
  w.outside = window_offsets(context, op, indexed, offsets);
  const Element fill = config.mode == GatherMode::fill ? element_of(config.fill, x.dtype) : Element{};
  w.from = x.data;
  w.to = out.data;
  w.offsets = offsets;
  w.fill = fill.data();
  w.batch = axes_without(out.shape(), out_strides, offset_dims);
  for (auto& axis : w.batch) axis.step[0] *= bytes;
  std::int64_t elements = 1;
  for (const std::int64_t n : kept_sizes) elements *= n;
  if (elements == 0) return;
  if (count < calibration::kFewWindows && elements * bytes >= calibration::kLargeWindowBytes) {
    return copy_large(context, width, w, count, kept_sizes, from, to);
  }
  BoxAxes<2> window;
  for (std::size_t k = 0; k < to.size(); ++k) window.push_back({kept_sizes[k], {from[k] * bytes, to[k] * bytes}});
  w.window = finest_first(window);
  if (count * elements < calibration::kGatherSerial) return copy_windows(width, w, 0, count);
  const double ns = static_cast<double>(elements) * calibration::kGatheredElementNs + calibration::kGatheredWindowNs;
  context.parallel_for(count, ns, [&](std::int64_t first, std::int64_t last) { copy_windows(width, w, first, last); });
}

}  // namespace

void run_gather(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                std::span<const TensorWrite> out) {
  gather(context, op, *op.as<GatherAttrs>(), in, out[0]);
}

void run_gather_dynamic_slice_sizes(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                                    std::span<const TensorWrite> out) {
  gather(context, op, op.as<GatherDynamicAttrs>()->gather, in, out[0]);
}

}  // namespace tenferro::internal
