// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/topology.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace tenferro {
namespace {

std::optional<std::uint32_t> threads_from_environment() {
  const char* text = std::getenv("TENFERRO_NUM_THREADS");
  if (text == nullptr) return std::nullopt;
  std::uint32_t threads = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, threads);
  if (stop != end || stop == text) return std::nullopt;
  if (error == std::errc::result_out_of_range) return kMostThreads;
  if (error != std::errc{} || threads == 0) return std::nullopt;
  return threads;
}

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop == text.data()) return std::nullopt;
  return value;
}

std::optional<double> ratio(std::optional<double> quota, std::optional<double> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

// "max 100000" or "150000 100000".
std::optional<double> quota_v2(const std::string& folder) {
  const auto line = first_line(folder + "/cpu.max");
  if (!line) return std::nullopt;
  const std::size_t blank = line->find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return ratio(number(std::string_view(*line).substr(0, blank)), number(std::string_view(*line).substr(blank + 1)));
}

// A quota of -1 is no limit.
std::optional<double> quota_v1(const std::string& folder) {
  const auto quota = first_line(folder + "/cpu.cfs_quota_us");
  const auto period = first_line(folder + "/cpu.cfs_period_us");
  if (!quota || !period) return std::nullopt;
  return ratio(number(*quota), number(*period));
}

bool lists(const std::string& comma_separated, std::string_view word) {
  std::istringstream items(comma_separated);
  for (std::string item; std::getline(items, item, ',');) {
    if (item == word) return true;
  }
  return false;
}

struct Hierarchy {
  bool v2 = false;
  std::string path;   // of this process inside the hierarchy
  std::string root;   // part of the hierarchy that is mounted
  std::string mount;  // where
};

// /proc/self/cgroup has lines "id:controllers:path"; version 2 has id 0 and no controllers.
std::vector<Hierarchy> hierarchies_of_process(const std::string& root) {
  std::vector<Hierarchy> found;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    Hierarchy h;
    h.v2 = controllers.empty();
    h.path = line.substr(second + 1);
    if (h.v2 || lists(controllers, "cpu")) found.push_back(std::move(h));
  }
  return found;
}

// /proc/self/mountinfo: id parent device root mount options [optional…] - type source super-options.
bool find_mount(const std::string& root, Hierarchy& h) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line.substr(0, dash));
    std::istringstream tail(line.substr(dash + 3));
    std::string skipped, mount_root, mount, type, source, options;
    head >> skipped >> skipped >> skipped >> mount_root >> mount;
    tail >> type >> source >> options;
    if (h.v2 ? type == "cgroup2" : type == "cgroup" && lists(options, "cpu")) {
      h.root = mount_root;
      h.mount = mount;
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<double> cpu_quota(const std::string& root) {
  std::optional<double> least;
  for (Hierarchy& h : hierarchies_of_process(root)) {
    if (!find_mount(root, h)) continue;
    std::string path = h.path;
    if (h.root != "/" && path.rfind(h.root, 0) == 0) path = path.substr(h.root.size());
    // Every group up to the root of the mount may limit the process.
    for (;;) {
      const std::string folder = root + h.mount + (path == "/" ? "" : path);
      const auto quota = h.v2 ? quota_v2(folder) : quota_v1(folder);
      if (quota && (!least || *quota < *least)) least = quota;
      const std::size_t slash = path.rfind('/');
      if (path.empty() || path == "/" || slash == std::string::npos) break;
      path.resize(slash);
    }
  }
  return least;
}

CpuPlan plan_cpus(std::optional<std::uint32_t> threads, const std::optional<CpuSet>& cpus) {
  CpuPlan plan;
  plan.cpus = CpuSet::affinity_of_this_thread();
  if (cpus) plan.cpus = plan.cpus & *cpus;
  if (threads && *threads != 0) {
    plan.threads = *threads;
  } else if (const auto from_environment = threads_from_environment()) {
    plan.threads = *from_environment;
  } else {
    plan.threads = std::max(plan.cpus.size(), 1u);
    if (const auto quota = cpu_quota()) {
      const double limit = std::ceil(std::max(*quota, 1.0));
      if (limit < plan.threads) plan.threads = static_cast<std::uint32_t>(limit);
    }
  }
  plan.threads = std::min(plan.threads, kMostThreads);
  return plan;
}

}  // namespace tenferro
