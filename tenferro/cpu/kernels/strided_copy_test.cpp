// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/strided_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>

#include "tests/support/layouts.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro::internal {
namespace {

using testing::Laid;
using testing::LayoutKind;
using testing::Values;

template <class T>
Values<T> counting(DimsView shape) {
  Values<T> values(static_cast<std::size_t>(testing::count_of(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(static_cast<float>(i % 251 * (i % 3)));
  return values;
}

template <class T>
bool equal(const Values<T>& a, const Values<T>& b) {
  return a.size() == b.size() && std::equal(std::begin(a), std::end(a), std::begin(b));
}

template <class T>
void expect_copies(KernelContext& context, DimsView shape) {
  const Values<T> values = counting<T>(shape);
  for (const LayoutKind from : testing::kLayoutKinds) {
    const Laid<T> source(from, shape, values);
    for (const LayoutKind to : testing::kLayoutKinds) {
      Laid<T> target(to, shape);
      copy_operand(context, source.read(), target.write());
      EXPECT_TRUE(equal(target.values(), values)) << testing::name(from) << " to " << testing::name(to);
      EXPECT_TRUE(target.gaps_intact()) << testing::name(from) << " to " << testing::name(to);
    }
  }
}

TEST(StridedCopy, KeepsEveryElementBetweenAllLayoutsOfEveryWidth) {
  testing::SerialContext context;
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{7, 19}, Shape{33, 17}, Shape{3, 4, 5}, Shape{2, 9, 1, 10}}) {
    expect_copies<bool>(context, shape);
    expect_copies<float>(context, shape);
    expect_copies<std::complex<float>>(context, shape);
    expect_copies<double>(context, shape);
    expect_copies<std::complex<double>>(context, shape);
  }
}

TEST(StridedCopy, CopiesNothingOfAnEmptyBox) {
  testing::SerialContext context;
  for (const Shape& shape : {Shape{0}, Shape{3, 0, 2}}) expect_copies<double>(context, shape);
}

// Axes of extent 1 may carry any stride.
TEST(StridedCopy, PermutesShapesWithExtentsOfOneInAllOrders) {
  testing::SerialContext context;
  const Shape shape{1, 5, 1, 3};
  const Values<double> values = counting<double>(shape);
  const Laid<double> source(LayoutKind::compact, shape, values);
  Dims order{0, 1, 2, 3};
  do {
    Shape permuted(4);
    Dims strides(4);
    const Dims compact = col_major_strides(shape);
    for (std::size_t k = 0; k < 4; ++k) {
      permuted[k] = shape[static_cast<std::size_t>(order[k])];
      strides[k] = compact[static_cast<std::size_t>(order[k])];
    }
    Laid<double> target(LayoutKind::padded, permuted);
    const TensorWrite out = target.write();
    strided_copy(context, 8, permuted, source.read().data, strides, out.data, strides_of(out));
    const Values<double> got = target.values();
    testing::for_each_index(permuted, [&](DimsView index, std::int64_t linear) {
      std::int64_t at = 0;
      for (std::size_t k = 0; k < 4; ++k) at += index[k] * strides[k];
      EXPECT_EQ(got[static_cast<std::size_t>(linear)], values[static_cast<std::size_t>(at)]);
    });
    EXPECT_TRUE(target.gaps_intact());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(StridedCopy, RepeatsASourceOfStrideZero) {
  testing::SerialContext context;
  const Laid<float> column = Laid<float>::broadcast(Shape{3, 40}, Shape{3, 1}, {1, 2, 3});
  const Laid<float> row = Laid<float>::broadcast(Shape{3, 4}, Shape{1, 4}, {1, 2, 3, 4});
  for (const LayoutKind kind : testing::kLayoutKinds) {
    Laid<float> wide(kind, Shape{3, 40});
    copy_operand(context, column.read(), wide.write());
    EXPECT_TRUE(equal(wide.values(), column.values()));
    Laid<float> small(kind, Shape{3, 4});
    copy_operand(context, row.read(), small.write());
    EXPECT_TRUE(equal(small.values(), row.values()));
  }
}

TEST(StridedCopy, FillsABoxOfAnyLayout) {
  testing::SerialContext context;
  const std::complex<double> value{2, -3};
  for (const LayoutKind kind : testing::kLayoutKinds) {
    Laid<std::complex<double>> target(kind, Shape{5, 6});
    const TensorWrite out = target.write();
    strided_fill(context, 16, out.shape(), &value, out.data, strides_of(out));
    EXPECT_TRUE((target.values() == value).min());
    EXPECT_TRUE(target.gaps_intact());
  }
}

TEST(StridedCopy, IsTheSameWhenSeveralThreadsShareIt) {
  testing::ThreadedContext context(3);
  expect_copies<double>(context, Shape{130, 90});
  expect_copies<bool>(context, Shape{70, 30, 40});
  expect_copies<float>(context, Shape{20000});
}

}  // namespace
}  // namespace tenferro::internal
