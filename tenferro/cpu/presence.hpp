// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Presence lines: one cache line a thread, in which the thread notes what it occupies. Entering a shared session writes
// this line and nothing that another thread writes, so shared sessions of different threads do not slow each other
// down. Whoever needs a CPU set alone reads all lines.
//
// Example:
//     #include <memory>
//     auto table = std::make_unique<PresenceTable>();
//     PresenceLine &mine = table->claim(), &other = table->claim();
//     const std::atomic<std::uint64_t> sets{0b110};            // two of the arbiter's CPU sets
//     CHECK(!table->any_shared(sets));
//     mine.shared = 0b010;
//     other.exclusive = 0b100;
//     CHECK(table->any_shared(sets) && table->occupied(0b110) == 2 && table->occupied(0b001) == 0);
//     table->keep_only(&mine);                                 // as after a fork
//     CHECK(table->occupied(0b110) == 1);
//     mine.shared = 0;
//     table->give_back(mine);

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace tenferro {

/// What one thread occupies, as bits of the arbiter's CPU sets. Written by its thread, read by all.
struct alignas(64) PresenceLine {
  /// The set of the shared session or scope that is open on the thread.
  std::atomic<std::uint64_t> shared{0};
  /// The bit that the thread holds exclusively in the arbiter's word.
  std::atomic<std::uint64_t> exclusive{0};
  std::uint32_t index = 0;
  bool free = true;
};

/// All lines of one arbiter. Lines are never freed, only used again.
class PresenceTable {
 public:
  constexpr PresenceTable() noexcept = default;

  /// A line that no thread uses. Allocates once every kFirst threads at most. Throws std::bad_alloc.
  PresenceLine& claim();
  /// Gives a line back; a line that is still occupied stays with its thread for ever.
  void give_back(PresenceLine& line) noexcept;

  /// Whether some thread has a shared session on one of `sets`. Sequentially consistent with the stores of entries.
  /// `sets` is read after each line: who enters on a set that was registered just now has added it to `sets` before.
  bool any_shared(const std::atomic<std::uint64_t>& sets) const noexcept;
  /// Number of threads that occupy one of `sets` in either way; a snapshot.
  std::uint32_t occupied(std::uint64_t sets) const noexcept;
  /// In the child of a fork, where only the thread of `own` lives: frees every other line. `own` may be null.
  void keep_only(const PresenceLine* own) noexcept;

 private:
  static constexpr std::uint32_t kFirst = 64;
  static constexpr std::uint32_t kChunks = 20;
  static std::uint32_t chunk_size(std::uint32_t chunk) noexcept { return chunk == 0 ? kFirst : kFirst << (chunk - 1); }
  template <class F>
  void each(const F& f) const noexcept;

  std::mutex mutex_;
  std::atomic<std::uint32_t> count_{0};  // lines that were ever claimed
  std::array<PresenceLine, kFirst> first_{};
  std::array<std::atomic<PresenceLine*>, kChunks> more_{};  // chunk c ≥ 1, each as large as all before it
};

}  // namespace tenferro
