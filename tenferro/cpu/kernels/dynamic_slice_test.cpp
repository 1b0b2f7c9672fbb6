// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::Laid;
using testing::LayoutKind;
using testing::linear_of;
using testing::sample;
using testing::Values;

template <class T, class Int>
void expect_window(const Values<Int>& starts, DimsView expected_start) {
  testing::SerialContext context;
  const Shape shape{5, 6}, size{2, 3};
  const Values<T> x = sample<T>(30, 1), update = sample<T>(6, 2);
  for (const LayoutKind layout : testing::kLayoutKinds) {
    const Laid<T> source(layout, shape, x), part(layout, size, update);
    const Laid<Int> where(layout, {2}, starts);
    Laid<T> window(layout, size), whole(layout, shape);
    call(internal::kIndexingKernels, context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{size}),
         {source.read(), where.read()}, {window.write()});
    call(internal::kIndexingKernels, context, Op(OpKind::dynamic_update_slice),
         {source.read(), part.read(), where.read()}, {whole.write()});
    const Values<T> got = window.values(), updated = whole.values();
    Values<T> expected = x;
    testing::for_each_index(size, [&](DimsView at, std::int64_t linear) {
      const Dims from{at[0] + expected_start[0], at[1] + expected_start[1]};
      const auto place = static_cast<std::size_t>(linear_of(from, shape));
      EXPECT_TRUE(testing::same_bits<T>(got[static_cast<std::size_t>(linear)], x[place]));
      expected[place] = update[static_cast<std::size_t>(linear)];
    });
    EXPECT_EQ(testing::first_difference(updated, expected), -1);
    EXPECT_TRUE(window.gaps_intact() && whole.gaps_intact());
  }
}

TEST(DynamicSlice, ReadsAndReplacesAWindowWithItsStartsClamped) {
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
#define TENFERRO_DTYPE(name, type, text)                          \
  expect_window<type, std::int64_t>({1, 2}, Dims{1, 2});          \
  expect_window<type, std::int64_t>({-far - 1, far}, Dims{0, 3}); \
  expect_window<type, std::int32_t>({4, -1}, Dims{3, 0});
#include "tenferro/tensor/dtype.def"
}

TEST(DynamicSlice, AcceptsScalarsAndEmptyWindows) {
  testing::SerialContext context;
  const Laid<float> x(LayoutKind::compact, Shape{}, Values<float>(3.0F, 1)), y(LayoutKind::compact, Shape{4});
  const Laid<std::int64_t> none(LayoutKind::compact, Shape{0}), nine(LayoutKind::compact, {1}, {9});
  Laid<float> out(LayoutKind::compact, Shape{}), empty(LayoutKind::compact, Shape{0});
  call(internal::kIndexingKernels, context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{{}}), {x.read(), none.read()},
       {out.write()});
  EXPECT_EQ(out.values()[0], 3.0F);
  call(internal::kIndexingKernels, context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{{0}}), {y.read(), nine.read()},
       {empty.write()});
  EXPECT_TRUE(empty.gaps_intact());
}

}  // namespace
}  // namespace tenferro
