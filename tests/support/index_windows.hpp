// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What tests of gather and scatter share: windows by their definition, index by index, and refused indices.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <variant>

#include "tests/support/kernel_calls.hpp"

namespace tenferro::testing {

/// Whether the list names the axis.
inline bool contains(const AxisList& list, std::size_t axis) {
  return std::find(list.begin(), list.end(), axis) != list.end();
}

/// The index vector of one window: `batch` are the indices along the axes of the indices other than the vector axis.
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

/// Splits the index of a result (or of updates) into that of the window among windows, and that inside the window
/// spread over the operand's axes.
struct Split {
  Dims batch, inside;
};
inline Split split(DimsView at, const AxisList& window_dims, const AxisList& missing, std::size_t rank) {
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

/// Whether a window of these sizes lies inside.
inline bool fits(DimsView starts, DimsView sizes, DimsView extents) {
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (starts[k] < 0 || starts[k] > extents[k] - sizes[k]) return false;
  }
  return true;
}

/// The shape that inference gives for these operands, which it must accept.
inline Shape shape_of(const Op& op, std::initializer_list<MetaView> in) {
  TensorMeta meta;
  const OpFailure failure = infer(op, {in.begin(), in.size()}, {&meta, 1});
  EXPECT_EQ(failure, nullptr);
  return meta.shape;
}

/// Whole numbers around the valid starts of windows of these sizes in `extents`, some outside if asked for.
template <class Int>
Values<Int> some_starts(DimsView extents, DimsView sizes, const AxisList& map, DimsView indices_shape,
                        std::size_t vector_axis, bool outside) {
  Values<Int> indices(static_cast<std::size_t>(count_of(indices_shape)));
  for_each_index(indices_shape, [&](DimsView at, std::int64_t linear) {
    const std::size_t axis = map[vector_axis < at.size() ? static_cast<std::size_t>(at[vector_axis]) : 0];
    const std::int64_t starts = extents[axis] - sizes[axis] + 1;
    const std::int64_t value = (linear * 7 + 3) % (outside ? starts + 4 : starts) - (outside ? 2 : 0);
    indices[static_cast<std::size_t>(linear)] = static_cast<Int>(value);
  });
  return indices;
}

/// Runs the kernel, which must refuse, and gives the payload; the output must be untouched.
inline IndexOutOfBounds refusal(const Op& op, std::initializer_list<TensorRead> in, Laid<double>& out) {
  SerialContext context;
  const Values<double> before = out.values();
  IndexOutOfBounds found{};
  try {
    call(internal::kIndexingKernels, context, op, in, {out.write()});
    ADD_FAILURE() << "not refused";
  } catch (const OpError& error) {
    found = std::get<IndexOutOfBounds>(error.info());
  }
  EXPECT_EQ(first_difference(out.values(), before), -1);
  return found;
}

}  // namespace tenferro::testing
