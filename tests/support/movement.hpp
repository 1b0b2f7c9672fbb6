// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Tests of operations that move elements: every element of the result is some element of the operand, or a fill value.
//
//   expect_moves(table, Op(OpKind::reverse, …), {3, 4}, [](DimsView at) { return Origin(…index of the operand…); });

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "tests/support/kernel_calls.hpp"

namespace tenferro::testing {

/// The index of the operand that an element of the result comes from; nothing for a fill value.
using Origin = std::optional<Dims>;

/// Where the element at an index of the result comes from.
using OriginOf = std::function<Origin(DimsView)>;

/// The shape that inference gives; fails the test if it refuses.
inline Shape inferred_shape(const Op& op, std::span<const MetaView> in) {
  TensorMeta meta;
  const OpFailure failure = infer(op, in, {&meta, 1});
  EXPECT_EQ(failure, nullptr) << op.name();
  return meta.shape;
}

/// Runs `op` for one dtype on every layout of operand and result, and looks at every element and at every gap.
template <class T>
void expect_moves_of(const CpuKernelTable& table, KernelContext& context, const Op& op, DimsView in_shape,
                     const OriginOf& origin, T fill) {
  const Values<T> values = sample<T>(count_of(in_shape), 7);
  const MetaView meta{dtype_of<T>, in_shape};
  const Shape shape = inferred_shape(op, {&meta, 1});
  Values<T> expected(static_cast<std::size_t>(count_of(shape)));
  for_each_index(shape, [&](DimsView index, std::int64_t linear) {
    const Origin from = origin(index);
    expected[static_cast<std::size_t>(linear)] =
        from ? values[static_cast<std::size_t>(linear_of(*from, in_shape))] : fill;
  });
  for (const LayoutKind left : kLayoutKinds) {
    const Laid<T> x(left, in_shape, values);
    for (const LayoutKind right : kLayoutKinds) {
      Laid<T> out(right, shape);
      call(table, context, op, {x.read()}, {out.write()});
      const std::string what = std::string(op.name()) + " " + std::string(name(dtype_of<T>)) + ", " +
                               std::string(name(left)) + " to " + std::string(name(right));
      ASSERT_EQ(first_difference(out.values(), expected), -1) << what;
      ASSERT_TRUE(out.gaps_intact()) << what;
    }
  }
}

/// The same for all dtypes, fill values being zero.
inline void expect_moves(const CpuKernelTable& table, const Op& op, DimsView in_shape, const OriginOf& origin) {
  SerialContext context;
#define TENFERRO_DTYPE(name, type, text) expect_moves_of<type>(table, context, op, in_shape, origin, type{});
#include "tenferro/tensor/dtype.def"
}

}  // namespace tenferro::testing
