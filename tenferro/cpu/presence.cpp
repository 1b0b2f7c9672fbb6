// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/presence.hpp"

#include <algorithm>
#include <new>

namespace tenferro {

// Calls f(line) for every line that was ever claimed until f returns false.
template <class F>
void PresenceTable::each(const F& f) const noexcept {
  std::uint32_t left = count_.load(std::memory_order_seq_cst);
  for (std::uint32_t c = 0; left != 0 && c < kChunks; ++c) {
    const PresenceLine* lines = c == 0 ? first_.data() : more_[c].load(std::memory_order_acquire);
    const std::uint32_t here = std::min(left, chunk_size(c));
    for (std::uint32_t i = 0; i < here; ++i) {
      if (!f(lines[i])) return;
    }
    left -= here;
  }
}

PresenceLine& PresenceTable::claim() {
  const std::lock_guard lock(mutex_);
  PresenceLine* found = nullptr;
  each([&](const PresenceLine& line) {
    if (line.free) found = const_cast<PresenceLine*>(&line);
    return found == nullptr;
  });
  if (found == nullptr) {
    const std::uint32_t index = count_.load(std::memory_order_relaxed);
    std::uint32_t chunk = 0;
    std::uint32_t offset = index;
    while (offset >= chunk_size(chunk)) offset -= chunk_size(chunk++);
    if (chunk >= kChunks) throw std::bad_alloc();
    PresenceLine* lines = first_.data();
    if (chunk != 0) {
      lines = more_[chunk].load(std::memory_order_relaxed);
      if (lines == nullptr) {
        lines = new PresenceLine[chunk_size(chunk)];
        more_[chunk].store(lines, std::memory_order_release);
      }
    }
    found = &lines[offset];
    found->index = index;
    count_.store(index + 1, std::memory_order_seq_cst);
  }
  found->free = false;
  return *found;
}

void PresenceTable::give_back(PresenceLine& line) noexcept {
  if (line.shared.load(std::memory_order_relaxed) != 0 || line.exclusive.load(std::memory_order_relaxed) != 0) return;
  const std::lock_guard lock(mutex_);
  line.free = true;
}

bool PresenceTable::any_shared(const std::atomic<std::uint64_t>& sets) const noexcept {
  bool found = false;
  each([&](const PresenceLine& line) {
    const std::uint64_t held = line.shared.load(std::memory_order_seq_cst);
    found = held != 0 && (held & sets.load(std::memory_order_acquire)) != 0;
    return !found;
  });
  return found;
}

std::uint32_t PresenceTable::occupied(std::uint64_t sets) const noexcept {
  std::uint32_t threads = 0;
  each([&](const PresenceLine& line) {
    const std::uint64_t held =
        line.shared.load(std::memory_order_relaxed) | line.exclusive.load(std::memory_order_relaxed);
    threads += (held & sets) != 0 ? 1u : 0u;
    return true;
  });
  return threads;
}

void PresenceTable::keep_only(const PresenceLine* own) noexcept {
  // The lock may be held by a thread that does not exist here; the child is alone and makes it anew.
  new (&mutex_) std::mutex;
  each([&](const PresenceLine& line) {
    if (&line == own) return true;
    auto& gone = const_cast<PresenceLine&>(line);
    gone.shared.store(0, std::memory_order_relaxed);
    gone.exclusive.store(0, std::memory_order_relaxed);
    gone.free = true;
    return true;
  });
}

}  // namespace tenferro
