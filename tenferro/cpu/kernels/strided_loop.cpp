// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_loop.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tenferro::internal {
namespace {

/// Longest run of one axis alone: long enough to hide the cost of a call, short enough to share out.
constexpr std::int64_t kLongRun = 16384;
/// Length of runs where an input is contiguous along another axis: its cache lines then live until all of each has been
/// used.
constexpr std::int64_t kShortRun = 64;
/// An axis with fewer elements makes runs that cost more than their elements; a longer neighbour runs instead, in
/// blocks that stay in the nearest caches while the short axis takes its turns.
constexpr std::int64_t kShortAxis = 8;
constexpr std::int64_t kBlockAcross = 512;

}  // namespace

template <std::size_t N>
StridedLoop<N>::StridedLoop(DimsView shape, const std::array<LoopOperand, N>& operands) noexcept {
  std::array<std::int64_t, N> compact;
  for (std::size_t i = 0; i < N; ++i) {
    base_[i] = operands[i].data;
    compact[i] = operands[i].element_size;
  }
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::int64_t extent = shape[k];
    if (extent == 0) return;
    std::array<std::int64_t, N> strides;
    for (std::size_t i = 0; i < N; ++i) {
      strides[i] = operands[i].strides == nullptr ? compact[i] : operands[i].strides[k] * operands[i].element_size;
      compact[i] *= extent;
    }
    if (extent > 1) add_axis(extent, strides);
  }
  merge_axes();
  choose_tile();
}

// Keeps axes in order of operand 0's strides, the nearest first; where those are equal (several zeros), in order of the
// sum of the others.
template <std::size_t N>
void StridedLoop<N>::add_axis(std::int64_t extent, const std::array<std::int64_t, N>& strides) noexcept {
  std::array<std::int64_t, N> forward = strides;
  if (strides[0] < 0) {
    for (std::size_t i = 0; i < N; ++i) {
      base_[i] += strides[i] * (extent - 1);
      forward[i] = -strides[i];
    }
  }
  const auto weight = [](const std::array<std::int64_t, N>& s) {
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < N; ++i) sum += std::abs(s[i]);
    return sum;
  };
  std::size_t place = rank_;
  while (place > 0 && (forward[0] < strides_[place - 1][0] ||
                       (forward[0] == strides_[place - 1][0] && weight(forward) < weight(strides_[place - 1])))) {
    extents_[place] = extents_[place - 1];
    strides_[place] = strides_[place - 1];
    --place;
  }
  extents_[place] = extent;
  strides_[place] = forward;
  ++rank_;
}

template <std::size_t N>
void StridedLoop<N>::merge_axes() noexcept {
  if (rank_ == 0) return;
  std::size_t last = 0;
  for (std::size_t k = 1; k < rank_; ++k) {
    bool joins = true;
    for (std::size_t i = 0; i < N; ++i) joins = joins && strides_[k][i] == strides_[last][i] * extents_[last];
    if (joins) {
      extents_[last] *= extents_[k];
    } else {
      ++last;
      extents_[last] = extents_[k];
      strides_[last] = strides_[k];
    }
  }
  rank_ = last + 1;
}

template <std::size_t N>
void StridedLoop<N>::choose_tile() noexcept {
  if (rank_ == 0) {
    strides_[0].fill(0);
    runs_ = 1;
    return;
  }
  if (rank_ > 1 && extents_[0] < kShortAxis && extents_[1] >= 4 * extents_[0]) {
    std::swap(extents_[0], extents_[1]);
    std::swap(strides_[0], strides_[1]);
    tile_ = std::min(extents_[0], kBlockAcross);
    block_axis_ = 2;
  } else {
    tile_ = std::min(extents_[0], kLongRun);
  }
  inner_ = extents_[0];
  // An input that is far apart along the run but near along another axis wants short runs, that axis coming next.
  for (std::size_t k = 1; k < rank_ && inner_ > kShortRun && block_axis_ == 1; ++k) {
    bool nearer = false;
    for (std::size_t i = 1; i < N; ++i) {
      nearer = nearer || (strides_[k][i] != 0 && std::abs(strides_[k][i]) < std::abs(strides_[0][i]));
    }
    if (!nearer) continue;
    std::rotate(extents_.begin() + 1, extents_.begin() + static_cast<std::ptrdiff_t>(k),
                extents_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    std::rotate(strides_.begin() + 1, strides_.begin() + static_cast<std::ptrdiff_t>(k),
                strides_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    tile_ = kShortRun;
    block_axis_ = 2;
    break;
  }
  // The axis of blocks becomes an axis like the others.
  const std::int64_t blocks = (inner_ + tile_ - 1) / tile_;
  for (std::size_t k = rank_; k > block_axis_; --k) {
    extents_[k] = extents_[k - 1];
    strides_[k] = strides_[k - 1];
  }
  extents_[block_axis_] = blocks;
  for (std::size_t i = 0; i < N; ++i) strides_[block_axis_][i] = strides_[0][i] * tile_;
  ++rank_;
  runs_ = 1;
  for (std::size_t k = 1; k < rank_; ++k) runs_ *= extents_[k];
}

template <std::size_t N>
void StridedLoop<N>::run(std::int64_t first, std::int64_t last, Body body) const {
  if (first >= last) return;
  Run<N> run{base_, strides_[0].data(), tile_};
  std::array<std::int64_t, kMaxRank + 1> index;
  std::int64_t rest = first;
  for (std::size_t k = 1; k < rank_; ++k) {
    index[k] = rest % extents_[k];
    rest /= extents_[k];
    for (std::size_t i = 0; i < N; ++i) run.data[i] += index[k] * strides_[k][i];
  }
  const std::int64_t tail = inner_ - (rank_ > 0 ? extents_[block_axis_] - 1 : 0) * tile_;
  for (std::int64_t r = first;; ++r) {
    if (rank_ > 0) run.count = index[block_axis_] + 1 == extents_[block_axis_] ? tail : tile_;
    body(run);
    if (r + 1 == last) return;
    for (std::size_t k = 1; k < rank_; ++k) {
      if (++index[k] < extents_[k]) {
        for (std::size_t i = 0; i < N; ++i) run.data[i] += strides_[k][i];
        break;
      }
      index[k] = 0;
      for (std::size_t i = 0; i < N; ++i) run.data[i] -= strides_[k][i] * (extents_[k] - 1);
    }
  }
}

template <std::size_t N>
void StridedLoop<N>::run_parallel(KernelContext& context, double ns_per_element, Body body) const {
  const double ns_per_run = ns_per_element * static_cast<double>(tile_) + calibration::kRunNs;
  if (ns_per_run * static_cast<double>(runs_) < kSerialNs || runs_ < 2) return run_all(body);
  context.parallel_for(runs_, ns_per_run, [&](std::int64_t first, std::int64_t last) { run(first, last, body); });
}

template class StridedLoop<1>;

}  // namespace tenferro::internal
