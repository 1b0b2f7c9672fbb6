// SPDX-License-Identifier: MIT OR Apache-2.0
// Axes in another order, into a destination that is reused: <pattern>/<bytes of an element>/<arm>, where the arm is
// ours, ours/2 (two threads), memcpy of as many bytes between the same buffers, memcpy/2 (two threads as well), or a
// peer. Every arm's result is looked at first. The patterns go up to 256 MiB; of the public rotation of 2 GiB there is
// an eighth.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "benches/peers/peer.hpp"
#include "benches/peers/permute_peer.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/arithmetic.hpp"
#include "tenferro/ops/structural.hpp"

namespace {

using namespace tenferro;
using bench::PermutePeer;

struct Pattern {
  std::string name;
  std::vector<std::int64_t> shape, perm, strides;  // of the source; in elements
};

std::vector<std::int64_t> compact(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides;
  std::int64_t step = 1;
  for (const std::int64_t extent : shape) {
    strides.push_back(step);
    step *= extent;
  }
  return strides;
}

std::vector<std::int64_t> reversed(std::int64_t rank) {
  std::vector<std::int64_t> perm(static_cast<std::size_t>(rank));
  for (std::int64_t& axis : perm) axis = --rank;
  return perm;
}

// The axes from 1 on, and then axis 0.
std::vector<std::int64_t> cyclic(std::int64_t rank) {
  std::vector<std::int64_t> perm;
  for (std::int64_t axis = 1; axis <= rank; ++axis) perm.push_back(axis % rank);
  return perm;
}

// The public patterns of 8-byte elements; those of narrower ones are made larger, to be of 64 MiB at least as well.
std::vector<Pattern> patterns(std::size_t width) {
  const auto all = [](std::int64_t extent, std::int64_t rank) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(rank), extent);
  };
  const std::int64_t side = width == 1 ? 8192 : width == 4 ? 4096 : 2048, deep = width == 1 ? 512 : 256;
  const std::int64_t twos = width == 1 ? 26 : width == 4 ? 24 : 23, threes = width == 1 ? 17 : width == 4 ? 16 : 15;
  const std::int64_t rest = width == 1 ? 32 : width == 16 ? 8 : 16;
  // A late step of a network: two axes from the far end of a tensor of many go in between the first ones.
  const std::int64_t rank = std::max<std::int64_t>(twos, 24);
  std::vector<std::int64_t> network{0, 1, 2, 3, rank - 2, 4, rank - 1};
  for (std::int64_t axis = 5; axis < rank - 2; ++axis) network.push_back(axis);
  // The same where those axes are in their places already, but lie at the far end in memory.
  std::vector<std::int64_t> scattered;
  for (const std::int64_t axis : network) scattered.push_back(std::int64_t{1} << axis);
  std::vector<std::int64_t> in_place(static_cast<std::size_t>(rank));
  std::iota(in_place.begin(), in_place.end(), std::int64_t{0});
  std::vector<Pattern> list{
      {"transpose_8", {8, 8}, {1, 0}, {}},
      {"transpose_64", {64, 64}, {1, 0}, {}},
      {"transpose_512", {512, 512}, {1, 0}, {}},
      {"transpose_large", {side, side}, {1, 0}, {}},
      {"cube_201", {256, deep, deep}, {2, 0, 1}, {}},
      {"cube_102", {256, deep, deep}, {1, 0, 2}, {}},
      {"cube_210", {256, deep, deep}, {2, 1, 0}, {}},
      {"rotation_6d", {32, 16, 16, 16, rest, 16}, {5, 0, 4, 1, 3, 2}, {}},
      {"reverse_2", all(2, twos), reversed(twos), {}},
      {"reverse_3", all(3, threes), reversed(threes), {}},
      {"cyclic_3", all(3, threes), cyclic(threes), {}},
      {"network_2", all(2, rank), network, {}},
      {"network_2_scattered", all(2, rank), in_place, scattered},
  };
  for (Pattern& pattern : list) {
    if (pattern.strides.empty()) pattern.strides = compact(pattern.shape);
  }
  return list;
}

CpuBackend& backend(std::uint32_t threads) {
  static CpuBackend* const backends[] = {new CpuBackend(CpuBackend::Options{.threads = 1}),
                                         new CpuBackend(CpuBackend::Options{.threads = 2})};
  return *backends[threads - 1];
}

DType dtype_of_width(std::size_t width) {
  return width == 1 ? DType::boolean : width == 4 ? DType::f32 : width == 8 ? DType::f64 : DType::c64;
}

constexpr std::size_t kBuffer = std::size_t{256} << 20;
struct Buffers {
  Buffer from = heap_block(kBuffer), to = heap_block(kBuffer);
  Buffers() {
    std::uint32_t seed = 1;
    for (std::size_t i = 0; i < kBuffer; ++i) {
      seed = seed * 1664525U + 1013904223U;
      from.data()[i] = static_cast<std::byte>(seed >> 31);
    }
    std::memset(to.data(), 0, kBuffer);
  }
};
Buffers& buffers() {
  static Buffers& both = *new Buffers();
  return both;
}

// Copies of two threads of which one is always awake: what the machine itself gains by a second one.
class TwoCopiers {
 public:
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    half_ = bytes / 2 / 64 * 64;
    to_ = to;
    from_ = from;
    turn_.store(++turns_, std::memory_order_release);
    std::memcpy(to + half_, from + half_, bytes - half_);
    while (done_.load(std::memory_order_acquire) != turns_) {
    }
  }
  // The second thread lives as long as this.
  class Awake {
   public:
    explicit Awake(TwoCopiers& copiers)
        : copiers_(copiers), second_([&copiers, seen = copiers.turns_] { copiers.serve(seen); }) {}
    ~Awake() {
      copiers_.turn_.store(kEnd, std::memory_order_release);
      second_.join();
      copiers_.turn_.store(copiers_.turns_, std::memory_order_release);
    }
    Awake(const Awake&) = delete;
    Awake& operator=(const Awake&) = delete;

   private:
    TwoCopiers& copiers_;
    std::thread second_;
  };

 private:
  static constexpr long kEnd = -1;
  void serve(long seen) {
    while (true) {
      const long turn = turn_.load(std::memory_order_acquire);
      if (turn == kEnd) break;
      if (turn == seen) continue;
      std::memcpy(to_, from_, half_);
      done_.store(seen = turn, std::memory_order_release);
    }
  }

  std::atomic<long> turn_{0}, done_{0};
  long turns_ = 0;
  std::size_t half_ = 0;
  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
};

// One pattern for elements of one width; lives until the process ends, as its arms do.
class Case {
 public:
  Case(Pattern pattern, std::size_t width) : p_(std::move(pattern)), width_(width) {
    for (const std::int64_t axis : p_.perm) {
      shape_.push_back(p_.shape[static_cast<std::size_t>(axis)]);
      strides_.push_back(p_.strides[static_cast<std::size_t>(axis)]);
    }
    count_ = std::accumulate(shape_.begin(), shape_.end(), std::int64_t{1}, std::multiplies<>());
    prefix_ = p_.name + "/" + std::to_string(width) + "/";
  }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * width_; }
  TensorRead source() const {
    return {{buffers().from.data(), p_.shape.data(), p_.strides.data(), static_cast<std::uint32_t>(p_.shape.size()),
             dtype_of_width(width_), Placement{}}};
  }
  TensorRead permuted() const {
    return {{buffers().from.data(), shape_.data(), strides_.data(), static_cast<std::uint32_t>(shape_.size()),
             dtype_of_width(width_), Placement{}}};
  }
  TensorWrite target() const {
    return {{buffers().to.data(), shape_.data(), nullptr, static_cast<std::uint32_t>(shape_.size()),
             dtype_of_width(width_), Placement{}}};
  }

  void add_arms(const std::vector<const PermutePeer*>& peers) {
    add("memcpy", [this] { std::memcpy(buffers().to.data(), buffers().from.data(), bytes()); });
    add_ours("ours", 1);
    if (bytes() >= kShared) {
      add_ours("ours/2", 2);
      add_two_copiers();
    }
    for (const PermutePeer* peer : peers) {
      if (peer == nullptr) continue;
      void* call = peer->prepare(static_cast<int>(width_), static_cast<int>(p_.shape.size()), p_.shape.data(),
                                 p_.strides.data(), p_.perm.data(), buffers().from.data(), buffers().to.data());
      if (call == nullptr) continue;
      add(peer->name, [peer, call] { peer->run(call); });
    }
  }
  // The same with a result from the pool, on one thread.
  void add_allocating() {
    benchmark::RegisterBenchmark((prefix_ + "ours/allocating").c_str(), [this](benchmark::State& state) {
      backend(1).with_session([&](BackendSession& session) {
        for ([[maybe_unused]] const auto _ : state) {
          benchmark::DoNotOptimize(transpose(session, source(), Dims(p_.perm)).bytes());
        }
      });
    })->UseRealTime();
  }

 private:
  static constexpr std::size_t kShared = std::size_t{8} << 20;

  // Arms look at their result when they run for the first time.
  void add(const std::string& arm, std::function<void()> f) {
    benchmark::RegisterBenchmark((prefix_ + arm).c_str(), [this, arm, f = std::move(f)](benchmark::State& state) {
      if (arm != "memcpy") check(arm, f);
      for ([[maybe_unused]] const auto _ : state) f();
    })->UseRealTime();
  }
  void add_two_copiers() {
    benchmark::RegisterBenchmark((prefix_ + "memcpy/2").c_str(), [this](benchmark::State& state) {
      static TwoCopiers copiers;
      const TwoCopiers::Awake second(copiers);
      for ([[maybe_unused]] const auto _ : state) copiers.copy(buffers().to.data(), buffers().from.data(), bytes());
    })->UseRealTime();
  }
  void add_ours(const std::string& arm, std::uint32_t threads) {
    benchmark::RegisterBenchmark((prefix_ + arm).c_str(), [this, arm, threads](benchmark::State& state) {
      backend(threads).with_session([&](BackendSession& session) {
        check(arm, [&] { copy_into(session, target(), permuted()); });
        for ([[maybe_unused]] const auto _ : state) copy_into(session, target(), permuted());
      });
    })->UseRealTime();
  }

  // Runs one arm on an empty target and looks at some thousand elements.
  template <class F>
  void check(const std::string& arm, F&& run) {
    if (std::find(checked_.begin(), checked_.end(), arm) != checked_.end()) return;
    checked_.push_back(arm);
    std::memset(buffers().to.data(), 0x55, bytes());
    run();
    const std::int64_t step = count_ < 4096 ? 1 : count_ / 4001 | 1;
    for (std::int64_t i = 0; i < count_; i += step) {
      std::int64_t rest = i, at = 0;
      for (std::size_t k = 0; k < shape_.size(); ++k) {
        at += rest % shape_[k] * strides_[k];
        rest /= shape_[k];
      }
      const auto offset = static_cast<std::size_t>(i) * width_, origin = static_cast<std::size_t>(at) * width_;
      if (std::memcmp(buffers().to.data() + offset, buffers().from.data() + origin, width_) != 0) {
        std::fprintf(stderr, "%s%s: element %lld is wrong\n", prefix_.c_str(), arm.c_str(), static_cast<long long>(i));
        std::exit(1);
      }
    }
  }

  Pattern p_;
  std::size_t width_;
  std::vector<std::string> checked_;
  std::vector<std::int64_t> shape_, strides_;  // of the permuted source
  std::int64_t count_ = 0;
  std::string prefix_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<const PermutePeer*> peers{
      bench::load_peer<PermutePeer>("libpeer_torch.so", "tenferro_permute_peer"),
      bench::load_peer<PermutePeer>("libpeer_eigen.so", "tenferro_permute_peer")};
  for (const std::size_t width : {8UL, 4UL, 16UL, 1UL}) {
    for (const Pattern& pattern : patterns(width)) {
      Case& one = *new Case(pattern, width);
      one.add_arms(peers);
      if (pattern.name == "reverse_2" && width == 8) one.add_allocating();
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
