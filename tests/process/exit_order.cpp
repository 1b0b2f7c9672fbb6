// SPDX-License-Identifier: MIT OR Apache-2.0
// Pitfall 16: blocks and engines that die in the last moments of threads and of the process. The program is right if it
// ends without a report; it also enters sessions from destructors that run that late.
#include <cstdlib>
#include <memory>
#include <thread>

#include "tenferro/cpu/session_entry.hpp"

namespace {

using tenferro::Buffer;
using tenferro::CpuDomainOptions;
using tenferro::CpuEngine;
using tenferro::CpuEntry;

void require(bool holds) {
  if (!holds) std::_Exit(1);
}

std::unique_ptr<CpuEngine> make_engine() {
  CpuDomainOptions options;
  options.threads = 3;
  return std::make_unique<CpuEngine>(options);
}

// Destroyed last, after the engine: its block returns to a pool that is closed.
Buffer static_block;

struct LateUser {
  std::unique_ptr<CpuEngine> engine;
  Buffer block;
  ~LateUser() {
    if (engine == nullptr) return;
    const CpuEntry entry(*engine);
    require(static_cast<bool>(entry));
    const Buffer scratch(entry.pool().acquire(1000));
    engine->parallel_for(100, 1e6, [](std::int64_t, std::int64_t) {});
  }
};
LateUser static_user;
thread_local LateUser thread_user;

}  // namespace

int main() {
  static_user.engine = make_engine();
  static_user.engine->team()->set_tuning(0, 20'000);
  {
    const CpuEntry entry(*static_user.engine);
    static_block = Buffer(entry.pool().acquire(5000));
    static_user.block = Buffer(entry.pool().acquire(std::uint64_t{3} << 20));
    static_user.engine->parallel_for(100, 1e6, [](std::int64_t, std::int64_t) {});
  }
  std::thread([] {
    thread_user.engine = make_engine();
    const CpuEntry entry(*thread_user.engine);
    thread_user.block = Buffer(entry.pool().acquire(100));
  }).join();
  // The main thread's own thread-local, destroyed before the statics.
  thread_user.engine = make_engine();
  const CpuEntry entry(*thread_user.engine);
  thread_user.block = Buffer(entry.pool().acquire(100));
  return 0;
}
