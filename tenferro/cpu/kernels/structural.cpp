// SPDX-License-Identifier: MIT OR Apache-2.0
// Structural operations but triangles: each is a handful of copies and fills between boxes of the operand and of the
// result.
#include <algorithm>
#include <cstring>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/convert.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/cpu/kernels/triangles.hpp"

namespace tenferro::internal {
namespace {

// A pair of boxes of one shape; strides in elements, addresses moved in elements.
struct Boxes {
  std::size_t width;
  const std::byte* from;
  std::byte* to;
  Dims shape, from_strides, to_strides;

  Boxes(const TensorRead& x, const TensorWrite& out)
      : width(element_size(x.dtype)), from(x.data), to(out.data), shape(out.shape()), to_strides(strides_of(out)) {}

  void move_from(std::int64_t elements) noexcept { from += elements * static_cast<std::int64_t>(width); }
  void move_to(std::int64_t elements) noexcept { to += elements * static_cast<std::int64_t>(width); }
  void copy(KernelContext& context) const { strided_copy(context, width, shape, from, from_strides, to, to_strides); }
  void fill(KernelContext& context, const void* value) const {
    strided_fill(context, width, shape, value, to, to_strides);
  }
};

void run_transpose(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  Boxes boxes(in[0], out[0]);
  const Dims strides = strides_of(in[0]);
  for (const std::uint8_t axis : op.as<TransposeAttrs>().perm) boxes.from_strides.push_back(strides[axis]);
  boxes.copy(context);
}

// Column-major order is kept, so a compact side may be read or written under the other side's shape.
void run_reshape(KernelContext& context, const Op&, Inputs in, Outputs out) {
  const TensorRead& x = in[0];
  const TensorWrite& y = out[0];
  Boxes boxes(x, y);
  if (x.compact()) {
    boxes.from_strides = col_major_strides(y.shape());
    return boxes.copy(context);
  }
  boxes.shape = Shape(x.shape());
  boxes.from_strides = strides_of(x);
  boxes.to_strides = col_major_strides(x.shape());
  if (y.compact()) return boxes.copy(context);
  Buffer compact = context.scratch(static_cast<std::uint64_t>(x.count()) * boxes.width);
  boxes.to = compact.data();
  boxes.copy(context);
  strided_copy(context, boxes.width, y.shape(), compact.data(), col_major_strides(y.shape()), y.data, strides_of(y));
}

void run_broadcast_in_dim(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  Boxes boxes(in[0], out[0]);
  const AxisList& axes = op.as<BroadcastInDimAttrs>()->axes;
  const Dims strides = strides_of(in[0]);
  boxes.from_strides.resize(boxes.shape.size(), 0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (in[0].extents[k] != 1) boxes.from_strides[axes[k]] = strides[k];
  }
  boxes.copy(context);
}

void run_extract_diag(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  const auto& attrs = op.as<DiagAttrs>();
  Boxes boxes(in[0], out[0]);
  if (out[0].count() == 0) return;
  const Dims strides = strides_of(in[0]);
  for (std::size_t k = 0; k < strides.size(); ++k) {
    if (k != attrs.axis1 && k != attrs.axis2) boxes.from_strides.push_back(strides[k]);
  }
  boxes.from_strides.push_back(strides[attrs.axis1] + strides[attrs.axis2]);
  boxes.move_from(attrs.shift >= 0 ? attrs.shift * strides[attrs.axis2] : -attrs.shift * strides[attrs.axis1]);
  boxes.copy(context);
}

void run_embed_diag(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  const auto& attrs = op.as<DiagAttrs>();
  Boxes boxes(in[0], out[0]);
  boxes.fill(context, kZeroElement.data());
  const Dims strides = boxes.to_strides;
  boxes.shape = Shape(in[0].shape());
  if (in[0].count() == 0) return;
  boxes.from_strides = strides_of(in[0]);
  boxes.to_strides.clear();
  for (std::size_t k = 0; k < strides.size(); ++k) {
    if (k != attrs.axis1 && k != attrs.axis2) boxes.to_strides.push_back(strides[k]);
  }
  boxes.to_strides.push_back(strides[attrs.axis1] + strides[attrs.axis2]);
  boxes.move_to(attrs.shift >= 0 ? attrs.shift * strides[attrs.axis2] : -attrs.shift * strides[attrs.axis1]);
  boxes.copy(context);
}

void run_triangle(KernelContext& context, const Op& op, Inputs in, Outputs out, bool lower) {
  copy_triangles(context, in[0], out[0], op.as<TriAttrs>().shift, lower);
}
void run_tril(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  run_triangle(context, op, in, out, true);
}
void run_triu(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  run_triangle(context, op, in, out, false);
}

void run_reverse(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  Boxes boxes(in[0], out[0]);
  if (in[0].count() == 0) return;
  boxes.from_strides = strides_of(in[0]);
  const AxisSet axes = op.as<AxesAttrs>().axes;
  for (std::size_t k = 0; k < boxes.shape.size(); ++k) {
    if (!axes.contains(k)) continue;
    boxes.move_from((boxes.shape[k] - 1) * boxes.from_strides[k]);
    boxes.from_strides[k] = -boxes.from_strides[k];
  }
  boxes.copy(context);
}

// Few bytes of compact operands, whose runs up to the axis go one by one. False, with nothing done, for others.
bool concatenate_few(std::size_t axis, Inputs in, const TensorWrite& out) {
  const auto width = static_cast<std::int64_t>(element_size(out.dtype));
  const std::int64_t bytes = out.count() * width;
  const auto compact = [](const auto& x) { return x.compact(); };
  if (bytes > calibration::kFewJoinedBytes || !out.compact() || !std::all_of(in.begin(), in.end(), compact))
    return false;
  std::int64_t runs = 1;
  for (std::size_t k = axis + 1; k < out.axis_count; ++k) runs *= out.extents[k];
  std::byte* to = out.data;
  for (const TensorRead& x : in) {
    const std::int64_t run = x.count() * width / runs;
    for (std::int64_t i = 0; run != 0 && i < runs; ++i) {
      std::memcpy(to + i * (bytes / runs), x.data + i * run, static_cast<std::size_t>(run));
    }
    to += run;
  }
  return true;
}

void run_concatenate(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  if (out[0].count() == 0) return;
  const std::size_t axis = op.as<AxisAttrs>().axis;
  if (concatenate_few(axis, in, out[0])) return;
  std::int64_t start = 0;
  for (const TensorRead& x : in) {
    Boxes boxes(x, out[0]);
    boxes.shape[axis] = x.extents[axis];
    boxes.from_strides = strides_of(x);
    boxes.move_to(start * boxes.to_strides[axis]);
    boxes.copy(context);
    start += x.extents[axis];
  }
}

// Which entries of an axis survive padding and where the first of them goes: entry i to low + i·step.
struct KeptRange {
  std::int64_t first = 0, count = 0, step = 1, start = 0;
};
KeptRange kept_range(std::int64_t extent, std::int64_t padded, std::int64_t low, std::int64_t interior) noexcept {
  KeptRange kept;
  kept.step = extent > 1 ? interior + 1 : 1;
  if (low < 0) kept.first = std::min(-(low + 1) / kept.step, extent - 1) + 1;
  std::int64_t reach = 0;
  if (sub_overflows(padded - 1, low, &reach)) reach = std::numeric_limits<std::int64_t>::max();
  const std::int64_t last = reach < 0 ? -1 : std::min(extent - 1, reach / kept.step);
  kept.count = std::max<std::int64_t>(last - kept.first + 1, 0);
  if (kept.count > 0) kept.start = low + kept.first * kept.step;
  return kept;
}

// Fills what lies outside the kept box, axis by axis: before and after it along one axis, inside it along later ones.
void fill_borders(KernelContext& context, Boxes boxes, std::span<const KeptRange> kept, const void* value) {
  std::byte* const origin = boxes.to;
  for (std::size_t k = kept.size(); k-- > 0;) {
    const std::int64_t extent = boxes.shape[k], after = kept[k].start + kept[k].count;
    const auto width = static_cast<std::int64_t>(boxes.width);
    boxes.shape[k] = kept[k].start;
    boxes.fill(context, value);
    boxes.shape[k] = extent - after;
    std::byte* const here = boxes.to;
    boxes.to = here + after * boxes.to_strides[k] * width;
    boxes.fill(context, value);
    boxes.to = here + kept[k].start * boxes.to_strides[k] * width;
    boxes.shape[k] = kept[k].count;
  }
  boxes.to = origin;
}

void run_pad(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  if (out[0].count() == 0) return;
  const PadConfig& config = *op.as<PadAttrs>();
  const TensorRead& x = in[0];
  Boxes boxes(x, out[0]);
  const Element value = element_of(config.fill, x.dtype);
  const std::size_t rank = x.rank();
  InlineVector<KeptRange, 8> kept;
  bool dense = true;
  for (std::size_t k = 0; k < rank; ++k) {
    kept.push_back(kept_range(x.extents[k], boxes.shape[k], config.low[k], config.interior[k]));
    dense = dense && kept[k].step == 1;
  }
  const bool empty = std::any_of(kept.begin(), kept.end(), [](const KeptRange& range) { return range.count == 0; });
  if (empty || !dense) {
    boxes.fill(context, value.data());
  } else {
    fill_borders(context, boxes, {kept.data(), rank}, value.data());
  }
  if (empty) return;
  boxes.from_strides = strides_of(x);
  for (std::size_t k = 0; k < rank; ++k) {
    boxes.shape[k] = kept[k].count;
    boxes.move_from(kept[k].first * boxes.from_strides[k]);
    boxes.move_to(kept[k].start * boxes.to_strides[k]);
    boxes.to_strides[k] *= kept[k].step;
  }
  boxes.copy(context);
}

void run_slice(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  const SliceConfig& config = *op.as<SliceAttrs>();
  Boxes boxes(in[0], out[0]);
  if (out[0].count() == 0) return;
  boxes.from_strides = strides_of(in[0]);
  for (std::size_t k = 0; k < boxes.shape.size(); ++k) {
    boxes.move_from(config.starts[k] * boxes.from_strides[k]);
    // A step beyond the axis is never taken; its product might not fit.
    boxes.from_strides[k] = boxes.shape[k] == 1 ? 0 : boxes.from_strides[k] * config.strides[k];
  }
  boxes.copy(context);
}

}  // namespace

constexpr CpuKernelTable kStructuralKernels = {
    {OpKind::transpose, for_any_dtype(run_transpose)},
    {OpKind::reshape, for_any_dtype(run_reshape)},
    {OpKind::broadcast_in_dim, for_any_dtype(run_broadcast_in_dim)},
    {OpKind::convert, for_any_dtype(run_convert)},
    {OpKind::extract_diag, for_any_dtype(run_extract_diag)},
    {OpKind::embed_diag, for_any_dtype(run_embed_diag)},
    {OpKind::tril, for_any_dtype(run_tril)},
    {OpKind::triu, for_any_dtype(run_triu)},
    {OpKind::reverse, for_any_dtype(run_reverse)},
    {OpKind::concatenate, for_any_dtype(run_concatenate)},
    {OpKind::pad, for_any_dtype(run_pad)},
    {OpKind::slice, for_any_dtype(run_slice)},
};
TENFERRO_COVERS(kStructuralKernels, OpCategory::structural);

}  // namespace tenferro::internal
