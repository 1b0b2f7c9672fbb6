// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/compare.hpp"

#include <cstring>

#include "tenferro/tensor/error.hpp"
#include "tenferro/tensor/layout.hpp"
#include "tenferro/tensor/strided_iterator.hpp"

namespace tenferro {
namespace {

void require_host(std::string_view op, const TensorRead& x, std::int64_t operand) {
  if (!host_accessible(x.placement)) raise<TensorErrorInfo>(PlacementMismatch{op, operand, Placement{}, x.placement});
}

template <class T>
StridedIterator<const T> first_of(const TensorRead& x, const Dims& strides) {
  return {x.as<T>(), x.shape(), strides.data(), 0};
}

// True if `same` holds for every pair of elements of equal indices.
template <class Same>
bool all_pairs(std::string_view op, const TensorRead& a, const TensorRead& b, Same same) {
  require_host(op, a, 0);
  require_host(op, b, 1);
  if (a.dtype != b.dtype || !same_shape(a.shape(), b.shape())) return false;
  const Dims strides_a = internal::strides_of(a), strides_b = internal::strides_of(b);
  return visit_dtype(a.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto at_a = first_of<T>(a, strides_a);
    auto at_b = first_of<T>(b, strides_b);
    for (std::int64_t left = a.count(); left > 0; --left, ++at_a, ++at_b) {
      if (!same(*at_a, *at_b)) return false;
    }
    return true;
  });
}

}  // namespace

bool equal_elements(TensorRead a, TensorRead b) {
  return all_pairs("equal_elements", a, b, [](const auto& x, const auto& y) { return x == y; });
}

bool same_bits(TensorRead a, TensorRead b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are the point
  return all_pairs("same_bits", a, b, [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; });
}

}  // namespace tenferro
