// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// How a loop is cut into chunks. The cut depends on the amount of work alone, never on how many threads there are or
// who shows up: a reduction that combines its chunks in order has the same bits on one thread and on many.
//
// Example:
//     const ChunkPlan plan = plan_chunks(100, 400);            // 40 µs of work
//     CHECK(plan.chunks == 10 && plan.begin(3) == 30 && plan.end(9) == 100);
//     CHECK(plan_chunks(100, 10).chunks == 1);                 // not worth a region

#include <algorithm>
#include <cstdint>

#include "tenferro/cpu/calibration.hpp"

namespace tenferro {

/// `chunks` ranges of almost equal length that cover 0 … count−1 in order; none is empty unless count is 0.
struct ChunkPlan {
  std::int64_t count = 0;
  std::uint32_t chunks = 1;

  constexpr std::int64_t begin(std::uint32_t chunk) const noexcept {
    const std::int64_t length = count / chunks;
    const std::int64_t longer = count % chunks;
    return chunk * length + std::min<std::int64_t>(chunk, longer);
  }
  constexpr std::int64_t end(std::uint32_t chunk) const noexcept { return begin(chunk + 1); }
};

/// The plan for `count` items of `ns_per_item` nanoseconds each.
constexpr ChunkPlan plan_chunks(std::int64_t count, double ns_per_item) noexcept {
  const double total = static_cast<double>(count) * ns_per_item;
  if (count <= 1 || !(total >= calibration::kMinRegionNs)) return {count, 1};
  const double wanted = std::min(total / calibration::kMinChunkNs, static_cast<double>(calibration::kMaxChunks));
  return {count, static_cast<std::uint32_t>(std::min(wanted, static_cast<double>(count)))};
}

}  // namespace tenferro
