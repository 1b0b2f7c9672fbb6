// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Results of usual products and reductions in few instructions. `accepted` is true only if `infer` accepts the
// operation and gives this dtype and shape, and if every operand is at `here`; false says nothing.
//
//   const PlainReduction sum(op, in, here);
//   if (sum.accepted) use(sum.dtype, sum.shape());

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "tenferro/ops/infer.hpp"
#include "tenferro/ops/op.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro::internal {

/// Whether `infer` accepts a select of these operands, whose result is then like the second.
inline bool is_plain_select(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
  if (in.size() != 3 || in[0].dtype != DType::boolean || in[1].dtype != in[2].dtype) return false;
  if (op.attrs.index() != 0 || !admitted(op.info().dtypes).contains(in[1].dtype)) return false;
  for (const TensorRead& x : in) {
    if (x.placement != here || !same_shape(x.shape(), in[1].shape())) return false;
  }
  return true;
}

/// The shape of a product of two operands of one dtype with few axes.
class PlainProduct {
 public:
  PlainProduct(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
    if (in.size() != 2) return;
    const TensorRead &a = in[0], &b = in[1];
    if (a.axis_count > kMostAxes || b.axis_count > kMostAxes || a.dtype != b.dtype) return;
    if (a.placement != here || b.placement != here) return;
    const auto* const config = std::get_if<DotGeneralConfig>(&op.attrs);
    if (config == nullptr || !admitted(op.info().dtypes).contains(a.dtype)) return;
    unsigned left = 0, right = 0;
    const auto pair_up = [&](std::span<const std::uint8_t> of_a, std::span<const std::uint8_t> of_b) {
      if (of_a.size() != of_b.size()) return false;
      for (std::size_t i = 0; i < of_a.size(); ++i) {
        if (of_a[i] >= a.axis_count || of_b[i] >= b.axis_count || a.extents[of_a[i]] != b.extents[of_b[i]])
          return false;
        const unsigned left_bit = 1U << of_a[i], right_bit = 1U << of_b[i];
        if ((left & left_bit) != 0 || (right & right_bit) != 0) return false;
        left |= left_bit;
        right |= right_bit;
      }
      return true;
    };
    if (!pair_up(config->lhs_contracting(), config->rhs_contracting())) return;
    if (!pair_up(config->lhs_batch(), config->rhs_batch())) return;
    for (std::size_t k = 0; k < a.axis_count; ++k) {
      if ((left >> k & 1U) == 0) add(a.extents[k]);
    }
    for (std::size_t k = 0; k < b.axis_count; ++k) {
      if ((right >> k & 1U) == 0) add(b.extents[k]);
    }
    for (const std::uint8_t axis : config->lhs_batch()) add(a.extents[axis]);
    // No extent and no count on the way is so long that the next one could overflow.
    accepted = seen_ >> 28 == 0;
  }
  DimsView shape() const noexcept { return {extents_.data(), rank_}; }

  bool accepted = false;

 private:
  static constexpr std::size_t kMostAxes = 8;

  void add(std::int64_t extent) noexcept {
    extents_[rank_++] = extent;
    if (extent > 0) count_ *= static_cast<std::uint64_t>(extent);  // what is empty is not therefore short
    seen_ |= count_ | static_cast<std::uint64_t>(extent);
  }

  std::array<std::int64_t, 2 * kMostAxes> extents_;
  std::size_t rank_ = 0;
  std::uint64_t count_ = 1, seen_ = 0;
};

/// The dtype and shape of a reduction over axes of an operand that has elements and few axes.
class PlainReduction {
 public:
  PlainReduction(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept {
    if (in.size() != 1 || in[0].axis_count > kMostAxes || in[0].placement != here) return;
    const TensorRead& x = in[0];
    const auto* const config = std::get_if<ReduceAttrs>(&op.attrs);
    if (config == nullptr || !admitted(op.info().dtypes).contains(x.dtype)) return;
    if (config->axes.bits() >> x.axis_count != 0) return;
    for (std::size_t k = 0; k < x.axis_count; ++k) {
      if (x.extents[k] == 0) return;
      const bool reduced = (config->axes.bits() >> k & 1U) != 0;
      if (!reduced || config->keep_dims) extents_[rank_++] = reduced ? 1 : x.extents[k];
    }
    dtype = result_dtype(op.info().result, x.dtype);
    accepted = true;
  }
  DimsView shape() const noexcept { return {extents_.data(), rank_}; }

  bool accepted = false;
  DType dtype = DType::f64;

 private:
  static constexpr std::size_t kMostAxes = 8;

  std::array<std::int64_t, kMostAxes> extents_;
  std::size_t rank_ = 0;
};

}  // namespace tenferro::internal
