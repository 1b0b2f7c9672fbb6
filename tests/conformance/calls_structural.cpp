// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/payload_calls.hpp"

namespace tenferro::testing {
namespace {

constexpr Domain kAnything{-100, 100, Domain::Edges::all, false, Domain::Edges::all};
using Extents = std::initializer_list<std::int64_t>;

Array numbers(DType d, DimsView shape) { return draw_array(d, shape, kAnything, shape.size() + 3); }

class CallList {
 public:
  explicit CallList(DType d) : dtype_(d) {}
  void add(Extents shape, Op op, std::string label = "") {
    const DimsView dims(shape.begin(), shape.size());
    calls_.push_back({shape_text(dims) + ' ' + label, std::move(op), {numbers(dtype_, dims)}});
  }
  Calls take() { return std::move(calls_); }

 private:
  DType dtype_;
  Calls calls_;
};

Op transposing(std::initializer_list<std::uint8_t> perm) { return {OpKind::transpose, TransposeAttrs{AxisList(perm)}}; }
Op reshaping(Extents shape) { return {OpKind::reshape, ReshapeAttrs{Shape(shape)}}; }
Op laying(Extents shape, std::initializer_list<std::uint8_t> axes) {
  return {OpKind::broadcast_in_dim, BroadcastInDimAttrs(BroadcastInDimConfig{Shape(shape), AxisList(axes)})};
}
Op slicing(Extents starts, Extents limits, Extents strides) {
  return {OpKind::slice, SliceAttrs(SliceConfig{Dims(starts), Dims(limits), Dims(strides)})};
}
Op padding(DType d, Extents low, Extents high, Extents interior) {
  return {OpKind::pad, PadAttrs(PadConfig{Dims(low), Dims(high), Dims(interior), Scalar(std::int32_t{1}).as(d)})};
}
Op along(OpKind kind, std::uint8_t axis) { return {kind, AxisAttrs{axis}}; }
Op backwards(std::uint64_t axes) { return {OpKind::reverse, AxesAttrs{AxisSet(axes)}}; }

Calls joins(DType d, std::uint8_t axis, std::initializer_list<Extents> shapes, std::string label) {
  OpCall call{std::move(label), along(OpKind::concatenate, axis), {}};
  for (const Extents& shape : shapes) call.in.push_back(numbers(d, DimsView(shape.begin(), shape.size())));
  return {std::move(call)};
}

void append(Calls& calls, Calls more) {
  for (OpCall& call : more) calls.push_back(std::move(call));
}

}  // namespace

Calls transpose_calls(DType d) {
  CallList list(d);
  list.add({3, 5}, transposing({1, 0}));
  list.add({3, 5, 4}, transposing({0, 1, 2}), "identity");
  list.add({3, 5, 4}, transposing({2, 0, 1}));
  list.add({3, 5, 4}, transposing({1, 2, 0}));
  list.add({3, 5, 4}, transposing({2, 1, 0}));
  list.add({2, 3, 2, 3}, transposing({3, 1, 0, 2}));
  list.add({1, 5, 1, 3}, transposing({2, 3, 0, 1}));
  list.add({37, 19}, transposing({1, 0}));
  list.add({}, transposing({}));
  list.add({2, 0, 3}, transposing({1, 2, 0}));
  return list.take();
}
Calls large_transposes(DType d) {
  CallList list(d);
  list.add({211, 307}, transposing({1, 0}));
  list.add({31, 67, 29}, transposing({2, 0, 1}));
  return list.take();
}

Calls reshape_calls(DType d) {
  CallList list(d);
  list.add({3, 4}, reshaping({4, 3}));
  list.add({3, 4}, reshaping({12}));
  list.add({12}, reshaping({2, 3, 2}));
  list.add({1}, reshaping({}), "to rank 0");
  list.add({}, reshaping({1, 1}), "from rank 0");
  list.add({2, 0}, reshaping({0, 7}));
  return list.take();
}
Calls large_reshapes(DType d) {
  CallList list(d);
  list.add({256, 128}, reshaping({128, 256}));
  return list.take();
}

Calls broadcast_calls(DType d) {
  CallList list(d);
  list.add({3}, laying({3, 4}, {0}));
  list.add({4}, laying({3, 4}, {1}));
  list.add({3, 1}, laying({3, 4}, {0, 1}));
  list.add({3, 2}, laying({2, 5, 3}, {2, 0}), "swapped");
  list.add({}, laying({2, 2}, {}));
  list.add({}, laying({}, {}));
  list.add({1}, laying({0, 3}, {1}));
  list.add({0}, laying({2, 0}, {1}));
  return list.take();
}
Calls large_broadcasts(DType d) {
  CallList list(d);
  list.add({200}, laying({200, 201}, {0}));
  list.add({201}, laying({200, 201}, {1}));
  return list.take();
}

Calls convert_calls(DType d) {
  CallList list(d);
  for (const DType to : kDTypes) {
    if (converts_safely(d, to))
      list.add({67}, {OpKind::convert, ConvertAttrs{to, true}}, "checked to " + std::string(name(to)));
    list.add({67}, {OpKind::convert, ConvertAttrs{to, false}}, "cast to " + std::string(name(to)));
    list.add({3, 5, 4}, {OpKind::convert, ConvertAttrs{to, false}}, "cast to " + std::string(name(to)));
  }
  list.add({}, {OpKind::convert, ConvertAttrs{DType::c64, false}});
  list.add({0, 3}, {OpKind::convert, ConvertAttrs{DType::f32, false}});
  return list.take();
}
Calls large_converts(DType d) {
  CallList list(d);
  list.add({40007}, {OpKind::convert, ConvertAttrs{DType::f32, false}});
  list.add({40007}, {OpKind::convert, ConvertAttrs{DType::i64, false}});
  return list.take();
}

Calls extract_diag_calls(DType d) {
  CallList list(d);
  const auto diag = [](std::int64_t shift, std::uint8_t a, std::uint8_t b) {
    return Op(OpKind::extract_diag, DiagAttrs{shift, a, b});
  };
  for (const std::int64_t shift : {0, 1, -1, 3, -2, 9, -9})
    list.add({3, 5}, diag(shift, 0, 1), "shift " + std::to_string(shift));
  list.add({3, 4, 3}, diag(0, 0, 2), "axes 0 2");
  list.add({3, 4, 5}, diag(-1, 2, 1), "axes 2 1 shift -1");
  list.add({0, 3}, diag(0, 0, 1));
  list.add({3, 3, 0}, diag(0, 0, 1));
  return list.take();
}
Calls large_extract_diags(DType d) {
  CallList list(d);
  list.add({3, 20011, 3}, {OpKind::extract_diag, DiagAttrs{0, 0, 2}});
  return list.take();
}

Calls embed_diag_calls(DType d) {
  CallList list(d);
  const auto diag = [](std::int64_t shift, std::uint8_t a, std::uint8_t b) {
    return Op(OpKind::embed_diag, DiagAttrs{shift, a, b});
  };
  for (const std::int64_t shift : {0, 2, -1}) list.add({4}, diag(shift, 0, 1), "shift " + std::to_string(shift));
  list.add({2, 3}, diag(0, 0, 2), "axes 0 2");
  list.add({2, 3}, diag(1, 2, 0), "axes 2 0 shift 1");
  list.add({0}, diag(0, 0, 1));
  list.add({0}, diag(2, 0, 1), "all zero");
  return list.take();
}
Calls large_embed_diags(DType d) {
  CallList list(d);
  list.add({211}, {OpKind::embed_diag, DiagAttrs{1, 0, 1}});
  return list.take();
}

Calls triangle_calls_of(OpKind kind, DType d) {
  CallList list(d);
  for (const std::int64_t shift : {0, 1, -1, 3, -4, 99, -99})
    list.add({4, 5}, {kind, TriAttrs{shift}}, "shift " + std::to_string(shift));
  list.add({3, 3, 2}, {kind, TriAttrs{0}}, "batch");
  list.add({0, 3}, {kind, TriAttrs{0}});
  return list.take();
}
Calls large_triangles_of(OpKind kind, DType d) {
  CallList list(d);
  list.add({211, 199}, {kind, TriAttrs{0}});
  return list.take();
}

Calls reverse_calls(DType d) {
  CallList list(d);
  for (const std::uint64_t axes : {0U, 1U, 2U, 4U, 5U, 7U})
    list.add({3, 5, 4}, backwards(axes), "axes in bits " + std::to_string(axes));
  list.add({2, 3}, backwards(2));
  list.add({}, backwards(0));
  list.add({2, 0}, backwards(3));
  return list.take();
}
Calls large_reverses(DType d) {
  CallList list(d);
  list.add({211, 199}, backwards(1));
  list.add({211, 199}, backwards(2));
  return list.take();
}

Calls concatenate_calls(DType d) {
  Calls calls = joins(d, 0, {{2, 3}, {1, 3}, {4, 3}}, "three along axis 0");
  append(calls, joins(d, 1, {{2, 3}, {2, 1}}, "two along axis 1"));
  append(calls, joins(d, 0, {{5}}, "one alone"));
  append(calls, joins(d, 2, {{2, 3, 1}, {2, 3, 2}}, "two along axis 2"));
  append(calls, joins(d, 0, {{0, 3}, {2, 3}}, "one without elements"));
  append(calls, joins(d, 0, {{0}, {0}}, "both without elements"));
  return calls;
}
Calls large_concatenates(DType d) {
  Calls calls = joins(d, 0, {{101, 101}, {57, 101}}, "along axis 0");
  append(calls, joins(d, 1, {{101, 101}, {101, 57}}, "along axis 1"));
  return calls;
}

Calls pad_calls(DType d) {
  CallList list(d);
  list.add({3, 4}, padding(d, {1, 0}, {2, 1}, {0, 0}), "edges");
  list.add({3, 4}, padding(d, {0, 0}, {0, 0}, {1, 2}), "interior");
  list.add({3, 4}, padding(d, {-1, 1}, {0, -2}, {0, 0}), "cropped");
  list.add({3, 4}, padding(d, {-2, 1}, {1, -3}, {2, 1}), "cropped between elements");
  list.add({5}, padding(d, {-5}, {0}, {0}), "all cropped");
  list.add({}, padding(d, {}, {}, {}));
  list.add({0, 2}, padding(d, {1, 0}, {1, 0}, {3, 0}), "from nothing");
  return list.take();
}
Calls large_pads(DType d) {
  CallList list(d);
  list.add({201, 199}, padding(d, {1, 2}, {3, 4}, {0, 0}));
  return list.take();
}

Calls slice_calls(DType d) {
  CallList list(d);
  list.add({6, 5}, slicing({1, 0}, {5, 5}, {1, 1}));
  list.add({6, 5}, slicing({0, 1}, {6, 5}, {2, 3}), "steps");
  list.add({6, 5}, slicing({5, 4}, {6, 5}, {7, 1}), "last");
  list.add({6, 5}, slicing({2, 0}, {2, 5}, {1, 1}), "nothing");
  list.add({}, slicing({}, {}, {}));
  list.add({0}, slicing({0}, {0}, {1}));
  return list.take();
}
Calls large_slices(DType d) {
  CallList list(d);
  list.add({211, 307}, slicing({1, 2}, {211, 300}, {1, 2}));
  return list.take();
}

Calls shape_of_calls(DType d) {
  CallList list(d);
  list.add({3, 5}, along(OpKind::shape_of, 0));
  list.add({3, 5}, along(OpKind::shape_of, 1));
  list.add({2, 0}, along(OpKind::shape_of, 1));
  return list.take();
}
Calls large_shape_of(DType d) {
  CallList list(d);
  list.add({200, 200}, along(OpKind::shape_of, 1));
  return list.take();
}

Calls truncate_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents shape, std::int64_t size, std::uint8_t axis, DType index) {
    const DimsView dims(shape.begin(), shape.size());
    calls.push_back({shape_text(dims) + " to " + std::to_string(size) + " along axis " + std::to_string(axis),
                     along(OpKind::dynamic_truncate, axis),
                     {numbers(d, dims), index_array({}, {size}, index)}});
  };
  add({5, 3}, 2, 0, DType::i64);
  add({5, 3}, 3, 1, DType::i32);
  add({5, 3}, 0, 0, DType::i64);
  add({0, 3}, 0, 0, DType::i64);
  add({4}, 4, 0, DType::i64);
  return calls;
}
Calls large_truncates(DType d) {
  return {{"", along(OpKind::dynamic_truncate, 0), {numbers(d, Shape{211, 199}), index_array({}, {150})}}};
}

Calls pad_to_match_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents shape, Extents reference, std::uint8_t axis) {
    const DimsView dims(shape.begin(), shape.size()), other(reference.begin(), reference.size());
    calls.push_back({shape_text(dims) + " to " + shape_text(other) + " along axis " + std::to_string(axis),
                     along(OpKind::pad_to_match, axis),
                     {numbers(d, dims), draw_array(DType::f32, other, {}, 5)}});
  };
  add({2, 3}, {5, 1}, 0);
  add({2, 3}, {1, 7}, 1);
  add({2, 3}, {2, 3}, 1);
  add({0}, {3}, 0);
  add({0, 2}, {0, 2}, 0);
  return calls;
}
Calls large_pads_to_match(DType d) {
  return {{"",
           along(OpKind::pad_to_match, 0),
           {numbers(d, Shape{150, 199}), draw_array(DType::f32, Shape{211, 1}, {}, 5)}}};
}

Calls constant_calls(DType d) {
  Calls calls;
  for (const Shape& shape : {Shape{2, 3}, Shape{}, Shape{0}}) {
    const ConstantAttrs attrs{std::make_shared<const Tensor>(to_tensor(draw_array(d, shape, {-4, 4}, 1)))};
    calls.push_back({shape_text(shape), Op(OpKind::constant, attrs), {}});
  }
  return calls;
}
Calls large_constants(DType d) {
  const ConstantAttrs attrs{std::make_shared<const Tensor>(to_tensor(numbers(d, Shape{40007})))};
  return {{"", Op(OpKind::constant, attrs), {}}};
}

Calls iota_calls(DType d) {
  Calls calls;
  const auto add = [&](Shape shape, std::uint8_t axis) {
    calls.push_back(
        {shape_text(shape) + " axis " + std::to_string(axis), Op(OpKind::iota, IotaAttrs{shape, d, axis}), {}});
  };
  add({5}, 0);
  add({3, 5, 4}, 0);
  add({3, 5, 4}, 1);
  add({3, 5, 4}, 2);
  add({0}, 0);
  add({2, 0}, 0);
  return calls;
}
Calls large_iotas(DType d) { return {{"", Op(OpKind::iota, IotaAttrs{Shape{211, 199}, d, 1}), {}}}; }

Calls random_bits_calls(DType d) {
  Calls calls;
  for (const Shape& shape : {Shape{67}, Shape{3, 5, 4}, Shape{}, Shape{0}}) {
    calls.push_back(
        {shape_text(shape), Op(OpKind::random_bits, RandomBitsAttrs{shape, d}), {index_array({2}, {42, -7})}});
  }
  return calls;
}
Calls large_random_bits(DType d) {
  return {{"", Op(OpKind::random_bits, RandomBitsAttrs{Shape{211, 199}, d}), {index_array({2}, {42, 1})}}};
}

}  // namespace tenferro::testing
