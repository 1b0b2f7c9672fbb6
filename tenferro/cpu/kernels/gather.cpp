// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/index_windows.hpp"
#include "tenferro/cpu/kernels/indexing.hpp"
#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

// Windows of one shape; steps in bytes, the operand's first and the result's second.
struct Windows {
  const std::byte* x;
  std::byte* y;
  const std::int64_t* offsets;  // elements
  const std::byte* fill;
  BoxAxes<1> batch;   // of the result
  BoxAxes<2> window;  // finest axis of the result first
};

// Several windows at a time, element by element: for windows that are finer across than along.
template <std::size_t W>
void copy_across(const Windows& w, std::int64_t first, std::int64_t last) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kBlock = 512;
  const std::int64_t step = w.batch.empty() ? 0 : w.batch[0].step[0];
  for (std::int64_t begin = first; begin < last; begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, last);
    for_each_run<2>(w.window, {0, 0}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& steps) {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::byte* from = w.x + at[0] + i * steps[0];
        std::byte* to = w.y + at[1] + i * steps[1];
        for (std::int64_t b = begin; b < end; ++b) {
          const std::int64_t offset = w.offsets[b];
          std::memcpy(to + b * step, offset == kOutside ? w.fill : from + offset * kWidth, W);
        }
      }
    });
  }
}

// Windows that are one run on both sides: the windows of a block are the columns of a tile.
template <std::size_t W>
void copy_runs(const Windows& w, std::int64_t first, std::int64_t last) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kBlock = 256;
  const TileKernel kernel = tile_kernel(TileKind::runs, kWidth, Stores::cached);
  std::int64_t from[kBlock], to[kBlock];
  MoveTile tile{};
  tile.from = w.x;
  tile.to = w.y;
  tile.from_columns = from;
  tile.to_columns = to;
  tile.rows = w.window[0].extent * kWidth;
  BoxWalker<1> walker(w.batch, first);
  for (std::int64_t b = first; b < last;) {
    tile.columns = 0;
    for (; b < last && tile.columns < kBlock; ++b, walker.next()) {
      if (w.offsets[b] == kOutside) {
        copy_run(W, w.window[0].extent, w.fill, 0, w.y + walker.at()[0], kWidth);
        continue;
      }
      from[tile.columns] = w.offsets[b] * kWidth;
      to[tile.columns++] = walker.at()[0];
    }
    kernel(tile);
  }
}

template <std::size_t W>
void copy_along(const Windows& w, std::int64_t first, std::int64_t last) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  if (w.window.size() == 1 && w.window[0].step == Offsets<2>{kWidth, kWidth}) return copy_runs<W>(w, first, last);
  BoxWalker<1> walker(w.batch, first);
  for (std::int64_t b = first; b < last; ++b, walker.next()) {
    const std::int64_t offset = w.offsets[b];
    const std::byte* x = offset == kOutside ? w.fill : w.x + offset * kWidth;
    std::byte* y = w.y + walker.at()[0];
    for_each_run<2>(w.window, {0, 0}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
      if (offset == kOutside) {
        copy_run(W, count, x, 0, y + at[1], step[1]);
      } else if (step[0] == kWidth && step[1] == kWidth) {
        std::memcpy(y + at[1], x + at[0], static_cast<std::size_t>(count) * W);
      } else {
        for (std::int64_t i = 0; i < count; ++i) std::memcpy(y + at[1] + i * step[1], x + at[0] + i * step[0], W);
      }
    });
  }
}

template <std::size_t W>
void copy_windows(KernelContext& context, const Windows& w, std::int64_t count) {
  const auto size = [](std::int64_t step) { return step < 0 ? -step : step; };
  const bool across = w.batch.size() <= 1 && !w.batch.empty() &&
                      (w.window.empty() || size(w.batch[0].step[0]) < size(w.window[0].step[1]));
  const auto elements = static_cast<double>(box_count(w.window));
  const auto body = [&](std::int64_t first, std::int64_t last) {
    across ? copy_across<W>(w, first, last) : copy_along<W>(w, first, last);
  };
  if (static_cast<double>(count) * elements < static_cast<double>(calibration::kGatherSerial)) return body(0, count);
  context.parallel_for(count, elements * calibration::kGatheredElementNs + calibration::kGatheredWindowNs, body);
}

// Few large windows: each is one copy that all lanes share.
void copy_large(KernelContext& context, std::size_t width, const Windows& w, std::int64_t count, DimsView sizes,
                DimsView from, DimsView to) {
  BoxWalker<1> walker(w.batch, 0);
  for (std::int64_t b = 0; b < count; ++b, walker.next()) {
    std::byte* y = w.y + walker.at()[0];
    if (w.offsets[b] == kOutside) {
      strided_fill(context, width, sizes, w.fill, y, to);
    } else {
      strided_copy(context, width, sizes, w.x + w.offsets[b] * static_cast<std::int64_t>(width), from, y, to);
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
  window_offsets(context, op, indexed, offsets);

  const Element fill = config.mode == GatherMode::fill ? element_of(config.fill, x.dtype) : Element{};
  Windows w{x.data, out.data, offsets, fill.data(), axes_without(out.shape(), out_strides, offset_dims), {}};
  for (auto& axis : w.batch) axis.step[0] *= bytes;
  std::int64_t elements = 1;
  for (const std::int64_t n : kept_sizes) elements *= n;
  if (elements == 0) return;
  if (count < calibration::kFewWindows && elements * bytes >= calibration::kLargeWindowBytes) {
    return copy_large(context, width, w, count, kept_sizes, from, to);
  }
  InlineVector<std::size_t, 8> order;
  for (std::size_t k = 0; k < to.size(); ++k) order.push_back(k);
  const auto size = [&](std::size_t k) { return to[k] < 0 ? -to[k] : to[k]; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
  for (const std::size_t k : order) append_axis<2>(w.window, {kept_sizes[k], {from[k] * bytes, to[k] * bytes}});
  switch (width) {
    case 1:
      return copy_windows<1>(context, w, count);
    case 4:
      return copy_windows<4>(context, w, count);
    case 8:
      return copy_windows<8>(context, w, count);
    default:
      return copy_windows<16>(context, w, count);
  }
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
