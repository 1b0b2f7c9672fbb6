// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/support/every_target.hpp"
#include "tests/support/index_windows.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::fits;
using testing::Laid;
using testing::LayoutKind;
using testing::linear_of;
using testing::refusal;
using testing::sample;
using testing::shape_of;
using testing::some_starts;
using testing::Split;
using testing::split;
using testing::starts_of;
using testing::Values;
using testing::with_every_target;

template <class T, class Int>
Values<T> gathered(const GatherConfig& config, DimsView x_shape, const Values<T>& x, DimsView indices_shape,
                   const Values<Int>& indices, DimsView out_shape) {
  Values<T> result(static_cast<std::size_t>(testing::count_of(out_shape)));
  testing::for_each_index(out_shape, [&](DimsView at, std::int64_t linear) {
    const Split parts = split(at, config.offset_dims, config.collapsed_slice_dims, x_shape.size());
    Dims starts = starts_of<Int>(parts.batch, indices_shape, indices, config.index_vector_dim, config.start_index_map,
                                 x_shape.size());
    T& target = result[static_cast<std::size_t>(linear)];
    if (config.mode == GatherMode::fill && !fits(starts, config.slice_sizes, x_shape)) {
      target = config.fill.get<T>();
      return;
    }
    for (std::size_t k = 0; k < x_shape.size(); ++k) {
      starts[k] = std::clamp<std::int64_t>(starts[k], 0, x_shape[k] - config.slice_sizes[k]) + parts.inside[k];
    }
    target = x[static_cast<std::size_t>(linear_of(starts, x_shape))];
  });
  return result;
}

struct GatherCase {
  GatherConfig config;
  Shape x, indices;
};

std::vector<GatherCase> gather_cases() {
  std::vector<GatherCase> cases;
  const auto add = [&](Shape x, Shape indices, AxisList offset, AxisList collapsed, AxisList map, std::uint8_t vector,
                       Dims sizes) {
    GatherConfig config;
    config.offset_dims = offset;
    config.collapsed_slice_dims = collapsed;
    config.start_index_map = map;
    config.index_vector_dim = vector;
    config.slice_sizes = sizes;
    cases.push_back({config, x, indices});
  };
  add({7}, {5}, {}, {0}, {0}, 1, {1});                           // take elements
  add({4, 6}, {5}, {0}, {1}, {1}, 1, {4, 1});                    // take columns
  add({6, 4}, {5}, {1}, {0}, {0}, 1, {1, 4});                    // take rows, indices in front
  add({6, 4}, {3, 2}, {2}, {0}, {0}, 2, {1, 4});                 // two axes of indices
  add({5, 6}, {2, 7}, {}, {0, 1}, {0, 1}, 0, {1, 1});            // points, vectors along axis 0
  add({5, 6}, {7, 2}, {}, {0, 1}, {1, 0}, 1, {1, 1});            // points, components swapped
  add({5, 6, 3}, {4, 2, 3}, {0, 2}, {1}, {2, 0}, 1, {2, 1, 2});  // windows in the middle
  add({5, 6}, {3, 1}, {0, 1}, {}, {1}, 1, {5, 2});               // nothing collapsed
  add({5, 6}, {}, {0}, {1}, {1}, 0, {5, 1});                     // a single index
  add({5, 6}, {0}, {1}, {0}, {0}, 1, {1, 6});                    // no index
  add({5, 6}, {3}, {0, 1}, {}, {0}, 1, {0, 6});                  // empty windows
  return cases;
}

// Some inside alone, or also outside.
template <class Int>
Values<Int> some_indices(const GatherCase& c, bool outside) {
  return some_starts<Int>(c.x, c.config.slice_sizes, c.config.start_index_map, c.indices, c.config.index_vector_dim,
                          outside);
}

template <class T, class Int>
void expect_gathers(KernelContext& context, std::vector<GatherCase> cases) {
  for (GatherCase& c : cases) {
    for (const GatherMode mode : {GatherMode::check, GatherMode::clamp, GatherMode::fill}) {
      c.config.mode = mode;
      c.config.fill = Scalar(sample<T>(1, 5)[0]);
      const Op op(OpKind::gather, GatherAttrs(c.config));
      const Values<T> x = sample<T>(testing::count_of(c.x), 1);
      const Values<Int> indices = some_indices<Int>(c, mode != GatherMode::check);
      const Shape shape = shape_of(op, {{dtype_of<T>, c.x}, {dtype_of<Int>, c.indices}});
      const Values<T> expected = gathered<T, Int>(c.config, c.x, x, c.indices, indices, shape);
      for (const LayoutKind layout : testing::kLayoutKinds) {
        const Laid<T> source(layout, c.x, x);
        const Laid<Int> where(layout, c.indices, indices);
        for (const LayoutKind target : {LayoutKind::compact, layout}) {
          Laid<T> out(target, shape);
          call(internal::kIndexingKernels, context, op, {source.read(), where.read()}, {out.write()});
          ASSERT_EQ(testing::first_difference(out.values(), expected), -1)
              << "case " << static_cast<int>(mode) << ", " << testing::name(layout);
          ASSERT_TRUE(out.gaps_intact());
        }
      }
    }
  }
}

TEST(Gather, EqualsTheDefinitionForEveryDTypeModeAndLayout) {
  testing::SerialContext context;
#define TENFERRO_DTYPE(name, type, text) expect_gathers<type, std::int64_t>(context, gather_cases());
#include "tenferro/tensor/dtype.def"
  expect_gathers<double, std::int32_t>(context, gather_cases());
}

TEST(Gather, MovesWindowsThatAreLongOrManyByEveryKindOfVectors) {
  const auto config = [](AxisList offset, AxisList collapsed, AxisList map, Dims sizes) {
    GatherConfig one;
    one.offset_dims = offset;
    one.collapsed_slice_dims = collapsed;
    one.start_index_map = map;
    one.index_vector_dim = 1;
    one.slice_sizes = sizes;
    return one;
  };
  const std::vector<GatherCase> cases{{config({0}, {1}, {1}, {300, 1}), {300, 3}, {5}},            // columns
                                      {config({1}, {0}, {0}, {1, 5}), {7, 5}, {301}},              // rows
                                      {config({0, 1}, {}, {0, 1}, {290, 2}), {310, 4}, {6, 2}},    // windows in front
                                      {config({1, 2}, {}, {1, 0}, {2, 37}), {4, 61}, {270, 2}},    // windows behind
                                      {config({}, {0, 1}, {1, 0}, {1, 1}), {41, 29}, {2100, 2}}};  // points
  testing::SerialContext context;
  with_every_target([&] {
    expect_gathers<bool, std::int64_t>(context, cases);
    expect_gathers<double, std::int32_t>(context, cases);
  });
}

TEST(Gather, WindowSizesMayComeFromTheShape) {
  testing::SerialContext context;
  for (GatherCase& c : gather_cases()) {
    GatherDynamicConfig dynamic{c.config, {}};
    for (const std::int64_t size : c.config.slice_sizes) dynamic.slice_sizes.push_back(DimExpr(size));
    const Op op(OpKind::gather_dynamic_slice_sizes, GatherDynamicAttrs(dynamic));
    const Values<float> x = sample<float>(testing::count_of(c.x), 1);
    const Values<std::int64_t> indices = some_indices<std::int64_t>(c, false);
    const Shape shape = shape_of(op, {{DType::f32, c.x}, {DType::i64, c.indices}});
    const Laid<float> source(LayoutKind::compact, c.x, x);
    const Laid<std::int64_t> where(LayoutKind::compact, c.indices, indices);
    Laid<float> out(LayoutKind::compact, shape);
    call(internal::kIndexingKernels, context, op, {source.read(), where.read()}, {out.write()});
    EXPECT_EQ(testing::first_difference(out.values(),
                                        gathered<float, std::int64_t>(c.config, c.x, x, c.indices, indices, shape)),
              -1);
  }
}

TEST(Gather, LargeTakesAreTheSameForAnyNumberOfThreads) {
  GatherConfig config;
  config.collapsed_slice_dims = {0};
  config.start_index_map = {0};
  config.slice_sizes = {1, 3};
  config.index_vector_dim = 1;
  for (const AxisList& offset : {AxisList{0}, AxisList{1}}) {
    config.offset_dims = offset;
    const Op op(OpKind::gather, GatherAttrs(config));
    const Shape x_shape{100000, 3}, indices_shape{20000};
    const Values<double> x = sample<double>(300000, 1);
    Values<std::int64_t> indices(20000);
    for (std::size_t i = 0; i < 20000; ++i) indices[i] = static_cast<std::int64_t>(i * 7919 % 100000);
    const Shape shape = shape_of(op, {{DType::f64, x_shape}, {DType::i64, indices_shape}});
    const Values<double> expected = gathered<double, std::int64_t>(config, x_shape, x, indices_shape, indices, shape);
    const Laid<double> source(LayoutKind::compact, x_shape, x);
    const Laid<std::int64_t> where(LayoutKind::compact, indices_shape, indices);
    testing::ThreadedContext context(3, 700);
    Laid<double> out(LayoutKind::compact, shape);
    call(internal::kIndexingKernels, context, op, {source.read(), where.read()}, {out.write()});
    EXPECT_EQ(testing::first_difference(out.values(), expected), -1);
  }
}

TEST(Gather, FewLargeWindowsAreCopiedWhole) {
  GatherConfig config;
  config.offset_dims = {0, 1};
  config.start_index_map = {1};
  config.slice_sizes = {300, 40};
  config.index_vector_dim = 1;
  config.mode = GatherMode::fill;
  config.fill = Scalar(-1.0);
  const Op op(OpKind::gather, GatherAttrs(config));
  const Values<double> x = sample<double>(300 * 60, 1);
  const Laid<double> source(LayoutKind::compact, {300, 60}, x);
  const Laid<std::int64_t> where(LayoutKind::compact, {3, 1}, {20, -1, 0});
  testing::SerialContext context;
  Laid<double> out(LayoutKind::compact, Shape{300, 40, 3});
  call(internal::kIndexingKernels, context, op, {source.read(), where.read()}, {out.write()});
  EXPECT_EQ(
      testing::first_difference(out.values(), gathered<double, std::int64_t>(config, Shape{300, 60}, x, Shape{3, 1},
                                                                             {20, -1, 0}, Shape{300, 40, 3})),
      -1);
}

Op take_elements() {
  GatherConfig config;
  config.collapsed_slice_dims = {0};
  config.start_index_map = {0};
  config.slice_sizes = {1};
  config.index_vector_dim = 1;
  return Op(OpKind::gather, GatherAttrs(config));
}

TEST(Gather, NamesTheFirstIndexOutsideAndWritesNothing) {
  const Laid<double> x(LayoutKind::compact, {3}, {1, 2, 3});
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{3}, std::int64_t{1} << 40,
                                 std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    const Laid<std::int64_t> indices(LayoutKind::compact, {4}, {0, 2, bad, -7});
    Laid<double> out(LayoutKind::compact, {4}, {9, 9, 9, 9});
    const IndexOutOfBounds found = refusal(take_elements(), {x.read(), indices.read()}, out);
    EXPECT_EQ(found.op, "gather");
    EXPECT_EQ(found.operand, 1);
    EXPECT_EQ(found.position, 2);
    EXPECT_EQ(found.index, bad);
    EXPECT_EQ(found.extent, 3);
  }
}

TEST(Gather, RefusesEveryIndexIntoNothing) {
  const Laid<double> x(LayoutKind::compact, Shape{2, 0});
  const Laid<std::int32_t> indices(LayoutKind::reversed, {1}, {0});
  GatherConfig config;
  config.offset_dims = {0};
  config.collapsed_slice_dims = {1};
  config.start_index_map = {0};
  config.slice_sizes = {2, 0};
  config.collapsed_slice_dims = {};
  config.offset_dims = {0, 1};
  config.index_vector_dim = 1;
  Laid<double> out(LayoutKind::compact, Shape{2, 0, 1});
  testing::SerialContext context;
  call(internal::kIndexingKernels, context, Op(OpKind::gather, GatherAttrs(config)), {x.read(), indices.read()},
       {out.write()});
  const Laid<std::int32_t> outside(LayoutKind::reversed, {1}, {1});
  const IndexOutOfBounds found = refusal(Op(OpKind::gather, GatherAttrs(config)), {x.read(), outside.read()}, out);
  EXPECT_EQ(found.extent, 1);  // only start 0 leaves room for two rows
}

TEST(Gather, PositionCountsInColumnMajorOrderOfTheIndices) {
  GatherConfig config;
  config.collapsed_slice_dims = {0, 1};
  config.start_index_map = {0, 1};
  config.slice_sizes = {1, 1};
  config.index_vector_dim = 1;
  const Laid<double> x(LayoutKind::compact, {2, 2}, {1, 2, 3, 4});
  // Vectors (0, 5) and (1, 0) and (9, 0): the component 9 stands before the component 5.
  const Laid<std::int64_t> indices(LayoutKind::transposed, {3, 2}, {0, 1, 9, 5, 0, 0});
  Laid<double> out(LayoutKind::compact, {3}, {7, 7, 7});
  const IndexOutOfBounds found = refusal(Op(OpKind::gather, GatherAttrs(config)), {x.read(), indices.read()}, out);
  EXPECT_EQ(found.position, 2);
  EXPECT_EQ(found.index, 9);
}

}  // namespace
}  // namespace tenferro
