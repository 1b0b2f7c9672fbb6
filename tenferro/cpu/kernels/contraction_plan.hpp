// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A contraction seen as a batch of matrix products: (m, k, batch)·(k, n, batch) → (m, n, batch). The order of the axes
// inside a group follows the configuration and the shapes, never the strides: it decides the order of the sums.

#include <optional>

#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/ops/attrs.hpp"
#include "tenferro/tensor/borrowed.hpp"

namespace tenferro::internal {

/// The four groups. Steps are those of (lhs, rhs, out), in elements; 0 where a tensor has not the axis. Axes of extent
/// 1 are left out, the batch is merged as far as all three allow.
struct ContractionPlan {
  BoxAxes<3> m, n, k, batch;
  std::int64_t m_count = 1, n_count = 1, k_count = 1, batch_count = 1;
};

/// Positions in the steps of a plan.
inline constexpr std::size_t kLhs = 0, kRhs = 1, kOut = 2;

/// Splits the axes of a checked contraction into groups.
ContractionPlan plan_contraction(const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
                                 const TensorWrite& out);

/// The one step with which a tensor runs through a whole group, or nothing. A group of one index has step 0.
std::optional<std::int64_t> single_step(const BoxAxes<3>& group, std::size_t tensor) noexcept;

}  // namespace tenferro::internal
