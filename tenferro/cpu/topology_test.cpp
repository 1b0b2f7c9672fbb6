// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tenferro {
namespace {

namespace fs = std::filesystem;

// A file tree below which the kernel's files are looked up.
struct CpuQuota : ::testing::Test {
  fs::path root = fs::path(::testing::TempDir()) /
                  ("quota_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
  void SetUp() override { fs::remove_all(root); }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  std::optional<double> quota() const { return cpu_quota(root.string()); }
};

TEST_F(CpuQuota, IsUnknownWithoutControlGroups) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(CpuQuota, VersionTwoTakesTheLeastLimitOnThePath) {
  write("proc/self/cgroup", "0::/user/job\n");
  write("proc/self/mountinfo", "30 20 0:25 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/user/job/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 4.0);
  write("sys/fs/cgroup/user/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuota, VersionTwoWithoutALimitIsUnlimited) {
  write("proc/self/cgroup", "0::/\n");
  write("proc/self/mountinfo", "30 20 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, VersionOneReadsQuotaAndPeriodBelowTheMountedPart) {
  write("proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/docker/abc/inner\n");
  write("proc/self/mountinfo",
        "40 20 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
        "41 20 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 2.5);
}

TEST(CpuSet, HoldsSparseNumbers) {
  const CpuSet set{0, 1, 2, 65, 1023, 5000};
  EXPECT_EQ(set.size(), 5u);
  EXPECT_TRUE(set.contains(1023));
  EXPECT_FALSE(set.contains(64));
  EXPECT_EQ(set.text(), "0-2,65,1023");
  EXPECT_TRUE((CpuSet{1, 65}).is_subset_of(set));
  EXPECT_FALSE(set.overlaps(CpuSet{64}));
  EXPECT_EQ((set & CpuSet{2, 3}), CpuSet{2});
}

struct CpuPlanTest : ::testing::Test {
  void SetUp() override { ::unsetenv("TENFERRO_NUM_THREADS"); }
  void TearDown() override { ::unsetenv("TENFERRO_NUM_THREADS"); }
};

TEST_F(CpuPlanTest, DefaultsToTheAffinityMaskAndTheQuota) {
  const CpuPlan plan = plan_cpus();
  EXPECT_EQ(plan.cpus, CpuSet::affinity_of_this_thread());
  EXPECT_GE(plan.threads, 1u);
  EXPECT_LE(plan.threads, plan.cpus.size());
}

TEST_F(CpuPlanTest, TheEnvironmentBeatsTheMaskAndAnOptionBeatsTheEnvironment) {
  ::setenv("TENFERRO_NUM_THREADS", "3", 1);
  EXPECT_EQ(plan_cpus().threads, 3u);
  EXPECT_EQ(plan_cpus(5).threads, 5u);
  EXPECT_EQ(plan_cpus(0).threads, 3u);
}

TEST_F(CpuPlanTest, AMalformedEnvironmentIsIgnored) {
  const std::uint32_t expected = plan_cpus().threads;
  for (const char* text : {"", "0", "-2", "two", "4 ", "99999999999 "}) {
    ::setenv("TENFERRO_NUM_THREADS", text, 1);
    EXPECT_EQ(plan_cpus().threads, expected) << text;
  }
}

TEST_F(CpuPlanTest, NoNumberExceedsTheMost) {
  EXPECT_EQ(plan_cpus(kMostThreads).threads, kMostThreads);
  EXPECT_EQ(plan_cpus(0x80000000u).threads, kMostThreads);
  for (const char* text : {"257", "2147483648", "4294967295", "99999999999"}) {
    ::setenv("TENFERRO_NUM_THREADS", text, 1);
    EXPECT_EQ(plan_cpus().threads, kMostThreads) << text;
  }
}

// Pitfall 29.
TEST_F(CpuPlanTest, TheMaskIsReadWhenAskedForAndNotAtFirstUse) {
  std::thread([] {
    const CpuSet whole = CpuSet::affinity_of_this_thread();
    CpuSet one;
    for (std::uint32_t cpu = 0; one.empty(); ++cpu) {
      if (whole.contains(cpu)) one.insert(cpu);
    }
    ASSERT_TRUE(one.bind_this_thread());
    EXPECT_EQ(plan_cpus().cpus, one);
    EXPECT_EQ(plan_cpus().threads, 1u);
    ASSERT_TRUE(whole.bind_this_thread());
    EXPECT_EQ(plan_cpus().cpus, whole);
  }).join();
}

}  // namespace
}  // namespace tenferro
