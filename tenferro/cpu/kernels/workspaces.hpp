// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Scratch memory for the bodies of a parallel region. A body may not ask its context for memory, so the kernel takes
// one piece for each lane before the region, and each range borrows one while it runs.
//
//   Workspaces spaces(context, bytes, n);
//   context.parallel_for(n, ns, [&](std::int64_t first, std::int64_t last) {
//     const Workspaces::Lease lease(spaces);  … lease.data() …
//   });

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>

#include "tenferro/backend/kernel_context.hpp"

namespace tenferro::internal {

/// One piece of `bytes` uninitialised bytes for each lane of a context, of which no more than `ranges` have work; none
/// is taken for zero bytes.
class Workspaces {
 public:
  Workspaces(KernelContext& context, std::uint64_t bytes, std::int64_t ranges)
      : count_(bytes > 0 ? static_cast<int>(std::min<std::int64_t>(context.lanes(), ranges)) : 0),
        step_(kHead + (bytes + kHead - 1) / kHead * kHead) {
    if (count_ == 0) return;
    memory_ = context.scratch(step_ * static_cast<std::uint64_t>(count_));
    for (int i = 0; i < count_; ++i) new (memory_.data() + step_ * static_cast<std::uint64_t>(i)) Flag(false);
  }

  /// Holds one piece; at most as many live at a time as there are pieces.
  class Lease {
   public:
    explicit Lease(Workspaces& spaces) noexcept {
      for (int i = 0; spaces.count_ > 0; i = (i + 1) % spaces.count_) {
        std::byte* piece = spaces.memory_.data() + spaces.step_ * static_cast<std::uint64_t>(i);
        Flag& taken = *std::launder(reinterpret_cast<Flag*>(piece));
        if (taken.exchange(true, std::memory_order_acquire)) continue;
        taken_ = &taken;
        data_ = piece + kHead;
        return;
      }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (taken_ != nullptr) taken_->store(false, std::memory_order_release);
    }
    /// Aligned to 64 bytes; null where no bytes were asked for.
    std::byte* data() const noexcept { return data_; }

   private:
    std::atomic<bool>* taken_ = nullptr;
    std::byte* data_ = nullptr;
  };

 private:
  using Flag = std::atomic<bool>;
  static constexpr std::uint64_t kHead = 64;

  int count_;
  std::uint64_t step_;
  Buffer memory_;
};

}  // namespace tenferro::internal
