// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_copy.hpp"

#include <algorithm>
#include <cassert>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

// The coarsest loop with enough steps is shared out, in blocks of about kBlockBytes; a single run is cut likewise.
void copy_box(KernelContext& context, std::size_t width, std::byte* to, const std::byte* from, const CopyLoops& loops,
              std::int64_t bytes) {
  if (bytes < calibration::kSharedBytes || loops.empty()) return copy_nest(width, to, from, loops);
  constexpr std::int64_t kEnough = 16;
  std::size_t shared = 0;
  for (std::size_t k = 1; k < loops.size(); ++k) {
    if (shared == 0 || loops[k].extent >= std::min(loops[shared].extent, kEnough)) shared = k;
  }
  const CopyLoop whole = loops[shared];
  const std::int64_t bytes_a_step = std::max<std::int64_t>(bytes / whole.extent, 1);
  // Whole squares of a cache line where the loop is long enough to be cut into several.
  const std::int64_t square = 64 / static_cast<std::int64_t>(std::min<std::size_t>(width, 4));
  std::int64_t step = std::max<std::int64_t>(calibration::kBlockBytes / bytes_a_step, 1);
  if (whole.extent >= 4 * square) step = (step + square - 1) / square * square;
  const std::int64_t blocks = (whole.extent + step - 1) / step;
  const double ns_a_block = static_cast<double>(step * bytes_a_step) * calibration::kCopiedByteNs;
  context.parallel_for(blocks, ns_a_block, [&](std::int64_t first, std::int64_t last) {
    CopyLoops part = loops;
    const std::int64_t begin = first * step;
    part[shared].extent = std::min(last * step, whole.extent) - begin;
    copy_nest(width, to + begin * whole.to, from + begin * whole.from, part);
  });
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
