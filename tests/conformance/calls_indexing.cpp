// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/payload_calls.hpp"

namespace tenferro::testing {
namespace {

constexpr Domain kAnything{-100, 100, Domain::Edges::all, false, Domain::Edges::all};
constexpr Domain kNumbers{-4, 4};
using Extents = std::initializer_list<std::int64_t>;

Array numbers(DType d, Extents shape, Domain domain = kAnything) {
  return draw_array(d, shape, domain, shape.size() + 7);
}

/// Rows of a matrix: index vectors of one component for axis 0, windows of one row.
GatherConfig rows(std::int64_t columns) {
  GatherConfig config;
  config.offset_dims = {1};
  config.collapsed_slice_dims = {0};
  config.start_index_map = {0};
  config.index_vector_dim = 1;
  config.slice_sizes = {1, columns};
  return config;
}

/// Windows of 2 by 2 at (column, row) pairs that lie along the first axis of the indices.
GatherConfig windows() {
  GatherConfig config;
  config.offset_dims = {0, 2};
  config.start_index_map = {1, 0};
  config.index_vector_dim = 0;
  config.slice_sizes = {2, 2};
  return config;
}

/// Single elements of a matrix at index pairs.
GatherConfig points() {
  GatherConfig config;
  config.collapsed_slice_dims = {0, 1};
  config.start_index_map = {0, 1};
  config.index_vector_dim = 1;
  config.slice_sizes = {1, 1};
  return config;
}

OpCall gathering(std::string label, GatherConfig config, Array x, Array indices) {
  return {std::move(label), Op(OpKind::gather, GatherAttrs(std::move(config))), {std::move(x), std::move(indices)}};
}

ScatterConfig scatter_rows() {
  ScatterConfig config;
  config.update_window_dims = {1};
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  return config;
}

ScatterConfig scatter_windows() {
  ScatterConfig config;
  config.update_window_dims = {0, 2};
  config.scatter_dims_to_operand_dims = {1, 0};
  config.index_vector_dim = 0;
  return config;
}

OpCall scattering(std::string label, ScatterConfig config, Array x, Array indices, Array updates) {
  return {std::move(label),
          Op(OpKind::scatter, ScatterAttrs(std::move(config))),
          {std::move(x), std::move(indices), std::move(updates)}};
}

bool combines(ScatterCombine combine, DType d) {
  switch (combine) {
    case ScatterCombine::set:
      return true;
    case ScatterCombine::add:
    case ScatterCombine::mul:
      return d != DType::boolean;
    case ScatterCombine::min:
    case ScatterCombine::max:
      return d != DType::boolean && !is_complex(d);
  }
  return false;
}

}  // namespace

Calls gather_calls(DType d) {
  Calls calls;
  for (const DType index : {DType::i64, DType::i32}) {
    calls.push_back(gathering("rows", rows(3), numbers(d, {5, 3}), index_array({4}, {0, 4, 2, 2}, index)));
  }
  calls.push_back(gathering("rows, vector axis written out", rows(3), numbers(d, {5, 3}), index_array({2, 1}, {4, 1})));
  calls.push_back(gathering("windows", windows(), numbers(d, {4, 5}), index_array({2, 3}, {0, 0, 3, 2, 1, 1})));
  calls.push_back(gathering("points", points(), numbers(d, {4, 5}), index_array({3, 2}, {0, 3, 1, 4, 0, 2})));
  GatherConfig clamp = windows();
  clamp.mode = GatherMode::clamp;
  calls.push_back(gathering("clamped windows", clamp, numbers(d, {4, 5}),
                            index_array({2, 4}, {-3, 0, 4, 9, 1, 1, 1LL << 40, -(1LL << 40)})));
  GatherConfig fill = rows(3);
  fill.mode = GatherMode::fill;
  fill.fill = Scalar(std::int32_t{1}).as(d);
  calls.push_back(gathering("filled rows", fill, numbers(d, {5, 3}), index_array({5}, {-1, 0, 5, 4, 1LL << 40})));
  GatherConfig filled_windows = windows();
  filled_windows.mode = GatherMode::fill;
  filled_windows.fill = fill.fill;
  calls.push_back(
      gathering("filled windows", filled_windows, numbers(d, {4, 5}), index_array({2, 4}, {-1, 0, 4, 3, 1, 1, 3, 2})));
  calls.push_back(gathering("no index", rows(3), numbers(d, {5, 3}), index_array({0}, {})));
  calls.push_back(gathering(
      "one index of rank 0",
      [] {
        GatherConfig config = rows(3);
        config.offset_dims = {0};
        config.index_vector_dim = 0;
        return config;
      }(),
      numbers(d, {5, 3}), index_array({}, {3})));
  return calls;
}

Calls large_gathers(DType d) {
  Array indices(DType::i64, Shape{997});
  Draw draw(3);
  for (Cell& cell : indices.cells) cell.n = draw.whole(0, 210);
  return {gathering("rows", rows(61), numbers(d, {211, 61}), indices)};
}

Calls scatter_calls(DType d) {
  Calls calls;
  for (const ScatterCombine combine :
       {ScatterCombine::add, ScatterCombine::set, ScatterCombine::mul, ScatterCombine::min, ScatterCombine::max}) {
    if (!combines(combine, d)) continue;
    const std::string how = " combine " + std::to_string(static_cast<int>(combine));
    ScatterConfig config = scatter_rows();
    config.combine = combine;
    calls.push_back(scattering("rows" + how, config, numbers(d, {5, 3}, kNumbers), index_array({4}, {0, 4, 2, 2}),
                               numbers(d, {4, 3}, kNumbers)));
    ScatterConfig overlapping = scatter_windows();
    overlapping.combine = combine;
    calls.push_back(scattering("windows that overlap" + how, overlapping, numbers(d, {4, 5}, kNumbers),
                               index_array({2, 3}, {0, 0, 1, 1, 0, 1}, DType::i32), numbers(d, {2, 3, 2}, kNumbers)));
    config.mode = ScatterMode::drop;
    calls.push_back(scattering("dropped rows" + how, config, numbers(d, {5, 3}, kNumbers),
                               index_array({4}, {-1, 5, 2, 1LL << 40}), numbers(d, {4, 3}, kNumbers)));
    overlapping.mode = ScatterMode::drop;
    calls.push_back(scattering("dropped windows" + how, overlapping, numbers(d, {4, 5}, kNumbers),
                               index_array({2, 3}, {4, 0, 1, 3, -1, 1}), numbers(d, {2, 3, 2}, kNumbers)));
  }
  ScatterConfig plain = scatter_rows();
  plain.combine = ScatterCombine::set;
  calls.push_back(scattering("no update", plain, numbers(d, {5, 3}), index_array({0}, {}), numbers(d, {0, 3})));
  calls.push_back(scattering("empty windows", plain, numbers(d, {5, 0}), index_array({2}, {4, 0}), numbers(d, {2, 0})));
  return calls;
}

Calls large_scatters(DType d) {
  Array indices(DType::i64, Shape{997});
  Draw draw(3);
  for (Cell& cell : indices.cells) cell.n = draw.whole(0, 210);
  ScatterConfig config = scatter_rows();
  config.combine = combines(ScatterCombine::add, d) ? ScatterCombine::add : ScatterCombine::set;
  return {scattering("rows", config, numbers(d, {211, 61}, kNumbers), indices, numbers(d, {997, 61}, kNumbers))};
}

Calls dynamic_slice_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents shape, Extents starts, Extents sizes, DType index) {
    calls.push_back({shape_text(DimsView(starts.begin(), starts.size())),
                     Op(OpKind::dynamic_slice, DynamicSliceAttrs{Dims(sizes)}),
                     {numbers(d, shape), index_array({static_cast<std::int64_t>(starts.size())}, starts, index)}});
  };
  add({4, 5}, {1, 2}, {2, 3}, DType::i64);
  add({4, 5}, {-3, 9}, {2, 3}, DType::i32);
  add({4, 5}, {1LL << 40, -(1LL << 40)}, {4, 1}, DType::i64);
  add({4, 5}, {1, 1}, {0, 2}, DType::i64);
  add({}, {}, {}, DType::i64);
  add({0}, {3}, {0}, DType::i64);
  return calls;
}
Calls large_dynamic_slices(DType d) {
  return {{"",
           Op(OpKind::dynamic_slice, DynamicSliceAttrs{Dims{200, 190}}),
           {numbers(d, {211, 199}), index_array({2}, {3, 99})}}};
}

Calls dynamic_update_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents shape, Extents update, Extents starts, DType index) {
    calls.push_back({shape_text(DimsView(starts.begin(), starts.size())),
                     Op(OpKind::dynamic_update_slice),
                     {numbers(d, shape), draw_array(d, update, kAnything, 99),
                      index_array({static_cast<std::int64_t>(starts.size())}, starts, index)}});
  };
  add({4, 5}, {2, 3}, {1, 2}, DType::i64);
  add({4, 5}, {2, 3}, {-3, 9}, DType::i32);
  add({4, 5}, {4, 5}, {1, 1}, DType::i64);
  add({4, 5}, {0, 5}, {1, 1}, DType::i64);
  add({}, {}, {}, DType::i64);
  add({0}, {0}, {3}, DType::i64);
  return calls;
}
Calls large_dynamic_updates(DType d) {
  return {{"",
           Op(OpKind::dynamic_update_slice),
           {numbers(d, {211, 199}), numbers(d, {100, 150}), index_array({2}, {3, 99})}}};
}

Calls gather_dynamic_calls(DType d) {
  Calls calls;
  const auto add = [&](std::string label, GatherConfig gather, std::vector<DimExpr> sizes, Array x, Array indices) {
    gather.slice_sizes = {};
    calls.push_back({std::move(label),
                     Op(OpKind::gather_dynamic_slice_sizes,
                        GatherDynamicAttrs(GatherDynamicConfig{std::move(gather), std::move(sizes)})),
                     {std::move(x), std::move(indices)}});
  };
  add("rows", rows(0), {1, DimExpr::extent(0, 1)}, numbers(d, {5, 3}), index_array({4}, {0, 4, 2, 2}));
  add("half rows", rows(0), {1, floor_div(DimExpr::extent(0, 1), 2)}, numbers(d, {5, 6}), index_array({2}, {1, 3}));
  add("as wide as the indices", windows(), {2, DimExpr::extent(1, 1)}, numbers(d, {4, 5}),
      index_array({2, 2}, {0, 0, 3, 2}, DType::i32));
  add("no index", rows(0), {1, DimExpr::extent(0, 1)}, numbers(d, {5, 3}), index_array({0}, {}));
  return calls;
}
Calls large_gathers_dynamic(DType d) {
  OpCall call = large_gathers(d)[0];
  GatherConfig gather = rows(0);
  gather.slice_sizes = {};
  call.op = Op(OpKind::gather_dynamic_slice_sizes,
               GatherDynamicAttrs(GatherDynamicConfig{gather, {1, DimExpr::extent(0, 1)}}));
  return {std::move(call)};
}

}  // namespace tenferro::testing
