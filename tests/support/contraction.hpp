// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Contractions by their definition, and operands for them.
//
//   Shape shape;
//   Values<double> expected = contracted<double>(DotGeneralConfig({1}, {0}), {2, 3}, lhs, {3, 4}, rhs, shape);

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <string>

#include "tenferro/ops/attrs.hpp"
#include "tests/support/layouts.hpp"

namespace tenferro::testing {

template <class T>
struct Exact {
  using type = T;
};
template <>
struct Exact<float> {
  using type = double;
};
template <>
struct Exact<std::complex<float>> {
  using type = std::complex<double>;
};

template <class T>
T conjugate(T x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::conj(x);
  } else {
    return x;
  }
}

// Small whole numbers: every sum below is exact, so results can be compared bit for bit.
template <class T>
Values<T> whole_numbers(DimsView shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> digit(-3, 3);
  Values<T> values(static_cast<std::size_t>(count_of(shape)));
  for (T& x : values) {
    if constexpr (is_complex(dtype_of<T>)) {
      using Part = typename T::value_type;
      const auto re = static_cast<Part>(digit(generator));
      x = T(re, static_cast<Part>(digit(generator)));
    } else {
      x = static_cast<T>(digit(generator));
    }
  }
  return values;
}

// Numbers in [−1, 1) with all their bits in use, cheap enough for large operands.
template <class T>
Values<T> mixed_numbers(DimsView shape, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  const auto next = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(static_cast<std::int64_t>(state) >> 10) * 0x1p-53;
  };
  Values<T> values(static_cast<std::size_t>(count_of(shape)));
  for (T& x : values) {
    if constexpr (is_complex(dtype_of<T>)) {
      using Part = typename T::value_type;
      const auto re = static_cast<Part>(next());
      x = T(re, static_cast<Part>(next()));
    } else {
      x = static_cast<T>(next());
    }
  }
  return values;
}

template <class T>
T not_a_number() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::max();
  } else if constexpr (is_complex(dtype_of<T>)) {
    return T(std::numeric_limits<typename T::value_type>::quiet_NaN(),
             std::numeric_limits<typename T::value_type>::quiet_NaN());
  } else {
    return std::numeric_limits<T>::quiet_NaN();
  }
}

inline std::vector<std::size_t> free_axes(std::size_t rank, std::span<const std::uint8_t> a,
                                          std::span<const std::uint8_t> b) {
  std::vector<std::size_t> rest;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (std::find(a.begin(), a.end(), axis) == a.end() && std::find(b.begin(), b.end(), axis) == b.end()) {
      rest.push_back(axis);
    }
  }
  return rest;
}

// The definition, by index tuples of the result and of the contracted axes.
template <class T>
Values<T> contracted(const DotGeneralConfig& config, DimsView lhs_shape, const Values<T>& lhs, DimsView rhs_shape,
                     const Values<T>& rhs, Shape& shape) {
  using Sum = typename Exact<T>::type;
  const auto lhs_free = free_axes(lhs_shape.size(), config.lhs_contracting(), config.lhs_batch());
  const auto rhs_free = free_axes(rhs_shape.size(), config.rhs_contracting(), config.rhs_batch());
  shape.clear();
  for (const std::size_t axis : lhs_free) shape.push_back(lhs_shape[axis]);
  for (const std::size_t axis : rhs_free) shape.push_back(rhs_shape[axis]);
  for (const std::uint8_t axis : config.lhs_batch()) shape.push_back(lhs_shape[axis]);
  Shape summed;
  for (const std::uint8_t axis : config.lhs_contracting()) summed.push_back(lhs_shape[axis]);
  Values<T> result(static_cast<std::size_t>(count_of(shape)));
  Dims l(lhs_shape.size()), r(rhs_shape.size());
  for_each_index(shape, [&](DimsView index, std::int64_t linear) {
    std::size_t at = 0;
    for (const std::size_t axis : lhs_free) l[axis] = index[at++];
    for (const std::size_t axis : rhs_free) r[axis] = index[at++];
    for (std::size_t k = 0; k < config.lhs_batch().size(); ++k) {
      l[config.lhs_batch()[k]] = r[config.rhs_batch()[k]] = index[at++];
    }
    Sum sum(0);
    for_each_index(summed, [&](DimsView p, std::int64_t) {
      for (std::size_t k = 0; k < p.size(); ++k) l[config.lhs_contracting()[k]] = r[config.rhs_contracting()[k]] = p[k];
      const T a = lhs[static_cast<std::size_t>(linear_of(l, lhs_shape))];
      const T b = rhs[static_cast<std::size_t>(linear_of(r, rhs_shape))];
      sum += Sum(config.lhs_conj ? conjugate(a) : a) * Sum(config.rhs_conj ? conjugate(b) : b);
    });
    result[static_cast<std::size_t>(linear)] = static_cast<T>(sum);
  });
  return result;
}

template <class T>
void expect_equal(const Values<T>& got, const Values<T>& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << what << ", element " << i;
}

}  // namespace tenferro::testing
