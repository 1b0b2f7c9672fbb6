// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

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

// Steps in elements: those of the updates first.
template <class T>
struct Updates {
  T* out;
  const T* updates;
  const std::int64_t* offsets;
  std::int64_t count;
  BoxAxes<1> batch;  // of the updates
  bool outside;      // some offsets are kOutside
  bool in_order;     // different elements of windows may meet
};

// Windows one after another, over the part of each that begins at `start`.
template <class Combine, class T>
void join_along(const Updates<T>& u, const BoxAxes<2>& window, const Offsets<2>& start) {
  BoxWalker<1> walker(u.batch, 0);
  for (std::int64_t b = 0; b < u.count; ++b, walker.next()) {
    if (u.offsets[b] == kOutside) continue;
    T* target = u.out + u.offsets[b];
    const T* update = u.updates + walker.at()[0];
    for_each_run<2>(window, start, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
      for (std::int64_t i = 0; i < count; ++i) {
        T& element = target[at[1] + i * step[1]];
        element = Combine::template join<T>(element, update[at[0] + i * step[0]]);
      }
    });
  }
}

// Where elements of windows cannot meet, lines that are far apart serve several windows before they go.
template <class Combine, class T>
void join_windows(const Updates<T>& u, const BoxAxes<2>& window, const Offsets<2>& start) {
  constexpr std::int64_t kFar = 64, kPart = 16;
  if (u.in_order && !window.empty()) return join_along<Combine>(u, window, start);
  if (!finer_across(u.batch, window, true)) {
    const auto distance = [](std::int64_t step) { return step < 0 ? -step : step; };
    if (window.empty() || std::max(distance(window[0].step[0]), distance(window[0].step[1])) < kFar) {
      return join_along<Combine>(u, window, start);
    }
    BoxAxes<2> part = window;
    for (std::int64_t begin = 0; begin < window[0].extent; begin += kPart) {
      part[0].extent = std::min(kPart, window[0].extent - begin);
      const Offsets<2>& step = window[0].step;
      join_along<Combine>(u, part, {start[0] + begin * step[0], start[1] + begin * step[1]});
    }
    return;
  }
  const std::int64_t step_across = u.batch.empty() ? 0 : u.batch[0].step[0];
  for_each_run<2>(window, start, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
    for (std::int64_t i = 0; i < count; ++i) {
      T* target = u.out + at[1] + i * step[1];
      const T* update = u.updates + at[0] + i * step[0];
      for (std::int64_t b = 0; b < u.count; ++b) {
        if (u.offsets[b] == kOutside) continue;
        T& element = target[u.offsets[b]];
        element = Combine::template join<T>(element, update[b * step_across]);
      }
    }
  });
}

// The same where updates replace what is there.
template <class T>
void set_windows(const Updates<T>& u, const BoxAxes<2>& window, const Offsets<2>& start) {
  constexpr auto kWidth = static_cast<std::int64_t>(sizeof(T));
  WindowCopy w{};
  w.from = reinterpret_cast<const std::byte*>(u.updates + start[0]);
  w.to = reinterpret_cast<std::byte*>(u.out + start[1]);
  w.offsets = u.offsets;
  w.to_offsets = true;
  w.outside = u.outside;
  w.in_order = u.in_order;
  for (const BoxAxis<1>& axis : u.batch) w.batch.push_back({axis.extent, {axis.step[0] * kWidth}});
  for (const BoxAxis<2>& axis : window) {
    w.window.push_back({axis.extent, {axis.step[0] * kWidth, axis.step[1] * kWidth}});
  }
  copy_windows(sizeof(T), w, 0, u.count);
}

// How a window is shared out: lanes share an axis along which no window moves, so that no two of them meet; without
// one, the caller does it all. join(window, start) is given all loops of a part.
template <class Join>
void share(KernelContext& context, const BoxAxes<2>& others, const BoxAxis<2>& free_axis, std::int64_t count,
           Join&& join) {
  const std::int64_t extent = free_axis.extent, elements = box_count(others) * extent * count;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    BoxAxes<2> window = others;
    window.push_back({end - begin, free_axis.step});
    join(finest_first(window, 1), {begin * free_axis.step[0], begin * free_axis.step[1]});
  };
  const std::int64_t lanes = context.lanes(), most = std::min(calibration::kScatterSteps, 4 * lanes);
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
  Updates<T> u{
      y.as<T>(), updates.as<T>(), nullptr, 0, axes_without(updates.shape(), update_strides, window_dims), false, false};
  BoxAxes<2> window;
  Dims sizes(x.rank(), 1);
  BoxAxis<2> free_axis{1, {0, 0}};
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (inserted.contains(axis)) continue;
    const std::uint8_t from = config.update_window_dims[next++];
    sizes[axis] = updates.extents[from];
    BoxAxis<2> loop{sizes[axis], {update_strides[from], strides[axis]}};
    if (!moved.contains(axis) && loop.extent > free_axis.extent) std::swap(loop, free_axis);
    append_axis<2>(window, loop);
    u.in_order = u.in_order || (moved.contains(axis) && sizes[axis] > 1);
  }
  const IndexedWindows indexed{&in[1],
                               config.index_vector_dim,
                               &config.scatter_dims_to_operand_dims,
                               x.shape(),
                               sizes,
                               strides,
                               config.mode == ScatterMode::check ? Outside::fail : Outside::mark};
  u.count = window_count(indexed);
  Buffer work;
  if (u.count != 0) {
    work = context.scratch(static_cast<std::uint64_t>(u.count) * sizeof(std::int64_t));
    auto* offsets = reinterpret_cast<std::int64_t*>(work.data());
    u.outside = window_offsets(context, op, indexed, offsets);
    u.offsets = offsets;
  }
  copy_operand(context, x, y);
  if (u.count == 0 || updates.count() == 0) return;
  const auto join_all = [&]<class Combine>(Combine) {
    share(context, window, free_axis, u.count,
          [&](const BoxAxes<2>& part, const Offsets<2>& start) { join_windows<Combine>(u, part, start); });
  };
  switch (config.combine) {
    case ScatterCombine::set:
      return share(context, window, free_axis, u.count,
                   [&](const BoxAxes<2>& part, const Offsets<2>& start) { set_windows(u, part, start); });
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
