// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/indexing.hpp"

namespace tenferro::internal {
namespace {

AxisList counting(std::size_t first, std::size_t last) {
  AxisList axes;
  for (std::size_t k = first; k < last; ++k) axes.push_back(static_cast<std::uint8_t>(k));
  return axes;
}

}  // namespace

Op gather_op(const MetaView& x, GatherConfig config) {
  if (config.mode == GatherMode::fill) config.fill = weak_scalar("gather", config.fill, x.dtype);
  return {OpKind::gather, GatherAttrs(std::move(config))};
}

Op gather_dynamic_op(const MetaView& x, GatherDynamicConfig config) {
  if (config.gather.mode == GatherMode::fill) {
    config.gather.fill = weak_scalar("gather_dynamic_slice_sizes", config.gather.fill, x.dtype);
  }
  return {OpKind::gather_dynamic_slice_sizes, GatherDynamicAttrs(std::move(config))};
}

Op take_op(std::string_view name, const MetaView& x, const MetaView& indices, IndexRank rank, std::int64_t axis,
           GatherMode mode, const Scalar& fill) {
  const std::uint8_t k = axis_of(name, axis, x.rank());
  if (rank == IndexRank::one && indices.rank() != 1) {
    raise<OpErrorInfo>(RankMismatch{name, 1, 1, static_cast<std::int64_t>(indices.rank())});
  }
  GatherConfig config;
  for (std::size_t i = 0; i + 1 < x.rank(); ++i) {
    config.offset_dims.push_back(static_cast<std::uint8_t>(i < k ? i : i + indices.rank()));
  }
  config.collapsed_slice_dims = {k};
  config.start_index_map = {k};
  config.index_vector_dim = static_cast<std::uint8_t>(indices.rank());
  config.slice_sizes = Dims(x.shape);
  config.slice_sizes[k] = 1;
  config.mode = mode;
  config.fill = fill;
  return gather_op(x, std::move(config));
}

Op one_of_axis_op(const MetaView& x, std::int64_t axis, std::int64_t index) {
  const std::size_t k = axis_of("take_axis", axis, x.rank());
  const std::int64_t extent = x.shape[k];
  if (index < -extent || index >= extent) raise<OpErrorInfo>(IndexOutOfBounds{"take_axis", 1, 0, index, extent});
  SliceConfig config{Dims(x.rank(), 0), Dims(x.shape), Dims(x.rank(), 1)};
  config.starts[k] = index < 0 ? index + extent : index;
  config.limits[k] = config.starts[k] + 1;
  return {OpKind::slice, SliceAttrs(std::move(config))};
}

AlongAxis along_axis(std::string_view op, const MetaView& x, const MetaView& indices, std::int64_t axis) {
  AlongAxis plan;
  plan.axis = axis_of(op, axis, x.rank());
  if (indices.rank() != x.rank()) {
    raise<OpErrorInfo>(RankMismatch{op, 1, static_cast<std::int64_t>(x.rank()),  //
                                    static_cast<std::int64_t>(indices.rank())});
  }
  if (x.rank() == kMaxRank) raise<OpErrorInfo>(InvalidShape{op, Shape(x.shape)});
  plan.components.push_back(plan.axis);
  for (std::size_t k = 0; k < x.rank(); ++k) {
    const std::int64_t have = x.shape[k], asked = indices.shape[k];
    if (k == plan.axis || have == 1) {
      plan.batch.push_back(asked);
    } else if (have == asked || asked == 1) {
      plan.batch.push_back(have);
    } else {
      raise<OpErrorInfo>(ShapeMismatch{op, Shape(x.shape), Shape(indices.shape),
                                       "extents that are equal or 1 on every axis but that of the indices"});
    }
    if (k != plan.axis && have != 1) plan.components.push_back(static_cast<std::uint8_t>(k));
  }
  return plan;
}

Op take_along_op(const MetaView& x, const AlongAxis& plan, GatherMode mode, const Scalar& fill) {
  GatherConfig config;
  config.collapsed_slice_dims = counting(0, x.rank());
  config.start_index_map = plan.components;
  config.index_vector_dim = static_cast<std::uint8_t>(plan.batch.size());
  config.slice_sizes.resize(x.rank(), 1);
  config.mode = mode;
  config.fill = fill;
  return gather_op(x, std::move(config));
}

Op put_along_op(const MetaView& x, const AlongAxis& plan, ScatterCombine combine) {
  ScatterConfig config;
  config.inserted_window_dims = counting(0, x.rank());
  config.scatter_dims_to_operand_dims = plan.components;
  config.index_vector_dim = static_cast<std::uint8_t>(plan.batch.size());
  config.combine = combine;
  return {OpKind::scatter, ScatterAttrs(std::move(config))};
}

Op component_iota_op(const AlongAxis& plan, std::uint8_t axis) {
  Shape shape = plan.batch;
  shape.push_back(1);
  return {OpKind::iota, IotaAttrs{std::move(shape), DType::i64, axis}};
}

}  // namespace tenferro::internal
