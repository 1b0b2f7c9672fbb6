// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Loops over a box of indices with several operands, each with a step per axis.
//
//   BoxAxes<2> axes = {{n0, {1, s0}}, {n1, {n0, s1}}};
//   for_each_run(axes, {0, 0}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) { … });

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/inline_vector.hpp"
#include "tenferro/cpu/calibration.hpp"

namespace tenferro::internal {

template <std::size_t N>
using Offsets = std::array<std::int64_t, N>;

/// One loop: its length and the step of every operand.
template <std::size_t N>
struct BoxAxis {
  std::int64_t extent;
  Offsets<N> step;
};
template <std::size_t N>
using BoxAxes = InlineVector<BoxAxis<N>, 8>;

/// Appends a loop, joining it to the last one where every operand runs on evenly. Extents of 1 vanish.
template <std::size_t N>
void append_axis(BoxAxes<N>& axes, const BoxAxis<N>& axis) {
  if (axis.extent == 1) return;
  if (!axes.empty()) {
    BoxAxis<N>& last = axes.back();
    bool even = true;
    for (std::size_t i = 0; i < N; ++i) even = even && axis.step[i] == wrapping_mul(last.step[i], last.extent);
    if (even) {
      last.extent *= axis.extent;
      return;
    }
  }
  axes.push_back(axis);
}

/// Number of indices of the box.
template <std::size_t N>
std::int64_t box_count(const BoxAxes<N>& axes) noexcept {
  std::int64_t count = 1;
  for (const BoxAxis<N>& axis : axes) count *= axis.extent;
  return count;
}

/// Offsets of the index with this column-major position.
template <std::size_t N>
Offsets<N> offsets_at(const BoxAxes<N>& axes, std::int64_t position) noexcept {
  Offsets<N> at{};
  for (const BoxAxis<N>& axis : axes) {
    const std::int64_t index = position % axis.extent;
    position /= axis.extent;
    for (std::size_t i = 0; i < N; ++i) at[i] += index * axis.step[i];
  }
  return at;
}

/// Walks the indices of a box in column-major order from a given position on.
template <std::size_t N>
class BoxWalker {
 public:
  BoxWalker(const BoxAxes<N>& axes, std::int64_t position) noexcept
      : axes_(axes), index_(axes.size()), at_(offsets_at(axes, position)) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      index_[k] = position % axes[k].extent;
      position /= axes[k].extent;
    }
  }
  const Offsets<N>& at() const noexcept { return at_; }
  void next() noexcept {
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      for (std::size_t i = 0; i < N; ++i) at_[i] += axes_[k].step[i];
      if (++index_[k] < axes_[k].extent) return;
      for (std::size_t i = 0; i < N; ++i) at_[i] -= axes_[k].extent * axes_[k].step[i];
      index_[k] = 0;
    }
  }

 private:
  const BoxAxes<N>& axes_;
  InlineVector<std::int64_t, 8> index_;
  Offsets<N> at_;
};

/// f(count, offsets, steps) for every run along the first loop, in column-major order; once with count 1 for no loop.
template <std::size_t N, class F>
void for_each_run(const BoxAxes<N>& axes, Offsets<N> at, F&& f) {
  if (axes.empty()) {
    f(std::int64_t{1}, at, Offsets<N>{});
    return;
  }
  if (box_count(axes) == 0) return;
  InlineVector<std::int64_t, 8> index(axes.size());
  while (true) {
    f(axes[0].extent, at, axes[0].step);
    std::size_t k = 1;
    for (; k < axes.size(); ++k) {
      for (std::size_t i = 0; i < N; ++i) at[i] += axes[k].step[i];
      if (++index[k] < axes[k].extent) break;
      for (std::size_t i = 0; i < N; ++i) at[i] -= axes[k].extent * axes[k].step[i];
      index[k] = 0;
    }
    if (k >= axes.size()) return;
  }
}

/// The same over parts of the box on all free lanes, split along its longest loop; f is called from several threads.
template <std::size_t N, class F>
void parallel_runs(KernelContext& context, const BoxAxes<N>& axes, Offsets<N> at, double ns_per_element, F&& f) {
  constexpr double kBlockNs = calibration::kBoxBlockNs;
  const std::int64_t count = box_count(axes);
  if (axes.empty() || static_cast<double>(count) * ns_per_element < 2 * kBlockNs) return for_each_run<N>(axes, at, f);
  std::size_t shared = 0;
  for (std::size_t k = 1; k < axes.size(); ++k) {
    if (axes[k].extent > axes[shared].extent) shared = k;
  }
  const BoxAxis<N> whole = axes[shared];
  const std::int64_t elements_a_step = count / whole.extent;
  const double step_ns = ns_per_element * static_cast<double>(elements_a_step);
  const std::int64_t step = std::max<std::int64_t>(static_cast<std::int64_t>(kBlockNs / step_ns), 1);
  context.parallel_for((whole.extent + step - 1) / step, step_ns * static_cast<double>(step),
                       [&](std::int64_t first, std::int64_t last) {
                         BoxAxes<N> part = axes;
                         Offsets<N> start = at;
                         part[shared].extent = std::min(last * step, whole.extent) - first * step;
                         for (std::size_t i = 0; i < N; ++i) start[i] += first * step * whole.step[i];
                         for_each_run<N>(part, start, f);
                       });
}

}  // namespace tenferro::internal
