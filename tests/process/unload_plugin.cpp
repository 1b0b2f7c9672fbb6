// SPDX-License-Identifier: MIT OR Apache-2.0
// The library inside a module that a program loads and unloads.
#include <atomic>
#include <thread>

#include "tenferro/cpu/session_entry.hpp"

extern "C" int run_plugin();

// 0 if sessions, helpers and threads of the module's own worked. The helpers may still be spinning when it returns.
extern "C" int run_plugin() {
  using namespace tenferro;
  CpuDomainOptions options;
  options.threads = 3;
  CpuEngine engine(options);
  engine.team()->set_tuning(0, 1e9);
  std::atomic<int> sum{0};
  const auto work = [&] {
    const CpuEntry entry(engine);
    if (!entry) return;
    const Buffer scratch(entry.pool().acquire(1000));
    engine.parallel_for(100, 1e6,
                        [&](std::int64_t first, std::int64_t last) { sum.fetch_add(static_cast<int>(last - first)); });
  };
  work();
  std::thread(work).join();
  return sum.load() == 200 ? 0 : 1;
}
