// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/attrs.hpp"

#include "tenferro/ops/internal/hash.hpp"

namespace tenferro {
namespace {

using internal::hash_all;
using internal::hash_list;
using internal::hash_mix;

using Bits = std::array<std::uint64_t, 2>;

Bits bits(const Scalar& value) {
  return visit_dtype(value.dtype(), [&](auto tag) {
    const auto held = value.get<typename decltype(tag)::type>();
    static_assert(sizeof(held) <= sizeof(Bits));
    Bits out{};
    std::memcpy(out.data(), &held, sizeof held);
    return out;
  });
}

std::size_t hash_scalar(std::size_t seed, const Scalar& value) {
  const Bits held = bits(value);
  return hash_mix(hash_mix(hash_mix(seed, index(value.dtype())), held[0]), held[1]);
}

struct Hasher {
  std::size_t operator()(NoAttrs) const { return 0; }
  std::size_t operator()(const ReduceAttrs& a) const { return hash_all(a.axes.bits(), a.keep_dims); }
  std::size_t operator()(const ArgReduceAttrs& a) const { return hash_all(a.axis, a.keep_dims); }
  std::size_t operator()(const ScanAttrs& a) const { return hash_all(a.axis, a.reverse, a.exclusive); }
  std::size_t operator()(const SortAttrs& a) const { return hash_all(a.axis, a.descending, a.stable); }
  std::size_t operator()(const TopKAttrs& a) const { return hash_all(a.k, a.axis, a.largest); }
  std::size_t operator()(const DotGeneralConfig& a) const {
    std::size_t seed = hash_all(a.lhs_conj, a.rhs_conj);
    for (const auto axes : {a.lhs_contracting(), a.rhs_contracting(), a.lhs_batch(), a.rhs_batch()}) {
      seed = hash_list(seed, axes);
    }
    return seed;
  }
  std::size_t operator()(const TransposeAttrs& a) const { return hash_list(0, a.perm); }
  std::size_t operator()(const ReshapeAttrs& a) const { return hash_list(0, a.shape); }
  std::size_t operator()(const BroadcastInDimAttrs& a) const { return hash_list(hash_list(0, a->shape), a->axes); }
  std::size_t operator()(const ConvertAttrs& a) const { return hash_all(index(a.to), a.checked); }
  std::size_t operator()(const DiagAttrs& a) const { return hash_all(a.shift, a.axis1, a.axis2); }
  std::size_t operator()(const TriAttrs& a) const { return hash_all(a.shift); }
  std::size_t operator()(const AxesAttrs& a) const { return hash_all(a.axes.bits()); }
  std::size_t operator()(const AxisAttrs& a) const { return hash_all(a.axis); }
  std::size_t operator()(const PadAttrs& a) const {
    std::size_t seed = 0;
    for (const Dims* list : {&a->low, &a->high, &a->interior}) seed = hash_list(seed, *list);
    return hash_scalar(seed, a->fill);
  }
  std::size_t operator()(const SliceAttrs& a) const {
    std::size_t seed = 0;
    for (const Dims* list : {&a->starts, &a->limits, &a->strides}) seed = hash_list(seed, *list);
    return seed;
  }
  std::size_t operator()(const GatherConfig& a) const {
    std::size_t seed = hash_all(a.index_vector_dim, static_cast<std::uint64_t>(a.mode));
    for (const AxisList* list : {&a.offset_dims, &a.collapsed_slice_dims, &a.start_index_map}) {
      seed = hash_list(seed, *list);
    }
    return hash_scalar(hash_list(seed, a.slice_sizes), a.fill);
  }
  std::size_t operator()(const GatherAttrs& a) const { return (*this)(*a); }
  std::size_t operator()(const ScatterAttrs& a) const {
    std::size_t seed =
        hash_all(a->index_vector_dim, static_cast<std::uint64_t>(a->combine), static_cast<std::uint64_t>(a->mode));
    for (const AxisList* list : {&a->update_window_dims, &a->inserted_window_dims, &a->scatter_dims_to_operand_dims}) {
      seed = hash_list(seed, *list);
    }
    return seed;
  }
  std::size_t operator()(const DynamicSliceAttrs& a) const { return hash_list(0, a.sizes); }
  std::size_t operator()(const GatherDynamicAttrs& a) const {
    std::size_t seed = hash_mix((*this)(a->gather), a->slice_sizes.size());
    for (const DimExpr& size : a->slice_sizes) seed = hash_mix(seed, size.hash());
    return seed;
  }
  std::size_t operator()(const ConstantAttrs& a) const {
    return hash_all(reinterpret_cast<std::uintptr_t>(a.value.get()));
  }
  std::size_t operator()(const IotaAttrs& a) const { return hash_list(hash_all(index(a.dtype), a.axis), a.shape); }
  std::size_t operator()(const RandomBitsAttrs& a) const { return hash_list(hash_all(index(a.dtype)), a.shape); }
  std::size_t operator()(const ExtensionAttrs& a) const {
    return a.table() != nullptr ? hash_mix(0, a.table()->hash(a.bytes())) : 0;
  }
};

}  // namespace

bool same_bits(const Scalar& a, const Scalar& b) { return a.dtype() == b.dtype() && bits(a) == bits(b); }

std::size_t hash_value(const Attrs& attrs) { return hash_mix(attrs.index(), std::visit(Hasher{}, attrs)); }

}  // namespace tenferro
