// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Kernel contexts for tests of kernels alone: one that runs everything on the caller, and one with real threads and
// chosen chunks, to prove that neither the number of lanes nor the chunks change a bit.
//
//   testing::SerialContext serial;
//   testing::ThreadedContext three(3, 7);   // 3 threads, chunks of 7 items
//   run_op(three, Op(OpKind::add), {a, b}, {out});

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "tenferro/backend/kernel_context.hpp"

namespace tenferro::testing {

inline constexpr ProviderDeclaration kOwnKernels{};

/// Runs every parallel region as one range on the caller. Scratch comes from the heap and is counted.
class SerialContext final : public KernelContext {
 public:
  Buffer scratch(std::uint64_t bytes) override {
    ++scratch_calls;
    return heap_block(bytes);
  }
  void parallel_for(std::int64_t count, double, FunctionRef<void(std::int64_t, std::int64_t)> body) override {
    ++parallel_calls;
    if (count > 0) body(0, count);
  }
  int lanes() const noexcept override { return 1; }
  const ProviderDeclaration& provider() const noexcept override { return kOwnKernels; }
  BackendKind kind() const noexcept override { return {"cpu"}; }
  Placement placement() const noexcept override { return {}; }

  int scratch_calls = 0;
  int parallel_calls = 0;
};

/// Runs parallel regions on `lanes` threads in ranges of `chunk` items, whatever the work is worth.
class ThreadedContext final : public KernelContext {
 public:
  explicit ThreadedContext(int lanes, std::int64_t chunk = 1) : lanes_(lanes), chunk_(chunk) {}

  Buffer scratch(std::uint64_t bytes) override { return heap_block(bytes); }
  void parallel_for(std::int64_t count, double, FunctionRef<void(std::int64_t, std::int64_t)> body) override {
    const std::int64_t ranges = (count + chunk_ - 1) / chunk_;
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto work = [&] {
      for (std::int64_t i = next.fetch_add(1); i < ranges; i = next.fetch_add(1)) {
        try {
          body(i * chunk_, std::min(count, (i + 1) * chunk_));
        } catch (...) {
          const std::scoped_lock lock(failure_mutex);
          if (!failure) failure = std::current_exception();
        }
      }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < lanes_; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
  }
  int lanes() const noexcept override { return lanes_; }
  const ProviderDeclaration& provider() const noexcept override { return kOwnKernels; }
  BackendKind kind() const noexcept override { return {"cpu"}; }
  Placement placement() const noexcept override { return {}; }

 private:
  int lanes_;
  std::int64_t chunk_;
};

}  // namespace tenferro::testing
