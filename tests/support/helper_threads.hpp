// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The threads of this process that the library has started: those with its name.

#include <dirent.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

namespace tenferro::testing {

inline std::uint32_t helper_threads() {
  std::uint32_t count = 0;
  DIR* tasks = ::opendir("/proc/self/task");
  while (const dirent* entry = ::readdir(tasks)) {
    std::ifstream file(std::string("/proc/self/task/") + entry->d_name + "/comm");
    std::string name;
    std::getline(file, name);
    if (name.rfind("tenferro-", 0) == 0) ++count;
  }
  ::closedir(tasks);
  return count;
}

/// Whether they have all gone within a second: a joined thread leaves the list a moment later.
inline bool helpers_vanish() {
  for (int i = 0; i < 1000; ++i) {
    if (helper_threads() == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace tenferro::testing
