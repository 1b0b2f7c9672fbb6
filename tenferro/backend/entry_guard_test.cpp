// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/entry_guard.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace tenferro {
namespace {

bool record_is_clear() {
  const internal::ThreadRecord& r = internal::thread_record;
  return r.owner == nullptr && r.scope == nullptr && r.session_pool == nullptr && !r.scope_loan && !r.in_session &&
         !r.lane && !r.team_worker;
}

TEST(EntryGuard, MarksTheThreadForItsLife) {
  {
    const EntryGuard guard("device");
    ASSERT_TRUE(guard);
    EXPECT_TRUE(internal::thread_record.in_session);
  }
  EXPECT_TRUE(record_is_clear());
}

TEST(EntryGuard, RefusesNestedEntryAndKeepsTheOuterOne) {
  const EntryGuard outer("device");
  {
    const EntryGuard inner("other");
    ASSERT_FALSE(inner);
    EXPECT_EQ(inner.error(), (SessionEntryInfo{SessionEntryKind::reentered, "other"}));
  }
  EXPECT_TRUE(outer);
  EXPECT_TRUE(internal::thread_record.in_session);
}

TEST(EntryGuard, EndedOnAnotherThreadItLeavesThatThreadAlone) {
  std::unique_ptr<EntryGuard> carried;
  std::thread([&] {
    carried = std::make_unique<EntryGuard>("device");
    const EntryGuard own("device");
    EXPECT_FALSE(own);
  }).join();
  const EntryGuard own("device");
  ASSERT_TRUE(own);
  carried.reset();
  EXPECT_TRUE(internal::thread_record.in_session);
  EXPECT_EQ(internal::thread_record.owner, &own);
}

TEST(EntryGuard, RefusesWhereAnotherFamilyExecutes) {
  internal::thread_record.owner = &internal::thread_record;
  const EntryGuard guard("device");
  internal::thread_record.owner = nullptr;
  ASSERT_FALSE(guard);
  EXPECT_EQ(guard.error().kind, SessionEntryKind::reentered);
}

TEST(EntryGuard, RefusesInsideAForeignScope) {
  internal::thread_record.scope = &internal::thread_record;
  {
    const EntryGuard guard("device");
    ASSERT_FALSE(guard);
    EXPECT_EQ(guard.error().kind, SessionEntryKind::incompatible_context);
  }
  internal::thread_record.scope = nullptr;
}

TEST(EntryGuard, IsRestoredOnUnwind) {
  EXPECT_THROW(
      {
        const EntryGuard guard("device");
        throw std::runtime_error("from the closure");
      },
      std::runtime_error);
  EXPECT_TRUE(record_is_clear());
  EXPECT_TRUE(EntryGuard("device"));
}

TEST(EntryGuard, ThreadsAreIndependent) {
  const EntryGuard guard("device");
  bool entered = false;
  std::thread([&] { entered = static_cast<bool>(EntryGuard("device")); }).join();
  EXPECT_TRUE(entered);
}

TEST(EntryGuard, OwnerLocksFollowTheStateOfTheThread) {
  EXPECT_EQ(owner_lock_rule(), OwnerLockRule::may_block);
  internal::thread_record.scope = &internal::thread_record;
  EXPECT_EQ(owner_lock_rule(), OwnerLockRule::must_try);
  internal::thread_record.scope = nullptr;
  const EntryGuard guard("device");
  EXPECT_EQ(owner_lock_rule(), OwnerLockRule::refused);
}

TEST(SessionEntryError, NamesTheBackendAndTheReason) {
  const SessionEntryError error(SessionEntryInfo{SessionEntryKind::contended, "cpu"});
  EXPECT_NE(std::string(error.what()).find("session on cpu: "), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos);
}

TEST(SessionEntryError, ScopesFailWithAnEntryErrorOrUnsupported) {
  const ScopeError error{ScopeErrorInfo(ScopeUnsupported{"cpu"})};
  EXPECT_EQ(std::get<ScopeUnsupported>(error.info()).backend, "cpu");
  EXPECT_EQ(std::string(error.what()).rfind("execution scope on cpu: ", 0), 0u);
}

}  // namespace
}  // namespace tenferro
