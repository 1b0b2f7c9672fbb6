// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions of two and three operands promote dtypes by the lattice and stretch shapes by NumPy's rule, in either
// order.
#include "tests/conformance/front_end_calls.hpp"
#include "tests/conformance/oracles.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpPromotion : public EachOp {};

/// The lattice of the manual, written out once more: rows and columns in the order of kDTypes.
DType promoted(DType a, DType b) {
  using enum DType;
  static constexpr DType kOrder[] = {boolean, i32, i64, f32, f64, c32, c64};
  static constexpr DType kTable[7][7] = {
      {boolean, i32, i64, f32, f64, c32, c64},  //
      {i32, i32, i64, f64, f64, c64, c64},      //
      {i64, i64, i64, f64, f64, c64, c64},      //
      {f32, f64, f64, f32, f64, c32, c64},      //
      {f64, f64, f64, f64, f64, c64, c64},      //
      {c32, c64, c64, c32, c64, c32, c64},      //
      {c64, c64, c64, c64, c64, c64, c64},
  };
  const auto place = [](DType d) {
    return static_cast<std::size_t>(std::find(std::begin(kOrder), std::end(kOrder), d) - std::begin(kOrder));
  };
  return kTable[place(a)][place(b)];
}

Array converted_to(const Array& x, DType d) {
  Array out(d, x.shape);
  for (std::size_t i = 0; i < x.cells.size(); ++i) out.cells[i] = rounded(cast_cell(x.cells[i], x.dtype, d), d);
  return out;
}

/// Operands that every dtype can hold and that no row refuses: no zero among them.
Array ones(DType d, DimsView shape, std::uint64_t seed) { return draw_array(d, shape, {1, 3, {}, true}, seed); }

// DT-08
TEST_P(OpPromotion, FollowsTheLatticeInEitherOrder) {
  backends().front()->with_session([&](BackendSession& session) {
    for (const DType first : kDTypes) {
      for (const DType second : kDTypes) {
        SCOPED_TRACE(std::string(name(first)) + " with " + std::string(name(second)));
        std::vector<Array> given;
        if (row().shape == ShapeRule::select) given.push_back(draw_array(DType::boolean, Shape{5}, {}, 1));
        given.push_back(ones(first, Shape{5}, 2));
        given.push_back(ones(second, Shape{5}, 3));
        if (given.size() < row().arity) given.push_back(ones(first, Shape{5}, 4));
        const CallOperands mixed(given);
        const DType common = promoted(first, second);
        if (!admitted(row().dtypes).contains(common)) {
          const auto error = refusal_of<UnsupportedDType>([&] { call_front_end(session, Op(kind()), mixed.reads()); });
          EXPECT_EQ(error.op, row().name);
          EXPECT_EQ(error.got, common);
          continue;
        }
        for (std::size_t k = data_operand(row()); k < given.size(); ++k) given[k] = converted_to(given[k], common);
        const std::vector<Tensor> expected = run_op(session, Op(kind()), CallOperands(given).reads());
        const std::vector<Tensor> got = call_front_end(session, Op(kind()), mixed.reads());
        EXPECT_EQ(bit_difference(expected[0], got[0]), "");
      }
    }
  });
}

/// The element of x that stands at `index` of a shape it is stretched to.
Array stretched(const Array& x, const Shape& shape) {
  Array out(x.dtype, shape);
  for_each_index(shape, [&](DimsView index, std::int64_t) {
    Dims source;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      source.push_back(x.shape[k] == 1 ? 0 : index[k + shape.size() - x.rank()]);
    }
    out.at(index) = x.at(source);
  });
  return out;
}

struct Stretch {
  Shape a, b, result;
};

TEST_P(OpPromotion, StretchesByNumPysRule) {
  const std::vector<Stretch> cases = {
      {{3, 1}, {1, 4}, {3, 4}}, {{4}, {2, 3, 4}, {2, 3, 4}}, {{2, 3, 4}, {3, 1}, {2, 3, 4}},
      {{}, {2, 3}, {2, 3}},     {{2, 3}, {}, {2, 3}},        {{}, {}, {}},
      {{1}, {0}, {0}},          {{3, 1}, {3, 0}, {3, 0}},    {{1, 1}, {5}, {1, 5}},
  };
  for_each_dtype(kind(), [&](DType d) {
    backends().back()->with_session([&](BackendSession& session) {
      for (const Stretch& shapes : cases) {
        SCOPED_TRACE(shape_text(shapes.a) + " with " + shape_text(shapes.b));
        std::vector<Array> given;
        if (row().shape == ShapeRule::select) given.push_back(draw_array(DType::boolean, shapes.b, {}, 1));
        given.push_back(ones(d, shapes.a, 2));
        given.push_back(ones(d, shapes.b, 3));
        if (given.size() < row().arity) given.push_back(ones(d, shapes.a, 4));
        std::vector<Array> full;
        for (const Array& x : given) full.push_back(stretched(x, shapes.result));
        const std::vector<Tensor> expected = run_op(session, Op(kind()), CallOperands(full).reads());
        const std::vector<Tensor> got = call_front_end(session, Op(kind()), CallOperands(given).reads());
        EXPECT_EQ(bit_difference(expected[0], got[0]), "");
      }
    });
  });
}

TEST_P(OpPromotion, TellsShapesThatDoNotFit) {
  const DType d = any_dtype(kind());
  backends().front()->with_session([&](BackendSession& session) {
    std::vector<Array> given;
    if (row().shape == ShapeRule::select) given.push_back(ones(DType::boolean, Shape{2, 4}, 1));
    given.push_back(ones(d, Shape{2, 4}, 2));
    given.push_back(ones(d, Shape{3}, 3));
    if (given.size() < row().arity) given.push_back(ones(d, Shape{2, 4}, 4));
    const auto error =
        refusal_of<ShapeMismatch>([&] { call_front_end(session, Op(kind()), CallOperands(given).reads()); });
    EXPECT_EQ(error.op, row().name);
    EXPECT_EQ(error.lhs, (Shape{2, 4}));
    EXPECT_EQ(error.rhs, Shape{3});
  });
}

TENFERRO_EACH_OP(OpPromotion, ops_where([](const OpInfo& row) {
                   return row.category == OpCategory::binary || row.category == OpCategory::ternary;
                 }));

}  // namespace
}  // namespace tenferro::testing
