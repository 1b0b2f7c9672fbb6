// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

namespace tenferro {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Buffer, PayloadIsAlignedAndWritableAtEverySize) {
  for (std::uint64_t bytes : {0u, 1u, 7u, 64u, 65u, 4096u, 100000u, 3u << 20}) {
    Buffer buffer = heap_block(bytes);
    EXPECT_EQ(address(buffer.data()) % 64, 0u) << bytes;
    EXPECT_GE(buffer.capacity(), bytes);
    std::memset(buffer.data(), 0x5a, bytes);
    for (std::uint64_t i = 0; i < bytes; i += 997) ASSERT_EQ(std::to_integer<int>(buffer.data()[i]), 0x5a);
  }
}

TEST(Buffer, LargeBlocksStartAtHugePageBoundaries) {
  for (std::uint64_t bytes : {std::uint64_t{kHugeBlock}, std::uint64_t{kHugeBlock} * 5 + 123}) {
    const Buffer buffer = heap_block(bytes);
    EXPECT_EQ(address(buffer.header()) % kHugeBlock, 0u);
    EXPECT_EQ(address(buffer.data()), address(buffer.header()) + 64);
  }
}

TEST(Buffer, MoveLeavesTheSourceEmpty) {
  Buffer a = heap_block(32);
  const std::byte* data = a.data();
  Buffer b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): the moved-from state is the subject
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.capacity(), 0u);
}

TEST(Buffer, MoveAssignmentReturnsTheOldBlockOnce) {
  int released = 0;
  char memory[2] = {};
  Buffer a = foreign_block(&memory[0], 1, [&](void*) { ++released; });
  Buffer b = foreign_block(&memory[1], 1, [&](void*) { ++released; });
  a = std::move(b);
  EXPECT_EQ(released, 1);
  Buffer& same = a;
  a = std::move(same);
  EXPECT_EQ(released, 1);
  EXPECT_EQ(a.data(), reinterpret_cast<std::byte*>(&memory[1]));
  a = Buffer();
  EXPECT_EQ(released, 2);
}

TEST(Buffer, ForeignMemoryIsGivenBackWithItsPointer) {
  auto owner = std::make_shared<std::vector<double>>(8, 1.5);
  const std::weak_ptr<std::vector<double>> watch = owner;
  void* data = owner->data();
  void* seen = nullptr;
  {
    Buffer buffer = foreign_block(data, 64, [owner, &seen](void* p) { seen = p; });
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(buffer.data(), data);
    EXPECT_EQ(buffer.capacity(), 64u);
  }
  EXPECT_EQ(seen, data);
  EXPECT_TRUE(watch.expired());
}

TEST(Buffer, DetachHandsTheBlockOver) {
  Buffer a = heap_block(16);
  BlockHeader* block = a.detach();
  EXPECT_FALSE(a);
  const Buffer again(block);
  EXPECT_EQ(again.data(), block->payload());
}

TEST(Buffer, MayBeFreedOnAnotherThread) {
  Buffer a = heap_block(1000);
  std::thread([taken = std::move(a)] {}).join();
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move)
}

TEST(Buffer, ImpossibleSizesAreTypedErrors) {
  for (std::uint64_t bytes : {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 62}) {
    const auto result = attempt<AllocationFailed>([&] { return heap_block(bytes); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().bytes, bytes);
  }
}

}  // namespace
}  // namespace tenferro
