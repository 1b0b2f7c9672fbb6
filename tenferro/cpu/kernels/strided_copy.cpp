// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_copy.hpp"

#include <cassert>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/move_plan.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

// Lanes share the tiles, each a range of the coarsest loops.
void copy_box(KernelContext& context, std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops,
              std::int64_t bytes) {
  if (turn_matrix(width, to, from, loops)) return;
  if (bytes <= calibration::kPlainMoveBytes) return copy_nest(width, to, from, loops);
  const MovePlan plan(width, loops, {.aligned = reinterpret_cast<std::uintptr_t>(to) % 64 == 0});
  const std::int64_t tiles = plan.tiles();
  if (bytes < calibration::kSharedBytes) return plan.run(to, from, 0, tiles);
  const double ns = static_cast<double>(bytes) * calibration::kCopiedByteNs / static_cast<double>(tiles);
  context.parallel_for(tiles, ns, [&](std::int64_t first, std::int64_t last) { plan.run(to, from, first, last); });
}

}  // namespace

void strided_copy(KernelContext& context, std::size_t width, DimsView shape, const std::byte* from,
                  DimsView from_strides, std::byte* to, DimsView to_strides) {
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
  strided_copy(context, width, from.shape(), from.data, strides_of(from), to.data, strides_of(to));
}

}  // namespace tenferro::internal
