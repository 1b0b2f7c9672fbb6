// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/index_windows.hpp"
#include "tenferro/cpu/kernels/indexing.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/ops/scalar_arithmetic.hpp"

namespace tenferro::internal {
namespace {

// How an update joins what is there.
struct Set {
  template <class T>
  static T join(T, T update) noexcept {
    return update;
  }
};
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

// Steps in elements: the result's first, the updates' second.
template <class T>
struct Updates {
  T* out;
  const T* updates;
  const std::int64_t* offsets;
  std::int64_t count;
  BoxAxes<1> batch;   // of the updates
  BoxAxes<2> window;  // in the order of the operand's axes
};

// All windows, in order, over the part of each that begins at `start`.
template <class Combine, class T>
void join_windows(const Updates<T>& u, const BoxAxes<2>& window, const Offsets<2>& start) {
  BoxWalker<1> walker(u.batch, 0);
  for (std::int64_t b = 0; b < u.count; ++b, walker.next()) {
    if (u.offsets[b] == kOutside) continue;
    T* target = u.out + u.offsets[b];
    const T* update = u.updates + walker.at()[0];
    for_each_run<2>(window, start, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
      for (std::int64_t i = 0; i < count; ++i) {
        T& element = target[at[0] + i * step[0]];
        element = Combine::template join<T>(element, update[at[1] + i * step[1]]);
      }
    });
  }
}

// Lanes share an axis along which no window moves, so that no two of them meet; without one, the caller does it all.
template <class Combine, class T>
void join_all(KernelContext& context, const Updates<T>& u, const BoxAxis<2>& free_axis) {
  constexpr std::int64_t kSteps = calibration::kScatterSteps;
  const std::int64_t extent = free_axis.extent, elements = box_count(u.window) * extent * u.count;
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    BoxAxes<2> window;
    append_axis<2>(window, {end - begin, free_axis.step});
    for (const BoxAxis<2>& axis : u.window) append_axis<2>(window, axis);
    join_windows<Combine>(u, window, {begin * free_axis.step[0], begin * free_axis.step[1]});
  };
  if (elements < calibration::kScatterSerial) return part(0, extent);
  const std::int64_t step = (extent + kSteps - 1) / kSteps, blocks = (extent + step - 1) / step;
  const std::int64_t elements_a_block = elements / blocks;
  context.parallel_for(
      blocks, calibration::kScatteredElementNs * static_cast<double>(elements_a_block),
      [&](std::int64_t first, std::int64_t last) { part(first * step, std::min(last * step, extent)); });
}

}  // namespace

template <class T>
void Scatter<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                     std::span<const TensorWrite> out) {
  const ScatterConfig& config = *op.as<ScatterAttrs>();
  const TensorRead &x = in[0], &updates = in[2];
  const TensorWrite& y = out[0];
  const Dims strides = strides_of(y), update_strides = strides_of(updates);
  AxisSet inserted, moved, window_dims;
  for (const std::uint8_t axis : config.inserted_window_dims) inserted.insert(axis);
  for (const std::uint8_t axis : config.scatter_dims_to_operand_dims) moved.insert(axis);
  for (const std::uint8_t axis : config.update_window_dims) window_dims.insert(axis);
  Updates<T> u{y.as<T>(), updates.as<T>(), nullptr, 0, axes_without(updates.shape(), update_strides, window_dims), {}};
  Dims sizes(x.rank(), 1);
  BoxAxis<2> free_axis{1, {0, 0}};
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (inserted.contains(axis)) continue;
    const std::uint8_t from = config.update_window_dims[next++];
    sizes[axis] = updates.extents[from];
    BoxAxis<2> loop{sizes[axis], {strides[axis], update_strides[from]}};
    if (!moved.contains(axis) && loop.extent > free_axis.extent) std::swap(loop, free_axis);
    append_axis<2>(u.window, loop);
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
    window_offsets(context, op, indexed, offsets);
    u.offsets = offsets;
  }
  copy_operand(context, x, y);
  if (u.count == 0 || updates.count() == 0) return;
  switch (config.combine) {
    case ScatterCombine::set:
      return join_all<Set>(context, u, free_axis);
    case ScatterCombine::add:
      if constexpr (scalar::NumericScalar<T>) return join_all<Add>(context, u, free_axis);
      break;
    case ScatterCombine::mul:
      if constexpr (scalar::NumericScalar<T>) return join_all<Mul>(context, u, free_axis);
      break;
    case ScatterCombine::min:
      if constexpr (scalar::RealScalar<T>) return join_all<Min>(context, u, free_axis);
      break;
    case ScatterCombine::max:
      if constexpr (scalar::RealScalar<T>) return join_all<Max>(context, u, free_axis);
      break;
  }
  assert(false);  // inference refuses other pairs
}

#define TENFERRO_DTYPE(name, type, text) template struct Scatter<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
