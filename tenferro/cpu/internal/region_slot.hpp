// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One parallel region as helpers see it. The word holds the region's generation and the number of the next chunk.
// A claim is a compare-exchange on the whole word: a helper that looked at an earlier region fails, because the slot is
// closed and reopened under another generation, and so never touches what belongs to that region. A claim that succeeds
// keeps the region alive until the claimant has counted its chunk as done.

#include <atomic>
#include <cstdint>
#include <exception>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/cpu/internal/futex.hpp"

namespace tenferro::internal {

/// Lives on the stack of the caller of the region.
struct Region {
  FunctionRef<void(std::uint32_t)> body;
  const void* owner;
  std::uint32_t fp_control;
  std::atomic<bool> failed{false};
  std::atomic<bool> has_error{false};
  std::exception_ptr error{};
};

struct alignas(128) RegionSlot {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;    // also the chunk number of a closed slot
  static constexpr std::uint32_t kParked = 0x80000000;  // in `done`: the caller sleeps on it

  std::atomic<std::uint64_t> word{kNone};
  std::atomic<std::uint32_t> done{0};  // chunks that helpers have finished
  std::atomic<std::uint32_t> chunks{0};
  std::atomic<std::uint32_t> lanes{0};
  std::uint32_t generation = 0;  // this and `region` are written by whoever took the slot
  Region* region = nullptr;

  bool is_open() const noexcept {
    return static_cast<std::uint32_t>(word.load(std::memory_order_relaxed)) < chunks.load(std::memory_order_relaxed);
  }

  void open(Region& r, std::uint32_t chunk_count, std::uint32_t lane_count) noexcept {
    region = &r;
    done.store(0, std::memory_order_relaxed);
    chunks.store(chunk_count, std::memory_order_relaxed);
    lanes.store(lane_count, std::memory_order_relaxed);
    ++generation;
    interleave();
    word.store(std::uint64_t{generation} << 32, std::memory_order_release);
  }

  /// Number of the claimed chunk, or kNone if none is left.
  std::uint32_t claim() noexcept {
    std::uint64_t seen = word.load(std::memory_order_acquire);
    for (;;) {
      const auto next = static_cast<std::uint32_t>(seen);
      interleave();
      if (next >= chunks.load(std::memory_order_relaxed)) return kNone;
      interleave();
      if (word.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel, std::memory_order_acquire)) return next;
    }
  }

  /// Ends claiming; returns how many chunks were claimed.
  std::uint32_t close() noexcept {
    const std::uint64_t closed = std::uint64_t{generation} << 32 | kNone;
    return static_cast<std::uint32_t>(word.exchange(closed, std::memory_order_acq_rel));
  }

  /// Counts a helper's chunk. The region may be gone when this returns; the slot lives as long as the team.
  void finish_chunk() noexcept {
    interleave();
    if ((done.fetch_add(1, std::memory_order_acq_rel) & kParked) != 0) futex_wake(done, 1);
  }
};

}  // namespace tenferro::internal
