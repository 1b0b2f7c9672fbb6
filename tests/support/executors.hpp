// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Executors that a user might bring, good and bad.

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tenferro/cpu/external_executor.hpp"

namespace tenferro::testing {

/// One new thread a job; counts its calls.
class ThreadPerJob final : public ExternalExecutor {
 public:
  std::string_view name() const noexcept override { return "thread-per-job"; }
  void run(std::uint32_t jobs, FunctionRef<void(std::uint32_t)> job) override {
    ++calls;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < jobs; ++i) threads.emplace_back([&job, i] { job(i); });
    if (jobs > 0) job(0);
    for (std::thread& t : threads) t.join();
  }
  int calls = 0;
};

/// Breaks the contract in the way it is told to.
class BrokenExecutor final : public ExternalExecutor {
 public:
  enum class Way { skips_one, repeats_one, invents_one, throws_at_once };
  explicit BrokenExecutor(Way w) : way(w) {}
  std::string_view name() const noexcept override { return "broken"; }
  void run(std::uint32_t jobs, FunctionRef<void(std::uint32_t)> job) override {
    if (way == Way::throws_at_once) throw std::runtime_error("no threads today");
    for (std::uint32_t i = way == Way::skips_one ? 1 : 0; i < jobs; ++i) job(i);
    if (way == Way::repeats_one) job(0);
    if (way == Way::invents_one) job(jobs);
  }
  const Way way;
};

/// Returns, or throws, while its threads run the jobs or have yet to begin them. The threads are joined at the end.
class EarlyExecutor final : public ExternalExecutor {
 public:
  explicit EarlyExecutor(bool throws) : throws_(throws) {}
  ~EarlyExecutor() override { finish(); }
  std::string_view name() const noexcept override { return "early"; }
  void run(std::uint32_t jobs, FunctionRef<void(std::uint32_t)> job) override {
    for (std::uint32_t i = 1; i < jobs; ++i) {
      threads_.emplace_back([job, i] {
        if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        job(i);
      });
    }
    job(0);
    if (throws_) throw std::runtime_error("gave up");
  }
  void finish() {
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  const bool throws_;
  std::vector<std::thread> threads_;
};

}  // namespace tenferro::testing
