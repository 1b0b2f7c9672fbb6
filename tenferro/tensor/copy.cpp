// SPDX-License-Identifier: MIT OR Apache-2.0
// Element copies between any two layouts.
#include <cstring>
#include <utility>

#include "tenferro/tensor/internal/copy_loops.hpp"
#include "tenferro/tensor/overlap.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

constexpr std::string_view kOp = "copy_elements";

}  // namespace

void copy_elements(TensorRead source, TensorWrite target) {
  if (source.dtype != target.dtype) raise<TensorErrorInfo>(DTypeMismatch{kOp, 0, target.dtype, source.dtype});
  if (!same_shape(source.shape(), target.shape())) {
    raise<TensorErrorInfo>(ShapesDiffer{kOp, Shape(target.shape()), Shape(source.shape())});
  }
  for (const auto& [operand, placement] : {std::pair{0, source.placement}, std::pair{-1, target.placement}}) {
    if (!host_accessible(placement)) raise<TensorErrorInfo>(PlacementMismatch{kOp, operand, Placement{}, placement});
  }
  const std::int64_t count = source.count();
  if (count == 0) return;
  if (may_overlap(source, target.read())) raise<TensorErrorInfo>(OverlappingStorage{kOp, 0});
  const std::size_t width = element_size(source.dtype);
  if (width == 0) raise<TensorErrorInfo>(BadArgument{kOp, "elements of external types have no known size"});
  if (source.compact() && target.compact()) {
    std::memcpy(target.data, source.data, static_cast<std::size_t>(count) * width);
    return;
  }
  internal::copy_nest(
      width, target.data, source.data,
      internal::copy_loops(source.shape(), internal::strides_of(source), internal::strides_of(target), width));
}

}  // namespace tenferro
