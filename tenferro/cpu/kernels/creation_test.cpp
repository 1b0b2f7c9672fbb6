// SPDX-License-Identifier: MIT OR Apache-2.0
// Creation, random bits and operations about run-time sizes.
#include <gtest/gtest.h>

#include "tenferro/ops/philox.hpp"
#include "tests/support/movement.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::Laid;
using testing::LayoutKind;
using testing::Origin;
using testing::Values;

// Creation has no operand: the dtype of the result picks the kernel.
void create(KernelContext& context, const Op& op, const TensorWrite& out) {
  internal::kCreationKernels[op.kind()][index(out.dtype)](context, op, {}, {&out, 1});
}

template <class T>
void expect_creations() {
  testing::SerialContext context;
  const Shape shape{3, 4, 2};
  const Values<T> values = testing::sample<T>(24, 1);
  const auto tensor =
      std::make_shared<const Tensor>(Tensor::copy_of(Laid<T>(LayoutKind::compact, shape, values).read()));
  for (const LayoutKind layout : testing::kLayoutKinds) {
    Laid<T> out(layout, shape);
    create(context, Op(OpKind::constant, ConstantAttrs{tensor}), out.write());
    EXPECT_EQ(testing::first_difference(out.values(), values), -1);
    EXPECT_TRUE(out.gaps_intact());
    if constexpr (!std::is_same_v<T, bool>) {
      for (std::uint8_t axis = 0; axis < 3; ++axis) {
        Laid<T> counted(layout, shape);
        create(context, Op(OpKind::iota, IotaAttrs{shape, dtype_of<T>, axis}), counted.write());
        const Values<T> got = counted.values();
        testing::for_each_index(shape, [&](DimsView at, std::int64_t linear) {
          ASSERT_EQ(got[static_cast<std::size_t>(linear)], T(static_cast<float>(at[axis])));
        });
        EXPECT_TRUE(counted.gaps_intact());
      }
    }
  }
}

TEST(Creation, GivesConstantsAndCountsForEveryDTypeAndLayout) {
#define TENFERRO_DTYPE(name, type, text) expect_creations<type>();
#include "tenferro/tensor/dtype.def"
}

TEST(Creation, CountsOnManyThreads) {
  testing::ThreadedContext context(3);
  Laid<std::int64_t> out(LayoutKind::compact, Shape{300, 400});
  create(context, Op(OpKind::iota, IotaAttrs{{300, 400}, DType::i64, 1}), out.write());
  const Values<std::int64_t> got = out.values();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<std::int64_t>(i / 300));
}

template <class T>
void expect_bits(KernelContext& context, DimsView shape) {
  const PhiloxKey key{42, -7};
  const Op op(OpKind::random_bits, RandomBitsAttrs{Shape(shape), dtype_of<T>});
  Values<T> expected(static_cast<std::size_t>(testing::count_of(shape)));
  if (expected.size() != 0) philox_fill(key, 0, std::span<T>(&expected[0], expected.size()));
  for (const LayoutKind layout : testing::kLayoutKinds) {
    const Laid<std::int64_t> key_tensor(layout, {2}, {key.seed, key.stream});
    Laid<T> out(layout, shape);
    call(internal::kRandomKernels, context, op, {key_tensor.read()}, {out.write()});
    EXPECT_EQ(testing::first_difference(out.values(), expected), -1);
    EXPECT_TRUE(out.gaps_intact());
  }
}

TEST(RandomBits, FollowTheColumnMajorIndexForAnyLayoutAndNumberOfThreads) {
  testing::SerialContext serial;
  for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{5}, Shape{3, 4, 5}}) {
    expect_bits<std::int32_t>(serial, shape);
    expect_bits<std::int64_t>(serial, shape);
  }
  for (const int lanes : {2, 3}) {
    testing::ThreadedContext context(lanes);
    expect_bits<std::int32_t>(context, Shape{100, 131});
    expect_bits<std::int64_t>(context, Shape{100, 131});
  }
}

TEST(ShapeOf, GivesTheExtentOfAnAxisOfAnyDType) {
  testing::SerialContext context;
  const Laid<bool> x(LayoutKind::padded, Shape{3, 0, 5});
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    Laid<std::int64_t> out(LayoutKind::compact, Shape{});
    call(internal::kDynamicKernels, context, Op(OpKind::shape_of, AxisAttrs{axis}), {x.read()}, {out.write()});
    EXPECT_EQ(out.values()[0], x.shape()[axis]);
  }
}

template <class T>
void expect_resized() {
  testing::SerialContext context;
  const Shape shape{3, 4}, shorter{3, 2}, longer{3, 7};
  const Values<T> values = testing::sample<T>(12, 1);
  const Laid<std::int64_t> size(LayoutKind::compact, Shape{}, Values<std::int64_t>(2, 1));
  for (const LayoutKind layout : testing::kLayoutKinds) {
    const Laid<T> x(layout, shape, values), reference(layout, longer);
    Laid<T> kept(layout, shorter), padded(layout, longer);
    call(internal::kDynamicKernels, context, Op(OpKind::dynamic_truncate, AxisAttrs{1}), {x.read(), size.read()},
         {kept.write()});
    call(internal::kDynamicKernels, context, Op(OpKind::pad_to_match, AxisAttrs{1}), {x.read(), reference.read()},
         {padded.write()});
    Values<T> wanted(T{}, 21);
    for (std::size_t i = 0; i < 12; ++i) wanted[i] = values[i];
    EXPECT_EQ(testing::first_difference(padded.values(), wanted), -1);
    EXPECT_EQ(testing::first_difference(kept.values(), Values<T>(values[std::slice(0, 6, 1)])), -1);
    EXPECT_TRUE(kept.gaps_intact() && padded.gaps_intact());
  }
}

TEST(DynamicSizes, TruncateAndPadAlongOneAxis) {
#define TENFERRO_DTYPE(name, type, text) expect_resized<type>();
#include "tenferro/tensor/dtype.def"
}

}  // namespace
}  // namespace tenferro
