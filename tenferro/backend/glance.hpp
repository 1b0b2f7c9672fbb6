// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The dtype and shape of a result in few instructions, for usual products, selections, reductions, scans,
// orders, casts, takes and movements.
//
//   const Glance sum(op, in, here);
//   if (sum.accepted) use(sum.dtype, sum.shape);

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tenferro/ops/op.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro::internal {

/// What is seen of a core operation without `infer`. `accepted` is true only if `infer` accepts the operation and gives
/// this dtype and shape, and if every operand is at `here`; false says nothing. Borrows from the operands and from the
/// payload.
class Glance {
 public:
  Glance(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept;
  Glance(const Glance&) = delete;
  Glance& operator=(const Glance&) = delete;

  bool accepted = false;
  DType dtype = DType::f64;
  DType operand = DType::f64;  ///< that of the data operand, which picks the kernel
  DimsView shape;

 private:
  static constexpr std::size_t kMostAxes = 8;  // of an operand

  void product(const Op& op, const TensorRead& a, const TensorRead& b, const Placement& here) noexcept;
  void one_pair(const DotGeneralConfig& config, const TensorRead& a, const TensorRead& b) noexcept;
  void selection(const Op& op, const TensorRead& mask, const TensorRead& a, const TensorRead& b,
                 const Placement& here) noexcept;
  void of_one(const Op& op, const TensorRead& x) noexcept;
  void of_several(const Op& op, std::span<const TensorRead> in, const Placement& here) noexcept;
  void concatenation(std::span<const TensorRead> in, std::size_t axis) noexcept;
  void taking(const GatherConfig& config, const TensorRead& x, const TensorRead& indices) noexcept;
  void reduction(const TensorRead& x, AxisSet axes, bool keep_dims) noexcept;
  void transposition(const TensorRead& x, const AxisList& perm) noexcept;
  void accept(DimsView result) noexcept {
    shape = result;
    accepted = true;
  }
  void accept_if_short(DimsView result) noexcept;

  std::array<std::int64_t, 2 * kMostAxes> extents_;
  std::size_t rank_ = 0;
};

}  // namespace tenferro::internal
