// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The function for the vector instructions in use, for kernels that take nanoseconds: by an index that is kept beside
// the tables of Highway, where HWY_DYNAMIC_DISPATCH computes it at every call.
//
//   HWY_EXPORT(TilesF64);
//   TENFERRO_DISPATCH(TilesF64)(call);

#include <hwy/highway.h>

#include <atomic>
#include <cstddef>

namespace tenferro::internal {

/// The index in use, set when the program starts and by use_simd_target; 0 before, the entry that finds out for itself.
extern constinit std::atomic<std::size_t> simd_index;

}  // namespace tenferro::internal

#define TENFERRO_DISPATCH(function) \
  (HWY_CONCAT(function, HighwayDispatchTable)[tenferro::internal::simd_index.load(std::memory_order_relaxed)])
