// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Which elements a reduction takes together. Reduced axes keep their logical order, for it fixes the order of summing;
// kept axes are sorted by memory. Axes of one element vanish and neighbours merge.
//
//   ReducePlan plan(extents, in_strides, out_strides, axes);
//   KeptCursor at(plan, first);  … in + at.in(), out + at.out() … at.next();

#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/ops/attrs.hpp"
#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro::internal {

/// Strides count elements. Zero kept elements or zero reduced ones are legal.
struct ReducePlan {
  ReducePlan(DimsView extents, const std::int64_t* in_strides, const std::int64_t* out_strides, AxisSet axes) noexcept;

  std::int64_t reduced_count = 1;
  std::int64_t kept_count = 1;
  std::size_t reduced_rank = 0;
  std::size_t kept_rank = 0;
  /// Where the element with all kept indices zero lies, after turning axes that ran backwards.
  std::int64_t in_origin = 0;
  std::int64_t out_origin = 0;
  std::array<std::int64_t, kMaxRank> reduced_extent, reduced_stride;
  std::array<std::int64_t, kMaxRank> kept_extent, kept_in, kept_out;

  /// All reduced elements of one result lie side by side in logical order; one alone does.
  bool reduces_runs() const noexcept { return reduced_rank == 0 || (reduced_rank == 1 && reduced_stride[0] == 1); }
  /// Kept elements lie side by side.
  bool keeps_runs() const noexcept { return kept_rank > 0 && kept_in[0] == 1; }
};

/// Walks the kept elements of a plan in order, from any one of them; `axis` 1 leaves out the first kept axis.
class KeptCursor {
 public:
  KeptCursor(const ReducePlan& plan, std::int64_t position, std::size_t axis = 0) noexcept;
  std::int64_t in() const noexcept { return in_; }
  std::int64_t out() const noexcept { return out_; }
  void next() noexcept;

 private:
  const ReducePlan& plan_;
  std::size_t axis_;
  std::int64_t in_, out_;
  std::array<std::int64_t, kMaxRank> index_;
};

/// Walks the reduced elements of a plan in logical order, from any one of them.
class ReducedCursor {
 public:
  ReducedCursor(const ReducePlan& plan, std::int64_t position) noexcept;

  /// f(offset, stride, count) for runs that make up the next n elements.
  template <class F>
  void runs(std::int64_t n, F&& f) {
    while (n > 0) {
      const std::int64_t rest = plan_.reduced_rank > 0 ? plan_.reduced_extent[0] - index_[0] : 1;
      const std::int64_t count = rest < n ? rest : n;
      const std::int64_t stride = plan_.reduced_rank > 0 ? plan_.reduced_stride[0] : 0;
      f(offset_, stride, count);
      advance(count);
      n -= count;
    }
  }

 private:
  void advance(std::int64_t count) noexcept;

  const ReducePlan& plan_;
  std::int64_t offset_;
  std::array<std::int64_t, kMaxRank> index_;
};

/// Strides of a reduced output over the axes of its operand of rank `rank`; those of reduced axes are 0.
Dims reduced_output_strides(const TensorWrite& out, std::size_t rank, AxisSet axes, bool keep_dims);

/// The axes of `axes` in groups that are reduced one after the other: a group takes axes in order until it has
/// kGroupElements elements or more. Depends on the shape alone, so that every layout gets the same groups; and a group
/// is seldom much longer than that along an axis with a large stride, so that layouts other than compact stay fast.
inline constexpr std::int64_t kGroupElements = 64;
AxisSet next_group(DimsView extents, AxisSet axes) noexcept;

}  // namespace tenferro::internal
