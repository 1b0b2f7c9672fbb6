// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of operands in all pairs of layouts, on every set of vector instructions, kept in the caches or written past
// them, against a plain loop.
#include "tenferro/cpu/kernels/element_plan.hpp"

#include <gtest/gtest.h>

#include "tenferro/cpu/simd.hpp"
#include "tests/support/every_target.hpp"
#include "tests/support/layouts.hpp"

namespace tenferro::internal {
namespace {

using testing::kLayoutKinds;
using testing::Laid;
using testing::LayoutKind;
using testing::Values;
using testing::with_every_target;

template <class T>
Values<T> numbers(DimsView shape, unsigned seed) {
  Values<T> values(static_cast<std::size_t>(testing::count_of(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>((i * seed + seed) % 8191);
  return values;
}

template <class T>
void expect_sums(DimsView shape, bool streamed) {
  const Values<T> a = numbers<T>(shape, 31), b = numbers<T>(shape, 577), sum = a + b;
  const ElementLoop add = element_loops().row(OpKind::add, dtype_of<T>);
  for (const LayoutKind layout : kLayoutKinds) {
    for (const LayoutKind other : {LayoutKind::compact, LayoutKind::transposed, LayoutKind::sliced, layout}) {
      const Laid<T> x(layout, shape, a), y(other, shape, b);
      const TensorRead in[] = {x.read(), y.read()};
      for (const LayoutKind target : {LayoutKind::compact, LayoutKind::padded, LayoutKind::sliced, LayoutKind::mixed}) {
        Laid<T> out(target, shape);
        const ElementPlan plan(in, out.write(), streamed);
        const std::int64_t middle = plan.tiles() / 2;
        plan.run(add, middle, plan.tiles());
        plan.run(add, 0, middle);
        const std::string what = std::string(name(layout)) + " + " + std::string(name(other)) + " to " +
                                 std::string(name(target)) + ", " + std::string(simd_target());
        EXPECT_TRUE((out.values() == sum).min()) << what;
        EXPECT_TRUE(out.gaps_intact()) << what;
      }
    }
  }
}

TEST(ElementPlan, AddsOperandsOfAllLayouts) {
  with_every_target([] {
    for (const Shape& shape : {Shape{129, 20}, Shape{67, 130}, Shape{5, 6, 40}}) {
      expect_sums<double>(shape, false);
      expect_sums<float>(shape, false);
    }
  });
}

TEST(ElementPlan, AddsOperandsOfAllLayoutsPastTheCaches) {
  with_every_target([] {
    for (const Shape& shape : {Shape{129, 20}, Shape{700, 9}, Shape{5, 6, 40}}) {
      expect_sums<double>(shape, true);
      expect_sums<std::int32_t>(shape, true);
    }
  });
}

// One operand stretched along every set of axes in turn.
template <class T>
void expect_stretched_sums(const Shape& shape, bool streamed) {
  const Values<T> a = numbers<T>(shape, 31);
  const Dims strides = col_major_strides(shape);
  for (unsigned stretched = 1; stretched < 1U << shape.size(); ++stretched) {
    Dims steps;
    std::int64_t kept = 1;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const bool stands = (stretched >> k & 1U) != 0;
      steps.push_back(stands ? 0 : kept);
      if (!stands) kept *= shape[k];
    }
    const Values<T> b = numbers<T>(Shape{kept}, 577);
    Values<T> sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      std::int64_t at = 0;
      for (std::size_t k = 0; k < shape.size(); ++k) {
        at += static_cast<std::int64_t>(i) / strides[k] % shape[k] * steps[k];
      }
      sum[i] += b[static_cast<std::size_t>(at)];
    }
    TensorRead y;
    y.data = reinterpret_cast<const std::byte*>(&b[0]);
    y.extents = shape.data();
    y.strides = steps.data();
    y.axis_count = static_cast<std::uint32_t>(shape.size());
    y.dtype = dtype_of<T>;
    for (const LayoutKind layout : {LayoutKind::compact, LayoutKind::transposed, LayoutKind::sliced}) {
      for (const LayoutKind target : {LayoutKind::compact, LayoutKind::sliced}) {
        const Laid<T> x(layout, shape, a);
        Laid<T> out(target, shape);
        for (const bool first : {false, true}) {
          const TensorRead in[] = {first ? y : x.read(), first ? x.read() : y};
          const ElementPlan plan(in, out.write(), streamed);
          plan.run(element_loops().row(OpKind::add, dtype_of<T>), 0, plan.tiles());
          EXPECT_TRUE((out.values() == sum).min()) << "stretched along " << stretched << ", other operand "
                                                   << name(layout) << " to " << name(target) << ", " << simd_target();
        }
      }
    }
  }
}

TEST(ElementPlan, AddsStretchedOperands) {
  with_every_target([] {
    for (const Shape& shape : {Shape{40, 100}, Shape{33, 20}, Shape{257, 5}, Shape{3, 1, 4, 177}}) {
      for (const bool streamed : {false, true}) {
        expect_stretched_sums<double>(shape, streamed);
        expect_stretched_sums<float>(shape, streamed);
      }
    }
  });
}

TEST(ElementPlan, AStripPastTheCachesIsTheSameFromAnyAddress) {
  const ElementLoop add = element_loops().row(OpKind::add, DType::f64);
  const Values<double> a = numbers<double>(Shape{1500}, 31), b = numbers<double>(Shape{1500}, 577);
  for (const std::int64_t shift : {0, 1, 5, 7}) {
    for (const std::int64_t n : {1, 7, 8, 9, 255, 256, 257, 600, 1400}) {
      for (const std::uint32_t stretched : {0U, 2U}) {
        std::vector<double> out(1520, -1);
        Strip strip{
            reinterpret_cast<std::byte*>(&out[static_cast<std::size_t>(shift)]), {}, n, stretched, 8, {8, 8, 0}};
        strip.streamed = true;
        strip.in = {reinterpret_cast<const std::byte*>(&a[0]), reinterpret_cast<const std::byte*>(&b[0]), nullptr};
        strip.compute(add);
        finish_streaming();
        for (std::int64_t i = 0; i < 1520; ++i) {
          const auto k = static_cast<std::size_t>(i - shift);
          const bool inside = i >= shift && i < shift + n;
          ASSERT_EQ(out[static_cast<std::size_t>(i)], inside ? a[k] + b[stretched == 0 ? k : 0] : -1)
              << i << " of " << n << " from " << shift;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tenferro::internal
