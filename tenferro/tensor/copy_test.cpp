// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tenferro/tensor/tensor.hpp"
#include "tenferro/tensor/testing/error_of.hpp"

namespace tenferro {
namespace {

// A value of T that tells its number.
template <class T>
T numbered(std::int64_t n) {
  if constexpr (std::is_same_v<T, bool>) {
    return (n * 7 + n / 3) % 2 != 0;
  } else if constexpr (is_complex(dtype_of<T>)) {
    return {static_cast<typename T::value_type>(n), static_cast<typename T::value_type>(-n)};
  } else {
    return static_cast<T>(n);
  }
}

template <class T>
Tensor numbers(const Shape& shape) {
  Tensor t = Tensor::uninitialized(dtype_of<T>, shape);
  std::int64_t n = 0;
  for (T& v : t.data<T>()) v = numbered<T>(n++);
  return t;
}

template <class T>
class CopyOf : public ::testing::Test {};
using AllElements =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t, bool>;
TYPED_TEST_SUITE(CopyOf, AllElements);

TYPED_TEST(CopyOf, EveryPermutationOfASlicedTensor) {
  using T = TypeParam;
  const Tensor a = numbers<T>({5, 4, 7, 3});
  const TensorView part = a.view({range(-1, end, -2), all, range(1, 6), range(0, end, 2)});
  std::vector<std::int64_t> axes{0, 1, 2, 3};
  do {
    const Tensor b = Tensor::copy_of(part.permuted(axes));
    Dims index(4);
    for (index[0] = 0; index[0] < 3; ++index[0]) {
      for (index[1] = 0; index[1] < 4; ++index[1]) {
        for (index[2] = 0; index[2] < 5; ++index[2]) {
          for (index[3] = 0; index[3] < 2; ++index[3]) {
            const auto at = [&](std::size_t k) { return index[static_cast<std::size_t>(axes[k])]; };
            const std::int64_t from = (4 - 2 * index[0]) + 5 * index[1] + 20 * (1 + index[2]) + 140 * (2 * index[3]);
            ASSERT_EQ(b.at<T>({at(0), at(1), at(2), at(3)}), numbered<T>(from));
          }
        }
      }
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(CopyElements, AllPermutationsWithAxesOfOneIndex) {  // IDX-09
  const Tensor a = numbers<double>({1, 5, 1, 3});
  std::vector<std::int64_t> axes{0, 1, 2, 3};
  int count = 0;
  do {
    const Tensor b = Tensor::copy_of(a.view().permuted(axes));
    const std::int64_t first = std::find(axes.begin(), axes.end(), 1) - axes.begin();
    const std::int64_t second = std::find(axes.begin(), axes.end(), 3) - axes.begin();
    EXPECT_EQ(b.extent(first), 5);
    EXPECT_EQ(b.extent(second), 3);
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t j = 0; j < 3; ++j) {
        std::vector<Index> at(4, 0);
        at[static_cast<std::size_t>(first)] = i;
        at[static_cast<std::size_t>(second)] = j;
        EXPECT_EQ(b.view().view(at).item(), Scalar(static_cast<double>(i + 5 * j)));
      }
    }
    ++count;
  } while (std::next_permutation(axes.begin(), axes.end()));
  EXPECT_EQ(count, 24);
}

TEST(CopyElements, IntoTheInteriorOfABufferLeavesTheRestAlone) {  // IDX-09
  const Tensor a = numbers<double>({4, 3, 2});
  std::vector<std::int64_t> axes{0, 1, 2};
  do {
    const TensorView source = a.view().permuted(axes);
    std::vector<double> memory(400, -1);
    // Rows, columns and planes with gaps between and around.
    const Layout inside{source.shape(), {2, 11, 80}, 50};
    copy_elements(source, TypedView<double>::strided(memory, inside));
    std::int64_t written = 0;
    for (std::int64_t n = 0; n < 400; ++n) {
      double expected = -1;
      for (std::int64_t i = 0; i < inside.shape[0]; ++i) {
        for (std::int64_t j = 0; j < inside.shape[1]; ++j) {
          for (std::int64_t k = 0; k < inside.shape[2]; ++k) {
            if (50 + 2 * i + 11 * j + 80 * k == n) expected = source.at<double>({i, j, k});
          }
        }
      }
      ASSERT_EQ(memory[static_cast<std::size_t>(n)], expected);
      written += expected >= 0 ? 1 : 0;
    }
    EXPECT_EQ(written, 24);
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(CopyElements, BroadcastSourceReachesColumnMajorStorageByIndex) {
  Tensor sum = Tensor::zeros<double>(2, 3);
  const Tensor column = Tensor::matrix({{0.}, {10.}});
  const Tensor row = Tensor::matrix({{0., 1., 2.}});
  const Tensor a = Tensor::copy_of(column.view().broadcast_to({2, 3}));
  const Tensor b = Tensor::copy_of(row.view().broadcast_to({2, 3}));
  for (std::size_t i = 0; i < 6; ++i) sum.data<double>()[i] = a.data<double>()[i] + b.data<double>()[i];
  EXPECT_EQ(sum.to_row_major<double>(), (std::vector<double>{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(col_major_values<double>(sum), (std::vector<double>{0, 10, 1, 11, 2, 12}));
}

TEST(CopyElements, LargeTranspositionsGoByTiles) {
  const Tensor a = numbers<float>({77, 53});
  const Tensor b = Tensor::copy_of(a.view().permuted({1, 0}));
  for (std::int64_t i = 0; i < 53; ++i) {
    for (std::int64_t j = 0; j < 77; ++j) ASSERT_EQ(b.at<float>({i, j}), static_cast<float>(j + 77 * i));
  }
}

TEST(CopyElements, HighRank) {
  Shape shape(20, 1);
  shape[3] = 2;
  shape[17] = 3;
  const Tensor a = numbers<double>(shape);
  Dims backwards(20);
  for (std::size_t k = 0; k < 20; ++k) backwards[k] = static_cast<std::int64_t>(19 - k);
  EXPECT_EQ(col_major_values<double>(a.view().permuted(backwards)), (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(CopyElements, RandomLayoutsAgreeWithTheIndexFormula) {
  std::mt19937 random(3);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const auto rank = static_cast<std::size_t>(pick(0, 5));
    Shape shape(rank);
    for (auto& n : shape) n = pick(trial % 10 == 0 ? 0 : 1, 5);
    std::vector<std::int64_t> order(rank);
    for (std::size_t k = 0; k < rank; ++k) order[k] = static_cast<std::int64_t>(k);
    std::shuffle(order.begin(), order.end(), random);
    const Tensor source = numbers<double>(shape);
    TensorView from = source.view();
    for (std::size_t k = 0; k < rank; ++k) {
      if (pick(0, 1) != 0) from = from.reversed({static_cast<std::int64_t>(k)});
    }
    from = from.permuted(order);
    Tensor target = Tensor::zeros(DType::f64, from.shape());
    copy_elements(from, target);
    const TypedView<const double> elements = from.as<double>();
    auto expected = elements.begin();
    for (const double v : target.data<double>()) ASSERT_EQ(v, *expected++) << trial;
  }
}

TEST(CopyElements, MismatchesAreTypedAndWriteNothing) {
  Tensor target = Tensor::full({2, 2}, 9.0);
  const auto shapes = error_of<ShapesDiffer>([&] { copy_elements(Tensor::zeros<double>(2, 3), target); });
  EXPECT_EQ(shapes.expected, (Shape{2, 2}));
  EXPECT_EQ(shapes.got, (Shape{2, 3}));
  EXPECT_EQ(error_of<DTypeMismatch>([&] { copy_elements(Tensor::zeros<float>(2, 2), target); }).got, DType::f32);
  EXPECT_EQ(target.to_row_major<double>(), (std::vector<double>{9, 9, 9, 9}));
}

TEST(CopyElements, OverlapIsATypedErrorAndInterleavedPartsAreNot) {
  Tensor a = numbers<double>({4, 4});
  EXPECT_EQ(error_of<OverlappingStorage>([&] { copy_elements(a.view().permuted({1, 0}), a); }).operand, 0);
  EXPECT_EQ(a.data<double>()[1], 1);
  copy_elements(a.view({0, all}), a.mutable_view({2, all}));
  EXPECT_EQ(a.to_row_major<double>(), (std::vector<double>{0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15}));
}

}  // namespace
}  // namespace tenferro
