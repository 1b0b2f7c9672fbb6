// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/buffer_pool.hpp"

#include <time.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace tenferro {
namespace {

// Blocks from here on are worth a look at the clock and an atomic addition each.
constexpr std::uint64_t kLargeBlock = 64 << 10;

// Head of the return stack of a closed pool.
constinit BlockHeader closed_mark{};

// As f64 a signalling NaN; as f32 a quiet and a signalling one. A kernel that leaves a gap in its output shows.
[[maybe_unused]] void fill_with_nan(BlockHeader* block) noexcept {
  constexpr std::uint64_t kPattern = 0x7FF4A5A57FA5A5A5;
  std::byte* const data = block->payload();
  std::uint64_t filled = sizeof kPattern;
  std::memcpy(data, &kPattern, filled);
  while (filled < block->bytes) {
    const std::uint64_t more = std::min(filled, block->bytes - filled);
    std::memcpy(data + filled, data, more);
    filled += more;
  }
}

void free_payload(BlockHeader* block) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(block->payload(), block->bytes);
  internal::free_block(block);
}

}  // namespace

std::uint64_t RetentionBudget::default_cap() noexcept {
  constexpr std::uint64_t kDefault = std::uint64_t{100} << 20;
  const char* text = std::getenv("TENFERRO_POOL_CAP_BYTES");
  if (text == nullptr) return kDefault;
  std::uint64_t bytes = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, bytes);
  return error == std::errc{} && stop == end && stop != text ? bytes : kDefault;
}

PoolStats& PoolStats::operator+=(const PoolStats& other) noexcept {
  hits += other.hits;
  misses += other.misses;
  lent_blocks += other.lent_blocks;
  lent_bytes += other.lent_bytes;
  retained_blocks += other.retained_blocks;
  retained_bytes += other.retained_bytes;
  return *this;
}

BufferPool::Handle BufferPool::open(RetentionBudget& budget) { return Handle(new BufferPool(budget)); }

void BufferPool::prepare_recycled(BlockHeader* block) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(block->payload(), block->bytes);
#ifndef NDEBUG
  fill_with_nan(block);
#endif
}

BlockHeader* BufferPool::acquire_slow(std::uint64_t bytes) {
  if (bytes > internal::kLargestClass) return internal::allocate_block(bytes);  // raises
  const std::uint32_t size_class = internal::size_class_of(bytes);
  if (returned_.load(std::memory_order_relaxed) != nullptr) {
    drain();
    if (idle_[size_class] != nullptr) return reuse(size_class);
  }
  BlockHeader* block = allocate(internal::size_class_bytes(size_class));
  block->release = &release;
  block->owner = this;
  block->size_class = size_class;
  misses_.add();
  lent_blocks_.add();
  lent_bytes_.add(block->bytes);
  owned_blocks_.add();
  owned_bytes_.add(block->bytes);
  return block;
}

// A new block makes the process larger, so this is where the budget is enforced: what is idle may exceed the cap only
// as far as it was recently lent out. Memory that a loop uses in turns is thus never given back while the loop runs.
BlockHeader* BufferPool::allocate(std::uint64_t bytes) {
  const std::uint64_t lent = lent_bytes_.get() + bytes;
  peak_ = std::max(peak_, lent);
  roll_peak(now());
  publish_retained();
  const std::uint64_t idle = budget_->retained_.load(std::memory_order_relaxed);
  const std::uint64_t allowed = std::max(budget_->cap(), std::max({peak_, previous_peak_, lent}) - lent);
  if (idle > allowed) {
    free_idle(idle - allowed, std::numeric_limits<std::uint64_t>::max());
    publish_retained();
  }
  try {
    return internal::allocate_block(bytes);
  } catch (const AllocationError&) {
    if (retained_bytes() == 0) throw;
    clear();
    return internal::allocate_block(bytes);
  }
}

void BufferPool::release(BlockHeader* block) noexcept {
  auto* pool = static_cast<BufferPool*>(block->owner);
  if (internal::thread_record.session_pool == pool) {
    pool->put(block);
  } else {
    pool->give_back(block);
  }
}

void BufferPool::put(BlockHeader* block) noexcept {
  ASAN_POISON_MEMORY_REGION(block->payload(), block->bytes);
  block->next = idle_[block->size_class];
  idle_[block->size_class] = block;
  lent_blocks_.subtract(1);
  lent_bytes_.subtract(block->bytes);
  if (block->bytes >= kLargeBlock) [[unlikely]]
    put_large(block);
}

void BufferPool::put_large(BlockHeader* block) noexcept {
  block->stamp = now();
  peak_ = std::max(peak_, lent_bytes_.get() + block->bytes);
  roll_peak(block->stamp);
  publish_retained();
  if (budget_->retained_.load(std::memory_order_relaxed) > budget_->cap()) age();
}

// Any thread. The pool lives as long as `block` is lent, that is, until the exchange below succeeds.
void BufferPool::give_back(BlockHeader* block) noexcept {
  ASAN_POISON_MEMORY_REGION(block->payload(), block->bytes);
  BlockHeader* head = returned_.load(std::memory_order_relaxed);
  do {
    if (head == &closed_mark) return late_return(block);
    block->next = head;
  } while (!returned_.compare_exchange_weak(head, block, std::memory_order_release, std::memory_order_relaxed));
}

void BufferPool::late_return(BlockHeader* block) noexcept {
  free_payload(block);
  if (lent_after_close_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void BufferPool::drain() noexcept { take_in(returned_.exchange(nullptr, std::memory_order_acquire)); }

void BufferPool::take_in(BlockHeader* chain) noexcept {
  while (chain != nullptr) {
    BlockHeader* next = chain->next;
    put(chain);
    chain = next;
  }
}

void BufferPool::publish_retained() noexcept {
  const std::uint64_t retained = retained_bytes();
  budget_->retained_.fetch_add(retained - published_, std::memory_order_relaxed);
  published_ = retained;
}

void BufferPool::roll_peak(std::uint64_t now) noexcept {
  constexpr auto kPeriod = static_cast<std::uint64_t>(std::chrono::nanoseconds(kIdleAge).count());
  if (now - peak_since_ < kPeriod) return;
  previous_peak_ = peak_;
  peak_ = lent_bytes_.get();
  peak_since_ = now;
}

// Frees what exceeds the cap and has been idle for kIdleAge. Looked at once a second at most, because walking the lists
// is not free.
void BufferPool::age() noexcept {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t time = now();
  if (time - last_aged_ < kSecond) return;
  last_aged_ = time;
  const std::uint64_t idle = budget_->retained_.load(std::memory_order_relaxed);
  const std::uint64_t cap = budget_->cap();
  const auto period = static_cast<std::uint64_t>(std::chrono::nanoseconds(kIdleAge).count());
  if (idle > cap && time > period) free_idle(idle - cap, time - period);
  publish_retained();
}

// Frees idle blocks last used before `idle_since`, large classes first and within a class the least recently used
// first, until `goal` bytes are free. Small blocks carry no stamp and count as old.
std::uint64_t BufferPool::free_idle(std::uint64_t goal, std::uint64_t idle_since) noexcept {
  std::uint64_t freed = 0;
  for (std::uint32_t c = internal::kSizeClasses; c-- > 0 && freed < goal;) {
    if (idle_[c] == nullptr) continue;
    // Lists are in the order of last use, newest first: keep a prefix.
    const std::uint64_t bytes = internal::size_class_bytes(c);
    std::uint64_t blocks = 0;
    for (const BlockHeader* b = idle_[c]; b != nullptr; b = b->next) ++blocks;
    const std::uint64_t surplus = std::min(blocks, (goal - freed + bytes - 1) / bytes);
    BlockHeader** link = &idle_[c];
    for (std::uint64_t i = 0; i < blocks - surplus; ++i) link = &(*link)->next;
    while (*link != nullptr && (*link)->stamp >= idle_since) link = &(*link)->next;
    BlockHeader* old = std::exchange(*link, nullptr);
    while (old != nullptr) {
      BlockHeader* next = old->next;
      freed += bytes;
      owned_blocks_.subtract(1);
      owned_bytes_.subtract(bytes);
      free_payload(old);
      old = next;
    }
  }
  return freed;
}

void BufferPool::trim() noexcept {
  drain();
  publish_retained();
  const std::uint64_t idle = budget_->retained_.load(std::memory_order_relaxed);
  const std::uint64_t cap = budget_->cap();
  if (idle > cap) free_idle(idle - cap, std::numeric_limits<std::uint64_t>::max());
  publish_retained();
}

void BufferPool::clear() noexcept {
  drain();
  free_idle(std::numeric_limits<std::uint64_t>::max() / 2, std::numeric_limits<std::uint64_t>::max());
  publish_retained();
}

PoolStats BufferPool::stats() const noexcept {
  PoolStats s;
  s.hits = hits_.get();
  s.misses = misses_.get();
  s.lent_blocks = lent_blocks_.get();
  s.lent_bytes = lent_bytes_.get();
  // A reader on another thread may see counters of different moments, but never a negative number.
  const auto difference = [](std::uint64_t more, std::uint64_t less) { return more > less ? more - less : 0; };
  s.retained_blocks = difference(owned_blocks_.get(), s.lent_blocks);
  s.retained_bytes = difference(owned_bytes_.get(), s.lent_bytes);
  return s;
}

// The coarse clock needs no system call and no serialising instruction; its step of some milliseconds is fine here.
std::uint64_t BufferPool::now() const noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec) + clock_offset_;
}

// Blocks still lent are counted in one step while late returns count down, possibly before that step: whoever reaches
// zero after it deletes the pool.
void BufferPool::close() noexcept {
  take_in(returned_.exchange(&closed_mark, std::memory_order_acq_rel));
  free_idle(std::numeric_limits<std::uint64_t>::max() / 2, std::numeric_limits<std::uint64_t>::max());
  publish_retained();
  budget_ = nullptr;
  const auto lent = static_cast<std::int64_t>(lent_blocks_.get());
  if (lent_after_close_.fetch_add(lent, std::memory_order_acq_rel) + lent == 0) delete this;
}

}  // namespace tenferro
