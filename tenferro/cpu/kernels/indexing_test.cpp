// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "tenferro/cpu/simd.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::Laid;
using testing::LayoutKind;
using testing::linear_of;
using testing::sample;
using testing::Values;

const CpuKernelTable& table() { return internal::kIndexingKernels; }

bool contains(const AxisList& list, std::size_t axis) {
  return std::find(list.begin(), list.end(), axis) != list.end();
}

// The index vector of one window: `batch` are the indices along the axes of the indices other than the vector axis.
template <class Int>
Dims starts_of(DimsView batch, DimsView indices_shape, const Values<Int>& indices, std::size_t vector_axis,
               const AxisList& map, std::size_t rank) {
  Dims starts(rank, 0);
  for (std::size_t c = 0; c < map.size(); ++c) {
    Dims at;
    std::size_t next = 0;
    for (std::size_t k = 0; k < indices_shape.size(); ++k) {
      at.push_back(k == vector_axis ? static_cast<std::int64_t>(c) : batch[next++]);
    }
    starts[map[c]] = indices[static_cast<std::size_t>(linear_of(at, indices_shape))];
  }
  return starts;
}

// Splits the index of a result (or of updates) into that of the window among windows, and that inside the window
// spread over the operand's axes.
struct Split {
  Dims batch, inside;
};
Split split(DimsView at, const AxisList& window_dims, const AxisList& missing, std::size_t rank) {
  Split parts{{}, Dims(rank, 0)};
  std::size_t axis = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (!contains(window_dims, k)) {
      parts.batch.push_back(at[k]);
      continue;
    }
    while (contains(missing, axis)) ++axis;
    parts.inside[axis++] = at[k];
  }
  return parts;
}

bool fits(DimsView starts, DimsView sizes, DimsView extents) {
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (starts[k] < 0 || starts[k] > extents[k] - sizes[k]) return false;
  }
  return true;
}

Shape shape_of(const Op& op, std::initializer_list<MetaView> in) {
  TensorMeta meta;
  const OpFailure failure = infer(op, {in.begin(), in.size()}, {&meta, 1});
  EXPECT_EQ(failure, nullptr);
  return meta.shape;
}

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

// Whole numbers around the valid starts, some outside if asked for.
template <class Int>
Values<Int> some_indices(const GatherCase& c, bool outside) {
  Values<Int> indices(static_cast<std::size_t>(testing::count_of(c.indices)));
  testing::for_each_index(c.indices, [&](DimsView at, std::int64_t linear) {
    const std::size_t component =
        c.config.index_vector_dim < at.size() ? static_cast<std::size_t>(at[c.config.index_vector_dim]) : 0;
    const std::size_t axis = c.config.start_index_map[component];
    const std::int64_t starts = c.x[axis] - c.config.slice_sizes[axis] + 1;
    const std::int64_t value = (linear * 7 + 3) % (outside ? starts + 4 : starts) - (outside ? 2 : 0);
    indices[static_cast<std::size_t>(linear)] = static_cast<Int>(value);
  });
  return indices;
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
          call(table(), context, op, {source.read(), where.read()}, {out.write()});
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
  for (const std::string_view name : simd_targets()) {
    ASSERT_TRUE(internal::use_simd_target(name));
    expect_gathers<bool, std::int64_t>(context, cases);
    expect_gathers<double, std::int32_t>(context, cases);
  }
  internal::use_simd_target("");
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
    call(table(), context, op, {source.read(), where.read()}, {out.write()});
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
    const Shape x_shape{1000, 3}, indices_shape{20000};
    const Values<double> x = sample<double>(3000, 1);
    Values<std::int64_t> indices(20000);
    for (std::size_t i = 0; i < 20000; ++i) indices[i] = static_cast<std::int64_t>(i * 7919 % 1000);
    const Shape shape = shape_of(op, {{DType::f64, x_shape}, {DType::i64, indices_shape}});
    const Values<double> expected = gathered<double, std::int64_t>(config, x_shape, x, indices_shape, indices, shape);
    const Laid<double> source(LayoutKind::compact, x_shape, x);
    const Laid<std::int64_t> where(LayoutKind::compact, indices_shape, indices);
    testing::ThreadedContext context(3, 700);
    Laid<double> out(LayoutKind::compact, shape);
    call(table(), context, op, {source.read(), where.read()}, {out.write()});
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
  call(table(), context, op, {source.read(), where.read()}, {out.write()});
  EXPECT_EQ(
      testing::first_difference(out.values(), gathered<double, std::int64_t>(config, Shape{300, 60}, x, Shape{3, 1},
                                                                             {20, -1, 0}, Shape{300, 40, 3})),
      -1);
}

// Runs the kernel, which must refuse, and gives the payload; the output must be untouched.
template <class Int>
IndexOutOfBounds refusal(const Op& op, std::initializer_list<TensorRead> in, Laid<double>& out) {
  testing::SerialContext context;
  const Values<double> before = out.values();
  IndexOutOfBounds found{};
  try {
    call(table(), context, op, in, {out.write()});
    ADD_FAILURE() << "not refused";
  } catch (const OpError& error) {
    found = std::get<IndexOutOfBounds>(error.info());
  }
  EXPECT_EQ(testing::first_difference(out.values(), before), -1);
  return found;
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
    const IndexOutOfBounds found = refusal<std::int64_t>(take_elements(), {x.read(), indices.read()}, out);
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
  call(table(), context, Op(OpKind::gather, GatherAttrs(config)), {x.read(), indices.read()}, {out.write()});
  const Laid<std::int32_t> outside(LayoutKind::reversed, {1}, {1});
  const IndexOutOfBounds found =
      refusal<std::int32_t>(Op(OpKind::gather, GatherAttrs(config)), {x.read(), outside.read()}, out);
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
  const IndexOutOfBounds found =
      refusal<std::int64_t>(Op(OpKind::gather, GatherAttrs(config)), {x.read(), indices.read()}, out);
  EXPECT_EQ(found.position, 2);
  EXPECT_EQ(found.index, 9);
}

template <class T>
T joined(ScatterCombine combine, T old, T update) {
  if constexpr (std::is_same_v<T, bool>) {
    return update;
  } else {
    switch (combine) {
      case ScatterCombine::set:
        break;
      case ScatterCombine::add:
        if constexpr (is_integer(dtype_of<T>))
          return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(update));
        else
          return old + update;
      case ScatterCombine::mul:
        if constexpr (is_integer(dtype_of<T>))
          return static_cast<T>(static_cast<std::uint64_t>(old) * static_cast<std::uint64_t>(update));
        else
          return old * update;
      case ScatterCombine::min:
      case ScatterCombine::max:
        if constexpr (!is_complex(dtype_of<T>)) {
          if (old != old || update != update) return old + update;
          return (combine == ScatterCombine::min ? update < old : update > old) ? update : old;
        }
    }
    return update;
  }
}

struct ScatterCase {
  ScatterConfig config;
  Shape x, indices, updates;
};

std::vector<ScatterCase> scatter_cases() {
  std::vector<ScatterCase> cases;
  const auto add = [&](Shape x, Shape indices, Shape updates, AxisList window, AxisList inserted, AxisList map,
                       std::uint8_t vector) {
    ScatterConfig config;
    config.update_window_dims = window;
    config.inserted_window_dims = inserted;
    config.scatter_dims_to_operand_dims = map;
    config.index_vector_dim = vector;
    cases.push_back({config, x, indices, updates});
  };
  add({7}, {9}, {9}, {}, {0}, {0}, 1);                              // elements, some twice
  add({4, 6}, {8}, {4, 8}, {0}, {1}, {1}, 1);                       // columns
  add({6, 4}, {5}, {5, 4}, {1}, {0}, {0}, 1);                       // rows
  add({5, 6}, {2, 9}, {9}, {}, {0, 1}, {0, 1}, 0);                  // points
  add({5, 6, 3}, {4, 2, 3}, {2, 4, 3, 2}, {0, 3}, {1}, {2, 0}, 1);  // overlapping windows
  add({9}, {4, 1}, {4, 3}, {1}, {}, {0}, 1);                        // overlapping runs
  add({5, 6}, {}, {5}, {0}, {1}, {1}, 0);
  add({5, 6}, {0}, {0, 6}, {1}, {0}, {0}, 1);
  add({3}, {2}, {2, 0}, {1}, {}, {0}, 1);  // empty windows
  return cases;
}

template <class T>
Values<T> scattered(const ScatterCase& c, const Values<T>& x, const Values<std::int64_t>& indices,
                    const Values<T>& updates) {
  Values<T> result = x;
  Dims sizes(c.x.size(), 1);
  std::size_t next = 0;
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    if (!contains(c.config.inserted_window_dims, k)) sizes[k] = c.updates[c.config.update_window_dims[next++]];
  }
  Shape batch;
  for (std::size_t k = 0; k < c.updates.size(); ++k) {
    if (!contains(c.config.update_window_dims, k)) batch.push_back(c.updates[k]);
  }
  testing::for_each_index(batch, [&](DimsView which, std::int64_t) {
    const Dims starts = starts_of<std::int64_t>(which, c.indices, indices, c.config.index_vector_dim,
                                                c.config.scatter_dims_to_operand_dims, c.x.size());
    if (!fits(starts, sizes, c.x)) return;
    testing::for_each_index(c.updates, [&](DimsView at, std::int64_t linear) {
      const Split parts = split(at, c.config.update_window_dims, c.config.inserted_window_dims, c.x.size());
      if (!std::equal(which.begin(), which.end(), parts.batch.begin(), parts.batch.end())) return;
      Dims target = starts;
      for (std::size_t k = 0; k < target.size(); ++k) target[k] += parts.inside[k];
      T& element = result[static_cast<std::size_t>(linear_of(target, c.x))];
      element = joined(c.config.combine, element, T(updates[static_cast<std::size_t>(linear)]));
    });
  });
  return result;
}

template <class T>
void expect_scatters(std::vector<ScatterCase> cases, std::initializer_list<ScatterCombine> combines) {
  testing::SerialContext context;
  for (ScatterCase& c : cases) {
    Dims sizes(c.x.size(), 1);
    std::size_t next = 0;
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      if (!contains(c.config.inserted_window_dims, k)) sizes[k] = c.updates[c.config.update_window_dims[next++]];
    }
    GatherCase like{{}, c.x, c.indices};
    like.config.start_index_map = c.config.scatter_dims_to_operand_dims;
    like.config.index_vector_dim = c.config.index_vector_dim;
    like.config.slice_sizes = sizes;
    for (const ScatterMode mode : {ScatterMode::check, ScatterMode::drop}) {
      const Values<std::int64_t> indices = some_indices<std::int64_t>(like, mode == ScatterMode::drop);
      for (const ScatterCombine combine : combines) {
        c.config.mode = mode;
        c.config.combine = combine;
        const Op op(OpKind::scatter, ScatterAttrs(c.config));
        (void)shape_of(op, {{dtype_of<T>, c.x}, {DType::i64, c.indices}, {dtype_of<T>, c.updates}});
        // Complex products of this test's oracle and of the kernel differ in NaN parts: no infinities there.
        const bool edges = !is_complex(dtype_of<T>);
        Values<T> x = sample<T>(testing::count_of(c.x), 1, edges);
        Values<T> updates = sample<T>(testing::count_of(c.updates), 2, edges);
        if (combine == ScatterCombine::min || combine == ScatterCombine::max) {
          // Which of two zeros wins is not promised.
          for (Values<T>* values : {&x, &updates}) {
            for (T& value : *values) value = value == T{} ? T{} : value;
          }
        }
        const Values<T> expected = scattered<T>(c, x, indices, updates);
        for (const LayoutKind layout : testing::kLayoutKinds) {
          const Laid<T> source(layout, c.x, x), more(layout, c.updates, updates);
          const Laid<std::int64_t> where(layout, c.indices, indices);
          for (const LayoutKind target : {LayoutKind::compact, layout}) {
            Laid<T> out(target, c.x);
            call(table(), context, op, {source.read(), where.read(), more.read()}, {out.write()});
            ASSERT_EQ(testing::first_difference(out.values(), expected), -1)
                << name(dtype_of<T>) << " " << static_cast<int>(combine) << ", " << testing::name(layout);
            ASSERT_TRUE(out.gaps_intact());
          }
        }
      }
    }
  }
}

TEST(Scatter, EqualsTheDefinitionForEveryDTypeModeAndLayout) {
  using enum ScatterCombine;
  expect_scatters<bool>(scatter_cases(), {set});
  expect_scatters<float>(scatter_cases(), {add, set, mul, min, max});
  expect_scatters<double>(scatter_cases(), {add, set, mul, min, max});
  expect_scatters<std::int32_t>(scatter_cases(), {add, set, mul, min, max});
  expect_scatters<std::int64_t>(scatter_cases(), {add, set, mul, min, max});
  expect_scatters<std::complex<float>>(scatter_cases(), {add, set});
  expect_scatters<std::complex<double>>(scatter_cases(), {add, set, mul});
}

TEST(Scatter, MovesWindowsThatAreLongOrManyByEveryKindOfVectors) {
  const auto config = [](AxisList window, AxisList inserted, AxisList map) {
    ScatterConfig one;
    one.update_window_dims = window;
    one.inserted_window_dims = inserted;
    one.scatter_dims_to_operand_dims = map;
    one.index_vector_dim = 1;
    return one;
  };
  const std::vector<ScatterCase> cases{
      {config({0}, {1}, {1}), {300, 3}, {5}, {300, 5}},              // columns
      {config({1}, {0}, {0}), {7, 5}, {301}, {301, 5}},              // rows
      {config({0, 1}, {}, {0, 1}), {310, 4}, {6, 2}, {290, 2, 6}},   // overlapping windows in front
      {config({1, 2}, {}, {1, 0}), {4, 61}, {17, 2}, {17, 2, 37}}};  // overlapping windows behind
  for (const std::string_view name : simd_targets()) {
    ASSERT_TRUE(internal::use_simd_target(name));
    expect_scatters<bool>(cases, {ScatterCombine::set});
    expect_scatters<double>(cases, {ScatterCombine::set, ScatterCombine::add});
  }
  internal::use_simd_target("");
}

TEST(Scatter, AddsDuplicatesInIndexOrder) {
  ScatterConfig config;
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  const Laid<float> x(LayoutKind::compact, {2}, {1e8F, 0});
  const Laid<std::int64_t> indices(LayoutKind::compact, {3}, {0, 0, 0});
  const Laid<float> updates(LayoutKind::compact, {3}, {1, -1e8F, 1});
  Laid<float> out(LayoutKind::compact, Shape{2});
  testing::SerialContext context;
  call(table(), context, Op(OpKind::scatter, ScatterAttrs(config)), {x.read(), indices.read(), updates.read()},
       {out.write()});
  EXPECT_EQ(out.values()[0], ((1e8F + 1) + -1e8F) + 1);
}

TEST(Scatter, IsTheSameForAnyNumberOfThreads) {
  ScatterConfig config;
  config.update_window_dims = {0};
  config.inserted_window_dims = {1};
  config.scatter_dims_to_operand_dims = {1};
  config.index_vector_dim = 1;
  const Op op(OpKind::scatter, ScatterAttrs(config));
  const Values<double> x = sample<double>(500 * 4, 1, false), updates = sample<double>(500 * 100, 2, false);
  Values<std::int64_t> indices(100);
  for (std::size_t i = 0; i < 100; ++i) indices[i] = static_cast<std::int64_t>(i * i % 4);
  const ScatterCase c{config, {500, 4}, {100}, {500, 100}};
  const Values<double> expected = scattered<double>(c, x, indices, updates);
  const Laid<double> source(LayoutKind::compact, c.x, x), more(LayoutKind::compact, c.updates, updates);
  const Laid<std::int64_t> where(LayoutKind::compact, c.indices, indices);
  for (const int lanes : {1, 3}) {
    testing::ThreadedContext context(lanes);
    Laid<double> out(LayoutKind::compact, c.x);
    call(table(), context, op, {source.read(), where.read(), more.read()}, {out.write()});
    EXPECT_EQ(testing::first_difference(out.values(), expected), -1);
  }
}

TEST(Scatter, NamesTheFirstIndexOutsideAndWritesNothing) {
  ScatterConfig config;
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  const Laid<double> x(LayoutKind::compact, {3}, {1, 2, 3}), updates(LayoutKind::compact, {2}, {1, 1});
  const Laid<std::int64_t> indices(LayoutKind::compact, {2}, {1, std::int64_t{1} << 40});
  Laid<double> out(LayoutKind::compact, {3}, {9, 9, 9});
  const IndexOutOfBounds found =
      refusal<std::int64_t>(Op(OpKind::scatter, ScatterAttrs(config)), {x.read(), indices.read(), updates.read()}, out);
  EXPECT_EQ(found.op, "scatter");
  EXPECT_EQ(found.position, 1);
  EXPECT_EQ(found.index, std::int64_t{1} << 40);
  EXPECT_EQ(found.extent, 3);
}

template <class T, class Int>
void expect_window(const Values<Int>& starts, DimsView expected_start) {
  testing::SerialContext context;
  const Shape shape{5, 6}, size{2, 3};
  const Values<T> x = sample<T>(30, 1), update = sample<T>(6, 2);
  for (const LayoutKind layout : testing::kLayoutKinds) {
    const Laid<T> source(layout, shape, x), part(layout, size, update);
    const Laid<Int> where(layout, {2}, starts);
    Laid<T> window(layout, size), whole(layout, shape);
    call(table(), context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{size}), {source.read(), where.read()},
         {window.write()});
    call(table(), context, Op(OpKind::dynamic_update_slice), {source.read(), part.read(), where.read()},
         {whole.write()});
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
  call(table(), context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{{}}), {x.read(), none.read()}, {out.write()});
  EXPECT_EQ(out.values()[0], 3.0F);
  call(table(), context, Op(OpKind::dynamic_slice, DynamicSliceAttrs{{0}}), {y.read(), nine.read()}, {empty.write()});
  EXPECT_TRUE(empty.gaps_intact());
}

}  // namespace
}  // namespace tenferro
