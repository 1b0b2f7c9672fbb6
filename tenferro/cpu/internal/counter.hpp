// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Statistics that one thread writes at a time and any thread may read: no atomic read-modify-write, so counting costs
// what a plain increment costs. Who may write is settled by whoever owns the counter, e.g. by a checked-out resource
// set.

#include <atomic>
#include <cstdint>

namespace tenferro::internal {

/// Monotone or level counter with one writer at a time.
class Counter {
 public:
  void add(std::uint64_t amount = 1) noexcept { value_.store(get() + amount, std::memory_order_relaxed); }
  void subtract(std::uint64_t amount) noexcept { value_.store(get() - amount, std::memory_order_relaxed); }
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace tenferro::internal
