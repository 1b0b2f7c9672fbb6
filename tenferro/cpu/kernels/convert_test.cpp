// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/convert.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/cast.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::first_difference;
using testing::kLayoutKinds;
using testing::Laid;
using testing::LayoutKind;
using testing::SerialContext;
using testing::Values;

template <class To, class From>
Values<To> converted(const Values<From>& x, const Shape& shape, LayoutKind layout, LayoutKind out_layout) {
  SerialContext context;
  const Laid<From> in(layout, shape, x);
  Laid<To> out(out_layout, shape);
  const TensorRead operand = in.read();
  const TensorWrite result = out.write();
  const Op op(OpKind::convert, ConvertAttrs{dtype_of<To>, false});
  internal::run_convert(context, op, {&operand, 1}, {&result, 1});
  EXPECT_TRUE(out.gaps_intact());
  return out.values();
}

template <class From, class To>
void expect_cast() {
  const Shape shape{7, 3};
  const Values<From> x = testing::sample<From>(21, 5);
  Values<To> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = cast_value<To>(x[i]);
  for (const LayoutKind layout : kLayoutKinds) {
    for (const LayoutKind out_layout : {LayoutKind::compact, LayoutKind::transposed}) {
      EXPECT_EQ(first_difference(converted<To>(x, shape, layout, out_layout), expected), -1)
          << name(dtype_of<From>) << " to " << name(dtype_of<To>) << ' ' << testing::name(layout);
    }
  }
}

template <class From>
void expect_casts() {
#define TENFERRO_DTYPE(name, type, text) expect_cast<From, type>();
#include "tenferro/tensor/dtype.def"
}

TEST(ConvertKernel, EveryPairOfDTypesInEveryLayoutEqualsCastValue) {
#define TENFERRO_DTYPE(name, type, text) expect_casts<type>();
#include "tenferro/tensor/dtype.def"
}

TEST(ConvertKernel, FloatToIntegerTruncatesSaturatesAndTakesNanToZero) {
  const Values<double> x{1.9, -1.9, 1e300, -1e300, std::nan(""), 2147483647.0};
  const Values<std::int32_t> expected{1, -1, 2147483647, -2147483647 - 1, 0, 2147483647};
  EXPECT_EQ(first_difference(converted<std::int32_t>(x, {6}, LayoutKind::compact, LayoutKind::compact), expected), -1);
}

TEST(ConvertKernel, ScalarsAndEmptyTensorsConvert) {
  EXPECT_EQ(converted<float>(Values<bool>(true, 1), {}, LayoutKind::compact, LayoutKind::spelled)[0], 1.0F);
  EXPECT_EQ(converted<float>(Values<bool>(), {0, 3}, LayoutKind::compact, LayoutKind::spelled).size(), 0U);
}

}  // namespace
}  // namespace tenferro
