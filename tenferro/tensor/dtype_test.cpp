// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/dtype.hpp"

#include <gtest/gtest.h>

namespace tenferro {
namespace {

// A dtype as (kind, bits): bool 0, integer 1, real 2, complex 3. Promotion takes the higher kind and enough bits for
// both, where an integer beside a float asks for 64 bits.
struct Kind {
  int kind;
  int bits;
};
Kind kind_of(DType d) {
  switch (d) {
    case DType::boolean:
      return {0, 1};
    case DType::i32:
      return {1, 32};
    case DType::i64:
      return {1, 64};
    case DType::f32:
      return {2, 32};
    case DType::f64:
      return {2, 64};
    case DType::c32:
      return {3, 32};
    case DType::c64:
      return {3, 64};
    case DType::external:
      break;
  }
  return {-1, 0};
}
Kind joined(Kind a, Kind b) {
  const int kind = std::max(a.kind, b.kind);
  const auto bits = [&](Kind k) { return k.kind == 1 && kind > 1 ? 64 : k.bits; };
  return {kind, std::max(bits(a), bits(b))};
}

TEST(DType, PromotionFollowsKindAndWidth) {
  for (const DType a : kDTypes) {
    for (const DType b : kDTypes) {
      const Kind got = kind_of(promote(a, b));
      const Kind expected = joined(kind_of(a), kind_of(b));
      EXPECT_EQ(got.kind, expected.kind) << name(a) << " " << name(b);
      EXPECT_EQ(got.bits, expected.bits) << name(a) << " " << name(b);
    }
  }
}

TEST(DType, PromotionIsSymmetricAndAssociative) {
  for (const DType a : kDTypes) {
    EXPECT_EQ(promote(a, a), a);
    for (const DType b : kDTypes) {
      EXPECT_EQ(promote(a, b), promote(b, a));
      for (const DType c : kDTypes) EXPECT_EQ(promote(promote(a, b), c), promote(a, promote(b, c)));
    }
  }
}

TEST(DType, SafeConversionsAreThoseUpTheLattice) {
  EXPECT_TRUE(converts_safely(DType::boolean, DType::i32));
  EXPECT_TRUE(converts_safely(DType::i64, DType::f64));
  EXPECT_TRUE(converts_safely(DType::f32, DType::c32));
  EXPECT_FALSE(converts_safely(DType::f64, DType::f32));
  EXPECT_FALSE(converts_safely(DType::f64, DType::c32));
  EXPECT_FALSE(converts_safely(DType::i32, DType::f32));
  EXPECT_FALSE(converts_safely(DType::c32, DType::f32));
  EXPECT_FALSE(converts_safely(DType::i32, DType::boolean));
  EXPECT_FALSE(converts_safely(DType::f64, DType::i64));
}

TEST(DType, NamesAndSizes) {
  EXPECT_EQ(name(DType::c32), "complex<f32>");
  EXPECT_EQ(name(DType::boolean), "bool");
  EXPECT_EQ(element_size(DType::boolean), 1u);
  EXPECT_EQ(element_size(DType::c64), 16u);
  EXPECT_EQ(element_size(DType::external), 0u);
  EXPECT_EQ(to_text(DTypeSet::of(DType::boolean, DType::f32, DType::c64)), "f32 complex<f64> bool");
}

TEST(DType, RealAndComplexPartners) {
  EXPECT_EQ(real_part(DType::c32), DType::f32);
  EXPECT_EQ(real_part(DType::i64), DType::i64);
  EXPECT_EQ(complex_partner(DType::f64), DType::c64);
  EXPECT_EQ(complex_partner(DType::c32), DType::c32);
  EXPECT_EQ(complex_partner(DType::boolean), DType::boolean);
}

TEST(DType, VisitGivesTheElementType) {
  for (const DType d : kDTypes) {
    const auto seen = visit_dtype(d, [](auto tag) {
      using T = typename decltype(tag)::type;
      return std::pair(dtype_of<T>, sizeof(T));
    });
    EXPECT_EQ(seen.first, d);
    EXPECT_EQ(seen.second, element_size(d));
  }
}

}  // namespace
}  // namespace tenferro
