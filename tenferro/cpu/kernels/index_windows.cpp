// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/index_windows.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/index_checks.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/ops/error.hpp"

namespace tenferro::internal {
namespace {

constexpr std::int64_t kBlock = 2048;

// One component of an index vector.
struct Component {
  std::int64_t in_indices;  // elements from the first component
  std::int64_t last_start;  // largest start inside
  std::int64_t stride;      // of the operand
  std::int64_t position;    // column-major positions from the first component
};
using Components = InlineVector<Component, 8>;

// The first bad component: its column-major position, its value, and the number of starts that are inside.
struct BadIndex {
  std::int64_t position, index, starts;
};

// Has its top bit set if `start` is negative or beyond `last`, which is not negative.
std::uint64_t leaves(std::int64_t start, std::int64_t last) noexcept {
  const auto at = static_cast<std::uint64_t>(start);
  return at | (static_cast<std::uint64_t>(last) - at);
}
constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63;

// The offsets of a run of vectors that are `step` apart, as if all of them were inside; whether they are.
template <class Int>
bool convert_inside(const Int* indices, std::int64_t step, const Components& components, std::int64_t count,
                    std::int64_t* offsets) {
  std::uint64_t outside = 0;
  for (std::int64_t b = 0; b < count; ++b) offsets[b] = 0;
  for (const Component& c : components) {
    if (c.last_start < 0) return false;
    const auto add = [&](std::int64_t b, std::int64_t start) {
      outside |= leaves(start, c.last_start);
      offsets[b] = wrapping_add(offsets[b], wrapping_mul<std::int64_t>(start, c.stride));
    };
    const Int* const starts = indices + c.in_indices;
    if (step == 1) {
      for (std::int64_t b = 0; b < count; ++b) add(b, starts[b]);
    } else {
      for (std::int64_t b = 0; b < count; ++b) add(b, starts[b * step]);
    }
  }
  return (outside & kTopBit) == 0;
}

// The same where some are not; `position` is that of the first vector.
template <class Int>
void convert_any(const IndexedWindows& windows, const Int* indices, std::int64_t position, const Offsets<2>& step,
                 const Components& components, std::int64_t count, std::int64_t* offsets, BadIndex& bad) {
  for (std::int64_t b = 0; b < count; ++b) {
    std::int64_t offset = 0;
    for (const Component& c : components) {
      std::int64_t start = indices[b * step[0] + c.in_indices];
      if (start < 0 || start > c.last_start) {
        if (windows.outside == Outside::clamp) {
          start = start < 0 ? 0 : c.last_start;
        } else {
          const std::int64_t here = position + b * step[1] + c.position;
          if (here < bad.position) bad = {here, start, c.last_start + 1};
          offset = kOutside;
          continue;
        }
      }
      if (offset != kOutside) offset += start * c.stride;
    }
    offsets[b] = offset;
  }
}

template <class Int>
void convert(const IndexedWindows& windows, const Components& components, const BoxAxes<2>& batch, std::int64_t first,
             std::int64_t last, std::int64_t* offsets, BadIndex& bad) {
  const BoxAxis<2> inner = batch.empty() ? BoxAxis<2>{1, {0, 0}} : batch[0];
  for (std::int64_t b = first; b < last;) {
    const std::int64_t count = std::min({inner.extent - b % inner.extent, last - b, kBlock});
    const Offsets<2> at = offsets_at(batch, b);
    const Int* indices = windows.indices->as<Int>() + at[0];
    if (!convert_inside(indices, inner.step[0], components, count, offsets + b)) {
      convert_any(windows, indices, at[1], inner.step, components, count, offsets + b, bad);
    }
    b += count;
  }
}

// Whether indices that are all inside are offsets as they stand, one after another.
bool is_list_of_offsets(const TensorRead& indices, const BoxAxes<2>& batch, const Components& components) noexcept {
  return indices.dtype == DType::i64 && components.size() == 1 && components[0].stride == 1 &&
         (batch.empty() || (batch.size() == 1 && batch[0].step[0] == 1));
}

}  // namespace

BoxAxes<1> axes_without(DimsView shape, DimsView strides, AxisSet taken) {
  BoxAxes<1> axes;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!taken.contains(k)) append_axis<1>(axes, {shape[k], {strides[k]}});
  }
  return axes;
}

std::int64_t window_count(const IndexedWindows& windows) noexcept {
  std::int64_t count = 1;
  for (std::size_t k = 0; k < windows.indices->rank(); ++k) {
    if (k != windows.vector_axis) count *= windows.indices->extents[k];
  }
  return count;
}

WindowOffsets window_offsets(KernelContext& context, const Op& op, const IndexedWindows& windows) {
  const TensorRead& indices = *windows.indices;
  const Dims strides = strides_of(indices), positions = col_major_strides(indices.shape());
  BoxAxes<2> batch;
  for (std::size_t k = 0; k < indices.rank(); ++k) {
    if (k != windows.vector_axis) append_axis<2>(batch, {indices.extents[k], {strides[k], positions[k]}});
  }
  const bool has_axis = windows.vector_axis < indices.rank();
  WindowOffsets found;
  Components components;
  for (std::size_t c = 0; c < windows.map->size(); ++c) {
    const std::size_t axis = (*windows.map)[c];
    const auto at = static_cast<std::int64_t>(c);
    components.push_back({has_axis ? at * strides[windows.vector_axis] : 0, windows.extents[axis] - windows.sizes[axis],
                          windows.strides[axis], has_axis ? at * positions[windows.vector_axis] : 0});
    if (components[c].last_start > 0)
      found.reach =
          saturating_add(found.reach, std::abs(saturating_mul(components[c].last_start, components[c].stride)));
  }
  const std::int64_t count = window_count(windows), blocks = (count + kBlock - 1) / kBlock;
  if (count == 0) return found;
  const auto each_block = [&](double index_ns, FunctionRef<void(std::int64_t, std::int64_t)> body) {
    blocks == 1 ? body(0, 1) : context.parallel_for(blocks, kBlock * index_ns, body);
  };
  if (is_list_of_offsets(indices, batch, components)) {
    const Component& c = components[0];
    const auto* const starts = indices.as<std::int64_t>() + c.in_indices;
    std::atomic<bool> inside{true};
    each_block(calibration::kCheckedIndexNs, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t begin = first * kBlock, end = std::min(last * kBlock, count);
      if (!all_places(starts + begin, end - begin, c.last_start + 1)) inside.store(false, std::memory_order_relaxed);
    });
    if (inside.load()) {
      found.at = starts;
      return found;
    }
  }
  found.work = context.scratch(static_cast<std::uint64_t>(count) * sizeof(std::int64_t));
  auto* const offsets = reinterpret_cast<std::int64_t*>(found.work.data());
  constexpr BadIndex kNone{std::numeric_limits<std::int64_t>::max(), 0, 0};
  std::atomic<std::int64_t> first_bad{kNone.position};
  const auto convert_blocks = [&](std::int64_t first, std::int64_t last, BadIndex& bad) {
    const std::int64_t begin = first * kBlock, end = std::min(last * kBlock, count);
    indices.dtype == DType::i32 ? convert<std::int32_t>(windows, components, batch, begin, end, offsets, bad)
                                : convert<std::int64_t>(windows, components, batch, begin, end, offsets, bad);
  };
  const auto body = [&](std::int64_t first, std::int64_t last) {
    BadIndex bad = kNone;
    convert_blocks(first, last, bad);
    std::int64_t seen = first_bad.load(std::memory_order_relaxed);
    while (bad.position < seen && !first_bad.compare_exchange_weak(seen, bad.position, std::memory_order_relaxed)) {
    }
  };
  each_block(calibration::kIndexNs, body);
  if (windows.outside == Outside::fail && first_bad.load() != kNone.position) {
    BadIndex bad = kNone;
    convert_blocks(0, blocks, bad);
    raise<OpErrorInfo>(IndexOutOfBounds{op.name(), 1, bad.position, bad.index, bad.starts});
  }
  found.at = offsets;
  found.outside = first_bad.load() != kNone.position;
  return found;
}

}  // namespace tenferro::internal
