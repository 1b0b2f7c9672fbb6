// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What tests of sessions check after each way out: that the thread's record is as it was before.

#include <gtest/gtest.h>

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/arbiter.hpp"

namespace tenferro::testing {

/// Nothing executes on this thread, and it occupies nothing in the arbiter.
inline ::testing::AssertionResult thread_is_clear() {
  const internal::ThreadRecord& r = internal::thread_record;
  if (r.owner != nullptr) return ::testing::AssertionFailure() << "an owner is left";
  if (r.scope != nullptr) return ::testing::AssertionFailure() << "a scope is left";
  if (r.session_pool != nullptr) return ::testing::AssertionFailure() << "a pool is left";
  if (r.scope_loan || r.in_session || r.lane) return ::testing::AssertionFailure() << "a flag is left";
  const auto* line = static_cast<const PresenceLine*>(r.presence);
  if (line != nullptr && (line->shared.load() != 0 || line->exclusive.load() != 0)) {
    return ::testing::AssertionFailure() << "the presence line is occupied";
  }
  return ::testing::AssertionSuccess();
}

}  // namespace tenferro::testing
