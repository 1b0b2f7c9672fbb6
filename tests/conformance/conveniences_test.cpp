// SPDX-License-Identifier: MIT OR Apache-2.0
// Conveniences against index formulas.
#include "tenferro/ops/conveniences.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/conformance/suite.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro::testing {
namespace {

using Indices = std::vector<std::int64_t>;

/// Distinct whole numbers.
Tensor counting(Shape shape) {
  Tensor t = Tensor::zeros(DType::f64, std::move(shape));
  double next = 1.0;
  for (double& value : t.data<double>()) value = next++;
  return t;
}

double element(const Tensor& t, const Indices& at) {
  std::int64_t position = 0, stride = 1;
  for (std::size_t k = 0; k < at.size(); ++k) {
    position += at[k] * stride;
    stride *= t.shape()[k];
  }
  return t.data<double>()[static_cast<std::size_t>(position)];
}

/// Compares every element with `wanted` of its indices.
void expect_each(const Tensor& got, const Shape& shape, const std::function<double(const Indices&)>& wanted) {
  ASSERT_EQ(got.shape(), shape);
  Indices at(shape.size(), 0);
  for (const double value : got.data<double>()) {
    ASSERT_EQ(value, wanted(at)) << ::testing::PrintToString(at);
    for (std::size_t k = 0; k < at.size() && ++at[k] == shape[k]; ++k) at[k] = 0;
  }
}

template <class T>
Tensor vector_of(std::initializer_list<T> values) {
  return Tensor::from_col_major<T>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(ArrangementTest, RollMovesAroundTheEnd) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({3, 5});
    for (const std::int64_t shift : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-2}, std::int64_t{13},
                                     std::numeric_limits<std::int64_t>::min()}) {
      const std::int64_t forward = ((shift % 5) + 5) % 5;
      expect_each(roll(s, x, shift, 1), {3, 5},
                  [&](const Indices& i) { return element(x, {i[0], (i[1] - forward + 5) % 5}); });
    }
    expect_each(roll(s, x, 1), {3, 5},
                [&](const Indices& i) { return static_cast<double>((i[0] + 3 * i[1] + 14) % 15 + 1); });
  });
}

TEST(ArrangementTest, TileAndRepeat) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2, 3});
    expect_each(tile(s, x, {2, 1, 3}), {2, 2, 9}, [&](const Indices& i) { return element(x, {i[1], i[2] % 3}); });
    expect_each(tile(s, x, {2}), {2, 6}, [&](const Indices& i) { return element(x, {i[0], i[1] % 3}); });
    expect_each(tile(s, x, {3, 2}), {6, 6}, [&](const Indices& i) { return element(x, {i[0] % 2, i[1] % 3}); });
    expect_each(repeat(s, x, 3, 0), {6, 3}, [&](const Indices& i) { return element(x, {i[0] / 3, i[1]}); });
    expect_each(repeat(s, x, 2, -1), {2, 6}, [&](const Indices& i) { return element(x, {i[0], i[1] / 2}); });
    EXPECT_EQ(repeat(s, x, 0, 0).shape(), (Shape{0, 3}));
  });
}

TEST(ArrangementTest, StackAndSplit) {
  on_every_backend([](BackendSession& s) {
    const Tensor a = counting({2, 3}), b = neg(s, a);
    expect_each(stack(s, {a, b}, 1), {2, 2, 3},
                [&](const Indices& i) { return element(i[1] == 0 ? a : b, {i[0], i[2]}); });
    const auto parts = split(s, a, {1, 2}, 1);
    ASSERT_EQ(parts.size(), 2U);
    expect_each(parts[1], {2, 2}, [&](const Indices& i) { return element(a, {i[0], i[1] + 1}); });
    const auto equal = split(s, a, 3, -1);
    expect_each(equal[2], {2, 1}, [&](const Indices& i) { return element(a, {i[0], 2}); });
    // Views are operands like any other.
    expect_each(stack(s, {a.view().permuted({1, 0}), counting({3, 2})}, 0), {2, 3, 2}, [&](const Indices& i) {
      return i[0] == 0 ? element(a, {i[2], i[1]}) : static_cast<double>(i[1] + 3 * i[2] + 1);
    });
  });
}

TEST(ArrangementTest, AxesMove) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2, 3, 4});
    expect_each(move_axis(s, x, 0, -1), {3, 4, 2}, [&](const Indices& i) { return element(x, {i[2], i[0], i[1]}); });
    expect_each(swap_axes(s, x, 0, 2), {4, 3, 2}, [&](const Indices& i) { return element(x, {i[2], i[1], i[0]}); });
    expect_each(flip(s, x, 1), {2, 3, 4}, [&](const Indices& i) { return element(x, {i[0], 2 - i[1], i[2]}); });
    expect_each(unsqueeze(s, x, {0, -1}), {1, 2, 3, 4, 1},
                [&](const Indices& i) { return element(x, {i[1], i[2], i[3]}); });
    expect_each(slice_axis(s, x, 2, -3, end, 2), {2, 3, 2},
                [&](const Indices& i) { return element(x, {i[0], i[1], 1 + 2 * i[2]}); });
  });
}

TEST(ArrangementTest, GridsDiagonalsAndHotPositions) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2}), y = counting({3});
    const auto grids = meshgrid(s, {x, y});
    expect_each(grids[0], {2, 3}, [](const Indices& i) { return static_cast<double>(i[0] + 1); });
    expect_each(grids[1], {2, 3}, [](const Indices& i) { return static_cast<double>(i[1] + 1); });
    const auto swapped = meshgrid(s, {x, y}, true);
    expect_each(swapped[0], {3, 2}, [](const Indices& i) { return static_cast<double>(i[1] + 1); });
    expect_each(diag(s, y, -1), {4, 4},
                [](const Indices& i) { return i[0] - i[1] == 1 ? static_cast<double>(i[0]) : 0.0; });
    EXPECT_EQ(trace(s, counting({3, 2})).item(), Scalar(1.0 + 5.0));
    expect_each(one_hot(s, vector_of<std::int64_t>({2, 0, 7, -1}), 3), {4, 3},
                [](const Indices& i) { return (i[0] == 0 && i[1] == 2) || (i[0] == 1 && i[1] == 0) ? 1.0 : 0.0; });
    expect_each(eye(s, DType::f64, 2, 3), {2, 3}, [](const Indices& i) { return i[0] == i[1] ? 1.0 : 0.0; });
    expect_each(eye(s, DType::f64, 3, 2), {3, 2}, [](const Indices& i) { return i[0] == i[1] ? 1.0 : 0.0; });
  });
}

TEST(IndexingTest, TakeReadsAlongAnAxis) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({3, 4, 2});
    const Tensor rows = Tensor::from_row_major<std::int32_t>({2, 2}, {3, 0, 1, 3});
    const std::int64_t at[2][2] = {{3, 0}, {1, 3}};
    expect_each(take_axis(s, x, rows, 1), {3, 2, 2, 2},
                [&](const Indices& i) { return element(x, {i[0], at[i[1]][i[2]], i[3]}); });
    expect_each(take_axis(s, x, -1, 1), {3, 2}, [&](const Indices& i) { return element(x, {i[0], 3, i[1]}); });
    expect_each(index_select(s, x, -1, vector_of<std::int64_t>({1})), {3, 4, 1},
                [&](const Indices& i) { return element(x, {i[0], i[1], 1}); });
    EXPECT_EQ(take_axis(s, Tensor::zeros(DType::f64, {0, 2}), Tensor::zeros(DType::i64, {0}), 0).shape(),
              (Shape{0, 2}));
  });
}

TEST(IndexingTest, IndexOutsideIsAnErrorUnlessAskedFor) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({3}), at = vector_of<std::int64_t>({2, 3, -1});
    const auto refused = attempt<OpErrorInfo>([&] { return take_axis(s, x, at, 0); });
    ASSERT_FALSE(refused);
    const auto& info = std::get<IndexOutOfBounds>(refused.error());
    EXPECT_EQ(info.index, 3);
    EXPECT_EQ(info.extent, 3);
    expect_each(take_axis(s, x, at, 0, GatherMode::clamp), {3}, [](const Indices& i) { return i[0] == 2 ? 1.0 : 3.0; });
    expect_each(take_axis(s, x, at, 0, GatherMode::fill, -7), {3},
                [](const Indices& i) { return i[0] == 0 ? 3.0 : -7.0; });
  });
}

TEST(IndexingTest, AlongAnAxisABadIndexIsNamedByItsOwnPosition) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2, 3}), values = counting({2, 2});
    const Tensor at = Tensor::from_row_major<std::int64_t>({2, 2}, {2, 0, 1, 3});
    const auto took = refusal_of<IndexOutOfBounds>([&] { return take_along_axis(s, x, at, 1); });
    EXPECT_EQ(took.op, "take_along_axis");
    EXPECT_EQ(took.position, 3);
    EXPECT_EQ(took.index, 3);
    const auto put = refusal_of<IndexOutOfBounds>([&] { return put_along_axis(s, x, at, values, 1); });
    EXPECT_EQ(put.op, "put_along_axis");
    EXPECT_EQ(put.position, 3);
  });
}

TEST(IndexingTest, TakeAlongAndPutAlong) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2, 3});
    const Tensor at = Tensor::from_row_major<std::int64_t>({2, 2}, {2, 0, 1, 1});
    const std::int64_t where[2][2] = {{2, 0}, {1, 1}};
    expect_each(take_along_axis(s, x, at, 1), {2, 2},
                [&](const Indices& i) { return element(x, {i[0], where[i[0]][i[1]]}); });
    // One column of indices for all rows, and one row of values for all indices.
    expect_each(take_along_axis(s, x, Tensor::from_col_major<std::int32_t>({1, 2}, {2, 1}), 1), {2, 2},
                [&](const Indices& i) { return element(x, {i[0], 2 - i[1]}); });
    expect_each(take_along_axis(s, counting({3, 1}), Tensor::from_row_major<std::int64_t>({1, 2}, {2, 0}), 0), {1, 2},
                [](const Indices& i) { return i[1] == 0 ? 3.0 : 1.0; });
    const Tensor order = argsort(s, neg(s, x), 1);
    expect_each(take_along_axis(s, x, order, 1), {2, 3},
                [&](const Indices& i) { return element(x, {i[0], 2 - i[1]}); });
    const Tensor put = put_along_axis(s, x, at, vector_of<double>({-1.0, -2.0}), 1);
    expect_each(put, {2, 3}, [&](const Indices& i) {
      if (i[0] == 0) return i[1] == 2 ? -1.0 : i[1] == 0 ? -2.0 : element(x, i);
      return i[1] == 1 ? -2.0 : element(x, i);  // the later of two equal targets stays
    });
    const Tensor added = put_along_axis(s, x, at, Tensor::scalar(10.0), 1, ScatterCombine::add);
    EXPECT_EQ(element(added, {1, 1}), element(x, {1, 1}) + 20.0);
    const auto refused = attempt<OpErrorInfo>([&] { return take_along_axis(s, x, at, 0); });
    ASSERT_FALSE(refused);
    EXPECT_TRUE(std::holds_alternative<ShapeMismatch>(refused.error()));
  });
}

TEST(IndexingTest, MaskedFillKeepsTheRest) {
  on_every_backend([](BackendSession& s) {
    const Tensor mask = Tensor::from_col_major<bool>({2}, {true, false});
    expect_each(masked_fill(s, counting({3, 2}), mask, -1), {3, 2},
                [](const Indices& i) { return i[1] == 0 ? -1.0 : static_cast<double>(i[0] + 4); });
  });
}

TEST(CreationTest, RangesHitTheirEnds) {
  on_every_backend([](BackendSession& s) {
    const Tensor steps = arange(s, 1.0, 2.0, 0.1), points = linspace(s, 0.0, 1.0, 11);
    ASSERT_EQ(steps.count(), 10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(steps.data<double>()[i], static_cast<double>(i) * 0.1 + 1.0);
    EXPECT_EQ(points.data<double>()[0], 0.0);
    EXPECT_EQ(points.data<double>()[10], 1.0);
    EXPECT_EQ(full(s, {2, 2}, std::complex<float>(1, -1)).at<std::complex<float>>({1, 1}), std::complex<float>(1, -1));
    EXPECT_EQ(ones_like(s, Tensor::zeros(DType::boolean, {3})).at<bool>({2}), true);
    EXPECT_EQ(constant(s, 7).item(), Scalar(7));
  });
}

TEST(ContractionTest, MatmulOfBatchesVectorsAndViews) {
  on_every_backend([](BackendSession& s) {
    const Tensor a = counting({2, 3, 1, 2}), b = counting({3, 2, 2});
    expect_each(matmul(s, a, b), {2, 2, 2, 2}, [&](const Indices& i) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < 3; ++k) sum += element(a, {i[0], k, 0, i[3]}) * element(b, {k, i[1], i[2]});
      return sum;
    });
    const Tensor m = counting({2, 3}), v = counting({3}), w = counting({2});
    expect_each(matmul(s, m, v), {2}, [&](const Indices& i) {
      return element(m, {i[0], 0}) + 2 * element(m, {i[0], 1}) + 3 * element(m, {i[0], 2});
    });
    expect_each(matmul(s, w, m), {3},
                [&](const Indices& i) { return element(m, {0, i[0]}) + 2 * element(m, {1, i[0]}); });
    EXPECT_EQ(matmul(s, v, v).item(), Scalar(14.0));
    expect_each(matmul(s, m.view().permuted({1, 0}), w), {3},
                [&](const Indices& i) { return element(m, {0, i[0]}) + 2 * element(m, {1, i[0]}); });
    expect_each(matmul(s, m, b), {2, 2, 2}, [&](const Indices& i) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < 3; ++k) sum += element(m, {i[0], k}) * element(b, {k, i[1], i[2]});
      return sum;
    });
    expect_each(outer(s, w, v), {2, 3}, [](const Indices& i) { return static_cast<double>((i[0] + 1) * (i[1] + 1)); });
  });
}

TEST(ContractionTest, VdotConjugatesTheLeft) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = vector_of<std::complex<double>>({{1, 2}, {0, -1}});
    const Tensor y = vector_of<std::complex<double>>({{3, 0}, {1, 1}});
    // (1−2i)·3 + i·(1+i)
    EXPECT_EQ(vdot(s, x, y).item(), Scalar(std::complex<double>(2, -5)));
    EXPECT_EQ(vdot(s, counting({2, 2}), counting({2, 2})).item(), Scalar(30.0));
  });
}

TEST(ContractionTest, AccumulatesIntoViews) {
  on_every_backend([](BackendSession& s) {
    const Tensor a = counting({2, 3}), b = counting({3, 2});
    Tensor c = Tensor::full({2, 2}, kNan);
    matmul_into(s, c, a, b);
    const Tensor product = matmul(s, a, b);
    expect_each(c, {2, 2}, [&](const Indices& i) { return element(product, i); });
    matmul_into_accum(s, c, a, b, 2.0, -1.0);
    expect_each(c, {2, 2}, [&](const Indices& i) { return element(product, i); });
    Tensor fresh = Tensor::full({2, 2}, kNan);
    dot_general_into_accum(s, fresh, a, b, {{1}, {0}}, 1.0, 0.0);
    expect_each(fresh, {2, 2}, [&](const Indices& i) { return element(product, i); });
    Tensor turned = Tensor::zeros(DType::f64, {2, 2});
    matmul_into(s, turned.mutable_view().permuted({1, 0}), a, b);
    expect_each(turned, {2, 2}, [&](const Indices& i) { return element(product, {i[1], i[0]}); });
    const auto refused = attempt<OpErrorInfo>([&] { matmul_into_accum(s, c, a, b, 2, 1.0); });
    ASSERT_FALSE(refused);
    EXPECT_TRUE(std::holds_alternative<DTypeMismatch>(refused.error()));
  });
}

TEST(ArithmeticTest, AxpbyUpdatesInPlace) {
  on_every_backend([](BackendSession& s) {
    Tensor y = Tensor::full({3}, kNan);
    const Tensor x = counting({3});
    axpby(s, 2.0, x, 0.0, y);  // beta = 0 reads nothing
    expect_each(y, {3}, [](const Indices& i) { return 2.0 * static_cast<double>(i[0] + 1); });
    axpby(s, 1.0, x, -0.5, y);
    expect_each(y, {3}, [](const Indices&) { return 0.0; });
    axpby(s, 3.0, y, 1.0, y);
    Tensor n = vector_of<std::int64_t>({1, 2});
    axpby(s, std::int64_t{3}, n, std::int64_t{2}, n);
    EXPECT_EQ(n.data<std::int64_t>()[1], 10);
    Tensor matrix = counting({2, 2});
    axpby(s, 1.0, vector_of<double>({10.0, 20.0}), 1.0, matrix.mutable_view());
    EXPECT_EQ(element(matrix, {1, 1}), 24.0);
    const auto overlapping = attempt<OpErrorInfo>(
        [&] { axpby(s, 1.0, matrix.view({range(0, 1), all}), 1.0, matrix.mutable_view({range(0, 2), all})); });
    ASSERT_FALSE(overlapping);
    EXPECT_TRUE(std::holds_alternative<OverlappingStorage>(overlapping.error()));
  });
}

TEST(ArithmeticTest, NumbersAndInPlaceForms) {
  on_every_backend([](BackendSession& s) {
    Tensor x = counting({3});
    mul_into(s, x, x, 2);
    sub_into(s, x, 10.0, x);
    expect_each(x, {3}, [](const Indices& i) { return 8.0 - 2.0 * static_cast<double>(i[0]); });
    Tensor wide = Tensor::zeros(DType::f64, {2, 3});
    copy_into(s, wide, vector_of<std::int32_t>({1, 2, 3}));
    expect_each(wide, {2, 3}, [](const Indices& i) { return static_cast<double>(i[1] + 1); });
    const TypedTensor<float> f = TypedTensor<float>::from_col_major({2}, {1.5F, 2.5F});
    const TypedTensor<bool> big = gt(s, f, 2.0);
    EXPECT_FALSE(big(0));
    EXPECT_TRUE(big(1));
    const TypedTensor<float> chosen = where_select(s, big, f, neg(s, f));
    EXPECT_EQ(chosen(0), -1.5F);
  });
}

TEST(ArithmeticTest, ScalingKeepsOrWidensTheDType) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = vector_of<float>({1.0F, 2.0F});
    EXPECT_EQ(scale_real(s, x, 0.5).data<float>()[1], 1.0F);
    EXPECT_EQ(scale_complex(s, x, {0.0, 1.0}).data<std::complex<float>>()[1], std::complex<float>(0.0F, 2.0F));
  });
}

TEST(ArithmeticTest, ClosenessAtTheEdges) {
  on_every_backend([](BackendSession& s) {
    const Tensor a = vector_of<double>({1.0, kInf, kInf, kInf, kNan, 1.0, 0.0});
    const Tensor b = vector_of<double>({1.0 + 1e-6, kInf, -kInf, 1.0, kNan, kInf, 1e-7});
    const Tensor close = isclose(s, a, b), with_nan = isclose(s, a, b, {.equal_nan = true});
    const bool wanted[] = {true, true, false, false, false, false, false};
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(close.data<bool>()[i], wanted[i]) << i;
      EXPECT_EQ(with_nan.data<bool>()[i], wanted[i] || i == 4) << i;
    }
    EXPECT_TRUE(allclose(s, vector_of<std::int32_t>({1, 2}), vector_of<double>({1.0, 2.0})).at<bool>({}));
    EXPECT_FALSE(allclose(s, a, b).at<bool>({}));
    EXPECT_TRUE(allclose(s, Tensor::zeros(DType::f64, {0}), Tensor::zeros(DType::f64, {0})).at<bool>({}));
    const Tensor z = vector_of<std::complex<double>>({{1.0, 1.0}});
    EXPECT_TRUE(allclose(s, z, vector_of<std::complex<double>>({{1.0, 1.0 + 1e-9}})).at<bool>({}));
  });
}

TEST(DynamicTest, TruncationAndItsAdjoint) {
  on_every_backend([](BackendSession& s) {
    const Tensor x = counting({2, 4});
    expect_each(dynamic_truncate(s, x, 3, 1), {2, 3}, [&](const Indices& i) { return element(x, i); });
    const Tensor size = shape_of(s, counting({2}), 0);
    const Tensor head = dynamic_truncate(s, x, size, -1);
    expect_each(pad_to_match(s, head, x, 1), {2, 4}, [&](const Indices& i) { return i[1] < 2 ? element(x, i) : 0.0; });
    const auto refused = attempt<OpErrorInfo>([&] { return dynamic_truncate(s, x, 5, 1); });
    ASSERT_FALSE(refused);
    EXPECT_TRUE(std::holds_alternative<BadArgument>(refused.error()));
  });
}

}  // namespace
}  // namespace tenferro::testing
