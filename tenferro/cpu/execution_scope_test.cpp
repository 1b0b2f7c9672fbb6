// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/execution_scope.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include "tenferro/backend/entry_guard.hpp"
#include "tenferro/cpu/session_entry.hpp"
#include "tests/support/executors.hpp"
#include "tests/support/thread_state.hpp"

namespace tenferro {
namespace {

using std::chrono::milliseconds;
using testing::thread_is_clear;

CpuDomainOptions with(AdmissionClass admission, std::uint32_t threads = 1) {
  CpuDomainOptions options;
  options.admission = admission;
  options.threads = threads;
  options.entry_deadline = milliseconds(20);
  return options;
}

SessionEntryKind kind(const ExecutionScope& scope) { return std::get<SessionEntryInfo>(scope.error()).kind; }

struct ExecutionScopeTest : ::testing::Test {
  void TearDown() override {
    EXPECT_TRUE(thread_is_clear());
    EXPECT_TRUE(process_arbiter().is_idle());
  }
};

TEST_F(ExecutionScopeTest, SixteenRoundsAreOneAdmissionAndOneMoreOutsideIsTwo) {
  for (std::uint32_t threads : {1u, 4u}) {
    CpuEngine engine(with(AdmissionClass::exclusive, threads));
    {
      const ExecutionScope scope(engine);
      ASSERT_TRUE(scope);
      for (int round = 0; round < 16; ++round) {
        const CpuEntry entry(engine);
        ASSERT_TRUE(entry);
        engine.parallel_for(100, 1000.0, [](std::int64_t, std::int64_t) {});
      }
    }
    EXPECT_EQ(engine.stats().admissions(), 1u);
    EXPECT_EQ(engine.stats().sessions, 16u);
    EXPECT_TRUE(CpuEntry(engine));
    EXPECT_EQ(engine.stats().admissions(), 2u);
  }
}

TEST_F(ExecutionScopeTest, EndedElsewhereItsThreadStaysRefusedAndNoOtherIsTouched) {
  CpuEngine engine(with(AdmissionClass::exclusive));
  CpuEngine other(with(AdmissionClass::exclusive));
  std::unique_ptr<ExecutionScope> scope;
  std::atomic<int> step{0};
  std::thread opening([&] {
    scope = std::make_unique<ExecutionScope>(engine);
    step.store(1);
    while (step.load() != 2) std::this_thread::yield();
    const CpuEntry entry(engine);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().kind, SessionEntryKind::incompatible_context);
  });
  while (step.load() != 1) std::this_thread::yield();
  EXPECT_EQ(CpuEntry(other).error().kind, SessionEntryKind::contended);
  std::thread([&] { scope.reset(); }).join();
  step.store(2);
  opening.join();
  const ExecutionScope own(other);
  ASSERT_TRUE(own) << "the admission was given back";
  scope = std::make_unique<ExecutionScope>(other);
  scope.reset();
  EXPECT_EQ(internal::thread_record.scope, &other) << "a refused scope leaves the open one alone";
}

TEST_F(ExecutionScopeTest, EndedInsideAnotherThreadsScopeItLeavesThatOpen) {
  CpuEngine engine(with(AdmissionClass::shared));
  std::unique_ptr<ExecutionScope> scope;
  std::thread([&] { scope = std::make_unique<ExecutionScope>(engine); }).join();
  const ExecutionScope own(engine);
  scope.reset();
  EXPECT_EQ(internal::thread_record.scope, &engine);
}

TEST_F(ExecutionScopeTest, HoldsNoResourcesBetweenSessions) {
  CpuEngine engine(with(AdmissionClass::exclusive));
  const ExecutionScope scope(engine);
  EXPECT_TRUE(engine.trim().has_value());
  {
    const CpuEntry entry(engine);
    EXPECT_FALSE(engine.trim().has_value());
  }
  EXPECT_TRUE(engine.clear().has_value());
}

TEST_F(ExecutionScopeTest, ASessionInsideRefusesAnotherAndIsRestored) {
  CpuEngine engine(with(AdmissionClass::shared));
  const ExecutionScope scope(engine);
  {
    const CpuEntry entry(engine);
    ASSERT_TRUE(entry);
    EXPECT_TRUE(internal::thread_record.scope_loan);
    const CpuEntry nested(engine);
    ASSERT_FALSE(nested);
    EXPECT_EQ(nested.error().kind, SessionEntryKind::reentered);
  }
  EXPECT_FALSE(internal::thread_record.scope_loan);
  EXPECT_TRUE(CpuEntry(engine));
}

TEST_F(ExecutionScopeTest, AnotherBackendInsideIsIncompatibleWhateverItsCpus) {
  CpuEngine engine(with(AdmissionClass::shared));
  CpuEngine same_cpus(with(AdmissionClass::shared));
  CpuDomainOptions other_provider = with(AdmissionClass::shared);
  other_provider.provider.name = "other";
  CpuEngine differs_in_provider(other_provider);
  const ExecutionScope scope(engine);
  for (CpuEngine* other : {&same_cpus, &differs_in_provider}) {
    const CpuEntry entry(*other);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().kind, SessionEntryKind::incompatible_context);
  }
  const EntryGuard device("device");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, SessionEntryKind::incompatible_context);
}

TEST_F(ExecutionScopeTest, NestedScopesAndScopesInSessionsAreReentered) {
  CpuEngine engine(with(AdmissionClass::shared));
  CpuEngine other(with(AdmissionClass::shared));
  {
    const ExecutionScope scope(engine);
    for (CpuEngine* e : {&engine, &other}) {
      const ExecutionScope nested(*e);
      ASSERT_FALSE(nested);
      EXPECT_EQ(kind(nested), SessionEntryKind::reentered);
    }
    EXPECT_TRUE(CpuEntry(engine));
  }
  const CpuEntry entry(engine);
  const ExecutionScope scope(engine);
  ASSERT_FALSE(scope);
  EXPECT_EQ(kind(scope), SessionEntryKind::reentered);
}

TEST_F(ExecutionScopeTest, ExternalDomainsAreUnsupportedAndTheirExecutorIsNotTouched) {
  for (DomainKind external : {DomainKind::cooperative_external, DomainKind::caller_managed_external}) {
    auto executor = std::make_shared<testing::ThreadPerJob>();
    CpuDomainOptions options;
    options.kind = external;
    options.executor = executor;
    options.threads = 2;
    CpuEngine engine(options);
    {
      const ExecutionScope scope(engine);
      ASSERT_FALSE(scope);
      EXPECT_EQ(std::get<ScopeUnsupported>(scope.error()).backend, "cpu");
    }
    EXPECT_EQ(executor->calls, 0);
    // Entry of single sessions is unchanged.
    const CpuEntry entry(engine);
    ASSERT_TRUE(entry);
    engine.parallel_for(8, 1e6, [](std::int64_t, std::int64_t) {});
    EXPECT_EQ(executor->calls, 1);
  }
}

TEST_F(ExecutionScopeTest, ProviderExclusionLastsUntilTheScopeUnwinds) {
  CpuEngine provider(with(AdmissionClass::provider_exclusive));
  CpuEngine other(with(AdmissionClass::shared));
  const auto entered_elsewhere = [&] {
    bool entered = false;
    std::thread([&] { entered = static_cast<bool>(CpuEntry(other)); }).join();
    return entered;
  };
  const auto throwing_scope = [&] {
    const ExecutionScope scope(provider);
    {
      const CpuEntry entry(provider);
    }
    EXPECT_FALSE(entered_elsewhere());
    throw std::runtime_error("unwinds");
  };
  EXPECT_THROW(throwing_scope(), std::runtime_error);
  EXPECT_TRUE(entered_elsewhere());
}

TEST_F(ExecutionScopeTest, OtherThreadsDoNotInheritTheAdmission) {
  CpuEngine engine(with(AdmissionClass::exclusive));
  const ExecutionScope scope(engine);
  std::thread([&] {
    EXPECT_EQ(internal::thread_record.scope, nullptr);
    const CpuEntry entry(engine);
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().kind, SessionEntryKind::contended);
  }).join();
}

TEST_F(ExecutionScopeTest, OwnerLocksMayOnlyBeTriedInside) {
  CpuEngine engine(with(AdmissionClass::shared));
  const ExecutionScope scope(engine);
  EXPECT_EQ(owner_lock_rule(), OwnerLockRule::must_try);
  const CpuEntry entry(engine);
  EXPECT_EQ(owner_lock_rule(), OwnerLockRule::refused);
}

}  // namespace
}  // namespace tenferro
