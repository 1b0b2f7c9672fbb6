// SPDX-License-Identifier: MIT OR Apache-2.0
// The arms one at a time, for tools that count:
//   instructions ARM N    runs an arm N times after a warm-up; prints a line before, and after it how often memory was
//                         allocated in those N
//   instructions --list   the names of the arms
//   instructions --check  compares every arm's value with an independent one
//   instructions --entries  session entries of one iteration: name, counted, expected
// The gate runs an arm twice with different N; the difference, divided by that of the counts, is the exact cost of one
// iteration, without start-up and warm-up.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "benches/arms.hpp"

namespace {
std::atomic<long> allocations{0};

}  // namespace

// Counts every allocation of the process, whoever asks: the C functions are what operator new and libraries end in.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? 12 : 0;
}
}

namespace tenferro::bench {
namespace {

std::vector<Arm> all_arms() {
  std::vector<Arm> arms = session_arms();
  for (auto* more : {&einsum_arms, &product_arms}) {
    for (Arm& arm : more()) arms.push_back(std::move(arm));
  }
  return arms;
}

int check() {
  int wrong = 0;
  for (const Arm& arm : all_arms()) {
    const double got = arm.run(1);
    if (std::abs(got - arm.expected) <= 1e-6 * std::abs(arm.expected)) continue;
    std::printf("%s: got %.17g, expected %.17g\n", arm.name.c_str(), got, arm.expected);
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}

// The name by which the counting of instructions is switched on and off: what libraries do at their start, some of it
// by the clock, does not count.
extern "C" [[gnu::noinline]] double tenferro_counted_iterations(const Arm& arm, long count) { return arm.run(count); }

int run(const char* name, long count) {
  for (const Arm& arm : all_arms()) {
    if (arm.name != name) continue;
    double sum = arm.run(std::min(count, 64L));
    std::puts("start");
    std::fflush(stdout);
    const long before = allocations.load();
    sum += tenferro_counted_iterations(arm, count);
    const long after = allocations.load();
    std::printf("%s %ld allocations %ld value %g\n", name, count, after - before, sum);
    std::fflush(stdout);  // before what the end of the process does
    return 0;
  }
  std::fprintf(stderr, "no arm %s\n", name);
  return 2;
}

}  // namespace
}  // namespace tenferro::bench

int main(int argc, char** argv) {
  using namespace tenferro::bench;
  const char* first = argc > 1 ? argv[1] : "";
  if (argc == 2 && std::strcmp(first, "--check") == 0) return check();
  if (argc == 2 && std::strcmp(first, "--list") == 0) {
    for (const Arm& arm : all_arms()) std::puts(arm.name.c_str());
    return 0;
  }
  if (argc == 2 && std::strcmp(first, "--entries") == 0) {
    for (const auto& counts : {count_session_entries(), count_einsum_entries()}) {
      for (const EntryCount& c : counts) std::printf("%s %ld %ld\n", c.name.c_str(), c.got, c.expected);
    }
    return 0;
  }
  if (argc == 3) return run(first, std::atol(argv[2]));
  std::fprintf(stderr, "usage: %s ARM N | --list | --check | --entries\n", argv[0]);
  return 2;
}
