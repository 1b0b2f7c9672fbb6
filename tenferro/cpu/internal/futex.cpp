// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/internal/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace tenferro::internal {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_ns) noexcept {
  timespec timeout{};
  if (timeout_ns >= 0) {
    timeout.tv_sec = static_cast<time_t>(timeout_ns / 1'000'000'000);
    timeout.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000);
  }
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeout_ns >= 0 ? &timeout : nullptr, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

std::int64_t monotonic_ns() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

#ifdef TENFERRO_INJECT_DELAYS
void interleave() noexcept {
  static std::atomic<std::uint64_t> seed{1};
  std::uint64_t x = seed.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed);
  x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9;
  x ^= x >> 29;
  if (x % 512 == 0) {
    ::syscall(SYS_sched_yield);
  } else if (x % 4 == 0) {
    for (std::uint64_t i = 0; i < (x >> 12) % 256; ++i) spin_pause();
  }
}
#endif

}  // namespace tenferro::internal
