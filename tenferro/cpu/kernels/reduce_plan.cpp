// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/reduce_plan.hpp"

#include "tenferro/base/checked_math.hpp"

namespace tenferro::internal {
namespace {

/// True if an axis of stride a lies nearer in memory than one of stride b; stretched axes come last.
bool nearer(std::int64_t a, std::int64_t b) noexcept { return a != 0 && (b == 0 || a < b); }

}  // namespace

ReducePlan::ReducePlan(DimsView extents, const std::int64_t* in_strides, const std::int64_t* out_strides,
                       AxisSet axes) noexcept {
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const std::int64_t extent = extents[k];
    const bool reduced = axes.contains(k);
    (reduced ? reduced_count : kept_count) *= extent;
    if (extent <= 1) continue;
    std::int64_t in = in_strides[k];
    if (reduced) {
      if (reduced_rank > 0 && in == reduced_stride[reduced_rank - 1] * reduced_extent[reduced_rank - 1]) {
        reduced_extent[reduced_rank - 1] *= extent;
      } else {
        reduced_extent[reduced_rank] = extent;
        reduced_stride[reduced_rank++] = in;
      }
      continue;
    }
    std::int64_t out = out_strides[k];
    if (in < 0) {
      in_origin += in * (extent - 1);
      out_origin += out * (extent - 1);
      in = -in;
      out = -out;
    }
    std::size_t place = kept_rank++;
    for (; place > 0 && nearer(in, kept_in[place - 1]); --place) {
      kept_extent[place] = kept_extent[place - 1];
      kept_in[place] = kept_in[place - 1];
      kept_out[place] = kept_out[place - 1];
    }
    kept_extent[place] = extent;
    kept_in[place] = in;
    kept_out[place] = out;
  }
  if (kept_rank == 0) return;
  std::size_t last = 0;
  for (std::size_t k = 1; k < kept_rank; ++k) {
    if (kept_in[k] == kept_in[last] * kept_extent[last] && kept_out[k] == kept_out[last] * kept_extent[last]) {
      kept_extent[last] *= kept_extent[k];
      continue;
    }
    ++last;
    kept_extent[last] = kept_extent[k];
    kept_in[last] = kept_in[k];
    kept_out[last] = kept_out[k];
  }
  kept_rank = last + 1;
}

KeptCursor::KeptCursor(const ReducePlan& plan, std::int64_t position, std::size_t axis) noexcept
    : plan_(plan), axis_(axis), in_(plan.in_origin), out_(plan.out_origin) {
  for (std::size_t k = axis; k < plan.kept_rank; ++k) {
    index_[k] = position % plan.kept_extent[k];
    position /= plan.kept_extent[k];
    in_ += index_[k] * plan.kept_in[k];
    out_ += index_[k] * plan.kept_out[k];
  }
}

void KeptCursor::next() noexcept {
  for (std::size_t k = axis_; k < plan_.kept_rank; ++k) {
    in_ += plan_.kept_in[k];
    out_ += plan_.kept_out[k];
    if (++index_[k] < plan_.kept_extent[k]) return;
    index_[k] = 0;
    in_ -= plan_.kept_in[k] * plan_.kept_extent[k];
    out_ -= plan_.kept_out[k] * plan_.kept_extent[k];
  }
}

ReducedCursor::ReducedCursor(const ReducePlan& plan, std::int64_t position) noexcept : plan_(plan), offset_(0) {
  for (std::size_t k = 0; k < plan.reduced_rank; ++k) {
    index_[k] = position % plan.reduced_extent[k];
    position /= plan.reduced_extent[k];
    offset_ += index_[k] * plan.reduced_stride[k];
  }
}

void ReducedCursor::advance(std::int64_t count) noexcept {
  if (plan_.reduced_rank == 0) return;
  index_[0] += count;
  offset_ += count * plan_.reduced_stride[0];
  for (std::size_t k = 0; index_[k] == plan_.reduced_extent[k];) {
    index_[k] = 0;
    offset_ -= plan_.reduced_stride[k] * plan_.reduced_extent[k];
    if (++k == plan_.reduced_rank) return;
    ++index_[k];
    offset_ += plan_.reduced_stride[k];
  }
}

Dims reduced_output_strides(const TensorWrite& out, std::size_t rank, AxisSet axes, bool keep_dims) {
  Dims strides(rank);
  std::int64_t compact = 1;
  std::size_t axis = 0;  // of the output
  for (std::size_t k = 0; k < rank; ++k) {
    const bool reduced = axes.contains(k);
    if (reduced && !keep_dims) continue;
    if (!reduced) strides[k] = out.strides != nullptr ? out.strides[axis] : compact;
    compact *= out.extents[axis++];
  }
  return strides;
}

AxisSet next_group(DimsView extents, AxisSet axes) noexcept {
  AxisSet group;
  std::int64_t count = 1;
  for (std::size_t k = 0; k < extents.size() && count < kGroupElements; ++k) {
    if (!axes.contains(k)) continue;
    group.insert(k);
    count = saturating_mul(count, extents[k]);
  }
  return group;
}

}  // namespace tenferro::internal
