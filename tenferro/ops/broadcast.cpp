// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/broadcast.hpp"

#include "tenferro/ops/internal/infer_support.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro::internal {

void require_stretches(std::string_view op, DimsView from, DimsView to) {
  const auto stretched = broadcast_shape(from, to);
  if (stretched && same_shape(*stretched, to)) return;
  raise<OpErrorInfo>(
      ShapeMismatch{op, Shape(from), Shape(to), "a shape that the operand stretches to, aligned at the last axis"});
}

TensorMeta common_meta(const Op& op, std::span<const MetaView> in, std::size_t first_promoted) {
  TensorMeta common{in[first_promoted].dtype, Shape(in[0].shape)};
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i > first_promoted) common.dtype = promote(common.dtype, in[i].dtype);
    if (i == 0) continue;
    auto stretched = broadcast_shape(common.shape, in[i].shape);
    if (!stretched) {
      raise<OpErrorInfo>(ShapeMismatch{op.name(), common.shape, Shape(in[i].shape),
                                       "extents that are equal or 1, aligned at the last axis"});
    }
    common.shape = std::move(*stretched);
  }
  // Stretching may ask for more than any tensor holds; the widest element is that of c64.
  if (OpFailure failure = check_shape(op, DType::c64, common.shape)) throw_failure(std::move(failure));
  return common;
}

Shape unsqueezed_shape(DimsView shape, AxisSet added) {
  Shape out;
  const std::size_t rank = shape.size() + added.size();
  std::size_t next = 0;
  for (std::size_t k = 0; k < rank; ++k) out.push_back(added.contains(k) ? 1 : shape[next++]);
  return out;
}

TensorView unsqueezed_view(const TensorRead& x, AxisSet added) {
  Layout layout = layout_of(x);
  layout.shape = unsqueezed_shape(layout.shape, added);
  for (std::size_t k = 0; k < layout.shape.size(); ++k) {
    if (added.contains(k)) layout.strides.insert(k, 0);
  }
  return TensorView::trusted(x.data, x.dtype, std::move(layout), x.placement);
}

TensorView part_view(const TensorRead& x, std::size_t axis, std::int64_t start, std::int64_t limit) {
  Layout layout = layout_of(x);
  layout.offset = start * layout.strides[axis];
  layout.shape[axis] = limit - start;
  return TensorView::trusted(x.data, x.dtype, std::move(layout), x.placement);
}

}  // namespace tenferro::internal
