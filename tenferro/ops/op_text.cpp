// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/text.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro {
namespace {

/// Collects "name=value" pieces.
class Fields {
 public:
  Fields& add(std::string_view field, std::string text) {
    text_ += text_.empty() ? "" : ", ";
    text_ += field;
    text_ += '=';
    text_ += text;
    return *this;
  }
  Fields& add(std::string_view field, bool value) { return value ? add(field, std::string("true")) : *this; }
  Fields& add(std::string_view field, std::int64_t value) { return add(field, concat(value)); }
  Fields& add(std::string_view field, DType value) { return add(field, std::string(name(value))); }
  Fields& add(std::string_view field, std::span<const std::int64_t> list) { return add(field, list_text(list)); }
  Fields& add(std::string_view field, std::span<const std::uint8_t> list) { return add(field, list_text(list)); }
  Fields& add(std::string_view field, const Dims& list) { return add(field, list_text(list)); }
  Fields& add(std::string_view field, const AxisList& list) { return add(field, list_text(list)); }
  Fields& add(std::string_view field, AxisSet set) {
    AxisList list;
    for (std::size_t k = 0; k < 64; ++k) {
      if (set.contains(k)) list.push_back(static_cast<std::uint8_t>(k));
    }
    return add(field, list);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

std::string_view mode_text(GatherMode mode) noexcept {
  switch (mode) {
    case GatherMode::check:
      return "check";
    case GatherMode::clamp:
      return "clamp";
    case GatherMode::fill:
      return "fill";
  }
  return "?";
}

std::string_view combine_text(ScatterCombine combine) noexcept {
  switch (combine) {
    case ScatterCombine::add:
      return "add";
    case ScatterCombine::set:
      return "set";
    case ScatterCombine::mul:
      return "mul";
    case ScatterCombine::min:
      return "min";
    case ScatterCombine::max:
      return "max";
  }
  return "?";
}

Fields gather_fields(const GatherConfig& a) {
  Fields fields;
  fields.add("offset_dims", a.offset_dims).add("collapsed_slice_dims", a.collapsed_slice_dims);
  fields.add("start_index_map", a.start_index_map).add("index_vector_dim", std::int64_t{a.index_vector_dim});
  fields.add("mode", std::string(mode_text(a.mode)));
  if (a.mode == GatherMode::fill) fields.add("fill", to_text(a.fill));
  return fields;
}

// True flags are printed, false ones left out.
struct Printer {
  Fields operator()(NoAttrs) const { return {}; }
  Fields operator()(const ReduceAttrs& a) const { return Fields().add("axes", a.axes).add("keep_dims", a.keep_dims); }
  Fields operator()(const ArgReduceAttrs& a) const {
    Fields fields;
    if (a.axis >= 0) fields.add("axis", std::int64_t{a.axis});
    return fields.add("keep_dims", a.keep_dims);
  }
  Fields operator()(const ScanAttrs& a) const {
    return Fields().add("axis", std::int64_t{a.axis}).add("reverse", a.reverse).add("exclusive", a.exclusive);
  }
  Fields operator()(const SortAttrs& a) const {
    return Fields().add("axis", std::int64_t{a.axis}).add("descending", a.descending).add("stable", a.stable);
  }
  Fields operator()(const TopKAttrs& a) const {
    return Fields().add("k", a.k).add("axis", std::int64_t{a.axis}).add("largest", a.largest);
  }
  Fields operator()(const DotGeneralConfig& a) const {
    Fields fields;
    fields.add("lhs_contracting", a.lhs_contracting()).add("rhs_contracting", a.rhs_contracting());
    fields.add("lhs_batch", a.lhs_batch()).add("rhs_batch", a.rhs_batch());
    return fields.add("lhs_conj", a.lhs_conj).add("rhs_conj", a.rhs_conj);
  }
  Fields operator()(const TransposeAttrs& a) const { return Fields().add("perm", a.perm); }
  Fields operator()(const ReshapeAttrs& a) const { return Fields().add("shape", a.shape); }
  Fields operator()(const BroadcastInDimAttrs& a) const { return Fields().add("shape", a->shape).add("axes", a->axes); }
  Fields operator()(const ConvertAttrs& a) const { return Fields().add("to", a.to).add("checked", a.checked); }
  Fields operator()(const DiagAttrs& a) const {
    return Fields().add("shift", a.shift).add("axis1", std::int64_t{a.axis1}).add("axis2", std::int64_t{a.axis2});
  }
  Fields operator()(const TriAttrs& a) const { return Fields().add("shift", a.shift); }
  Fields operator()(const AxesAttrs& a) const { return Fields().add("axes", a.axes); }
  Fields operator()(const AxisAttrs& a) const { return Fields().add("axis", std::int64_t{a.axis}); }
  Fields operator()(const PadAttrs& a) const {
    Fields fields;
    fields.add("low", a->low).add("high", a->high).add("interior", a->interior);
    return fields.add("fill", to_text(a->fill));
  }
  Fields operator()(const SliceAttrs& a) const {
    return Fields().add("starts", a->starts).add("limits", a->limits).add("strides", a->strides);
  }
  Fields operator()(const GatherAttrs& a) const { return gather_fields(*a).add("slice_sizes", a->slice_sizes); }
  Fields operator()(const ScatterAttrs& a) const {
    Fields fields;
    fields.add("update_window_dims", a->update_window_dims).add("inserted_window_dims", a->inserted_window_dims);
    fields.add("scatter_dims_to_operand_dims", a->scatter_dims_to_operand_dims);
    fields.add("index_vector_dim", std::int64_t{a->index_vector_dim});
    fields.add("combine", std::string(combine_text(a->combine)));
    return fields.add("drop", a->mode == ScatterMode::drop);
  }
  Fields operator()(const DynamicSliceAttrs& a) const { return Fields().add("sizes", a.sizes); }
  Fields operator()(const GatherDynamicAttrs& a) const {
    std::string sizes;
    for (const DimExpr& size : a->slice_sizes) sizes += concat(sizes.empty() ? "" : ", ", size.to_text());
    return gather_fields(a->gather).add("slice_sizes", concat('[', sizes, ']'));
  }
  Fields operator()(const ConstantAttrs& a) const {
    if (a.value == nullptr) return {};
    Fields fields;
    if (a.value->count() == 1 && a.value->placement() == Placement{}) fields.add("value", to_text(a.value->item()));
    return fields.add("dtype", a.value->dtype()).add("shape", a.value->shape());
  }
  Fields operator()(const IotaAttrs& a) const {
    return Fields().add("shape", a.shape).add("dtype", a.dtype).add("axis", std::int64_t{a.axis});
  }
  Fields operator()(const RandomBitsAttrs& a) const { return Fields().add("shape", a.shape).add("dtype", a.dtype); }
  Fields operator()(const ExtensionAttrs& a) const {
    if (a.table() == nullptr) return {};
    return Fields().add("payload", a.table()->to_text != nullptr ? a.table()->to_text(a.bytes()) : std::string("…"));
  }
};

}  // namespace

std::string to_text(const Attrs& attrs) { return std::visit(Printer{}, attrs).text(); }

std::string to_text(const Op& op) {
  const std::string fields = to_text(op.attrs);
  std::string text = op.is_core() ? std::string(op.name()) : concat(op.code.family->id, '.', op.name());
  return fields.empty() ? text : concat(text, '{', fields, '}');
}

}  // namespace tenferro
