// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/cpu_set.hpp"

#include <sched.h>

#include <cerrno>
#include <memory>

#include "tenferro/base/text.hpp"

namespace tenferro {
namespace {

struct MaskFree {
  void operator()(cpu_set_t* mask) const noexcept { CPU_FREE(mask); }
};

}  // namespace

CpuSet CpuSet::affinity_of_this_thread() noexcept {
  CpuSet set;
  // The kernel refuses a mask shorter than its own, whose length it does not tell.
  for (std::size_t cpus = kLimit; cpus <= std::size_t{64} * kLimit; cpus *= 2) {
    const std::unique_ptr<cpu_set_t, MaskFree> mask(CPU_ALLOC(cpus));
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (mask == nullptr) break;
    if (::sched_getaffinity(0, bytes, mask.get()) == 0) {
      for (std::uint32_t cpu = 0; cpu < kLimit; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, mask.get())) set.insert(cpu);
      }
      break;
    }
    if (errno != EINVAL) break;
  }
  if (set.empty()) set.insert(0);
  return set;
}

bool CpuSet::bind_this_thread() const noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (std::uint32_t cpu = 0; cpu < kLimit; ++cpu) {
    if (contains(cpu)) CPU_SET(cpu, &mask);
  }
  return ::sched_setaffinity(0, sizeof mask, &mask) == 0;
}

std::string CpuSet::text() const {
  std::string list;
  for (std::uint32_t cpu = 0; cpu < kLimit; ++cpu) {
    if (!contains(cpu)) continue;
    std::uint32_t last = cpu;
    while (contains(last + 1)) ++last;
    if (!list.empty()) list += ',';
    append_text(list, cpu);
    if (last != cpu) {
      list += '-';
      append_text(list, last);
    }
    cpu = last;
  }
  return list;
}

}  // namespace tenferro
