// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>

#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro::internal {
namespace {

bool increasing(const AxisList& axes) noexcept {
  return std::adjacent_find(axes.begin(), axes.end(), [](auto a, auto b) { return a >= b; }) == axes.end();
}

/// The shape of the indices without their vector axis; `components` is the extent of that axis, which may be implied.
OpFailure split_indices(const Op& op, const MetaView& indices, std::size_t vector_axis, Shape& batch,
                        std::int64_t& components) {
  if (OpFailure failure = check_index_dtype(op, 1, indices.dtype)) return failure;
  if (OpFailure failure = check_axis(op, vector_axis, indices.rank() + 1)) return failure;
  batch.clear();
  components = 1;
  for (std::size_t k = 0; k < indices.rank(); ++k) {
    if (k == vector_axis) {
      components = indices.shape[k];
    } else {
      batch.push_back(indices.shape[k]);
    }
  }
  return nullptr;
}

OpFailure check_index_map(const Op& op, const AxisList& map, std::int64_t components, std::size_t rank) {
  if (static_cast<std::int64_t>(map.size()) != components) {
    return bad_argument(op, "an index vector needs one component per mapped axis (expected ", map.size(), ", got ",
                        components, ")");
  }
  AxisSet seen;
  return check_axis_list(op, map, rank, &seen);
}

OpFailure gather(const Op& op, const GatherConfig& config, DimsView sizes, std::span<const MetaView> in,
                 TensorMeta& out) {
  const MetaView& x = in[0];
  Shape batch;
  std::int64_t components = 0;
  if (OpFailure failure = split_indices(op, in[1], config.index_vector_dim, batch, components)) return failure;
  if (OpFailure failure = check_index_map(op, config.start_index_map, components, x.rank())) return failure;
  if (sizes.size() != x.rank()) {
    return bad_argument(op, "slice_sizes needs one entry per axis (expected ", x.rank(), ", got ", sizes.size(), ")");
  }
  AxisSet collapsed;
  if (OpFailure failure = check_axis_list(op, config.collapsed_slice_dims, x.rank(), &collapsed)) return failure;
  // Without a single window nothing is read, and an empty operand is as good as any other.
  const bool reads = std::find(batch.begin(), batch.end(), 0) == batch.end();
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (sizes[k] < 0 || (reads && sizes[k] > x.shape[k])) {
      return bad_argument(op, "the window does not fit (expected a size of 0 to ", x.shape[k], " on axis ", k, ", got ",
                          sizes[k], ")");
    }
    if (collapsed.contains(k) && sizes[k] != 1) {
      return bad_argument(op, "a collapsed axis has another size than 1 (axis ", k, ", got ", sizes[k], ")");
    }
  }
  const std::size_t windowed = x.rank() - collapsed.size();
  const std::size_t rank = batch.size() + windowed;
  if (config.offset_dims.size() != windowed) {
    return bad_argument(op, "offset_dims needs one entry per axis that is not collapsed (expected ", windowed, ", got ",
                        config.offset_dims.size(), ")");
  }
  AxisSet offset;
  if (OpFailure failure = check_axis_list(op, config.offset_dims, std::min(rank, kMaxRank), &offset)) return failure;
  if (!increasing(config.offset_dims)) {
    return bad_argument(op, "offset_dims must increase (got ", list_text(config.offset_dims), ")");
  }
  if (config.mode == GatherMode::fill) {
    if (OpFailure failure = check_same_dtype(op, -1, x.dtype, config.fill.dtype())) return failure;
  }
  Shape& shape = out.shape;
  shape.clear();
  std::size_t axis = 0, next_batch = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    if (k >= kMaxRank || !offset.contains(k)) {
      shape.push_back(next_batch < batch.size() ? batch[next_batch++] : 1);
      continue;
    }
    while (collapsed.contains(axis)) ++axis;
    shape.push_back(sizes[axis++]);
  }
  return check_shape(op, x.dtype, shape);
}

OpFailure check_combine(const Op& op, ScatterCombine combine, DType dtype) {
  DTypeSet accepted = admitted(DTypeRule::any);
  switch (combine) {
    case ScatterCombine::set:
      break;
    case ScatterCombine::add:
    case ScatterCombine::mul:
      accepted = admitted(DTypeRule::num);
      break;
    case ScatterCombine::min:
    case ScatterCombine::max:
      accepted = admitted(DTypeRule::real);
      break;
  }
  if (accepted.contains(dtype)) return nullptr;
  return op_failure(UnsupportedDType{op.name(), 0, dtype, accepted});
}

OpFailure check_starts(const Op& op, const MetaView& x, std::size_t operand, const MetaView& starts) {
  if (OpFailure failure = check_index_dtype(op, operand, starts.dtype)) return failure;
  const Shape wanted{static_cast<std::int64_t>(x.rank())};
  if (same_shape(starts.shape, wanted)) return nullptr;
  return op_failure(
      ShapeMismatch{op.name(), Shape(x.shape), Shape(starts.shape), concat("starts of shape ", list_text(wanted))});
}

}  // namespace

OpFailure infer_gather(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const GatherConfig& config = *op.as<GatherAttrs>();
  return gather(op, config, config.slice_sizes, in, out[0]);
}

OpFailure infer_gather_dynamic(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const GatherDynamicConfig& config = *op.as<GatherDynamicAttrs>();
  Dims sizes;
  for (const DimExpr& size : config.slice_sizes) {
    auto value = attempt<OpErrorInfo>([&] { return size.evaluate(in); });
    if (!value) return std::make_unique<OpErrorInfo>(std::move(value.error()));
    sizes.push_back(*value);
  }
  return gather(op, config.gather, sizes, in, out[0]);
}

OpFailure infer_scatter(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const ScatterConfig& config = *op.as<ScatterAttrs>();
  const MetaView &x = in[0], &updates = in[2];
  if (OpFailure failure = check_combine(op, config.combine, x.dtype)) return failure;
  if (OpFailure failure = check_same_dtype(op, 2, x.dtype, updates.dtype)) return failure;
  Shape batch;
  std::int64_t components = 0;
  if (OpFailure failure = split_indices(op, in[1], config.index_vector_dim, batch, components)) return failure;
  if (OpFailure failure = check_index_map(op, config.scatter_dims_to_operand_dims, components, x.rank())) {
    return failure;
  }
  AxisSet inserted, window;
  if (OpFailure failure = check_axis_list(op, config.inserted_window_dims, x.rank(), &inserted)) return failure;
  if (config.update_window_dims.size() != x.rank() - inserted.size()) {
    return bad_argument(op, "update_window_dims needs one entry per axis that is not inserted (expected ",
                        x.rank() - inserted.size(), ", got ", config.update_window_dims.size(), ")");
  }
  if (OpFailure failure = check_rank(op, 2, updates.rank(), batch.size() + config.update_window_dims.size())) {
    return failure;
  }
  if (OpFailure failure = check_axis_list(op, config.update_window_dims, updates.rank(), &window)) return failure;
  if (!increasing(config.update_window_dims)) {
    return bad_argument(op, "update_window_dims must increase (got ", list_text(config.update_window_dims), ")");
  }
  std::size_t axis = 0, next_batch = 0;
  for (std::size_t k = 0; k < updates.rank(); ++k) {
    bool fits = false;
    if (window.contains(k)) {
      while (inserted.contains(axis)) ++axis;
      fits = updates.shape[k] <= x.shape[axis++];
    } else {
      fits = updates.shape[k] == batch[next_batch++];
    }
    if (!fits) {
      return op_failure(ShapeMismatch{
          op.name(), Shape(x.shape), Shape(updates.shape),
          concat("updates with windows inside the operand and one window per index vector of ", list_text(batch))});
    }
  }
  out[0].shape.assign(x.shape.data(), x.rank());
  return nullptr;
}

OpFailure infer_dynamic_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const Dims& sizes = op.as<DynamicSliceAttrs>().sizes;
  if (OpFailure failure = check_starts(op, in[0], 1, in[1])) return failure;
  if (sizes.size() != in[0].rank()) {
    return bad_argument(op, "sizes needs one entry per axis (expected ", in[0].rank(), ", got ", sizes.size(), ")");
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < 0 || sizes[k] > in[0].shape[k]) {
      return bad_argument(op, "the window does not fit (expected a size of 0 to ", in[0].shape[k], " on axis ", k,
                          ", got ", sizes[k], ")");
    }
  }
  out[0].shape = sizes;
  return nullptr;
}

OpFailure infer_dynamic_update_slice(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const MetaView &x = in[0], &update = in[1];
  if (OpFailure failure = check_same_dtype(op, 1, x.dtype, update.dtype)) return failure;
  if (OpFailure failure = check_rank(op, 1, update.rank(), x.rank())) return failure;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (update.shape[k] > x.shape[k]) {
      return op_failure(
          ShapeMismatch{op.name(), Shape(x.shape), Shape(update.shape), "an update that fits inside the operand"});
    }
  }
  if (OpFailure failure = check_starts(op, x, 2, in[2])) return failure;
  out[0].shape.assign(x.shape.data(), x.rank());
  return nullptr;
}

}  // namespace tenferro::internal
