// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/cpu_backend.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/support/thread_state.hpp"

namespace tenferro {
namespace {

using testing::thread_is_clear;

struct CpuBackendTest : ::testing::Test {
  void TearDown() override {
    EXPECT_TRUE(thread_is_clear());
    EXPECT_FALSE(internal::thread_record.orphaned);
    EXPECT_TRUE(process_arbiter().is_idle());
  }
};

double item(const Tensor& x) { return x.item().get<double>(); }

TEST_F(CpuBackendTest, AClosureMayDestroyItsBackend) {
  auto cpu = std::make_unique<CpuBackend>();
  const Tensor sum = cpu->with_session([&](BackendSession& s) {
    cpu.reset();
    return add(s, Tensor::scalar(1.0), Tensor::scalar(2.0));
  });
  EXPECT_EQ(item(sum), 3.0);
}

TEST_F(CpuBackendTest, AClosureMayAssignToItsBackend) {
  CpuBackend cpu;
  const CpuEngine* before = &cpu.engine();
  const Tensor sum = cpu.with_session([&](BackendSession& s) {
    cpu = CpuBackend();
    EXPECT_NE(&cpu.engine(), before);
    return add(s, Tensor::scalar(1.0), Tensor::scalar(2.0));
  });
  EXPECT_EQ(item(sum), 3.0);
  EXPECT_EQ(cpu.stats().sessions, 0u);
  EXPECT_EQ(item(cpu.with_session([&](BackendSession& s) { return neg(s, sum); })), -3.0);
}

TEST_F(CpuBackendTest, AClosureMayDestroyItsBackendAndThrow) {
  auto cpu = std::make_unique<CpuBackend>();
  const auto run = [&] {
    cpu->with_session([&](BackendSession&) {
      cpu.reset();
      throw std::runtime_error("closure");
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
}

TEST_F(CpuBackendTest, AScopeKeepsADestroyedBackendThroughAllItsSessions) {
  auto cpu = std::make_unique<CpuBackend>();
  CpuEngine& engine = cpu->engine();
  cpu->with_execution_scope([&] {
    cpu->with_session([&](BackendSession&) { cpu.reset(); });
    const CpuEntry entry(engine);
    EXPECT_TRUE(entry);
  });
}

TEST_F(CpuBackendTest, TheHandOffToAnotherBackendInsideASessionIsRefusedAndHarmless) {
  CpuBackend cpu;
  auto other = std::make_unique<CpuBackend>();
  cpu.with_session([&](BackendSession& s) {
    EXPECT_EQ(other->try_with_session([](BackendSession&) {}).error().kind, SessionEntryKind::reentered);
    other.reset();
    EXPECT_EQ(item(neg(s, Tensor::scalar(2.0))), -2.0);
  });
  EXPECT_EQ(cpu.stats().sessions, 1u);
}

// Pitfall 31.
TEST_F(CpuBackendTest, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  for (const DType dtype : {DType::f32, DType::f64, DType::c64}) {
    const auto results = [&](std::uint32_t threads) {
      CpuBackend::Options options;
      options.threads = threads;
      CpuBackend cpu(options);
      cpu.engine().team()->set_tuning(0, 1e6);
      const std::uint64_t regions = cpu.engine().team()->stats().regions;
      std::vector<Tensor> made = cpu.with_session([&](BackendSession& s) {
        // Numbers whose sum depends on the order.
        const Tensor x = cast(s, mul(s, sin(s, Tensor::linspace(0.0, 3e5, 300'000)), Tensor::scalar(1e6)), dtype);
        std::vector<Tensor> all;
        all.push_back(reduce_sum(s, x));
        all.push_back(reduce_sum(s, reshape(s, x, {300, 1000}), {1}));
        all.push_back(cumsum(s, reshape(s, x, {1000, 300}), 0));
        all.push_back(matmul(s, reshape(s, x, {300, 1000}), reshape(s, x, {1000, 300})));
        return all;
      });
      EXPECT_EQ(cpu.engine().team()->stats().regions > regions, threads > 1) << "regions are opened to helpers";
      return made;
    };
    const std::vector<Tensor> one = results(1);
    for (const std::uint32_t threads : {2u, 4u}) {
      const std::vector<Tensor> many = results(threads);
      for (std::size_t i = 0; i < one.size(); ++i) {
        const auto bytes = static_cast<std::size_t>(one[i].count()) * element_size(dtype);
        EXPECT_EQ(std::memcmp(many[i].bytes(), one[i].bytes(), bytes), 0)
            << name(dtype) << ", result " << i << ", " << threads << " threads";
      }
    }
  }
}

TEST_F(CpuBackendTest, KernelsSeeTheDeclarationOfTheirDomain) {
  CpuDomainOptions options;
  options.provider = {"wild", ThreadControl::uncontrolled, ThreadPlacement::none, kModeSequential};
  CpuBackend cpu(options);
  cpu.with_session([](BackendSession& s) { EXPECT_EQ(s.context().provider().name, "wild"); });
}

// Pitfalls 20 and 21, as a user meets them.
TEST_F(CpuBackendTest, AnOperationOfASessionOnAnotherThreadIsRefusedAndTheSessionGoesOn) {
  CpuBackend cpu;
  const Tensor x = Tensor::vector({1., 2.});
  const auto refused_elsewhere = [&](BackendSession& s) {
    std::thread([&] {
      const auto sum = attempt<SessionEntryInfo>([&] { return add(s, x, x); });
      ASSERT_FALSE(sum);
      EXPECT_EQ(sum.error().kind, SessionEntryKind::incompatible_context);
      EXPECT_THROW(exp(s, x), SessionEntryError);
      EXPECT_THROW(matmul(s, x, x), SessionEntryError);
    }).join();
    EXPECT_EQ(add(s, x, x).at<double>({1}), 4.0);
  };
  cpu.with_session(refused_elsewhere);
  HeldCpuSession held(cpu);
  refused_elsewhere(*held);
}

TEST_F(CpuBackendTest, AHeldSessionRefusesOthersAndIsRefusedInsideOne) {
  CpuBackend cpu;
  {
    HeldCpuSession held(cpu);
    ASSERT_TRUE(held);
    EXPECT_THROW(cpu.with_session([](BackendSession&) {}), SessionEntryError);
    HeldCpuSession second(cpu);
    EXPECT_FALSE(second);
  }
  cpu.with_session([&](BackendSession&) { EXPECT_FALSE(HeldCpuSession(cpu)); });
  EXPECT_TRUE(HeldCpuSession(cpu));
}

struct Squares final : BoundedCache<int, int> {
  int made = 0;
  int of(int n) {
    return get(n, [&] {
      ++made;
      return n * n;
    });
  }
};

TEST_F(CpuBackendTest, TheCachesOfABackendComeBackInTheNextSession) {
  CpuBackend cpu;
  const auto square = [](BackendSession&, SessionCaches& caches) { return caches.of<Squares>().of(7); };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cpu.with_session_cached(nullptr, square), 49);
  EXPECT_EQ(cpu.try_with_session_cached(nullptr, square), 49);
  Backend& any = cpu;
  EXPECT_EQ(any.with_session_cached(nullptr, square), 49);
  HeldCpuSession held(cpu);
  EXPECT_EQ(held.caches().of<Squares>().made, 1);
}

TEST_F(CpuBackendTest, OwnCachesTakeThePlaceOfTheBackends) {
  CpuBackend cpu;
  SessionCaches own;
  const auto square = [](BackendSession&, SessionCaches& caches) { return caches.of<Squares>().of(7); };
  EXPECT_EQ(cpu.with_session_cached(&own, square), 49);
  EXPECT_EQ(cpu.with_session_cached(&own, square), 49);
  EXPECT_EQ(own.of<Squares>().made, 1);
  cpu.with_session_cached(nullptr,
                          [](BackendSession&, SessionCaches& caches) { EXPECT_EQ(caches.of<Squares>().made, 0); });
}

TEST_F(CpuBackendTest, ClearingThePoolEmptiesTheCaches) {
  CpuBackend cpu;
  const auto squares = [](BackendSession&, SessionCaches& caches) {
    caches.of<Squares>().of(7);
    return caches.of<Squares>().made;
  };
  EXPECT_EQ(cpu.with_session_cached(nullptr, squares), 1);
  cpu.clear_pool();
  EXPECT_EQ(cpu.with_session_cached(nullptr, squares), 2);
}

TEST_F(CpuBackendTest, TheCachedFormIsRefusedAndLeftLikeThePlainOne) {
  CpuBackend cpu;
  cpu.with_session([&](BackendSession&) {
    const auto nested = cpu.try_with_session_cached(nullptr, [](BackendSession&, SessionCaches&) {});
    ASSERT_FALSE(nested);
    EXPECT_EQ(nested.error().kind, SessionEntryKind::reentered);
    EXPECT_THROW(cpu.with_session_cached(nullptr, [](BackendSession&, SessionCaches&) {}), SessionEntryError);
  });
  EXPECT_THROW(
      cpu.with_session_cached(nullptr, [](BackendSession&, SessionCaches&) { throw std::runtime_error("closure"); }),
      std::runtime_error);
}

TEST(CpuBackend, StaysUsableWhenMovedFrom) {
  CpuBackend first;
  const CpuBackend second = std::move(first);
  EXPECT_TRUE(first == second);  // NOLINT(bugprone-use-after-move): that is the case
  EXPECT_EQ(first.with_session([](BackendSession&) { return 3; }), 3);
}

}  // namespace
}  // namespace tenferro
