// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "tenferro/base/text.hpp"

namespace tenferro {
namespace {

constexpr std::uint64_t kPage = 4096;

// glibc's aligned allocation costs ten times malloc for small blocks, so small blocks are aligned by hand.
BlockHeader* allocate_small(std::uint64_t bytes) noexcept {
  void* base = std::malloc(static_cast<std::size_t>(bytes) + 2 * alignof(BlockHeader));
  if (base == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const auto aligned = (address + alignof(BlockHeader) - 1) & ~(std::uintptr_t{alignof(BlockHeader)} - 1);
  auto* block = new (static_cast<std::byte*>(base) + (aligned - address)) BlockHeader{};
  block->base = base;
  return block;
}

// Maps kHugeBlock more than needed and gives the unaligned ends back. Where that wastes little, the end is on a large
// page as well: small ones cost a fault each.
BlockHeader* allocate_huge(std::uint64_t bytes) noexcept {
  const std::uint64_t page = bytes >= 8 * kHugeBlock ? kHugeBlock : kPage;
  const std::uint64_t length = (bytes + sizeof(BlockHeader) + page - 1) / page * page;
  void* mapped = ::mmap(nullptr, length + kHugeBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = (address + kHugeBlock - 1) & ~(std::uintptr_t{kHugeBlock} - 1);
  auto* start = static_cast<std::byte*>(mapped) + (aligned - address);
  if (aligned != address) ::munmap(mapped, aligned - address);
  if (const std::uint64_t tail = kHugeBlock - (aligned - address); tail != 0) ::munmap(start + length, tail);
  ::madvise(start, length, MADV_HUGEPAGE);
  auto* block = new (start) BlockHeader{};
  block->base = start;
  block->mapped_bytes = length;
  return block;
}

}  // namespace

std::string describe(const AllocationFailed& info) {
  return concat("allocate: the system has no memory for a block (expected ", info.bytes, " bytes)");
}

Buffer heap_block(std::uint64_t bytes) {
  BlockHeader* block = internal::allocate_block(bytes);
  block->release = [](BlockHeader* header) noexcept { internal::free_block(header); };
  return Buffer(block);
}

namespace internal {

BlockHeader* allocate_block(std::uint64_t bytes) {
  // Half the address space: no addition below can overflow, and no system grants more.
  const bool impossible = bytes > std::numeric_limits<std::uint64_t>::max() / 2;
  BlockHeader* block = impossible ? nullptr : bytes >= kHugeBlock ? allocate_huge(bytes) : allocate_small(bytes);
  if (block == nullptr) raise<AllocationFailed>(AllocationFailed{bytes});
  block->bytes = bytes;
  return block;
}

void free_block(BlockHeader* block) noexcept {
  if (block->mapped_bytes != 0) {
    ::munmap(block->base, block->mapped_bytes);
  } else {
    std::free(block->base);
  }
}

}  // namespace internal
}  // namespace tenferro
