// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <vector>

#include "tests/support/every_target.hpp"
#include "tests/support/index_windows.hpp"

namespace tenferro {
namespace {

using testing::call;
using testing::contains;
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
    for (const ScatterMode mode : {ScatterMode::check, ScatterMode::drop}) {
      const Values<std::int64_t> indices =
          some_starts<std::int64_t>(c.x, sizes, c.config.scatter_dims_to_operand_dims, c.indices,
                                    c.config.index_vector_dim, mode == ScatterMode::drop);
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
            call(internal::kIndexingKernels, context, op, {source.read(), where.read(), more.read()}, {out.write()});
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
  with_every_target([&] {
    expect_scatters<bool>(cases, {ScatterCombine::set});
    expect_scatters<double>(cases, {ScatterCombine::set, ScatterCombine::add});
  });
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
  call(internal::kIndexingKernels, context, Op(OpKind::scatter, ScatterAttrs(config)),
       {x.read(), indices.read(), updates.read()}, {out.write()});
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
    call(internal::kIndexingKernels, context, op, {source.read(), where.read(), more.read()}, {out.write()});
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
      refusal(Op(OpKind::scatter, ScatterAttrs(config)), {x.read(), indices.read(), updates.read()}, out);
  EXPECT_EQ(found.op, "scatter");
  EXPECT_EQ(found.position, 1);
  EXPECT_EQ(found.index, std::int64_t{1} << 40);
  EXPECT_EQ(found.extent, 3);
}

}  // namespace
}  // namespace tenferro
