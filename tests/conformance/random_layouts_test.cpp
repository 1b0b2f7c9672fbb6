// SPDX-License-Identifier: MIT OR Apache-2.0
// Random shapes in random memory layouts, operands and result alike, on every set of vector instructions: no bit
// differs from the same computation on compact tensors, and nothing beside the result is written.
#include <algorithm>
#include <random>

#include "tenferro/cpu/simd.hpp"
#include "tests/conformance/laid_array.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

// Draws shapes, orders and operations; everything follows from the seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::int64_t up_to(std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random_); }
  bool one_in(std::int64_t n) { return up_to(n - 1) == 0; }
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(up_to(static_cast<std::int64_t>(choices.size()) - 1))];
  }

  // Extents around the lengths of vectors and tiles; not too many elements in all.
  Shape shape(std::int64_t most_axes) {
    static const std::vector<std::int64_t> kExtents{1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 130};
    constexpr std::int64_t kMostElements = 6000;
    Shape shape;
    std::int64_t count = 1;
    for (std::int64_t k = up_to(most_axes); k > 0; --k) {
      const std::int64_t extent = of(kExtents);
      if (count * extent > kMostElements) break;
      shape.push_back(extent);
      count *= extent;
    }
    return shape;
  }

  MemoryOrder order(DimsView shape) {
    MemoryOrder order = memory_order(LayoutKind::spelled, shape);
    if (!one_in(3)) std::shuffle(order.axes.begin(), order.axes.end(), random_);
    for (std::int64_t& step : order.steps) {
      if (one_in(5)) step = 1 + up_to(2);
      if (one_in(5)) step = -step;
    }
    if (one_in(3)) order.gap = up_to(9);
    return order;
  }

  AxisSet axes(std::size_t rank) {
    AxisSet set;
    for (std::size_t k = 0; k < rank; ++k) {
      if (one_in(2)) set.insert(k);
    }
    return set;
  }

  AxisList permutation(std::size_t rank) {
    AxisList perm;
    for (std::size_t k = 0; k < rank; ++k) perm.push_back(static_cast<std::uint8_t>(k));
    std::shuffle(perm.begin(), perm.end(), random_);
    return perm;
  }

  std::uint64_t seed() { return random_(); }

 private:
  std::mt19937_64 random_;
};

OpCall elementwise_call(Draw& draw, OpKind kind, DType d) {
  const Shape shape = draw.shape(4);
  OpCall call{"", Op(kind), {}};
  const auto& domain = op_sample(kind).domain;
  for (int i = 0; i < info(kind).arity; ++i) {
    const DType dtype = kind == OpKind::select && i == 0 ? DType::boolean : d;
    call.in.push_back(draw_array(dtype, shape, domain[static_cast<std::size_t>(i)], draw.seed()));
  }
  return call;
}

OpCall reduction_call(Draw& draw, OpKind kind, DType d) {
  const Shape shape = draw.shape(4);
  const bool keep_dims = draw.one_in(2), to_position = kind == OpKind::argmax || kind == OpKind::argmin;
  const auto axis = static_cast<std::int8_t>(draw.up_to(static_cast<std::int64_t>(shape.size())) - 1);
  const Op op = to_position ? Op(kind, ArgReduceAttrs{axis, keep_dims})
                            : Op(kind, ReduceAttrs{draw.axes(shape.size()), keep_dims});
  return {"", op, {draw_array(d, shape, {-3, 3}, draw.seed())}};
}

OpCall product_call(Draw& draw, DType d) {
  static const std::vector<std::int64_t> kSides{1, 2, 3, 4, 5, 8, 9, 16, 17, 24, 25, 40};
  const std::int64_t m = draw.of(kSides), k = draw.of(kSides), n = draw.of(kSides), batch = draw.one_in(2) ? 1 : 3;
  const bool batched = batch > 1;
  DotGeneralConfig config = batched ? DotGeneralConfig({1}, {0}, {2}, {2}) : DotGeneralConfig({1}, {0});
  config.lhs_conj = draw.one_in(3);
  config.rhs_conj = draw.one_in(3);
  const Shape left = batched ? Shape{m, k, batch} : Shape{m, k}, right = batched ? Shape{k, n, batch} : Shape{k, n};
  return {"",
          Op(OpKind::dot_general, config),
          {draw_array(d, left, {-3, 3}, draw.seed()), draw_array(d, right, {-3, 3}, draw.seed())}};
}

OpCall transpose_call(Draw& draw, DType d) {
  const Shape shape = draw.shape(7);
  return {"",
          Op(OpKind::transpose, TransposeAttrs{draw.permutation(shape.size())}),
          {draw_array(d, shape, {-8, 8}, draw.seed())}};
}

OpCall draw_call(Draw& draw) {
  static const std::vector<OpKind> kKinds = ops_where([](const OpInfo& row) {
    return is_elementwise(row.kind) || row.category == OpCategory::reduction || row.kind == OpKind::dot_general ||
           row.kind == OpKind::transpose;
  });
  // Products and permutations have the most ways to go.
  const OpKind kind = draw.one_in(4) ? OpKind::dot_general : draw.one_in(4) ? OpKind::transpose : draw.of(kKinds);
  std::vector<DType> dtypes;
  for (const DType d : kDTypes) {
    if (admitted(info(kind).dtypes).contains(d)) dtypes.push_back(d);
  }
  const DType d = draw.of(dtypes);
  if (kind == OpKind::dot_general) return product_call(draw, d);
  if (kind == OpKind::transpose) return transpose_call(draw, d);
  return is_elementwise(kind) ? elementwise_call(draw, kind, d) : reduction_call(draw, kind, d);
}

void expect_same_bits(BackendSession& session, Draw& draw) {
  const OpCall call = draw_call(draw);
  const std::vector<Tensor> expected = run_op(session, call.op, CallOperands(call.in).reads());
  std::vector<LaidArray> operands;
  std::vector<TensorRead> in;
  std::string trace = std::string(call.op.info().name) + ' ' + std::string(name(call.in[0].dtype));
  for (const Array& x : call.in) {
    operands.emplace_back(draw.order(x.shape), x);
    in.push_back(operands.back().read());
    trace += ' ' + shape_text(x.shape);
  }
  SCOPED_TRACE(trace);
  for (const Tensor& want : expected) {
    LaidArray out(draw.order(want.shape()), want.dtype(), want.shape());
    const TensorWrite target = out.write();
    session.bind_into(call.op, in, std::span(&target, 1));
    EXPECT_EQ(bit_difference(want, out.read()), "");
    EXPECT_TRUE(out.gaps_intact());
  }
}

TEST(RandomLayouts, ChangeNoBitOnAnyTarget) {
  constexpr std::uint64_t kCases = 600;
  for (const std::string_view target : simd_targets()) {
    SCOPED_TRACE(std::string(target));
    ASSERT_TRUE(internal::use_simd_target(target));
    backends().back()->with_session([&](BackendSession& session) {
      for (std::uint64_t seed = 0; seed < kCases && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Draw draw(seed);
        expect_same_bits(session, draw);
      }
    });
  }
  EXPECT_TRUE(internal::use_simd_target(""));
}

}  // namespace
}  // namespace tenferro::testing
