// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemv.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "tenferro/cpu/simd.hpp"
#include "tests/support/every_target.hpp"

namespace tenferro::internal::gemv_test {
namespace {

using testing::with_every_target;

template <class T>
T uneven_number(std::int64_t seed) {
  const auto part = [](std::int64_t s) { return static_cast<double>(((s * 2654435761) >> 5 & 1023) - 511) / 300; };
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(seed * 2654435761);
  } else if constexpr (is_complex(dtype_of<T>)) {
    using R = typename T::value_type;
    return T(static_cast<R>(part(seed)), static_cast<R>(part(seed + 99)));
  } else {
    return static_cast<T>(part(seed));
  }
}

// Long double for floats, wrapping for integers.
template <class T>
auto widened(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::make_unsigned_t<T>>(x);
  } else if constexpr (is_complex(dtype_of<T>)) {
    return std::complex<long double>(x.real(), x.imag());
  } else {
    return static_cast<long double>(x);
  }
}

// A matrix of exactly the memory that its steps span, and a vector.
template <class T>
struct MatrixVector {
  std::int64_t rows, k, row, col, x_step;
  std::vector<T> a, x;

  MatrixVector(std::int64_t m, std::int64_t terms, std::int64_t row_step, std::int64_t col_step, std::int64_t step)
      : rows(m), k(terms), row(row_step), col(col_step), x_step(step) {
    a.resize(static_cast<std::size_t>((rows - 1) * row + (k - 1) * col + 1));
    x.resize(static_cast<std::size_t>((k - 1) * step + 1));
    for (std::int64_t p = 0; p < k; ++p) {
      x[static_cast<std::size_t>(p * step)] = uneven_number<T>(p);
      for (std::int64_t i = 0; i < rows; ++i) at(i, p) = uneven_number<T>(1000 * p + i + 7);
    }
  }
  T& at(std::int64_t i, std::int64_t p) { return a[static_cast<std::size_t>(i * row + p * col)]; }

  std::vector<T> product(bool conj_a, bool conj_x) const {
    std::vector<T> y(static_cast<std::size_t>(rows), uneven_number<T>(3));
    gemv_rows<T>(rows, k, {a.data(), row, col, conj_a}, {x.data(), x_step, conj_x}, {y.data(), 1}, {T(1), T(0)},
                 rows == 1);
    return y;
  }
  void expect_right(const std::vector<T>& y, bool conj_a, bool conj_x) {
    for (std::int64_t i = 0; i < rows; ++i) {
      auto sum = widened(T(0));
      for (std::int64_t p = 0; p < k; ++p) {
        sum += widened(conjugate_if(conj_a, at(i, p))) *
               widened(conjugate_if(conj_x, x[static_cast<std::size_t>(p * x_step)]));
      }
      const T got = y[static_cast<std::size_t>(i)];
      if constexpr (std::is_integral_v<T>) {
        ASSERT_EQ(got, static_cast<T>(sum));
      } else {
        using R = decltype(std::abs(got));
        const long double allowed = 4 * std::numeric_limits<R>::epsilon() * (static_cast<long double>(k) + 2);
        ASSERT_LE(std::abs(widened(got) - sum), allowed) << simd_target() << " " << rows << "x" << k << " row " << i;
      }
    }
  }
};

template <class T>
class Gemv : public ::testing::Test {};
using GemvElements =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Gemv, GemvElements);

// Rows first, terms first, and steps along both, with the same bits.
TYPED_TEST(Gemv, EveryOrientationGivesTheSameRightSums) {
  using T = TypeParam;
  with_every_target([] {
    for (const std::int64_t rows : {1, 2, 3, 5, 8, 17, 33, 100}) {
      for (const std::int64_t k : {1, 2, 7, 8, 9, 31, 32, 33, 65, 130}) {
        MatrixVector<T> columns(rows, k, 1, rows, 1), by_rows(rows, k, k, 1, 3), apart(rows, k, 2, 2 * rows + 1, 2);
        const std::vector<T> y = columns.product(false, false);
        columns.expect_right(y, false, false);
        for (const MatrixVector<T>* other : {&by_rows, &apart}) {
          const std::vector<T> z = other->product(false, false);
          ASSERT_EQ(std::memcmp(y.data(), z.data(), y.size() * sizeof(T)), 0)
              << simd_target() << " " << rows << "x" << k;
        }
      }
    }
  });
}

TYPED_TEST(Gemv, EitherOperandIsConjugated) {
  using T = TypeParam;
  with_every_target([] {
    for (const std::int64_t rows : {1, 6}) {
      for (const bool conj_x : {false, true}) {
        MatrixVector<T> columns(rows, 37, 1, rows, 1), by_rows(rows, 37, 37, 1, 1);
        columns.expect_right(columns.product(true, conj_x), true, conj_x);
        by_rows.expect_right(by_rows.product(!conj_x, conj_x), !conj_x, conj_x);
      }
    }
  });
}

// Columns far apart are read in long runs; more than one chunk of terms.
TYPED_TEST(Gemv, LargeMatricesHaveTheBitsOfSmallOnes) {
  using T = TypeParam;
  with_every_target([] {
    const std::int64_t rows = 150, k = kGemvChunk<T> + 70;
    MatrixVector<T> columns(rows, k, 1, rows, 1), by_rows(rows, k, k, 1, 1);
    const std::vector<T> y = columns.product(false, false), z = by_rows.product(false, false);
    EXPECT_EQ(std::memcmp(y.data(), z.data(), y.size() * sizeof(T)), 0) << simd_target();
    columns.expect_right(y, false, false);
  });
}

// Columns so far apart that no cache holds them; k is not a multiple of anything.
TYPED_TEST(Gemv, MatricesFromMemoryHaveTheBitsOfSmallOnes) {
  using T = TypeParam;
  with_every_target([] {
    const std::int64_t rows = 140, k = 205, column = kFromMemoryBytes / (k - 1) / static_cast<std::int64_t>(sizeof(T));
    MatrixVector<T> columns(rows, k, 1, column, 1), by_rows(rows, k, k, 1, 1);
    const std::vector<T> y = columns.product(false, false), z = by_rows.product(false, false);
    EXPECT_EQ(std::memcmp(y.data(), z.data(), y.size() * sizeof(T)), 0) << simd_target();
  });
}

// Sums are made in place, or beside it and then blended.
TYPED_TEST(Gemv, OutputsWithAStepHaveTheBitsOfThoseSideBySide) {
  using T = TypeParam;
  with_every_target([] {
    for (const std::int64_t k : {std::int64_t{13}, kGemvChunk<T> + 5}) {
      const MatrixVector<T> columns(21, k, 1, 21, 1);
      const std::vector<T> y = columns.product(false, false);
      std::vector<T> apart(42, uneven_number<T>(3));
      gemv_rows<T>(21, k, {columns.a.data(), 1, 21, false}, {columns.x.data(), 1, false}, {apart.data(), 2},
                   {T(1), T(0)}, false);
      for (std::size_t i = 0; i < y.size(); ++i) {
        ASSERT_EQ(std::memcmp(&apart[2 * i], &y[i], sizeof(T)), 0) << simd_target();
        ASSERT_EQ(apart[2 * i + 1], uneven_number<T>(3));
      }
    }
  });
}

// A sum begins at +0, whichever partial sums have no term.
TYPED_TEST(Gemv, FewTermsThatVanishGiveAPlusZero) {
  using T = TypeParam;
  if constexpr (std::is_floating_point_v<T>) {
    with_every_target([] {
      for (const std::int64_t column : {64, 100'000}) {
        MatrixVector<T> vanishing(64, 2, 1, column, 1);
        for (T& x : vanishing.a) x = -std::numeric_limits<T>::min();
        for (T& x : vanishing.x) x = std::numeric_limits<T>::min();
        for (const T& sum : vanishing.product(false, false)) ASSERT_FALSE(std::signbit(sum)) << simd_target();
      }
    });
  }
}

}  // namespace
}  // namespace tenferro::internal::gemv_test
