// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/front_end_calls.hpp"

#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/creation.hpp"
#include "tenferro/ops/dynamic.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/random.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"
#include "tenferro/ops/structural.hpp"

namespace tenferro::testing {
namespace {

Dims list_of(AxisSet axes) {
  Dims list;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(kMaxRank); ++k) {
    if (axes.contains(static_cast<std::size_t>(k))) list.push_back(k);
  }
  return list;
}
Dims list_of(const AxisList& axes) { return {axes.begin(), axes.end()}; }
Axes axes_of(const Op& op) { return list_of(op.as<ReduceAttrs>().axes); }
bool kept(const Op& op) { return op.as<ReduceAttrs>().keep_dims; }
std::optional<std::int64_t> axis_of(const ArgReduceAttrs& attrs) {
  if (attrs.axis < 0) return std::nullopt;
  return attrs.axis;
}
ScanOptions options_of(const ScanAttrs& attrs) { return {attrs.reverse, attrs.exclusive}; }
SortOptions options_of(const SortAttrs& attrs) { return {attrs.descending, attrs.stable}; }

template <class V>
std::vector<V> list(V value) {
  std::vector<V> values;
  values.push_back(std::move(value));
  return values;
}
template <class V>
std::vector<V> list(V first, V second) {
  std::vector<V> values = list(std::move(first));
  values.push_back(std::move(second));
  return values;
}

template <Emitter E>
using FrontEnd = std::vector<Value<E>> (*)(E&, const Op&, std::span<const typename E::Operand>);
template <Emitter E>
using In = std::span<const typename E::Operand>;

template <Emitter E>
constexpr OpTable<FrontEnd<E>> front_end_table() {
#define ROW(name, ...)                                                               \
  {OpKind::name, [](E& e, [[maybe_unused]] const Op& op, [[maybe_unused]] In<E> x) { \
     return list<Value<E>>(tenferro::name(e, __VA_ARGS__));                          \
   }}
  OpTable<FrontEnd<E>> table{
      ROW(select, x[0], x[1], x[2]),
      ROW(clamp, x[0], x[1], x[2]),
      ROW(fma, x[0], x[1], x[2]),
      ROW(reduce_sum, x[0], axes_of(op), kept(op)),
      ROW(reduce_prod, x[0], axes_of(op), kept(op)),
      ROW(reduce_max, x[0], axes_of(op), kept(op)),
      ROW(reduce_min, x[0], axes_of(op), kept(op)),
      ROW(reduce_sum_squares, x[0], axes_of(op), kept(op)),
      ROW(reduce_any, x[0], axes_of(op), kept(op)),
      ROW(reduce_all, x[0], axes_of(op), kept(op)),
      ROW(argmax, x[0], axis_of(op.as<ArgReduceAttrs>()), op.as<ArgReduceAttrs>().keep_dims),
      ROW(argmin, x[0], axis_of(op.as<ArgReduceAttrs>()), op.as<ArgReduceAttrs>().keep_dims),
      ROW(cumsum, x[0], op.as<ScanAttrs>().axis, options_of(op.as<ScanAttrs>())),
      ROW(cumprod, x[0], op.as<ScanAttrs>().axis, options_of(op.as<ScanAttrs>())),
      ROW(cummax, x[0], op.as<ScanAttrs>().axis, options_of(op.as<ScanAttrs>())),
      ROW(cummin, x[0], op.as<ScanAttrs>().axis, options_of(op.as<ScanAttrs>())),
      ROW(cumlogsumexp, x[0], op.as<ScanAttrs>().axis, options_of(op.as<ScanAttrs>())),
      ROW(sort, x[0], op.as<SortAttrs>().axis, options_of(op.as<SortAttrs>())),
      ROW(argsort, x[0], op.as<SortAttrs>().axis, options_of(op.as<SortAttrs>())),
      ROW(dot_general, x[0], x[1], op.as<DotGeneralConfig>()),
      ROW(transpose, x[0], list_of(op.as<TransposeAttrs>().perm)),
      ROW(reshape, x[0], op.as<ReshapeAttrs>().shape),
      ROW(broadcast_in_dim, x[0], op.as<BroadcastInDimAttrs>()->shape, list_of(op.as<BroadcastInDimAttrs>()->axes)),
      ROW(extract_diag, x[0], op.as<DiagAttrs>().shift, op.as<DiagAttrs>().axis1, op.as<DiagAttrs>().axis2),
      ROW(embed_diag, x[0], op.as<DiagAttrs>().shift, op.as<DiagAttrs>().axis1, op.as<DiagAttrs>().axis2),
      ROW(tril, x[0], op.as<TriAttrs>().shift),
      ROW(triu, x[0], op.as<TriAttrs>().shift),
      ROW(reverse, x[0], Axes(list_of(op.as<AxesAttrs>().axes))),
      ROW(concatenate, x, op.as<AxisAttrs>().axis),
      ROW(pad, x[0], *op.as<PadAttrs>()),
      ROW(slice, x[0], op.as<SliceAttrs>()->starts, op.as<SliceAttrs>()->limits, op.as<SliceAttrs>()->strides),
      ROW(gather, x[0], x[1], *op.as<GatherAttrs>()),
      ROW(scatter, x[0], x[1], x[2], *op.as<ScatterAttrs>()),
      ROW(dynamic_slice, x[0], x[1], op.as<DynamicSliceAttrs>().sizes),
      ROW(dynamic_update_slice, x[0], x[1], x[2]),
      ROW(gather_dynamic_slice_sizes, x[0], x[1], *op.as<GatherDynamicAttrs>()),
      ROW(shape_of, x[0], op.as<AxisAttrs>().axis),
      ROW(dynamic_truncate, x[0], x[1], op.as<AxisAttrs>().axis),
      ROW(pad_to_match, x[0], x[1], op.as<AxisAttrs>().axis),
      ROW(iota, op.as<IotaAttrs>().shape, op.as<IotaAttrs>().axis, op.as<IotaAttrs>().dtype),
      ROW(random_bits, x[0], op.as<RandomBitsAttrs>().shape, op.as<RandomBitsAttrs>().dtype),
  };
#undef ROW
  table.set(OpKind::convert, [](E& e, const Op& op, In<E> x) {
    const auto& attrs = op.as<ConvertAttrs>();
    return list<Value<E>>(attrs.checked ? convert(e, x[0], attrs.to) : cast(e, x[0], attrs.to));
  });
  table.set(OpKind::top_k, [](E& e, const Op& op, In<E> x) {
    const auto& attrs = op.as<TopKAttrs>();
    TopK<E> top = top_k(e, x[0], attrs.k, attrs.axis, attrs.largest);
    return list<Value<E>>(std::move(top.values), std::move(top.positions));
  });
  table.set(OpKind::constant, [](E& e, const Op& op, In<E>) {
    return list<Value<E>>(constant(e, op.as<ConstantAttrs>().value->duplicate()));
  });
#define TENFERRO_UNARY(name, ...) \
  table.set(OpKind::name, [](E& e, const Op&, In<E> x) { return list<Value<E>>(tenferro::name(e, x[0])); });
#define TENFERRO_BINARY(name, ...) \
  table.set(OpKind::name, [](E& e, const Op&, In<E> x) { return list<Value<E>>(tenferro::name(e, x[0], x[1])); });
#include "tenferro/ops/core_ops.def"
  return table;
}

template <Emitter E>
constexpr OpTable<FrontEnd<E>> kFrontEndTable = front_end_table<E>();
TENFERRO_COVERS_ALL_OPS(kFrontEndTable<BackendSession>);

}  // namespace

template <Emitter E>
std::vector<Value<E>> call_front_end(E& e, const Op& op, std::span<const typename E::Operand> x) {
  return kFrontEndTable<E>[op.kind()](e, op, x);
}

template std::vector<Tensor> call_front_end(BackendSession&, const Op&, std::span<const TensorRead>);
template std::vector<TensorMeta> call_front_end(ShapeEvaluator&, const Op&, std::span<const MetaView>);
template std::vector<Recorded> call_front_end(Recorder&, const Op&, std::span<const Recorded>);

}  // namespace tenferro::testing
