// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Marks a thread as running a chunk of a parallel region for the mark's life.

#include "tenferro/backend/thread_record.hpp"

namespace tenferro::internal {

/// Sets the lane flag and, where nobody owns the thread yet, the owner; so session entry from a chunk is refused on
/// every thread and regions inside the chunk run inline.
class LaneMark {
 public:
  explicit LaneMark(const void* owner) noexcept : owner_(thread_record.owner), lane_(thread_record.lane) {
    if (owner_ == nullptr) thread_record.owner = owner;
    thread_record.lane = true;
  }
  ~LaneMark() {
    thread_record.lane = lane_;
    thread_record.owner = owner_;
  }
  LaneMark(const LaneMark&) = delete;
  LaneMark& operator=(const LaneMark&) = delete;

 private:
  const void* owner_;
  bool lane_;
};

}  // namespace tenferro::internal
