// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Memory of tensors. A block is a 64-byte header followed by the payload; the header says who takes the block back, so
// that a buffer can be freed on any thread, after its pool and its backend are gone. A Buffer is the one owner.
//
// Example:
//     Buffer a = heap_block(1024);                             // from the system, payload aligned to 64 bytes
//     char* memory = new char[1024];
//     Buffer b = foreign_block(memory, 1024, [](void* p) { delete[] static_cast<char*>(p); });
//     Buffer c = std::move(a);                                 // each is returned once, at the end of the scope
//     CHECK(!a && c.capacity() >= 1024 && b.data() == reinterpret_cast<std::byte*>(memory));

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "tenferro/base/error.hpp"

namespace tenferro {

/// Head of every block. The payload lies right behind it unless the block describes foreign memory.
///
/// Example:
///     Buffer buffer = heap_block(100);
///     CHECK(buffer.header()->bytes == buffer.capacity());
///     BlockHeader* block = buffer.detach();                    // handed on as a plain pointer
///     CHECK(!buffer && reinterpret_cast<std::uintptr_t>(block->payload()) % 64 == 0);
///     Buffer again(block);                                     // and owned again
///     CHECK(again.data() == block->payload());
struct alignas(64) BlockHeader {
  /// Takes the block back; called exactly once, on any thread, by the owning Buffer.
  void (*release)(BlockHeader*) noexcept = nullptr;
  /// What `release` returns the block to: a pool, or nothing.
  void* owner = nullptr;
  /// Link of the owner's free list while the block is not lent out.
  BlockHeader* next = nullptr;
  /// Payload capacity.
  std::uint64_t bytes = 0;
  std::uint32_t size_class = 0;
  std::uint32_t flags = 0;
  /// Start of the system allocation that holds the block, and its length where it was mapped.
  void* base = nullptr;
  std::uint64_t mapped_bytes = 0;
  /// Free for the owner: a pool keeps the time of the last use here.
  std::uint64_t stamp = 0;

  /// First payload byte of a block that carries its own payload; aligned to 64 bytes.
  std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(BlockHeader) == 64);

/// Blocks of this many payload bytes and more start at a multiple of it and ask the system for huge pages.
inline constexpr std::size_t kHugeBlock = std::size_t{2} << 20;

/// The system had no memory for a block.
///
/// Example:
///     CHECK(describe(AllocationFailed{64}) == "allocate: the system has no memory for a block (expected 64 bytes)");
struct AllocationFailed {
  std::uint64_t bytes;
};
std::string describe(const AllocationFailed& info);
using AllocationError = TypedError<AllocationFailed>;

/// Unique owner of a block. Moves leave the source empty; an empty buffer has null data.
class Buffer {
 public:
  Buffer() noexcept = default;
  /// Adopts a block that carries its payload; null gives an empty buffer.
  explicit Buffer(BlockHeader* block) noexcept : data_(block != nullptr ? block->payload() : nullptr), header_(block) {}
  /// Adopts a block that describes memory elsewhere.
  Buffer(std::byte* data, BlockHeader* block) noexcept : data_(data), header_(block) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), header_(std::exchange(other.header_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    BlockHeader* const old = header_;
    data_ = std::exchange(other.data_, nullptr);
    header_ = std::exchange(other.header_, nullptr);
    if (old != nullptr && old != header_) old->release(old);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (header_ != nullptr) header_->release(header_);
  }

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  /// Bytes that may be used from data() on; 0 when empty.
  std::uint64_t capacity() const noexcept { return header_ != nullptr ? header_->bytes : 0; }
  const BlockHeader* header() const noexcept { return header_; }
  explicit operator bool() const noexcept { return header_ != nullptr; }

  /// Gives the block up without returning it; the buffer is empty afterwards.
  [[nodiscard]] BlockHeader* detach() noexcept {
    data_ = nullptr;
    return std::exchange(header_, nullptr);
  }

 private:
  std::byte* data_ = nullptr;
  BlockHeader* header_ = nullptr;
};

/// A block straight from the system with at least `bytes` uninitialised payload bytes. Throws AllocationError.
Buffer heap_block(std::uint64_t bytes);

namespace internal {

/// Block with uninitialised payload and every other field null or zero except bytes and base; the caller sets
/// `release`. Throws AllocationError.
BlockHeader* allocate_block(std::uint64_t bytes);

/// Returns a block of allocate_block to the system.
void free_block(BlockHeader* block) noexcept;

template <class Deleter>
struct ForeignBlock final : BlockHeader {
  ForeignBlock(void* memory, Deleter&& d) : data(memory), deleter(std::move(d)) {}
  void* data;
  Deleter deleter;
};

}  // namespace internal

/// A buffer over memory that somebody else allocated; `deleter(data)` runs exactly once when the buffer dies and must
/// not throw. `data` may have any alignment. Where this function throws, the deleter has not run.
template <class Deleter>
  requires std::is_invocable_v<Deleter&, void*>
Buffer foreign_block(void* data, std::uint64_t bytes, Deleter deleter) {
  using Block = internal::ForeignBlock<Deleter>;
  auto* block = new Block(data, std::move(deleter));
  block->bytes = bytes;
  block->release = [](BlockHeader* header) noexcept {
    auto* self = static_cast<Block*>(header);
    self->deleter(self->data);
    delete self;
  };
  return Buffer(static_cast<std::byte*>(data), block);
}

}  // namespace tenferro
