// SPDX-License-Identifier: MIT OR Apache-2.0
// Pitfall 35: load, run, unload, again and again. A thread of this program that has been in a session of the module
// ends after the module is gone. usage: tenferro_unload MODULE
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "tests/support/helper_threads.hpp"

namespace {

using tenferro::testing::helper_threads;
using tenferro::testing::helpers_vanish;

int fail(const char* what) {
  std::fprintf(stderr, "unload: %s\n", what);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fail("expected one module");
  for (int round = 0; round < 20; ++round) {
    void* module = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) return fail(::dlerror());
    auto* run = reinterpret_cast<int (*)()>(::dlsym(module, "run_plugin"));
    if (run == nullptr) return fail("the module has no run_plugin");
    std::atomic<bool> ran{false};
    std::atomic<bool> unloaded{false};
    int result = 1;
    std::thread visitor([&] {
      result = run();
      ran.store(true);
      while (!unloaded.load()) std::this_thread::yield();
    });
    while (!ran.load()) std::this_thread::yield();
    if (run() != 0) return fail("the second run failed");
    if (!helpers_vanish()) return fail("helpers outlive their backend");
    if (::dlclose(module) != 0) return fail("dlclose failed");
    unloaded.store(true);
    visitor.join();
    if (result != 0) return fail("the first run failed");
  }
  return 0;
}
