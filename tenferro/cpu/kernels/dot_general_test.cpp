// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "tenferro/cpu/kernel_table.hpp"
#include "tests/support/contraction.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro {
namespace {

using testing::contracted;
using testing::expect_equal;
using testing::Laid;
using testing::LayoutKind;
using testing::not_a_number;
using testing::Values;
using testing::whole_numbers;

template <class T>
void accumulate(KernelContext& context, const DotGeneralConfig& config, const Laid<T>& lhs, const Laid<T>& rhs,
                Laid<T>& out, T alpha, T beta) {
  cpu_dot_general(context, config, lhs.read(), rhs.read(), out.write(), &alpha, &beta);
}

struct Case {
  DotGeneralConfig config;
  Shape lhs, rhs;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{{1}, {0}}, {4, 6}, {6, 5}},
      {{{0}, {0}}, {6, 4}, {6, 5}},
      {{{0}, {1}}, {6, 4}, {5, 6}},
      {{{1}, {1}}, {4, 6}, {5, 6}},
      {{{0}, {0}}, {7}, {7}},                                   // dot
      {{{1}, {0}}, {9, 7}, {7}},                                // matrix · vector
      {{{0}, {0}}, {7}, {7, 70}},                               // vector · matrix
      {{std::initializer_list<std::uint8_t>{}, {}}, {4}, {5}},  // outer
      {{std::initializer_list<std::uint8_t>{}, {}}, {}, {3, 2}},
      {{{1}, {0}, {2}, {2}}, {3, 4, 5}, {4, 2, 5}},  // batch last
      {{{2}, {1}, {0}, {0}}, {5, 3, 4}, {5, 4, 2}},  // batch first
      {{{}, {}, {0, 1}, {1, 0}}, {3, 4}, {4, 3}},    // element by element
      {{{0}, {0}, {1}, {1}}, {6, 4}, {6, 4}},        // a dot a batch
      {{{1, 2}, {0, 1}}, {2, 3, 4}, {3, 4, 5}},
      {{{2, 1}, {1, 0}}, {2, 3, 4}, {3, 4, 5}},
      {{{1, 2}, {2, 0}}, {2, 3, 4}, {4, 5, 3}},
      {{{1}, {2}}, {2, 3, 4}, {5, 2, 3}},  // free axes apart
      {{{3, 1}, {0, 2}, {0}, {3}}, {2, 3, 4, 5}, {5, 6, 3, 2}},
      {{{1}, {0}}, {1, 3}, {3, 1}},
      {{{1}, {0}}, {3, 1}, {1, 3}},
      {{{1}, {0}, {2, 3}, {2, 3}}, {2, 3, 1, 4}, {3, 2, 1, 4}},
  };
  return all;
}

template <class T>
class DotGeneral : public ::testing::Test {};
using NumericTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(DotGeneral, NumericTypes);

TYPED_TEST(DotGeneral, EqualsTheDefinitionForEveryLayoutOfTheOperands) {
  using T = TypeParam;
  testing::SerialContext context;
  for (const Case& c : cases()) {
    const Values<T> lhs = whole_numbers<T>(c.lhs, 1), rhs = whole_numbers<T>(c.rhs, 2);
    for (const bool conj : {false, true}) {
      DotGeneralConfig config = c.config;
      config.lhs_conj = conj;
      Shape shape;
      const Values<T> expected = contracted<T>(config, c.lhs, lhs, c.rhs, rhs, shape);
      for (const LayoutKind left : testing::kLayoutKinds) {
        for (const LayoutKind right : testing::kLayoutKinds) {
          const Laid<T> a(left, c.lhs, lhs), b(right, c.rhs, rhs);
          Laid<T> out(LayoutKind::compact, shape, Values<T>(not_a_number<T>(), expected.size()));
          accumulate<T>(context, config, a, b, out, T(1), T(0));
          expect_equal<T>(out.values(), expected,
                          std::string(testing::name(left)) + " · " + std::string(testing::name(right)) + ", case " +
                              std::to_string(&c - cases().data()));
        }
      }
    }
  }
}

TYPED_TEST(DotGeneral, WritesOutputsOfEveryLayoutAndNothingElse) {
  using T = TypeParam;
  testing::SerialContext context;
  for (const Case& c : cases()) {
    const Values<T> lhs = whole_numbers<T>(c.lhs, 3), rhs = whole_numbers<T>(c.rhs, 4);
    Shape shape;
    DotGeneralConfig config = c.config;
    config.rhs_conj = true;
    const Values<T> product = contracted<T>(config, c.lhs, lhs, c.rhs, rhs, shape);
    const Values<T> old = whole_numbers<T>(shape, 5);
    for (const LayoutKind layout : testing::kLayoutKinds) {
      const Laid<T> a(LayoutKind::compact, c.lhs, lhs), b(LayoutKind::transposed, c.rhs, rhs);
      Laid<T> out(layout, shape, old);
      accumulate<T>(context, config, a, b, out, T(-2), T(3));
      expect_equal<T>(out.values(), Values<T>(product * T(-2) + old * T(3)), std::string(testing::name(layout)));
      EXPECT_TRUE(out.gaps_intact());
      Laid<T> fresh(layout, shape, Values<T>(not_a_number<T>(), product.size()));
      accumulate<T>(context, config, a, b, fresh, T(1), T(0));
      expect_equal<T>(fresh.values(), product, std::string(testing::name(layout)));
      EXPECT_TRUE(fresh.gaps_intact());
    }
  }
}

TYPED_TEST(DotGeneral, TableEntryOverwritesItsOutput) {
  using T = TypeParam;
  testing::SerialContext context;
  const Op op(OpKind::dot_general, DotGeneralConfig({1}, {0}));
  const Laid<T> a(LayoutKind::compact, {2, 2}, {T(1), T(2), T(3), T(4)});
  const Laid<T> b(LayoutKind::compact, {2, 2}, {T(5), T(6), T(7), T(8)});
  Laid<T> out(LayoutKind::compact, {2, 2}, Values<T>(not_a_number<T>(), 4));
  const std::array<TensorRead, 2> in{a.read(), b.read()};
  const TensorWrite target = out.write();
  internal::kContractionKernels[OpKind::dot_general][index(dtype_of<T>)](context, op, in, {&target, 1});
  expect_equal<T>(out.values(), {T(23), T(34), T(31), T(46)}, "product");
}

TYPED_TEST(DotGeneral, StretchedOperandsNeedNoCopyByTheCaller) {
  using T = TypeParam;
  testing::SerialContext context;
  const Values<T> stored = whole_numbers<T>(Shape{4, 3}, 6), rhs = whole_numbers<T>(Shape{3, 2, 5}, 7);
  const Laid<T> b(LayoutKind::compact, Shape{3, 2, 5}, rhs);
  const DotGeneralConfig config({1}, {0}, {2}, {2});
  for (const Shape& kept : {Shape{4, 3, 1}, Shape{1, 3, 5}, Shape{4, 1, 5}, Shape{1, 1, 1}}) {
    const Values<T> values = whole_numbers<T>(kept, 8);
    const Laid<T> a = Laid<T>::broadcast(Shape{4, 3, 5}, kept, values);
    Shape shape;
    const Values<T> expected = contracted<T>(config, a.shape(), a.values(), Shape{3, 2, 5}, rhs, shape);
    Laid<T> out(LayoutKind::compact, shape);
    accumulate<T>(context, config, a, b, out, T(1), T(0));
    expect_equal<T>(out.values(), expected, "stretched");
  }
}

TYPED_TEST(DotGeneral, SumOverNothingIsZeroAndKeepsTheScaledOutput) {
  using T = TypeParam;
  testing::SerialContext context;
  // "aebf,cdef->abcd" with a label of extent 0, reordered by the output's strides.
  const DotGeneralConfig config({1, 3}, {2, 3});
  const Laid<T> a(LayoutKind::compact, Shape{2, 0, 6, 8}), b(LayoutKind::compact, Shape{2, 6, 0, 8});
  Laid<T> out(LayoutKind::rotated, Shape{2, 6, 2, 6}, Values<T>(not_a_number<T>(), 144));
  accumulate<T>(context, config, a, b, out, T(1), T(0));
  expect_equal<T>(out.values(), Values<T>(T(0), 144), "zeros");
  Laid<T> ones(LayoutKind::rotated, Shape{2, 6, 2, 6}, Values<T>(T(1), 144));
  accumulate<T>(context, config, a, b, ones, T(1), T(10));
  expect_equal<T>(ones.values(), Values<T>(T(10), 144), "tens");
}

TYPED_TEST(DotGeneral, EmptyResultsTouchNothing) {
  using T = TypeParam;
  testing::SerialContext context;
  for (const auto& [lhs, rhs] :
       {std::pair{Shape{0, 3, 2}, Shape{3, 4, 2}}, std::pair{Shape{4, 3, 2}, Shape{3, 0, 2}},
        std::pair{Shape{4, 3, 0}, Shape{3, 2, 0}}, std::pair{Shape{0, 0, 0}, Shape{0, 0, 0}}}) {
    const Laid<T> a(LayoutKind::compact, lhs), b(LayoutKind::compact, rhs);
    Laid<T> out(LayoutKind::padded, Shape{lhs[0], rhs[1], lhs[2]});
    accumulate<T>(context, DotGeneralConfig({1}, {0}, {2}, {2}), a, b, out, T(1), T(1));
    EXPECT_TRUE(out.gaps_intact());
  }
}

TYPED_TEST(DotGeneral, AlphaZeroScalesTheOutputAndReadsNoOperand) {
  using T = TypeParam;
  if constexpr (!std::is_integral_v<T>) {
    testing::SerialContext context;
    const Values<T> bad(not_a_number<T>(), 9);
    const Laid<T> a(LayoutKind::compact, {3, 3}, bad), b(LayoutKind::compact, {3, 3}, bad);
    Laid<T> kept(LayoutKind::compact, {3, 3}, Values<T>(T(4), 9)), cleared(LayoutKind::transposed, {3, 3}, bad);
    accumulate<T>(context, DotGeneralConfig({1}, {0}), a, b, kept, T(0), T(-2));
    expect_equal<T>(kept.values(), Values<T>(T(-8), 9), "scaled");
    accumulate<T>(context, DotGeneralConfig({1}, {0}), a, b, cleared, T(0), T(0));
    expect_equal<T>(cleared.values(), Values<T>(T(0), 9), "cleared");
  }
}

TEST(DotGeneral, IntegersWrap) {
  testing::SerialContext context;
  const std::int32_t big = std::numeric_limits<std::int32_t>::max();
  const Laid<std::int32_t> a(LayoutKind::compact, {2, 2}, {big, big, big, 2});
  Laid<std::int32_t> out(LayoutKind::compact, Shape{2, 2});
  accumulate<std::int32_t>(context, DotGeneralConfig({1}, {0}), a, a, out, 1, 0);
  // big² ≡ 1 and 2·big ≡ −2 modulo 2³².
  expect_equal<std::int32_t>(out.values(), {2, -1, -1, 5}, "wrapped");
}

TEST(DotGeneral, NonFiniteOperandsReachTheResult) {
  testing::SerialContext context;
  const double infinity = std::numeric_limits<double>::infinity();
  const Laid<double> a(LayoutKind::compact, {2, 2}, {infinity, 0, 1, 1}), b(LayoutKind::compact, {2, 2}, {1, 2, 0, 1});
  Laid<double> out(LayoutKind::compact, Shape{2, 2});
  accumulate<double>(context, DotGeneralConfig({1}, {0}), a, b, out, 1.0, 0.0);
  EXPECT_EQ(out.values()[0], infinity);
  EXPECT_EQ(out.values()[1], 2);
  EXPECT_TRUE(std::isnan(out.values()[2]));
  EXPECT_EQ(out.values()[3], 1);
}

}  // namespace
}  // namespace tenferro
