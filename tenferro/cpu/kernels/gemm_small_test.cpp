// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemm_small.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "tenferro/cpu/simd.hpp"
#include "tests/support/every_target.hpp"

namespace tenferro::internal::gemm_small_test {
namespace {

using testing::with_every_target;

// A matrix, or a batch of them, in exactly as many elements as its steps span, the gaps filled with a pattern.
template <class T>
struct Placed {
  std::vector<T> memory;
  std::int64_t rows, cols, row, col, count = 1, step = 0;

  T& operator()(std::int64_t i, std::int64_t j, std::int64_t item = 0) {
    return memory[static_cast<std::size_t>(i * row + j * col + item * step)];
  }
  StridedMatrix<const T> read(bool conj = false) const { return {memory.data(), row, col, conj}; }
  StridedMatrix<T> write() { return {memory.data(), row, col}; }
};

enum class Lie { columns, rows, padded_columns, padded_rows, scattered };
constexpr Lie kAllLies[] = {Lie::columns, Lie::rows, Lie::padded_columns, Lie::padded_rows, Lie::scattered};

template <class T>
T hole() {
  if constexpr (std::is_integral_v<T>) {
    return T(-77);
  } else if constexpr (is_complex(dtype_of<T>)) {
    return T(std::numeric_limits<typename T::value_type>::quiet_NaN(), -77);
  } else {
    return std::numeric_limits<T>::quiet_NaN();
  }
}

template <class T>
Placed<T> place(std::int64_t rows, std::int64_t cols, Lie lie) {
  Placed<T> x{{}, rows, cols, 1, rows};
  if (lie == Lie::rows) x.row = cols, x.col = 1;
  if (lie == Lie::padded_columns) x.col = rows + 3;
  if (lie == Lie::padded_rows) x.row = cols + 2, x.col = 1;
  if (lie == Lie::scattered) x.row = 2, x.col = 2 * rows + 1;
  x.memory.assign(static_cast<std::size_t>((rows - 1) * x.row + (cols - 1) * x.col + 1), hole<T>());
  return x;
}

// Small whole numbers, with which every order of a sum is exact.
template <class T>
T whole(std::int64_t seed) {
  const auto part = [](std::int64_t s) { return static_cast<int>((s * 2654435761) >> 7 & 7) - 3; };
  if constexpr (is_complex(dtype_of<T>)) {
    using R = typename T::value_type;
    return T(static_cast<R>(part(seed)), static_cast<R>(part(seed + 1000)));
  } else {
    return static_cast<T>(part(seed));
  }
}
template <class T>
T uneven(std::int64_t seed) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(seed * 2654435761);
  } else {
    return whole<T>(seed) / T(3) + whole<T>(seed + 17) / T(97);
  }
}

template <class T, class F>
void fill(Placed<T>& x, std::int64_t seed, F&& value) {
  for (std::int64_t item = 0; item < x.count; ++item) {
    for (std::int64_t j = 0; j < x.cols; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) x(i, j, item) = value(seed + i + 131 * j + 7919 * item);
    }
  }
}

template <class T>
T conj_if(bool conj, T x) {
  if constexpr (is_complex(dtype_of<T>)) return conj ? std::conj(x) : x;
  return x;
}

// By the definition, exact for whole numbers.
template <class T>
std::vector<T> defined(Placed<T>& a, Placed<T>& b, bool conj_a, bool conj_b) {
  std::vector<T> sums;
  for (std::int64_t j = 0; j < b.cols; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      T sum(0);
      for (std::int64_t p = 0; p < a.cols; ++p) sum += conj_if(conj_a, a(i, p)) * conj_if(conj_b, b(p, j));
      sums.push_back(sum);
    }
  }
  return sums;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

struct Sizes {
  std::int64_t m, n, k;
};

// c as the definition has it, and all that surrounds its elements as it was.
template <class T>
void expect_product(Sizes s, Lie lie_a, Lie lie_b, Lie lie_c, Blend<T> blend, bool conj_a = false,
                    bool conj_b = false) {
  Placed<T> a = place<T>(s.m, s.k, lie_a), b = place<T>(s.k, s.n, lie_b), c = place<T>(s.m, s.n, lie_c);
  fill(a, 1, whole<T>);
  fill(b, 5000, whole<T>);
  if (blend.beta != T(0)) fill(c, 9000, whole<T>);
  Placed<T> expected = c;
  const std::vector<T> sums = defined(a, b, conj_a, conj_b);
  for (std::int64_t j = 0, at = 0; j < s.n; ++j) {
    for (std::int64_t i = 0; i < s.m; ++i, ++at) {
      T value = blend.alpha * sums[static_cast<std::size_t>(at)];
      if (blend.beta != T(0)) value += blend.beta * expected(i, j);
      expected(i, j) = value;
    }
  }
  gemm_small<T>(s.m, s.n, s.k, a.read(conj_a), b.read(conj_b), c.write(), blend);
  for (std::size_t i = 0; i < c.memory.size(); ++i) {
    if (c.memory[i] != expected.memory[i] && std::memcmp(&c.memory[i], &expected.memory[i], sizeof(T)) != 0) {
      FAIL() << simd_target() << ": " << s.m << "x" << s.k << "x" << s.n << " wrong at " << i;
    }
  }
}

template <class T>
class GemmSmall : public ::testing::Test {};
using Elements = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(GemmSmall, Elements);

TYPED_TEST(GemmSmall, ProductsOfAllSizesUpToSeventeenAreExact) {
  with_every_target([] {
    for (std::int64_t m = 1; m <= 17; ++m) {
      for (std::int64_t n = 1; n <= 17; ++n) {
        for (std::int64_t k = 1; k <= 17; k += m == n ? 1 : 5) {
          expect_product<TypeParam>({m, n, k}, Lie::columns, Lie::columns, Lie::columns, {1, 0});
        }
      }
    }
  });
}

TYPED_TEST(GemmSmall, LargerProductsAreExact) {
  with_every_target([] {
    for (const std::int64_t m : {24, 25, 31, 32, 33, 48, 63, 64, 65, 128}) {
      expect_product<TypeParam>({m, 9, 20}, Lie::columns, Lie::columns, Lie::columns, {1, 0});
      expect_product<TypeParam>({5, m, 3}, Lie::columns, Lie::columns, Lie::columns, {1, 1});
      expect_product<TypeParam>({m, m / 2, 7}, Lie::rows, Lie::columns, Lie::columns, {1, 0});
    }
  });
}

TYPED_TEST(GemmSmall, EveryLayoutOfEveryOperandIsRead) {
  with_every_target([] {
    for (const Lie a : kAllLies) {
      for (const Lie b : kAllLies) {
        for (const Lie c : kAllLies) {
          for (const Sizes s : {Sizes{3, 4, 5}, Sizes{17, 5, 9}, Sizes{2, 33, 3}}) {
            expect_product<TypeParam>(s, a, b, c, {1, 0});
            expect_product<TypeParam>(s, a, b, c, {1, 1});
          }
        }
      }
    }
  });
}

TYPED_TEST(GemmSmall, FactorsScaleTheProductAndWhatWasThere) {
  with_every_target([] {
    for (const Lie lie : kAllLies) {
      for (const Sizes s : {Sizes{1, 1, 1}, Sizes{8, 8, 8}, Sizes{19, 35, 6}}) {
        expect_product<TypeParam>(s, lie, Lie::columns, lie, {2, 0});
        expect_product<TypeParam>(s, Lie::columns, lie, lie, {3, -1});
      }
    }
  });
}

TYPED_TEST(GemmSmall, ConjugatesAreTakenOnEitherSide) {
  with_every_target([] {
    for (const Lie lie : kAllLies) {
      for (const bool conj_b : {false, true}) {
        expect_product<TypeParam>({6, 5, 7}, lie, Lie::columns, Lie::columns, {1, 0}, true, conj_b);
        expect_product<TypeParam>({6, 5, 7}, Lie::columns, lie, lie, {1, 1}, !conj_b, conj_b);
      }
    }
  });
}

TYPED_TEST(GemmSmall, LongSumsAreTakenInChunks) {
  with_every_target([] {
    expect_product<TypeParam>({5, 3, 2 * kSmallChunk + 1}, Lie::columns, Lie::columns, Lie::columns, {1, 0});
    expect_product<TypeParam>({5, 40, kSmallChunk + 7}, Lie::rows, Lie::rows, Lie::scattered, {2, 1});
  });
}

TYPED_TEST(GemmSmall, BitsDoNotDependOnLayout) {
  using T = TypeParam;
  with_every_target([] {
    for (const Sizes s : {Sizes{7, 9, 11}, Sizes{26, 5, 300}, Sizes{3, 50, 17}}) {
      std::vector<T> first;
      for (const Lie lie : kAllLies) {
        Placed<T> a = place<T>(s.m, s.k, lie), b = place<T>(s.k, s.n, lie), c = place<T>(s.m, s.n, lie);
        fill(a, 1, uneven<T>);
        fill(b, 77, uneven<T>);
        gemm_small<T>(s.m, s.n, s.k, a.read(), b.read(), c.write(), {1, 0});
        std::vector<T> values;
        for (std::int64_t j = 0; j < s.n; ++j) {
          for (std::int64_t i = 0; i < s.m; ++i) values.push_back(c(i, j));
        }
        if (first.empty()) first = values;
        EXPECT_TRUE(same_bits(values, first)) << simd_target();
      }
    }
  });
}

// A batch of `count` items, the batch axis first (side by side) or last.
template <class T>
Placed<T> place_batch(std::int64_t rows, std::int64_t cols, std::int64_t count, bool first) {
  Placed<T> x{{}, rows, cols, 1, rows, count, rows * cols};
  if (first) x.row = count, x.col = rows * count, x.step = 1;
  x.memory.assign(static_cast<std::size_t>(rows * cols * count), hole<T>());
  return x;
}

struct alignas(64) Line {
  std::byte bytes[64];
};

TYPED_TEST(GemmSmall, ABatchHasTheBitsOfItsItemsAlone) {
  using T = TypeParam;
  with_every_target([] {
    for (const Sizes s : {Sizes{1, 1, 1}, Sizes{2, 2, 2}, Sizes{3, 4, 5}, Sizes{8, 8, 8}, Sizes{5, 13, 9},
                          Sizes{16, 16, 300}, Sizes{26, 3, 4}}) {
      for (const std::int64_t count : {1, 2, 7, 8, 19, 33, 300}) {
        for (const bool first : {false, true}) {
          for (const Blend<T> blend : {Blend<T>{1, 0}, Blend<T>{1, 1}, Blend<T>{2, -1}}) {
            if (count > 7 && count * s.m * s.n * s.k > 50'000) continue;
            Placed<T> a = place_batch<T>(s.m, s.k, count, first), b = place_batch<T>(s.k, s.n, count, first);
            Placed<T> c = place_batch<T>(s.m, s.n, count, first);
            fill(a, 1, uneven<T>);
            fill(b, 77, uneven<T>);
            fill(c, 99, uneven<T>);
            Placed<T> alone = c;
            const BatchCopies copies = first ? batch_copies<T>(s.m, s.n, s.k, a.read(), b.read()) : BatchCopies{};
            std::vector<Line> space(static_cast<std::size_t>(copies.bytes) / sizeof(Line));
            gemm_batched<T>(s.m, s.n, s.k, a.read(true), b.read(), c.write(), blend, {count, a.step, b.step, c.step},
                            copies, copies.bytes > 0 ? space.data()->bytes : nullptr);
            for (std::int64_t item = 0; item < count; ++item) {
              Placed<T> one = place<T>(s.m, s.n, Lie::columns);
              for (std::int64_t j = 0; j < s.n; ++j) {
                for (std::int64_t i = 0; i < s.m; ++i) one(i, j) = alone(i, j, item);
              }
              gemm_small<T>(s.m, s.n, s.k, {&a(0, 0, item), a.row, a.col, true}, {&b(0, 0, item), b.row, b.col},
                            one.write(), blend);
              for (std::int64_t j = 0; j < s.n; ++j) {
                for (std::int64_t i = 0; i < s.m; ++i) alone(i, j, item) = one(i, j);
              }
            }
            ASSERT_TRUE(same_bits(c.memory, alone.memory))
                << simd_target() << " " << s.m << "x" << s.k << "x" << s.n << " x " << count << " first " << first;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace tenferro::internal::gemm_small_test
