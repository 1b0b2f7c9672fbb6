// SPDX-License-Identifier: MIT OR Apache-2.0
// Reading and writing of windows at positions that are data; axis numbers as StableHLO's specification of gather and
// scatter defines them.
#include <algorithm>
#include <cmath>

#include "tests/conformance/oracles.hpp"

namespace tenferro::testing {
namespace {

bool contains(const AxisList& list, std::size_t axis) { return std::count(list.begin(), list.end(), axis) != 0; }

/// The batch axes of an index of the window-carrying tensor, and the others.
void split(DimsView index, const AxisList& window_axes, Dims& batch, Dims& window) {
  for (std::size_t k = 0; k < index.size(); ++k) (contains(window_axes, k) ? window : batch).push_back(index[k]);
}

/// Where the window of one batch index starts, per axis of the operand.
Dims window_start(const Array& indices, std::size_t vector_dim, const AxisList& map, const Dims& batch,
                  std::size_t rank) {
  Dims start(rank, 0);
  for (std::size_t c = 0; c < map.size(); ++c) {
    Dims at = batch;
    if (vector_dim < indices.rank()) at.insert(vector_dim, static_cast<std::int64_t>(c));
    start[map[c]] = indices.at(at).n;
  }
  return start;
}

/// The window's own index spread over the operand's axes, 0 on the dropped ones.
Dims window_offset(const Dims& window, const AxisList& dropped, std::size_t rank) {
  Dims offset;
  std::size_t next = 0;
  for (std::size_t k = 0; k < rank; ++k) offset.push_back(contains(dropped, k) ? 0 : window[next++]);
  return offset;
}

bool inside(const Dims& start, DimsView sizes, DimsView shape) {
  for (std::size_t k = 0; k < start.size(); ++k) {
    if (start[k] < 0 || start[k] + sizes[k] > shape[k]) return false;
  }
  return true;
}

Dims clamped(Dims start, DimsView sizes, DimsView shape) {
  for (std::size_t k = 0; k < start.size(); ++k) {
    start[k] = std::max<std::int64_t>(0, std::min(start[k], shape[k] - sizes[k]));
  }
  return start;
}

Dims sum(Dims a, const Dims& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

void combine(ScatterCombine how, DType d, Cell& into, const Cell& update) {
  const auto a = static_cast<std::uint64_t>(into.n), b = static_cast<std::uint64_t>(update.n);
  const auto wins = [&](bool larger) {
    if (is_whole(d)) return larger ? update.n > into.n : update.n < into.n;
    const Real old = into.z.real(), now = update.z.real();
    return !std::isnan(old) && (std::isnan(now) || (larger ? now > old : now < old));
  };
  switch (how) {
    case ScatterCombine::add:
      into.z += update.z;
      into.n = static_cast<Whole>(a + b);
      break;
    case ScatterCombine::mul:
      into.z *= update.z;
      into.n = static_cast<Whole>(a * b);
      break;
    case ScatterCombine::set:
      into = update;
      break;
    case ScatterCombine::min:
    case ScatterCombine::max:
      if (wins(how == ScatterCombine::max)) into = update;
      break;
  }
}

Dims starts_of(const Array& starts) {
  Dims result;
  for (const Cell& cell : starts.cells) result.push_back(cell.n);
  return result;
}

}  // namespace

Arrays gathered(const Op& op, const Arrays& in) {
  const Array &x = in[0], &indices = in[1];
  const auto* dynamic = std::get_if<GatherDynamicAttrs>(&op.attrs);
  const GatherConfig& config = dynamic != nullptr ? (*dynamic)->gather : *op.as<GatherAttrs>();
  Dims sizes = config.slice_sizes;
  if (dynamic != nullptr) {
    const MetaView metas[] = {{x.dtype, x.shape}, {indices.dtype, indices.shape}};
    sizes.clear();
    for (const DimExpr& size : (*dynamic)->slice_sizes) sizes.push_back(size.evaluate(metas));
  }
  Dims batch_shape(indices.shape);
  if (config.index_vector_dim < indices.rank()) batch_shape.erase(config.index_vector_dim);
  Dims window_shape;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (!contains(config.collapsed_slice_dims, k)) window_shape.push_back(sizes[k]);
  }
  Shape shape;
  std::size_t next_batch = 0, next_window = 0;
  for (std::size_t k = 0; k < batch_shape.size() + window_shape.size(); ++k) {
    shape.push_back(contains(config.offset_dims, k) ? window_shape[next_window++] : batch_shape[next_batch++]);
  }
  const Cell fill = array_of(Tensor::scalar(config.fill)).cells[0];
  Array out(x.dtype, shape);
  for_each_index(shape, [&](DimsView index, std::int64_t) {
    Dims batch, window;
    split(index, config.offset_dims, batch, window);
    Dims start = window_start(indices, config.index_vector_dim, config.start_index_map, batch, x.rank());
    if (config.mode == GatherMode::clamp) start = clamped(start, sizes, x.shape);
    const bool reads = inside(start, sizes, x.shape);
    out.at(index) = reads ? x.at(sum(start, window_offset(window, config.collapsed_slice_dims, x.rank()))) : fill;
  });
  return {std::move(out)};
}

Arrays scattered(const Op& op, const Arrays& in) {
  const ScatterConfig& config = *op.as<ScatterAttrs>();
  const Array &indices = in[1], &updates = in[2];
  Array out = in[0];
  Dims sizes;
  std::size_t next = 0;
  for (std::size_t k = 0; k < out.rank(); ++k) {
    sizes.push_back(contains(config.inserted_window_dims, k) ? 1 : updates.shape[config.update_window_dims[next++]]);
  }
  Dims batch_shape, window_shape;
  split(updates.shape, config.update_window_dims, batch_shape, window_shape);
  for_each_index(batch_shape, [&](DimsView batch, std::int64_t) {  // equal targets combine in this order
    const Dims start =
        window_start(indices, config.index_vector_dim, config.scatter_dims_to_operand_dims, Dims(batch), out.rank());
    if (!inside(start, sizes, out.shape)) return;  // legal calls reach this with the mode `drop` only
    for_each_index(window_shape, [&](DimsView window, std::int64_t) {
      Dims index;
      std::size_t next_batch = 0, next_window = 0;
      for (std::size_t k = 0; k < updates.rank(); ++k) {
        index.push_back(contains(config.update_window_dims, k) ? window[next_window++] : batch[next_batch++]);
      }
      const Dims target = sum(start, window_offset(Dims(window), config.inserted_window_dims, out.rank()));
      combine(config.combine, out.dtype, out.at(target), updates.at(index));
    });
  });
  return {std::move(out)};
}

Arrays sliced_at(const Op& op, const Arrays& in) {
  const Dims& sizes = op.as<DynamicSliceAttrs>().sizes;
  const Dims start = clamped(starts_of(in[1]), sizes, in[0].shape);
  Array out(in[0].dtype, sizes);
  for_each_index(sizes, [&](DimsView index, std::int64_t) { out.at(index) = in[0].at(sum(start, Dims(index))); });
  return {std::move(out)};
}

Arrays updated_at(const Op&, const Arrays& in) {
  const Dims start = clamped(starts_of(in[2]), in[1].shape, in[0].shape);
  Array out = in[0];
  for_each_index(in[1].shape, [&](DimsView index, std::int64_t) { out.at(sum(start, Dims(index))) = in[1].at(index); });
  return {std::move(out)};
}

}  // namespace tenferro::testing
