// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The hand-off reference domain: every entry really crosses to an executor thread and back before the closure runs on
// the caller. It stands for systems whose sessions run on a worker, as the reference arm of measurements.
//
//   HandOffThread thread;
//   CpuDomainOptions options;
//   options.entry_hook = thread.hook();

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "tenferro/cpu/domain.hpp"

namespace tenferro::testing {

/// One thread that answers empty requests, by mutex and condition variable. Outlives the domains that use it.
class HandOffThread {
 public:
  HandOffThread() : thread_([this] { loop(); }) {}
  ~HandOffThread() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  HandOffThread(const HandOffThread&) = delete;
  HandOffThread& operator=(const HandOffThread&) = delete;

  /// Returns when the thread has taken note of the request.
  void round_trip() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = ++asked_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return answered_ >= ticket; });
  }
  std::uint64_t answered() {
    const std::lock_guard lock(mutex_);
    return answered_;
  }
  EntryHook hook() noexcept {
    return {[](void* self) { static_cast<HandOffThread*>(self)->round_trip(); }, this};
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stop_ || answered_ != asked_; });
      if (stop_) return;
      answered_ = asked_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tenferro::testing
