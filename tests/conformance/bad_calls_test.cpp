// SPDX-License-Identifier: MIT OR Apache-2.0
// A table of bad calls of the operations with a payload: each is refused with the same reason on a session and without
// data, and the message names operation, place and both sides.
#include "tenferro/ops/eval_shape.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

struct BadCall {
  std::string name;
  Op op;
  std::vector<TensorMeta> in;
  std::size_t reason;  ///< alternative of OpErrorInfo
  std::string text;    ///< stands in the message
};

template <class Payload>
constexpr std::size_t reason() {
  std::size_t found = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((std::is_same_v<std::variant_alternative_t<I, OpErrorInfo>, Payload> ? void(found = I) : void()), ...);
  }(std::make_index_sequence<std::variant_size_v<OpErrorInfo>>{});
  return found;
}

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

AxisSet axes(std::uint64_t bits) { return AxisSet(bits); }
TensorMeta f64(Shape shape) { return {DType::f64, std::move(shape)}; }
TensorMeta i64(Shape shape) { return {DType::i64, std::move(shape)}; }
Op slicing(Dims starts, Dims limits, Dims strides) {
  return {OpKind::slice, SliceAttrs(SliceConfig{std::move(starts), std::move(limits), std::move(strides)})};
}
Op padding(Dims low, Dims high, Dims interior, Scalar fill = 0.0) {
  return {OpKind::pad, PadAttrs(PadConfig{std::move(low), std::move(high), std::move(interior), fill})};
}
Op laying(Shape shape, AxisList on) {
  return {OpKind::broadcast_in_dim, BroadcastInDimAttrs(BroadcastInDimConfig{std::move(shape), std::move(on)})};
}
/// Rows of a matrix with three columns, spoiled by f.
template <class F>
Op gathering(F&& f) {
  GatherConfig config;
  config.offset_dims = {1};
  config.collapsed_slice_dims = {0};
  config.start_index_map = {0};
  config.index_vector_dim = 1;
  config.slice_sizes = {1, 3};
  f(config);
  return {OpKind::gather, GatherAttrs(config)};
}
template <class F>
Op scattering(F&& f) {
  ScatterConfig config;
  config.update_window_dims = {1};
  config.inserted_window_dims = {0};
  config.scatter_dims_to_operand_dims = {0};
  config.index_vector_dim = 1;
  f(config);
  return {OpKind::scatter, ScatterAttrs(config)};
}

std::vector<BadCall> bad_calls() {
  const std::size_t axis = reason<AxisOutOfRange>(), twice = reason<DuplicateAxis>(), argument = reason<BadArgument>(),
                    shape = reason<ShapeMismatch>(), rank = reason<RankMismatch>(), dtype = reason<DTypeMismatch>(),
                    unsupported = reason<UnsupportedDType>(), overflow = reason<ShapeOverflow>(),
                    empty = reason<EmptyReduction>(), invalid = reason<InvalidShape>();
  const auto none = [](auto&) {};
  return {
      {"sum over an axis that is not there",
       {OpKind::reduce_sum, ReduceAttrs{axes(4), false}},
       {f64({2, 3})},
       axis,
       "2"},
      {"largest along an axis without elements",
       {OpKind::reduce_max, ReduceAttrs{axes(2), false}},
       {f64({2, 0})},
       empty,
       "[2, 0]"},
      {"position of the largest of nothing", {OpKind::argmax, ArgReduceAttrs{-1, false}}, {f64({0})}, empty, "[0]"},
      {"position along an axis that is not there",
       {OpKind::argmin, ArgReduceAttrs{3, false}},
       {f64({2, 3})},
       axis,
       "3"},
      {"running sum of a scalar", {OpKind::cumsum, ScanAttrs{0, false, false}}, {f64({})}, axis, "0"},
      {"sort along an axis that is not there", {OpKind::sort, SortAttrs{2, false, true}}, {f64({2, 3})}, axis, "2"},
      {"more of the largest than there are", {OpKind::top_k, TopKAttrs{4, 1, true}}, {f64({2, 3})}, argument, "4"},
      {"a negative number of the largest", {OpKind::top_k, TopKAttrs{-1, 1, true}}, {f64({2, 3})}, argument, "-1"},
      {"contraction of unequal extents",
       {OpKind::dot_general, DotGeneralConfig{{1}, {0}}},
       {f64({2, 3}), f64({4, 5})},
       shape,
       "[4, 5]"},
      {"contraction over an axis that is not there",
       {OpKind::dot_general, DotGeneralConfig{{2}, {0}}},
       {f64({2, 3}), f64({3, 5})},
       axis,
       "2"},
      {"an axis both contracted and batch",
       {OpKind::dot_general, DotGeneralConfig{{1}, {0}, {1}, {1}}},
       {f64({2, 3}), f64({3, 3})},
       twice,
       "1"},
      {"one more contracted axis on the left",
       {OpKind::dot_general, DotGeneralConfig{{0, 1}, {0}}},
       {f64({3, 3}), f64({3, 3})},
       argument,
       "contracted"},
      {"batches of unequal extents",
       {OpKind::dot_general, DotGeneralConfig{{1}, {0}, {2}, {2}}},
       {f64({2, 3, 4}), f64({3, 5, 6})},
       shape,
       "batch"},
      {"a result that no memory holds",
       {OpKind::dot_general, DotGeneralConfig()},
       {f64({kHuge}), f64({4})},
       overflow,
       "4611686018427387904"},
      {"permutation of another rank", {OpKind::transpose, TransposeAttrs{{0}}}, {f64({2, 3})}, argument, "2"},
      {"an axis twice in a permutation", {OpKind::transpose, TransposeAttrs{{1, 1}}}, {f64({2, 3})}, twice, "1"},
      {"reshape to another number of elements",
       {OpKind::reshape, ReshapeAttrs{{5}}},
       {f64({2, 3})},
       reason<ElementCountMismatch>(),
       "5"},
      {"reshape to a negative extent", {OpKind::reshape, ReshapeAttrs{{-2, -3}}}, {f64({2, 3})}, invalid, "-2"},
      {"laid on too few axes", laying({2, 3}, {0}), {f64({2, 3})}, rank, "2"},
      {"laid along a longer axis", laying({2, 3}, {1}), {f64({2})}, shape, "[2]"},
      {"laid twice on one axis", laying({2, 2}, {0, 0}), {f64({2, 2})}, twice, "0"},
      {"laid out beyond memory", laying({1LL << 40, 1LL << 40}, {0}), {f64({1})}, overflow, "1099511627776"},
      {"checked conversion to a narrower dtype",
       {OpKind::convert, ConvertAttrs{DType::f32, true}},
       {f64({2})},
       reason<UnsupportedConversion>(),
       "f32"},
      {"diagonal of a vector", {OpKind::extract_diag, DiagAttrs{0, 0, 1}}, {f64({3})}, rank, "2"},
      {"diagonal of one axis", {OpKind::extract_diag, DiagAttrs{0, 1, 1}}, {f64({3, 3})}, twice, "1"},
      {"diagonal shifted beyond all sizes",
       {OpKind::embed_diag, DiagAttrs{INT64_MIN, 0, 1}},
       {f64({3})},
       overflow,
       "3"},
      {"triangle of a vector", {OpKind::tril, TriAttrs{0}}, {f64({3})}, rank, "2"},
      {"backwards along an axis that is not there", {OpKind::reverse, AxesAttrs{axes(8)}}, {f64({2, 3})}, axis, "3"},
      {"joined along an axis that is not there", {OpKind::concatenate, AxisAttrs{2}}, {f64({2, 3})}, axis, "2"},
      {"joined where the other extents differ",
       {OpKind::concatenate, AxisAttrs{0}},
       {f64({2, 3}), f64({2, 4})},
       shape,
       "[2, 4]"},
      {"joined beyond all sizes",
       {OpKind::concatenate, AxisAttrs{0}},
       {f64({kHuge}), f64({kHuge})},
       overflow,
       "4611686018427387904"},
      {"padded with a value of another dtype", padding({1}, {1}, {0}, Scalar(1.0F)), {f64({3})}, dtype, "f32"},
      {"padded with too few numbers", padding({1}, {1}, {0}), {f64({3, 3})}, argument, "2"},
      {"negative padding between elements", padding({0}, {0}, {-1}), {f64({3})}, argument, "-1"},
      {"cropped by more than there is", padding({-2}, {-2}, {0}), {f64({3})}, argument, "-1"},
      {"padded beyond all sizes", padding({0}, {INT64_MAX}, {0}), {f64({3})}, overflow, "3"},
      {"slice past the end", slicing({0}, {4}, {1}), {f64({3})}, argument, "4"},
      {"slice from before the start", slicing({-1}, {2}, {1}), {f64({3})}, argument, "-1"},
      {"slice with step 0", slicing({0}, {2}, {0}), {f64({3})}, argument, "0"},
      {"slice that ends before it starts", slicing({2}, {1}, {1}), {f64({3})}, argument, "2"},
      {"gather with float indices", gathering(none), {f64({5, 3}), f64({4})}, unsupported, "f64"},
      {"gather of a window that does not fit",
       gathering([](GatherConfig& c) { c.slice_sizes = {1, 4}; }),
       {f64({5, 3}), i64({4})},
       argument,
       "4"},
      {"gather that collapses a wide axis",
       gathering([](GatherConfig& c) { c.slice_sizes = {2, 3}; }),
       {f64({5, 3}), i64({4})},
       argument,
       "2"},
      {"gather with index vectors too long", gathering(none), {f64({5, 3}), i64({4, 2})}, argument, "2"},
      {"gather that fills with another dtype",
       gathering([](GatherConfig& c) {
         c.mode = GatherMode::fill;
         c.fill = 1.0F;
       }),
       {f64({5, 3}), i64({4})},
       dtype,
       "f32"},
      {"scatter of updates of another rank", scattering(none), {f64({5, 3}), i64({4}), f64({4})}, rank, "1"},
      {"scatter of wrong windows", scattering(none), {f64({5, 3}), i64({4}), f64({4, 5})}, shape, "[4, 5]"},
      {"scatter that adds bools",
       scattering(none),
       {{DType::boolean, {5, 3}}, i64({4}), {DType::boolean, {4, 3}}},
       unsupported,
       "bool"},
      {"scatter that orders complex numbers",
       scattering([](ScatterConfig& c) { c.combine = ScatterCombine::max; }),
       {{DType::c64, {5, 3}}, i64({4}), {DType::c64, {4, 3}}},
       unsupported,
       "complex<f64>"},
      {"window larger than its operand",
       {OpKind::dynamic_slice, DynamicSliceAttrs{{4}}},
       {f64({3}), i64({1})},
       argument,
       "4"},
      {"starts of the wrong length",
       {OpKind::dynamic_slice, DynamicSliceAttrs{{2}}},
       {f64({3}), i64({2})},
       shape,
       "[2]"},
      {"update larger than its operand",
       Op(OpKind::dynamic_update_slice),
       {f64({3}), f64({4}), i64({1})},
       shape,
       "[4]"},
      {"extent of an axis that is not there", {OpKind::shape_of, AxisAttrs{1}}, {f64({3})}, axis, "1"},
      {"size that is no scalar", {OpKind::dynamic_truncate, AxisAttrs{0}}, {f64({3}), i64({1})}, rank, "0"},
      {"reference that is shorter", {OpKind::pad_to_match, AxisAttrs{0}}, {f64({3}), f64({2})}, shape, "[2]"},
      {"a constant of nothing", {OpKind::constant, ConstantAttrs{}}, {}, argument, "tensor"},
      {"counting along an axis that is not there", {OpKind::iota, IotaAttrs{{3}, DType::f64, 1}}, {}, axis, "1"},
      {"counting beyond memory",
       {OpKind::iota, IotaAttrs{{kHuge, 4}, DType::f64, 0}},
       {},
       overflow,
       "4611686018427387904"},
      {"a key of another shape", {OpKind::random_bits, RandomBitsAttrs{{3}, DType::i64}}, {i64({3})}, shape, "[3]"},
      {"a key of another dtype",
       {OpKind::random_bits, RandomBitsAttrs{{3}, DType::i64}},
       {{DType::i32, {2}}},
       dtype,
       "i32"},
  };
}

TEST(BadCalls, AreRefusedWithoutData) {
  for (const BadCall& call : bad_calls()) {
    SCOPED_TRACE(call.name);
    const std::vector<MetaView> in(call.in.begin(), call.in.end());
    std::vector<TensorMeta> out(call.op.results());
    try {
      ShapeEvaluator().bind(call.op, in, out);
      ADD_FAILURE() << "was not refused";
    } catch (const OpError& error) {
      const std::string text = error.what();
      EXPECT_EQ(error.info().index(), call.reason) << text;
      EXPECT_EQ(text.rfind(std::string(call.op.name()) + ": ", 0), 0U) << text;
      EXPECT_NE(text.find(call.text), std::string::npos) << text;
    }
  }
}

// IDX-14: shapes whose product overflows never reach an allocation, so operands without elements stand for all.
TEST(BadCalls, AreRefusedBySessionsForTheSameReason) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    backend->with_session([&](BackendSession& session) {
      for (const BadCall& call : bad_calls()) {
        SCOPED_TRACE(call.name);
        const std::int64_t nothing[2] = {0, 0};
        std::vector<TensorRead> in;
        for (const TensorMeta& meta : call.in) {
          in.push_back({{reinterpret_cast<const std::byte*>(nothing), meta.shape.data(), nullptr,
                         static_cast<std::uint32_t>(meta.shape.size()), meta.dtype, Placement{}}});
        }
        try {
          run_op(session, call.op, in);
          ADD_FAILURE() << "was not refused";
        } catch (const OpError& error) {
          EXPECT_EQ(error.info().index(), call.reason) << error.what();
        }
      }
    });
  }
}

}  // namespace
}  // namespace tenferro::testing
