// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

#include "tenferro/base/checked_math.hpp"
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

// One element of many windows after another: lanes share blocks of windows and the outermost loop inside them.
void share_across(KernelContext& context, std::size_t width, const WindowCopy& w, std::int64_t count) {
  constexpr std::int64_t kBlock = calibration::kWindowsAcross;
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
  const BoxAxis<2> outer = w.window.empty() ? BoxAxis<2>{1, {0, 0}} : w.window.back();
  const std::int64_t elements_a_step = std::min(count, kBlock) * box_count(w.window) / outer.extent;
  context.parallel_for(blocks * outer.extent, static_cast<double>(elements_a_step) * calibration::kGatheredElementNs,
                       [&](std::int64_t first, std::int64_t last) {
                         while (first < last) {
                           const std::int64_t block = first / outer.extent, begin = first % outer.extent;
                           const std::int64_t steps = std::min(outer.extent - begin, last - first);
                           WindowCopy part = w;
                           part.from += begin * outer.step[0];
                           part.to += begin * outer.step[1];
                           if (!part.window.empty()) part.window.back().extent = steps;
                           part.goes_on = begin + steps < outer.extent;
                           copy_windows(width, part, block * kBlock, std::min((block + 1) * kBlock, count));
                           first += steps;
                         }
                       });
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
  const WindowOffsets offsets = window_offsets(context, op, indexed);
  WindowCopy w{};
  w.outside = offsets.outside;
  const Element fill = config.mode == GatherMode::fill ? element_of(config.fill, x.dtype) : Element{};
  w.from = x.data;
  w.to = out.data;
  w.count = count;
  w.offsets = offsets.at;
  w.reach = saturating_mul(offsets.reach, bytes);
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
  if (window_order(w).across) return share_across(context, width, w, count);
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
