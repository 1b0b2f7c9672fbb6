// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Parking on a 32-bit word. Unlike condition variables these calls are no cancellation points, touch no lock that a
// fork could leave locked, and wake exactly the word they name. Callers loop: both may return without reason.

#include <atomic>
#include <cstdint>

namespace tenferro::internal {

/// Waits while `word` is `expected`, until woken, interrupted or `timeout_ns` has passed; negative: no time limit.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_ns) noexcept;

/// Wakes up to `count` threads that wait on `word`.
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept;

/// Nanoseconds of the monotonic clock.
std::int64_t monotonic_ns() noexcept;

/// One step of a spin loop.
inline void spin_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A step between two atomic operations. In builds with TENFERRO_INJECT_DELAYS it sometimes gives the processor away,
/// so that tests see interleavings that are rare otherwise; elsewhere it is nothing.
#ifdef TENFERRO_INJECT_DELAYS
void interleave() noexcept;
#else
inline void interleave() noexcept {}
#endif

}  // namespace tenferro::internal
