// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/machine_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tenferro/base/text.hpp"
#include "tenferro/cpu/kernels/machine_loops.hpp"
#include "tenferro/tensor/buffer.hpp"

namespace tenferro {
namespace {

constexpr double kSampleSeconds = 0.002;
constexpr int kSamples = 5;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The fewest seconds that one call of f takes, from samples long enough for the clock.
template <class F>
double fastest(F&& f) {
  f();
  double best = 0;
  std::int64_t calls = 1;
  for (int sample = 0; sample < kSamples;) {
    const double start = seconds_now();
    for (std::int64_t i = 0; i < calls; ++i) f();
    const double spent = seconds_now() - start;
    if (spent < kSampleSeconds / 2) {
      calls *= 2;
      continue;
    }
    const double once = spent / static_cast<double>(calls);
    best = sample == 0 ? once : std::min(best, once);
    ++sample;
  }
  return best;
}

// One line of a description that the kernel gives of a cache; empty if there is none.
std::string cache_text(int cache, const char* what) {
  std::string text;
  std::getline(std::ifstream(concat("/sys/devices/system/cpu/cpu0/cache/index", cache, "/", what)), text);
  return text;
}

}  // namespace

template <class T>
double measure_fma_peak() {
  constexpr std::int64_t kRounds = 20'000;
  std::int64_t flops = 0;
  const double seconds = fastest([&] { flops = internal::fma_rounds<T>(kRounds); });
  return static_cast<double>(flops) / seconds * 1e-9;
}
template double measure_fma_peak<float>();
template double measure_fma_peak<double>();

std::vector<MemoryLevel> memory_levels() {
  constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 26, kMostMemory = std::uint64_t{1} << 29;
  std::vector<MemoryLevel> levels;
  std::uint64_t largest = 0;
  for (int cache = 0;; ++cache) {
    const std::string level = cache_text(cache, "level");
    if (level.empty()) break;
    if (cache_text(cache, "type") == "Instruction") continue;
    const std::uint64_t size = std::strtoull(cache_text(cache, "size").c_str(), nullptr, 10) << 10;  // "32K"
    if (size <= largest) continue;
    levels.push_back({concat("L", level), size, size / 2});
    largest = size;
  }
  levels.push_back({"memory", 0, std::clamp(4 * largest, kLeastMemory, kMostMemory)});
  return levels;
}

Bandwidth measure_bandwidth(std::uint64_t working_set) {
  const auto third = static_cast<std::size_t>(std::max<std::uint64_t>(working_set / 3 / 64 * 64, 4096));
  const std::size_t n = third / sizeof(double);
  Buffer memory = heap_block(3 * third);
  double* const a = reinterpret_cast<double*>(memory.data());
  double* const b = a + n;
  double* const c = b + n;
  internal::store_elements(a, 3 * n, 1.0);
  const auto bytes = static_cast<double>(third);
  Bandwidth rates{};
  rates.read = 3 * bytes / fastest([&] { internal::read_elements(a, 3 * n); }) * 1e-9;
  rates.store = 3 * bytes / fastest([&] { internal::store_elements(a, 3 * n, 1.0); }) * 1e-9;
  rates.copy = 2 * bytes / fastest([&] { std::memcpy(c, a, third); }) * 1e-9;
  rates.add = 3 * bytes / fastest([&] { internal::add_elements(a, b, c, n); }) * 1e-9;
  return rates;
}

}  // namespace tenferro
