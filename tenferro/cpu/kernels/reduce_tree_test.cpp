// SPDX-License-Identifier: MIT OR Apache-2.0
// The tree of reductions, written out element by element, against the kernels by every set of vector instructions: the
// same bits for all lengths, layouts and offsets.
#include "tenferro/cpu/kernels/reduce_tree.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"
#include "tests/support/every_target.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::count_of;
using testing::first_difference;
using testing::Laid;
using testing::LayoutKind;
using testing::sample;
using testing::SerialContext;
using testing::Values;
using testing::with_every_target;

template <class T>
using Combine = std::function<T(T, T)>;

template <class T>
T tree_of_block(const T* x, std::int64_t n, const Combine<T>& combine) {
  constexpr std::int64_t lanes = internal::kLanes<T>;
  std::vector<T> lane(x, x + std::min(n, lanes));
  for (std::int64_t i = lanes; i < n; ++i) {
    T& acc = lane[static_cast<std::size_t>(i % lanes)];
    acc = combine(acc, x[i]);
  }
  for (std::size_t half = static_cast<std::size_t>(lanes) / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half && l + half < lane.size(); ++l) lane[l] = combine(lane[l], lane[l + half]);
  }
  return lane[0];
}

template <class T>
T tree_of(std::vector<T> x, const Combine<T>& combine) {
  std::vector<T> level;
  const auto n = static_cast<std::int64_t>(x.size());
  for (std::int64_t first = 0; first < n; first += internal::kBlock<T>) {
    level.push_back(tree_of_block(x.data() + first, std::min(internal::kBlock<T>, n - first), combine));
  }
  while (level.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      next.push_back(i + 1 < level.size() ? combine(level[i], level[i + 1]) : level[i]);
    }
    level = std::move(next);
  }
  return level[0];
}

// Elements of x (rows × columns, column-major) along one axis, combined by the tree.
template <class In, class T>
Values<T> trees(const Values<In>& x, std::int64_t rows, std::int64_t columns, std::size_t axis,
                const std::function<T(In)>& map, const Combine<T>& combine) {
  const std::int64_t kept = axis == 0 ? columns : rows, reduced = axis == 0 ? rows : columns;
  Values<T> result(static_cast<std::size_t>(kept));
  for (std::int64_t k = 0; k < kept; ++k) {
    std::vector<T> elements;
    for (std::int64_t i = 0; i < reduced; ++i) {
      elements.push_back(map(x[static_cast<std::size_t>(axis == 0 ? i + rows * k : k + rows * i)]));
    }
    result[static_cast<std::size_t>(k)] = tree_of(std::move(elements), combine);
  }
  return result;
}

template <class In, class T>
void expect_trees(OpKind kind, const std::function<T(In)>& map, const Combine<T>& combine) {
  const auto expect = [&](const Shape& shape, std::size_t axis, std::uint32_t seed) {
    const Values<In> x = sample<In>(count_of(shape), seed, seed % 2 == 0);
    const Values<T> expected = trees<In, T>(x, shape[0], shape[1], axis, map, combine);
    const Op op(kind, ReduceAttrs{AxisSet(std::uint64_t{1} << axis), false});
    for (const LayoutKind layout : {LayoutKind::compact, LayoutKind::transposed, LayoutKind::mixed}) {
      SerialContext context;
      const Laid<In> in(layout, shape, x);
      Laid<T> out(layout, Shape{shape[1 - axis]});
      call(internal::kReductionKernels, context, op, {in.read()}, {out.write()});
      ASSERT_EQ(first_difference(out.values(), expected), -1)
          << info(kind).name << ' ' << name(dtype_of<In>) << ' ' << shape[0] << 'x' << shape[1] << " axis " << axis
          << ' ' << testing::name(layout);
      ASSERT_TRUE(out.gaps_intact());
    }
  };
  with_every_target([&] {
    std::uint32_t seed = 1;
    const std::int64_t block = internal::kBlock<T>;
    for (std::int64_t n = 1; n <= 2 * internal::kLanes<T> + 1; ++n) expect({n, 3}, 0, ++seed);
    for (const std::int64_t n : {block - 1, block, block + 1, 3 * block + 5, 17 * block, 35 * block + 1}) {
      expect({n, 1}, 0, ++seed);
    }
    for (const std::int64_t width : {1, 7, 8, 33, 200}) {
      for (const std::int64_t n : {std::int64_t{2}, std::int64_t{9}, std::int64_t{40}, block + 3}) {
        expect({n, width}, 0, ++seed);
        expect({width, n}, 1, ++seed);
      }
    }
  });
}

template <class T>
T itself(T x) {
  return x;
}
template <class T>
T added(T a, T b) {
  if constexpr (is_integer(dtype_of<T>)) {
    return wrapping_add(a, b);
  } else {
    return a + b;
  }
}
template <class T>
T multiplied(T a, T b) {
  if constexpr (is_integer(dtype_of<T>)) {
    return wrapping_mul(a, b);
  } else if constexpr (is_complex(dtype_of<T>)) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else {
    return a * b;
  }
}

template <class T>
class ReduceTreeTest : public ::testing::Test {};
using TreeTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ReduceTreeTest, TreeTypes);

TYPED_TEST(ReduceTreeTest, SumsHaveTheBitsOfTheTreeByEveryTarget) {
  expect_trees<TypeParam, TypeParam>(OpKind::reduce_sum, itself<TypeParam>, added<TypeParam>);
}

TYPED_TEST(ReduceTreeTest, ProductsHaveTheBitsOfTheTreeByEveryTarget) {
  expect_trees<TypeParam, TypeParam>(OpKind::reduce_prod, itself<TypeParam>, multiplied<TypeParam>);
}

TYPED_TEST(ReduceTreeTest, SumsOfSquaresHaveTheBitsOfTheTreeByEveryTarget) {
  if constexpr (is_complex(dtype_of<TypeParam>)) {
    using R = typename TypeParam::value_type;
    expect_trees<TypeParam, R>(
        OpKind::reduce_sum_squares, [](TypeParam z) { return z.real() * z.real() + z.imag() * z.imag(); }, added<R>);
  } else if constexpr (!is_integer(dtype_of<TypeParam>)) {
    expect_trees<TypeParam, TypeParam>(OpKind::reduce_sum_squares, [](TypeParam x) { return x * x; }, added<TypeParam>);
  }
}

// maximum and minimum of IEEE 754-2019: −0 is less than +0.
template <class T, bool largest>
T extreme_of(T a, T b) {
  if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
  if (a == b) return std::signbit(static_cast<double>(a)) == largest ? b : a;
  return (a > b) == largest ? a : b;
}

TYPED_TEST(ReduceTreeTest, ExtremaHaveTheSameBitsByAnyTreeAndEveryTarget) {
  if constexpr (!is_complex(dtype_of<TypeParam>)) {
    using T = TypeParam;
    expect_trees<T, T>(OpKind::reduce_max, itself<T>, extreme_of<T, true>);
    expect_trees<T, T>(OpKind::reduce_min, itself<T>, extreme_of<T, false>);
  }
}

TEST(ReduceTree, ArgumentsOfExtremaAreTheSameByEveryTarget) {
  for (const Shape& shape : std::vector<Shape>{{5000, 1}, {3000, 3}, {37, 70}, {4, 500}}) {
    Values<double> x = sample<double>(count_of(shape), 4, false);
    for (double& value : x) value = std::floor(value);  // many ties
    for (const bool with_nan : {false, true}) {
      if (with_nan) x[x.size() / 2] = x[x.size() - 1] = std::nan("");
      for (const std::int8_t axis : {std::int8_t{-1}, std::int8_t{0}, std::int8_t{1}}) {
        const Op op(OpKind::argmax, ArgReduceAttrs{axis, false});
        std::vector<Values<std::int64_t>> found;
        with_every_target([&] {
          SerialContext context;
          Laid<std::int64_t> out(LayoutKind::compact,
                                 axis < 0 ? Shape{} : Shape{shape[static_cast<std::size_t>(1 - axis)]});
          call(internal::kReductionKernels, context, op, {Laid<double>(LayoutKind::compact, shape, x).read()},
               {out.write()});
          found.push_back(out.values());
        });
        for (const auto& positions : found) EXPECT_EQ(first_difference(positions, found.back()), -1);
      }
    }
  }
}

TEST(ReduceTree, AnyAndAllFindTheOneThatDecidesByEveryTarget) {
  with_every_target([] {
    for (const std::int64_t n : {1, 7, 64, 65, 513, 2100, 300'000}) {
      for (const std::int64_t place : {std::int64_t{0}, n / 2, n - 1}) {
        for (const bool common : {false, true}) {
          Values<bool> x(common, static_cast<std::size_t>(n));
          const auto result = [&] {
            SerialContext context;
            Laid<bool> out(LayoutKind::compact, Shape{});
            const Op op(common ? OpKind::reduce_all : OpKind::reduce_any, ReduceAttrs{AxisSet(1), false});
            call(internal::kReductionKernels, context, op, {Laid<bool>(LayoutKind::compact, {n}, x).read()},
                 {out.write()});
            return out.values()[0];
          };
          EXPECT_EQ(result(), common);
          x[static_cast<std::size_t>(place)] = !common;
          EXPECT_EQ(result(), !common) << n << ' ' << place;
        }
      }
    }
  });
}

}  // namespace
}  // namespace tenferro
