// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/index_windows.hpp"
#include "tenferro/cpu/kernels/indexing.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/cpu/kernels/window_copy.hpp"
#include "tenferro/ops/scalar_arithmetic.hpp"

namespace tenferro::internal {
namespace {

// How an update joins what is there.
struct Add {
  template <class T>
  static T join(T old, T update) noexcept {
    return scalar::add(old, update);
  }
};
struct Mul {
  template <class T>
  static T join(T old, T update) noexcept {
    return scalar::mul(old, update);
  }
};
struct Min {
  template <class T>
  static T join(T old, T update) noexcept {
    return scalar::minimum(old, update);
  }
};
struct Max {
  template <class T>
  static T join(T old, T update) noexcept {
    return scalar::maximum(old, update);
  }
};

// Windows one after another.
template <class Combine, class T>
void join_along(const WindowCopy& w, std::int64_t windows) {
  constexpr auto kWidth = static_cast<std::int64_t>(sizeof(T));
  BoxWalker<1> walker(w.batch, 0);
  for (std::int64_t b = 0; b < windows; ++b, walker.next()) {
    if (w.offsets[b] == kOutside) continue;
    const Offsets<2> start{walker.at()[0], w.offsets[b] * kWidth};
    for_each_run<2>(w.window, start, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
      T* const to = reinterpret_cast<T*>(w.to + at[1]);
      const T* const from = reinterpret_cast<const T*>(w.from + at[0]);
      const auto join = [=](std::int64_t from_step, std::int64_t to_step) {
        for (std::int64_t i = 0; i < count; ++i) {
          to[i * to_step] = Combine::template join<T>(to[i * to_step], from[i * from_step]);
        }
      };
      // Elements side by side are joined by vectors.
      step == Offsets<2>{kWidth, kWidth} ? join(1, 1) : join(step[0] / kWidth, step[1] / kWidth);
    });
  }
}

// One element of all windows after another.
template <class Combine, class T>
void join_across(const WindowCopy& w, std::int64_t windows) {
  const std::int64_t across = w.batch.empty() ? 0 : w.batch[0].step[0] / static_cast<std::int64_t>(sizeof(T));
  for_each_run<2>(w.window, {0, 0}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
    for (std::int64_t i = 0; i < count; ++i) {
      T* const to = reinterpret_cast<T*>(w.to + at[1] + i * step[1]);
      const T* const from = reinterpret_cast<const T*>(w.from + at[0] + i * step[0]);
      for (std::int64_t b = 0; b < windows; ++b) {
        if (w.offsets[b] == kOutside) continue;
        T& element = to[w.offsets[b]];
        element = Combine::template join<T>(element, from[b * across]);
      }
    }
  });
}

// copy_windows, but that elements join what is there.
template <class Combine, class T>
void join_windows(const WindowCopy& w, std::int64_t windows) {
  const WindowOrder order = window_order(w);
  if (order.across) return join_across<Combine, T>(w, windows);
  if (w.window.empty() || order.part == w.window[0].extent) return join_along<Combine, T>(w, windows);
  const auto [extent, step] = w.window[0];
  for (std::int64_t begin = 0; begin < extent; begin += order.part) {
    WindowCopy part = w;
    part.window[0].extent = std::min(order.part, extent - begin);
    part.from += begin * step[0];
    part.to += begin * step[1];
    join_along<Combine, T>(part, windows);
  }
}

// How windows of which `w.window` are all loops but one are shared out: lanes share an axis along which no window
// moves, so that no two of them meet; without one, the caller does it all. join(windows) is given all loops of a part.
template <class Join>
void share(KernelContext& context, const WindowCopy& w, const BoxAxis<2>& free_axis, std::int64_t count, Join&& join) {
  const std::int64_t extent = free_axis.extent, elements = box_count(w.window) * extent * count;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    WindowCopy windows = w;
    windows.window.push_back({end - begin, free_axis.step});
    windows.window = finest_first(windows.window);
    windows.from += begin * free_axis.step[0];
    windows.to += begin * free_axis.step[1];
    join(windows);
  };
  const std::int64_t lanes = context.lanes(),
                     most = std::min(calibration::kScatterSteps, calibration::kLaneSteps * lanes);
  if (elements < calibration::kScatterSerial || lanes == 1) return part(0, extent);
  const std::int64_t step = (extent + most - 1) / most, blocks = (extent + step - 1) / step;
  const std::int64_t elements_a_block = elements / blocks;
  context.parallel_for(
      blocks, calibration::kScatteredElementNs * static_cast<double>(elements_a_block),
      [&](std::int64_t first, std::int64_t last) { part(first * step, std::min(last * step, extent)); });
}

template <class T>
void scatter(KernelContext& context, const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  const ScatterConfig& config = *op.as<ScatterAttrs>();
  const TensorRead &x = in[0], &updates = in[2];
  const TensorWrite& y = out[0];
  const Dims strides = strides_of(y), update_strides = strides_of(updates);
  AxisSet inserted, moved, window_dims;
  for (const std::uint8_t axis : config.inserted_window_dims) inserted.insert(axis);
  for (const std::uint8_t axis : config.scatter_dims_to_operand_dims) moved.insert(axis);
  for (const std::uint8_t axis : config.update_window_dims) window_dims.insert(axis);
  constexpr auto kWidth = static_cast<std::int64_t>(sizeof(T));
  WindowCopy w{};
  w.from = updates.data;
  w.to = y.data;
  w.to_offsets = true;
  w.batch = axes_without(updates.shape(), update_strides, window_dims);
  for (BoxAxis<1>& axis : w.batch) axis.step[0] = wrapping_mul(axis.step[0], kWidth);
  Dims sizes(x.rank(), 1);
  BoxAxis<2> free_axis{1, {0, 0}};
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (inserted.contains(axis)) continue;
    const std::uint8_t from = config.update_window_dims[next++];
    sizes[axis] = updates.extents[from];
    BoxAxis<2> loop{sizes[axis], {wrapping_mul(update_strides[from], kWidth), wrapping_mul(strides[axis], kWidth)}};
    if (!moved.contains(axis) && loop.extent > free_axis.extent) std::swap(loop, free_axis);
    append_axis<2>(w.window, loop);
    w.in_order = w.in_order || (moved.contains(axis) && sizes[axis] > 1);
  }
  const IndexedWindows indexed{&in[1],
                               config.index_vector_dim,
                               &config.scatter_dims_to_operand_dims,
                               x.shape(),
                               sizes,
                               strides,
                               config.mode == ScatterMode::check ? Outside::fail : Outside::mark};
  const std::int64_t count = window_count(indexed);
  const WindowOffsets offsets = window_offsets(context, op, indexed);
  w.outside = offsets.outside;
  w.count = count;
  w.offsets = offsets.at;
  w.reach = saturating_mul(offsets.reach, kWidth);
  copy_operand(context, x, y);
  if (count == 0 || updates.count() == 0) return;
  const auto join_all = [&]<class Combine>(Combine) {
    share(context, w, free_axis, count, [&](const WindowCopy& part) { join_windows<Combine, T>(part, count); });
  };
  switch (config.combine) {
    case ScatterCombine::set:
      return share(context, w, free_axis, count,
                   [&](const WindowCopy& part) { copy_windows(sizeof(T), part, 0, count); });
    case ScatterCombine::add:
      if constexpr (scalar::NumericScalar<T>) return join_all(Add());
      break;
    case ScatterCombine::mul:
      if constexpr (scalar::NumericScalar<T>) return join_all(Mul());
      break;
    case ScatterCombine::min:
      if constexpr (scalar::RealScalar<T>) return join_all(Min());
      break;
    case ScatterCombine::max:
      if constexpr (scalar::RealScalar<T>) return join_all(Max());
      break;
  }
  assert(false);  // inference refuses other pairs
}

}  // namespace

template <class T>
void Scatter<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                     std::span<const TensorWrite> out) {
  scatter<T>(context, op, in, out);
}

#define TENFERRO_DTYPE(name, type, text) template struct Scatter<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
