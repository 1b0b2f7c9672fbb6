// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_copy.hpp"

#include <cassert>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/move_plan.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

// Lanes share the tiles, each a range of the coarsest loops.
void copy_box(KernelContext& context, std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops,
              std::int64_t bytes) {
  if (bytes < calibration::kSharedBytes) return move_nest(width, to, from, loops);
  const MovePlan plan(width, loops, {.aligned = reinterpret_cast<std::uintptr_t>(to) % 64 == 0});
  const std::int64_t tiles = plan.tiles();
  const double ns = static_cast<double>(bytes) * calibration::kCopiedByteNs / static_cast<double>(tiles);
  context.parallel_for(tiles, ns, [&](std::int64_t first, std::int64_t last) { plan.run(to, from, first, last); });
}

// Small matrices whose columns become rows, before any layout is looked into. Strides in elements.
bool turn_plainly(std::size_t width, DimsView shape, const std::byte* from, const std::int64_t* from_strides,
                  std::byte* to, const std::int64_t* to_strides) {
  const auto bytes = static_cast<std::int64_t>(width);
  return to_strides[0] == 1 && from_strides[1] == 1 &&
         turn_matrix(width, {to, from, shape[0], shape[1], wrapping_mul(to_strides[1], bytes),
                             wrapping_mul(from_strides[0], bytes)});
}

}  // namespace

void strided_copy(KernelContext& context, std::size_t width, DimsView shape, const std::byte* from,
                  DimsView from_strides, std::byte* to, DimsView to_strides) {
  if (shape.size() == 2 && turn_plainly(width, shape, from, from_strides.data(), to, to_strides.data())) return;
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  if (count == 0) return;
  copy_box(context, width, to, from, copy_loops(shape, from_strides, to_strides, width),
           count * static_cast<std::int64_t>(width));
}

void strided_fill(KernelContext& context, std::size_t width, DimsView shape, const void* value, std::byte* to,
                  DimsView to_strides) {
  const Dims still(shape.size(), 0);
  strided_copy(context, width, shape, static_cast<const std::byte*>(value), still, to, to_strides);
}

void copy_operand(KernelContext& context, const TensorRead& from, const TensorWrite& to) {
  assert(same_shape(from.shape(), to.shape()) && element_size(from.dtype) == element_size(to.dtype));
  const std::size_t width = element_size(from.dtype);
  if (from.compact() && to.compact()) {
    const std::int64_t count = from.count();
    if (count == 0) return;
    const auto step = static_cast<std::int64_t>(width);
    return copy_box(context, width, to.data, from.data, CopyLoops{CopyLoop{count, step, step}}, count * step);
  }
  if (from.rank() == 2 && to.compact() && !from.compact()) {
    const std::int64_t to_strides[] = {1, to.extents[0]};
    if (turn_plainly(width, from.shape(), from.data, from.strides, to.data, to_strides)) return;
  }
  strided_copy(context, width, from.shape(), from.data, strides_of(from), to.data, strides_of(to));
}

}  // namespace tenferro::internal
