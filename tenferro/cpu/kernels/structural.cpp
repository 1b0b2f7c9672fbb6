// SPDX-License-Identifier: MIT OR Apache-2.0
// Structural operations: each is a handful of copies and fills between boxes of the operand and of the result.
#include <algorithm>
#include <cstring>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/cpu/kernels/convert.hpp"
#include "tenferro/cpu/kernels/move_plan.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

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

// Zeros over a short run.
void clear_run(std::byte* to, std::int64_t bytes) {
  constexpr std::uint64_t kZeros = 0;
  if (bytes >= 64) {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
  } else if (bytes >= 8) {
    for (std::int64_t at = 0; at < bytes - 8; at += 8) std::memcpy(to + at, &kZeros, 8);
    std::memcpy(to + bytes - 8, &kZeros, 8);
  } else {
    for (std::int64_t at = 0; at < bytes; ++at) to[at] = std::byte{0};
  }
}

// A triangle is copied by blocks of columns, or of matrices if those are small, each a box that leaves out the rows
// that all its columns lose; then each column is cleared up to where its kept part begins, row j − shift (lower), or
// from where it ends (upper).
class Triangles {
 public:
  Triangles(const TensorRead& x, const TensorWrite& y, std::int64_t shift, bool lower)
      : boxes_(x, y), width_(static_cast<std::int64_t>(boxes_.width)), lower_(lower), from_(strides_of(x)) {
    rows_ = boxes_.shape[0];
    columns_ = boxes_.shape[1];
    shift_ = std::clamp(shift, -rows_, columns_);
    for (std::size_t k = 2; k < boxes_.shape.size(); ++k) {
      append_axis<2>(batch_, {boxes_.shape[k], {from_[k], boxes_.to_strides[k]}});
    }
    const auto size = [](std::int64_t step) { return step < 0 ? -step : step; };
    for (const BoxAxis<2>& axis : batch_) {
      whole_ = whole_ || size(axis.step[0]) < std::min(size(from_[0]), size(from_[1]));
    }
    if (!batch_.empty()) {
      series_ = batch_[0];
      batch_.erase(0);
    }
    constexpr std::int64_t kBytes = calibration::kTriangleBlockBytes, kLeast = calibration::kTriangleColumns;
    const std::int64_t column_bytes = rows_ * width_;
    part_ = std::min(std::max(kBytes / column_bytes, kLeast), columns_);
    column_parts_ = (columns_ + part_ - 1) / part_;
    if (column_parts_ == 1) matrices_ = std::clamp<std::int64_t>(kBytes / (column_bytes * columns_), 1, series_.extent);
    series_parts_ = (series_.extent + matrices_ - 1) / matrices_;
  }

  void run(KernelContext& context) const {
    if (whole_) {
      strided_copy(context, boxes_.width, boxes_.shape, boxes_.from, from_, boxes_.to, boxes_.to_strides);
    }
    const double columns = static_cast<double>(part_ * matrices_);
    const double column_ns =
        static_cast<double>(rows_ * width_) * calibration::kTriangleByteNs + calibration::kTriangleColumnNs;
    context.parallel_for(column_parts_ * series_parts_ * box_count(batch_), columns * column_ns,
                         [&](std::int64_t first, std::int64_t last) {
                           for (std::int64_t block = first; block < last; ++block) run_block(block);
                         });
  }

 private:
  void run_block(std::int64_t block) const {
    const std::int64_t j = block % column_parts_ * part_, columns = std::min(part_, columns_ - j);
    const std::int64_t rest = block / column_parts_, matrix = rest % series_parts_ * matrices_;
    const std::int64_t matrices = std::min(matrices_, series_.extent - matrix);
    const Offsets<2> at = offsets_at<2>(batch_, rest / series_parts_);
    const Dims& to = boxes_.to_strides;
    const std::byte* x = boxes_.from + (at[0] + j * from_[1] + matrix * series_.step[0]) * width_;
    std::byte* y = boxes_.to + (at[1] + j * to[1] + matrix * series_.step[1]) * width_;
    const std::int64_t begin = lower_ ? meet(j) : 0, end = lower_ ? rows_ : meet(j + columns - 1);
    if (begin < end && !whole_) {
      move_nest(boxes_.width, y + begin * to[0] * width_, x + begin * from_[0] * width_,
                copy_loops(Dims{end - begin, columns, matrices}, Dims{from_[0], from_[1], series_.step[0]},
                           Dims{to[0], to[1], series_.step[1]}, boxes_.width));
    }
    for (std::int64_t k = 0; k < columns; ++k) {
      const std::int64_t from_row = lower_ ? 0 : meet(j + k), rows = lower_ ? meet(j + k) : rows_ - from_row;
      std::byte* zeros = y + (from_row * to[0] + k * to[1]) * width_;
      for (std::int64_t m = 0; m < matrices; ++m, zeros += series_.step[1] * width_) {
        if (to[0] == 1) {
          clear_run(zeros, rows * width_);
        } else {
          copy_run(boxes_.width, rows, kZeroElement.data(), 0, zeros, to[0] * width_);
        }
      }
    }
  }
  std::int64_t meet(std::int64_t j) const noexcept {
    return std::clamp<std::int64_t>(lower_ ? j - shift_ : j - shift_ + 1, 0, rows_);
  }

  Boxes boxes_;
  std::int64_t width_;
  bool lower_, whole_ = false;
  Dims from_;
  std::int64_t rows_ = 0, columns_ = 0, shift_ = 0;
  BoxAxes<2> batch_;  // but the finest axis of it
  BoxAxis<2> series_{1, {0, 0}};
  std::int64_t part_ = 1, column_parts_ = 1;      // columns of a block; blocks of a matrix
  std::int64_t matrices_ = 1, series_parts_ = 1;  // matrices of a block; blocks of the finest batch axis
};

void run_triangle(KernelContext& context, const Op& op, Inputs in, Outputs out, bool lower) {
  if (out[0].count() > 0) Triangles(in[0], out[0], op.as<TriAttrs>().shift, lower).run(context);
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

void run_concatenate(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  if (out[0].count() == 0) return;
  const std::size_t axis = op.as<AxisAttrs>().axis;
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
