// SPDX-License-Identifier: MIT OR Apache-2.0
// Elements that have no result (zero divisors, negative exponents, shifts outside the width, indices outside) are found
// before any output is written, wherever they stand and on every layout.
#include <algorithm>
#include <cstring>

#include "tenferro/base/text.hpp"
#include "tests/conformance/laid_array.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

struct BadValue {
  OpKind kind;
  Whole value;
};

class RefusedElements : public ::testing::TestWithParam<BadValue> {};

std::string bytes_of(const TensorWrite& x) {
  return {reinterpret_cast<const char*>(x.data), static_cast<std::size_t>(x.count()) * element_size(x.dtype)};
}

// DT-01, DT-04
TEST_P(RefusedElements, AreNamedByPositionAndNothingIsWritten) {
  const auto [kind, value] = GetParam();
  const Shape shape{4, 16};
  for (const DType d : {DType::i32, DType::i64}) {
    SCOPED_TRACE(name(d));
    const Array a = draw_array(d, shape, {1, 5}, 1);
    for (const std::size_t position : {0U, 5U, 31U, 63U}) {
      SCOPED_TRACE("at " + std::to_string(position));
      Array b = draw_array(d, shape, {1, 5}, 2);
      b.cells[position].n = value;
      if (position < 63) b.cells[63].n = value;  // the first one is named
      for (const LayoutKind layout : kLayoutKinds) {
        SCOPED_TRACE(tenferro::testing::name(layout));
        const LaidArray left(layout, a), right(layout, b);
        const TensorRead in[] = {left.read(), right.read()};
        LaidArray out(LayoutKind::compact, d, shape);
        const TensorWrite target = out.write();
        const std::string before = bytes_of(target);
        for (const auto& backend : backends()) {
          backend->with_session([&](BackendSession& session) {
            const auto error = refusal_of<BadElement>([&] { session.bind_into(Op(kind), in, {&target, 1}); });
            EXPECT_EQ(error.op, tenferro::info(kind).name);
            EXPECT_EQ(error.operand, 1);
            EXPECT_EQ(error.position, static_cast<std::int64_t>(position));
            EXPECT_EQ(bytes_of(target), before);
            refusal_of<BadElement>([&] { run_op(session, Op(kind), in); });
          });
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, RefusedElements,
                         ::testing::Values(BadValue{OpKind::div, 0}, BadValue{OpKind::rem, 0},
                                           BadValue{OpKind::floor_mod, 0}, BadValue{OpKind::pow, -1},
                                           BadValue{OpKind::shift_left, -1}, BadValue{OpKind::shift_left, 64},
                                           BadValue{OpKind::shift_right, -1}, BadValue{OpKind::shift_right, 64}),
                         [](const auto& param) {
                           const std::int64_t value = param.param.value;
                           return concat(tenferro::info(param.param.kind).name, value < 0 ? "_minus_" : "_",
                                         value < 0 ? -value : value);
                         });

// Floats have a result for every divisor.
TEST(FloatElements, AreNeverRefused) {
  backends().front()->with_session([&](BackendSession& session) {
    const Tensor one = Tensor::vector<double>({1, 0, -1}), zero = Tensor::zeros(DType::f64, {3});
    const TensorRead in[] = {one, zero};
    const Array quotient = array_of(run_op(session, Op(OpKind::div), in)[0]);
    EXPECT_EQ(quotient.cells[0].z.real(), std::numeric_limits<Real>::infinity());
    EXPECT_TRUE(std::isnan(quotient.cells[1].z.real()));
    EXPECT_TRUE(std::isnan(array_of(run_op(session, Op(OpKind::rem), in)[0]).cells[0].z.real()));
  });
}

/// The samples of gather and scatter whose mode is `check`, with one index spoiled.
class RefusedIndices : public ::testing::TestWithParam<OpKind> {};

bool checks(const Op& op) {
  if (const auto* scatter = std::get_if<ScatterAttrs>(&op.attrs)) return (*scatter)->mode == ScatterMode::check;
  if (const auto* gather = std::get_if<GatherAttrs>(&op.attrs)) return (*gather)->mode == GatherMode::check;
  return std::get<GatherDynamicAttrs>(op.attrs)->gather.mode == GatherMode::check;
}

// IDX-13
TEST_P(RefusedIndices, AreNamedByValueAndNothingIsWritten) {
  const OpKind kind = GetParam();
  backends().back()->with_session([&](BackendSession& session) {
    for_each_dtype(kind, [&](DType d) {
      for (OpCall call : sample_calls(kind, d)) {
        if (!checks(call.op) || call.in[1].cells.empty()) continue;
        SCOPED_TRACE(call.label);
        const Cell kept = call.in[1].cells.back();
        for (const Whole bad : {Whole{-1}, Whole{5}, Whole{1} << 30, Whole{1} << 40}) {
          if (call.in[1].dtype == DType::i32 && bad > (Whole{1} << 31)) continue;
          SCOPED_TRACE("index " + std::to_string(bad));
          const Array expected = expected_results(call)[0];
          call.in[1].cells.back().n = bad;
          const CallOperands operands(call.in);
          LaidArray out(LayoutKind::compact, expected.dtype, expected.shape);
          const TensorWrite target = out.write();
          const std::string before = bytes_of(target);
          const auto error =
              refusal_of<IndexOutOfBounds>([&] { session.bind_into(call.op, operands.reads(), {&target, 1}); });
          EXPECT_EQ(error.op, tenferro::info(kind).name);
          EXPECT_EQ(error.operand, 1);
          EXPECT_EQ(error.index, bad);
          EXPECT_EQ(bytes_of(target), before);
          call.in[1].cells.back() = kept;
        }
      }
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Catalog, RefusedIndices,
                         ::testing::Values(OpKind::gather, OpKind::scatter, OpKind::gather_dynamic_slice_sizes),
                         op_name);

}  // namespace
}  // namespace tenferro::testing
