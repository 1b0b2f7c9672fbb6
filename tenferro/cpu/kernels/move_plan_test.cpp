// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/move_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tenferro/cpu/simd.hpp"
#include "tests/support/every_target.hpp"

namespace tenferro::internal {
namespace {

using testing::with_every_target;

constexpr std::size_t kWidths[] = {1, 4, 8, 16};

// A box of elements in two memories of their own, with guards around and gaps between.
struct Movement {
  std::size_t width = 8;
  Shape shape;
  Dims from, to;  // strides in elements

  std::int64_t count() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }
  // Offsets of all elements on one side, in column-major order, and how far they reach down and up.
  std::vector<std::int64_t> offsets(const Dims& strides) const {
    std::vector<std::int64_t> at{0};
    at.reserve(static_cast<std::size_t>(count()));
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const std::size_t before = at.size();
      for (std::int64_t i = 1; i < shape[k]; ++i) {
        for (std::size_t j = 0; j < before; ++j) at.push_back(at[j] + i * strides[k]);
      }
    }
    return at;
  }
};

struct Memory {
  std::vector<std::byte> bytes;
  std::size_t origin = 0;

  Memory(const std::vector<std::int64_t>& offsets, std::size_t width, std::size_t shift) {
    const auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
    constexpr std::size_t kGuard = 192;
    bytes.resize(static_cast<std::size_t>(*high - *low + 1) * width + 2 * kGuard + 64);
    const auto start = reinterpret_cast<std::uintptr_t>(bytes.data()) + kGuard;
    const std::size_t aligned = (start + 63) / 64 * 64 - start + kGuard + shift;
    origin = aligned + static_cast<std::size_t>(-*low) * width;
  }
  std::byte* data() { return bytes.data() + origin; }
};

// Moves by plan, in two ranges of tiles, and compares every byte of the target's memory with a plain loop.
void expect_moved(const Movement& m, std::int64_t stream_from, std::size_t shift) {
  const std::vector<std::int64_t> from = m.offsets(m.from), to = m.offsets(m.to);
  Memory source(from, m.width, 0), target(to, m.width, shift);
  std::minstd_rand random(static_cast<unsigned>(from.size()) + 1);
  for (std::byte& byte : source.bytes) byte = static_cast<std::byte>(random() >> 7);
  for (std::byte& byte : target.bytes) byte = static_cast<std::byte>(random() >> 7);
  std::vector<std::byte> expected = target.bytes;
  const auto width = static_cast<std::int64_t>(m.width);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::memcpy(expected.data() + target.origin + to[i] * width, source.data() + from[i] * width, m.width);
  }
  const bool aligned = reinterpret_cast<std::uintptr_t>(target.data()) % 64 == 0;
  const MovePlan plan(m.width, copy_loops(m.shape, m.from, m.to, m.width), {aligned, stream_from});
  const std::int64_t middle = plan.tiles() / 3;
  plan.run(target.data(), source.data(), middle, plan.tiles());
  plan.run(target.data(), source.data(), 0, middle);
  std::string what = "width " + std::to_string(m.width) + (stream_from == 0 ? " streamed" : "");
  for (std::size_t k = 0; k < m.shape.size(); ++k) {
    what += " " + std::to_string(m.shape[k]) + ":" + std::to_string(m.from[k]) + ">" + std::to_string(m.to[k]);
  }
  const auto differ = std::mismatch(expected.begin(), expected.end(), target.bytes.begin()).first;
  ASSERT_EQ(differ, expected.end()) << what << " at byte " << differ - expected.begin() << " of " << expected.size()
                                    << ", origin " << target.origin << ", " << simd_target();
}

void expect_moved(const Movement& m) {
  expect_moved(m, calibration::kStreamBytes, 0);
  expect_moved(m, 0, 0);
  expect_moved(m, 0, m.width);
}

// Strides of a compact array whose axes lie in memory in the given order, some with gaps or backward.
Dims strides_in(const Shape& shape, const std::vector<std::size_t>& order, std::minstd_rand* random) {
  Dims strides(shape.size());
  std::int64_t step = 1;
  for (const std::size_t k : order) {
    const bool odd = random != nullptr && (*random)() % 6 == 0;
    if (odd) step *= 1 + static_cast<std::int64_t>((*random)() % 3);
    strides[k] = odd && (*random)() % 2 == 0 ? -step : step;
    step *= shape[k];
    if (odd) step += static_cast<std::int64_t>((*random)() % 3);
  }
  return strides;
}

Movement permuted(std::size_t width, const Shape& shape, const std::vector<std::size_t>& order,
                  std::minstd_rand* random = nullptr) {
  std::vector<std::size_t> plain(shape.size());
  std::iota(plain.begin(), plain.end(), std::size_t{0});
  return {width, shape, strides_in(shape, order, random), strides_in(shape, plain, random)};
}

TEST(MovePlan, MovesEveryElementOfRandomLayoutsAndNothingElse) {
  with_every_target([] {
    std::minstd_rand random(17);
    for (int i = 0; i < 200; ++i) {
      const std::size_t rank = random() % 8;
      Shape shape(rank);
      std::int64_t room = 4000;
      for (std::int64_t& extent : shape) {
        extent = 1 + static_cast<std::int64_t>(random() % (random() % 3 == 0 ? 70 : 4));
        extent = std::min(extent, std::max<std::int64_t>(room, 1));
        room /= extent;
      }
      std::vector<std::size_t> order(rank);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), random);
      Movement m = permuted(kWidths[i % 4], shape, order, &random);
      if (rank > 0 && random() % 4 == 0) m.from[random() % rank] = 0;
      expect_moved(m);
    }
  });
}

TEST(MovePlan, TakesShortRunsFromColumnsOfAnyPitch) {
  with_every_target([] {
    for (const std::size_t width : kWidths) {
      for (const std::int64_t run : {2, 3, 4, 5, 8, 16, 17}) {
        for (std::int64_t pitch = run; pitch < run + 6; ++pitch) {
          expect_moved({width, {run, 70}, {1, pitch}, {1, run}});
          expect_moved({width, {run, 70}, {1, pitch}, {70, 1}});
          expect_moved({width, {run, 70}, {1, -pitch}, {1, run}});
        }
      }
    }
  });
}

TEST(MovePlan, TurnsMatricesOfEverySizeAroundAVector) {
  with_every_target([] {
    for (const std::size_t width : kWidths) {
      for (const std::int64_t m : {1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 65, 130}) {
        for (const std::int64_t n : {1, 2, 5, 8, 16, 31, 64, 129}) expect_moved(permuted(width, {m, n}, {1, 0}));
      }
    }
  });
}

TEST(MovePlan, MovesLinesOfAnyStepOnEitherSide) {
  with_every_target([] {
    for (const std::size_t width : kWidths) {
      for (std::int64_t n = 33; n <= 200; n += n < 67 ? 3 : 23) {
        for (const std::int64_t step : {-1, 2, -2, 3}) {
          expect_moved({width, {n, 3}, {step, 700}, {1, n}});
          expect_moved({width, {n, 3}, {1, n}, {step, 700}});
        }
      }
    }
  });
}

TEST(MovePlan, TakesShortAxesTogether) {
  with_every_target([] {
    for (const std::size_t width : kWidths) {
      for (const std::int64_t extent : {2, 3}) {
        const std::size_t rank = extent == 2 ? 14 : 9;
        std::vector<std::size_t> reversed(rank), rotated(rank);
        for (std::size_t k = 0; k < rank; ++k) {
          reversed[k] = rank - 1 - k;
          rotated[k] = (k + 1) % rank;
        }
        expect_moved(permuted(width, Shape(rank, extent), reversed));
        expect_moved(permuted(width, Shape(rank, extent), rotated));
      }
    }
  });
}

TEST(MovePlan, JoinsColumnsOfSixteenBytes) {
  with_every_target([] {
    for (const std::size_t width : {1UL, 4UL, 8UL}) {
      const auto rows = static_cast<std::int64_t>(16 / width);
      for (const std::int64_t n : {64, 66, 68, 100, 132}) {
        expect_moved(permuted(width, {rows, n, 3}, {1, 0, 2}));
        expect_moved(permuted(width, {rows, n, 4}, {1, 0, 2}));
        expect_moved(permuted(width, {rows, n, 8}, {1, 2, 0}));
        expect_moved(permuted(width, {rows / 2, 2, n, 4}, {2, 1, 0, 3}));
      }
      expect_moved(permuted(1, {2, 8, 16 * rows, 3}, {0, 2, 1, 3}));  // pairs of bytes
      expect_moved({width, {rows, 64, 4}, {2001, 1, 64}, {1, rows, 64 * rows}});
    }
  });
}

TEST(MovePlan, MovesSixtyFourAxes) {
  Shape shape(64, 1);
  for (std::size_t k = 0; k < 64; k += 6) shape[k] = k % 4 == 0 ? 2 : 3;
  std::vector<std::size_t> order(64);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand random(3);
  with_every_target([&] {
    for (const std::size_t width : kWidths) {
      std::shuffle(order.begin(), order.end(), random);
      expect_moved(permuted(width, shape, order));
    }
  });
}

TEST(MovePlan, MovesLongRunsThatAreCutIntoParts) {
  with_every_target([] {
    expect_moved(permuted(1, {300001}, {0}));
    expect_moved({8, {9000, 3}, {1, 9100}, {1, 9001}});
    expect_moved({4, {20, 130}, {1, 21}, {1, 25}});
    expect_moved({4, {5000, 3}, {2, 10001}, {1, 5000}});
    for (const std::int64_t step : {-1, 0, 2, 3}) {
      expect_moved({8, {9001, 2}, {step, 1}, {1, 9003}});
      expect_moved({1, {70001}, {step}, {1}});
    }
    expect_moved({8, {9001, 2}, {1, 9001}, {2, 18003}});
    expect_moved({1, {70001}, {1}, {3}});
    expect_moved({8, {130, 70}, {1024, 2}, {1, 130}});
  });
}

TEST(MovePlan, RepeatsASourceThatStandsStill) {
  with_every_target([] {
    for (const std::size_t width : kWidths) {
      expect_moved({width, {1000, 7}, {0, 1}, {1, 1003}});
      expect_moved({width, {3, 5, 70}, {0, 0, 0}, {1, 3, 15}});
      expect_moved({width, {3, 50}, {1, 0}, {1, 3}});
    }
  });
}

TEST(MovePlan, OneNestOnTheCallerIsTheSame) {
  const Movement m = permuted(4, {33, 5, 40}, {2, 1, 0});
  const auto from = m.offsets(m.from), to = m.offsets(m.to);
  std::vector<std::int32_t> source(from.size()), target(to.size()), expected(to.size());
  std::iota(source.begin(), source.end(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    expected[static_cast<std::size_t>(to[i])] = source[static_cast<std::size_t>(from[i])];
  }
  move_nest(4, reinterpret_cast<std::byte*>(target.data()), reinterpret_cast<const std::byte*>(source.data()),
            copy_loops(m.shape, m.from, m.to, 4));
  EXPECT_EQ(target, expected);
}

}  // namespace
}  // namespace tenferro::internal
