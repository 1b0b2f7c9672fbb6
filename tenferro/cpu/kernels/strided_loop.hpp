// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Iteration over operands of one shape with any strides. Axes are sorted by the first operand (the output), turned so
// that it runs forwards, and merged; what is left is a list of runs, each with one stride per operand. The callback
// sees runs and nothing else. Where all operands are compact there is no need for any of this: callers test that first.
//
//   StridedLoop<1> loop(shape, {operand(out)});
//   loop.run_all([](const Run<1>& run) { … run.count elements from run.data[0] on, run.strides[0] bytes apart … });

#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/tensor/borrowed.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro::internal {

using calibration::kSerialNs;

/// One operand of a loop; null strides mean compact column-major. Inputs are only read, by agreement.
struct LoopOperand {
  std::byte* data;
  const std::int64_t* strides;
  std::int64_t element_size;
};
inline LoopOperand operand(const TensorRead& x) noexcept {
  return {const_cast<std::byte*>(x.data), x.strides, static_cast<std::int64_t>(element_size(x.dtype))};
}
inline LoopOperand operand(const TensorWrite& x) noexcept {
  return {x.data, x.strides, static_cast<std::int64_t>(element_size(x.dtype))};
}

/// `count` elements of each operand, `strides[i]` bytes apart.
template <std::size_t N>
struct Run {
  std::array<std::byte*, N> data;
  const std::int64_t* strides;
  std::int64_t count;
};

/// A plan over N operands of one shape, operand 0 being the one whose memory order is followed.
template <std::size_t N>
class StridedLoop {
 public:
  using Body = FunctionRef<void(const Run<N>&)>;

  /// Cost: a few nanoseconds per axis and operand; no allocation.
  StridedLoop(DimsView shape, const std::array<LoopOperand, N>& operands) noexcept;

  /// Runs that cover every element once; 0 for an empty shape. Their order is fixed, their lengths differ.
  std::int64_t runs() const noexcept { return runs_; }

  /// Calls body for runs first … last−1.
  void run(std::int64_t first, std::int64_t last, Body body) const;
  void run_all(Body body) const { run(0, runs_, body); }
  /// All runs, on helpers too where the work is worth it. The body must be safe to call from several threads.
  void run_parallel(KernelContext& context, double ns_per_element, Body body) const;

 private:
  void add_axis(std::int64_t extent, const std::array<std::int64_t, N>& strides) noexcept;
  void merge_axes() noexcept;
  void choose_tile() noexcept;

  // Axis 0 is the one that runs follow, in blocks of tile_ elements. Runs are counted over axes 1 … rank_−1 with the
  // axis of blocks at place block_axis_ among them.
  std::array<std::byte*, N> base_;
  std::array<std::int64_t, kMaxRank + 1> extents_;
  std::array<std::array<std::int64_t, N>, kMaxRank + 1> strides_;  // bytes
  std::size_t rank_ = 0;
  std::size_t block_axis_ = 1;
  std::int64_t inner_ = 1;
  std::int64_t tile_ = 1;
  std::int64_t runs_ = 0;
};

extern template class StridedLoop<1>;

}  // namespace tenferro::internal
