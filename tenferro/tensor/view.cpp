// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/view.hpp"

namespace tenferro::internal {

template <class Byte>
BasicView<Byte>::BasicView(Byte* data, std::int64_t size, DType dtype, Layout layout, Placement placement) {
  constexpr std::string_view kOp = "view";
  checked_element_count(kOp, layout.shape, 1);
  if (layout.strides.size() != layout.rank()) {
    raise<TensorErrorInfo>(RankMismatch{kOp, 0, static_cast<std::int64_t>(layout.rank()),
                                        static_cast<std::int64_t>(layout.strides.size())});
  }
  const Reach r = reach(layout.shape, layout.strides);
  if (r.last < r.first) {
    layout.offset = 0;
  } else if (layout.offset < 0 || layout.offset >= size || r.first < -layout.offset || r.last >= size - layout.offset) {
    std::int64_t last = 0;
    std::int64_t first = 0;
    if (__builtin_add_overflow(layout.offset, r.first, &first)) first = r.first;
    if (__builtin_add_overflow(layout.offset, r.last, &last)) last = r.last;
    raise<TensorErrorInfo>(ViewOutOfBounds{kOp, first, last, size});
  }
  if constexpr (!std::is_const_v<Byte>) {
    if (may_self_overlap(layout.shape, layout.strides)) raise<TensorErrorInfo>(OverlappingStorage{kOp, -1});
  }
  *this = trusted(data, dtype, std::move(layout), placement);
}

template <class Byte>
BasicView<const std::byte> BasicView<Byte>::broadcast_to(DimsView shape) const {
  return BasicView<const std::byte>::trusted(data_, dtype_, tenferro::broadcast_to(layout(), shape), placement_);
}

template class BasicView<const std::byte>;
template class BasicView<std::byte>;

}  // namespace tenferro::internal
