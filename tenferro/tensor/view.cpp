// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/view.hpp"

#include <algorithm>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

constexpr std::string_view kOp = "view";

void check_address(const void* data, DType dtype) {
  const std::size_t alignment = visit_dtype(dtype, [](auto tag) { return alignof(typename decltype(tag)::type); });
  if (data != nullptr && reinterpret_cast<std::uintptr_t>(data) % alignment == 0) return;
  raise<TensorErrorInfo>(
      BadArgument{kOp, concat(data == nullptr ? "null" : "misaligned", " address (expected a multiple of ", alignment,
                              " for ", name(dtype), ")")});
}

// Every element that the layout reaches lies in [0, size).
void check_reach(const Layout& layout, const Reach& r, std::int64_t size) {
  const bool starts_inside = layout.offset >= 0 && layout.offset < size;
  if (starts_inside && r.first >= -layout.offset && r.last < size - layout.offset) return;
  raise<TensorErrorInfo>(
      ViewOutOfBounds{kOp, saturating_add(layout.offset, r.first), saturating_add(layout.offset, r.last), size});
}

}  // namespace

namespace internal {

template <class Byte>
BasicView<Byte>::BasicView(Byte* data, std::int64_t size, DType dtype, Layout layout, Placement placement) {
  if (dtype == DType::external) raise<TensorErrorInfo>(UnsupportedDType{kOp, -1, dtype, kBuiltInDTypes});
  checked_element_count(kOp, layout.shape, 1);
  if (layout.strides.size() != layout.rank()) {
    raise<TensorErrorInfo>(RankMismatch{kOp, -1, static_cast<std::int64_t>(layout.rank()),
                                        static_cast<std::int64_t>(layout.strides.size())});
  }
  const Reach r = reach(layout.shape, layout.strides);
  if (r.last < r.first) {
    layout.offset = 0;  // nothing is read through an empty view
  } else {
    check_address(data, dtype);
    check_reach(layout, r, size);
    if constexpr (!std::is_const_v<Byte>) {
      if (may_self_overlap(layout.shape, layout.strides)) raise<TensorErrorInfo>(OverlappingStorage{kOp, -1});
    }
  }
  *this = trusted(data, dtype, std::move(layout), placement);
}

template <class Byte>
BasicView<const std::byte> BasicView<Byte>::broadcast_to(DimsView shape) const {
  return BasicView<const std::byte>::trusted(data_, dtype_, tenferro::broadcast_to(layout(), shape), placement_);
}

template <class Byte>
Scalar BasicView<Byte>::item() const {
  require(dtype_);
  if (count() != 1) raise<TensorErrorInfo>(ElementCountMismatch{"item", 1, count()});
  return visit_dtype(dtype_,
                     [&](auto tag) { return Scalar(*reinterpret_cast<const typename decltype(tag)::type*>(data_)); });
}

template <class Byte>
void BasicView<Byte>::fill(Scalar value) const
  requires(!std::is_const_v<Byte>)
{
  const bool exact_integer = is_integer(value.dtype()) && (is_float(dtype_) || is_complex(dtype_)) &&
                             value.as(dtype_).as(value.dtype()) == value;
  if (!exact_integer && !converts_safely(value.dtype(), dtype_)) {
    raise<TensorErrorInfo>(DTypeMismatch{"fill", -1, dtype_, value.dtype()});
  }
  const Tensor one = Tensor::scalar(value.as(dtype_));
  copy_elements(one.view().broadcast_to(shape_), *this);
}

template <class Byte>
void BasicView<Byte>::assign(TensorRead source) const
  requires(!std::is_const_v<Byte>)
{
  copy_elements(source, *this);
}

template <class Byte>
Tensor BasicView<Byte>::copy() const {
  return Tensor::copy_of(*this);
}

template <class Byte>
void BasicView<Byte>::fail(DType wanted) const {
  if (wanted != dtype_) raise<TensorErrorInfo>(DTypeMismatch{kOp, -1, wanted, dtype_});
  raise<TensorErrorInfo>(PlacementMismatch{kOp, -1, Placement{}, placement_});
}

template class BasicView<const std::byte>;
template class BasicView<std::byte>;

}  // namespace internal
}  // namespace tenferro
