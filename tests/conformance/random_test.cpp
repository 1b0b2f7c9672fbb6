// SPDX-License-Identifier: MIT OR Apache-2.0
// Random numbers in sessions: the same bits from the same key, and the distributions asked for.
#include "tenferro/ops/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/conformance/oracles.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

template <class T>
std::vector<T> elements(const Tensor& t) {
  const auto data = t.data<T>();
  return {data.begin(), data.end()};
}

// Bits by the oracle's own cipher.
template <class T>
std::vector<T> oracle_bits(std::int64_t seed, std::int64_t stream, std::int64_t count) {
  const Op op = internal::random_bits_op({count}, dtype_of<T>);
  const auto drawn = philox_bits(op, {index_array({2}, {seed, stream})});
  std::vector<T> bits;
  for (const Cell& cell : drawn[0].cells) {
    bits.push_back(static_cast<T>(cell.n));
  }
  return bits;
}

// Whether z is the normal number of `width` random bits by inversion: the sign is the top bit, and the others, m, give
// the probability (m + ½)·2^(1−width) of a larger size. Errors of z count −d log q/dz ≈ |z| + 1 times as much in q.
void expect_inverse(double z, std::uint64_t bits, int width, double relative) {
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const Real q = (static_cast<Real>(bits & (top - 1)) + 0.5L) / static_cast<Real>(top);
  const Real size = std::abs(static_cast<Real>(z));
  EXPECT_EQ(std::signbit(z), (bits & top) != 0);
  EXPECT_NEAR(static_cast<double>(std::erfc(size / std::sqrt(Real{2})) / q), 1.0,
              static_cast<double>((size + 1) * size * relative) + 1e-17);
}

TEST(RandomTest, TheOracleGivesThePublishedAnswer) {
  // Salmon et al. 2011: counter and key zero.
  const std::vector<std::int32_t> bits = oracle_bits<std::int32_t>(0, 0, 4);
  const std::uint32_t published[] = {0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(static_cast<std::uint32_t>(bits[i]), published[i]);
}

TEST(RandomTest, NumbersAreThoseOfTheGenerator) {
  const std::vector<std::int64_t> bits = oracle_bits<std::int64_t>(42, 7, 6);
  const std::vector<std::int32_t> narrow = oracle_bits<std::int32_t>(42, 7, 6);
  on_every_backend([&](BackendSession& s) {
    const Tensor key = Tensor::from_col_major<std::int64_t>({2}, {42, 7});
    EXPECT_EQ(elements<std::int64_t>(random_bits(s, key, {2, 3})), bits);
    const auto u = elements<double>(uniform(s, key, {6})), z = elements<double>(normal(s, key, {3, 2}));
    const auto v = elements<float>(uniform(s, key, {6}, DType::f32)),
               w = elements<float>(normal(s, key, {6}, DType::f32));
    for (std::size_t i = 0; i < 6; ++i) {
      const auto wide_word = static_cast<std::uint64_t>(bits[i]);
      const auto narrow_word = static_cast<std::uint32_t>(narrow[i]);
      EXPECT_EQ(u[i], std::ldexp(static_cast<double>(wide_word >> 11), -53));
      EXPECT_EQ(v[i], std::ldexp(static_cast<float>(narrow_word >> 8), -24));
      expect_inverse(z[i], wide_word, 64, 2e-15);
      expect_inverse(w[i], narrow_word, 32, 1e-7);
    }
  });
}

TEST(RandomTest, SplitKeysDiffer) {
  on_every_backend([](BackendSession& s) {
    const Tensor key = random_key(s, 3);
    const auto keys = random_split(s, key, 50);
    std::set<std::vector<std::int64_t>> seen{elements<std::int64_t>(key)};
    for (const Tensor& child : keys) EXPECT_TRUE(seen.insert(elements<std::int64_t>(child)).second);
    // Splitting is not drawing: bits of the key itself are others.
    EXPECT_NE(elements<std::int64_t>(random_bits(s, key, {2})), elements<std::int64_t>(keys[0]));
    EXPECT_EQ(elements<std::int64_t>(random_split(s, key, 50)[49]), elements<std::int64_t>(keys[49]));
  });
}

TEST(RandomTest, UniformStaysInItsRange) {
  on_every_backend([](BackendSession& s) {
    const Tensor key = random_key(s, 5);
    for (const float v : elements<float>(uniform(s, key, {4000}, DType::f32, 1.0, 1.0 + 0x1p-22))) {
      EXPECT_GE(v, 1.0F);
      EXPECT_LT(v, 1.0F + 0x1p-22F);
    }
    double sum = 0.0;
    for (const double v : elements<double>(uniform(s, key, {10000}, DType::f64, -3.0, 5.0))) {
      EXPECT_GE(v, -3.0);
      EXPECT_LT(v, 5.0);
      sum += v;
    }
    EXPECT_NEAR(sum / 10000, 1.0, 0.1);  // σ of the mean is 0.023
  });
}

TEST(RandomTest, NormalHasMomentsOfANormal) {
  on_every_backend([](BackendSession& s) {
    double first = 0.0, second = 0.0, fourth = 0.0;
    for (const double z : elements<double>(normal(s, random_key(s, 8), {40000}))) {
      first += z / 40000;
      second += z * z / 40000;
      fourth += z * z * z * z / 40000;
    }
    EXPECT_NEAR(first, 0.0, 0.025);  // five σ
    EXPECT_NEAR(second, 1.0, 0.036);
    EXPECT_NEAR(fourth, 3.0, 0.25);
    double power = 0.0;
    for (const auto z : elements<std::complex<double>>(normal(s, random_key(s, 9), {20000}, DType::c64))) {
      power += std::norm(z) / 20000;
    }
    EXPECT_NEAR(power, 1.0, 0.036);
  });
}

TEST(RandomTest, BernoulliFollowsItsProbability) {
  on_every_backend([](BackendSession& s) {
    const Tensor key = random_key(s, 1);
    const auto draws = elements<bool>(bernoulli(s, key, 0.3, {20000}));
    EXPECT_NEAR(static_cast<double>(std::count(draws.begin(), draws.end(), true)) / 20000, 0.3, 0.0165);
    const Tensor p = Tensor::from_col_major<double>({2}, {0.0, 1.0});
    EXPECT_EQ(elements<bool>(bernoulli(s, key, p)), (std::vector<bool>{false, true}));
  });
}

TEST(RandomTest, CategoricalFollowsItsLogits) {
  on_every_backend([](BackendSession& s) {
    const double minus_infinity = -std::numeric_limits<double>::infinity();
    const Tensor logits = Tensor::from_col_major<double>({3}, {std::log(0.2), minus_infinity, std::log(0.8)});
    const Tensor many = broadcast_to(s, logits, {20000, 3});
    const auto draws = elements<std::int64_t>(categorical(s, random_key(s, 4), many));
    EXPECT_EQ(std::count(draws.begin(), draws.end(), 1), 0);
    EXPECT_NEAR(static_cast<double>(std::count(draws.begin(), draws.end(), 0)) / 20000, 0.2, 0.0145);
  });
}

TEST(RandomTest, PermutationHoldsEveryNumberOnce) {
  on_every_backend([](BackendSession& s) {
    auto order = elements<std::int64_t>(permutation(s, random_key(s, 6), 1000));
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<std::int64_t>(i));
    EXPECT_EQ(permutation(s, random_key(s, 6), 0).count(), 0);
  });
}

}  // namespace
}  // namespace tenferro::testing
