// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/define_family.hpp"

#include <gtest/gtest.h>

#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/random_family.hpp"
#include "tenferro/ops/recorder.hpp"
#include "tenferro/ops/testing/refusal.hpp"

namespace tenferro::testing {
namespace {

enum class ToyOp : std::uint16_t {
#define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ENUMERATOR
#include "tenferro/ops/testing/toy_ops.def"
};
constexpr FamilyRow kToyRows[] = {
#define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ROW
#include "tenferro/ops/testing/toy_ops.def"
};

OpFailure infer_like_first(const Op&, std::span<const MetaView> in, std::span<TensorMeta> out) {
  for (TensorMeta& meta : out) meta = {in[0].dtype, Shape(in[0].shape)};
  return nullptr;
}

constexpr auto kParts = family_table<ToyOp, FamilyParts>(
    kToyRows, {{ToyOp::twice, {infer_like_first}}, {ToyOp::divided, {infer_like_first}}});
TENFERRO_COVERS_FAMILY(kToyRows, kParts);
constexpr auto kToyOps = family_ops(kToyRows, kParts);
const ExtensionFamily kToy{"toy", kToyOps, nullptr};

struct Step {
  std::int64_t size;
  std::int64_t count;
};

TEST(DefineFamilyTest, RowsComeFromTheTable) {
  const Op op = family_op(kToy, ToyOp::divided);
  EXPECT_FALSE(op.is_core());
  EXPECT_EQ(op.name(), "divided");
  EXPECT_EQ(op.arity(), 2);
  EXPECT_EQ(op.results(), 2);
  EXPECT_EQ(op.extension().doc, "Quotient and remainder.");
}

TEST(DefineFamilyTest, HolesAreFound) {
  constexpr auto kHole = family_table<ToyOp, FamilyParts>(kToyRows, {{ToyOp::twice, {infer_like_first}}});
  static_assert(first_missing(kHole) == 1);
  static_assert(first_missing(kParts) == 2);
}

TEST(DefineFamilyTest, EveryEmitterTakesIt) {
  ShapeEvaluator shapes;
  EXPECT_EQ(bind1(shapes, family_op(kToy, ToyOp::twice), f32({2})), f32({2}));
  refusal_of<ArityMismatch>([&] { return bind1(shapes, family_op(kToy, ToyOp::twice), f32({2}), f32({2})); });
  Recorder recorder;
  (void)bind1(recorder, family_op(kToy, ToyOp::twice), recorder.input(f32({2})));
  EXPECT_EQ(to_text(recorder.recording()), "x0: f32 [2]\nx1 = toy.twice(x0): f32 [2]\n");
}

TEST(DefineFamilyTest, PayloadIsPartOfTheIdentity) {
  const Op a = family_op(kToy, ToyOp::twice, Step{1, 2}), b = family_op(kToy, ToyOp::twice, Step{1, 2});
  const Op c = family_op(kToy, ToyOp::twice, Step{1, 3});
  EXPECT_TRUE(a == b);
  EXPECT_EQ(hash_value(a), hash_value(b));
  EXPECT_FALSE(a == c);
  EXPECT_NE(hash_value(a), hash_value(c));
  EXPECT_EQ(std::get<ExtensionAttrs>(c.attrs).get<Step>().count, 3);
}

TEST(DefineFamilyTest, FamiliesAreEqualByTheirId) {
  const ExtensionFamily copy{"toy", kToyOps, nullptr}, other{"play", kToyOps, nullptr};
  EXPECT_TRUE(family_op(kToy, ToyOp::twice) == family_op(copy, ToyOp::twice));
  EXPECT_FALSE(family_op(kToy, ToyOp::twice) == family_op(other, ToyOp::twice));
  EXPECT_FALSE(family_op(kToy, ToyOp::twice) == Op(OpKind::neg));
}

TEST(RandomFamilyTest, NormalNumbersHaveTheWidthOfTheBits) {
  ShapeEvaluator e;
  const Op op = family_op(kRandomFamily, RandomOp::normal_from_bits);
  EXPECT_EQ(bind1(e, op, i64({3})), f64({3}));
  EXPECT_EQ(bind1(e, op, i32({3})), f32({3}));
  refusal_of<UnsupportedDType>([&] { return bind1(e, op, f32({3})); });
  refusal_of<ArityMismatch>([&] { return bind1(e, op); });
  EXPECT_EQ(kRandomFamily.kernels_for(BackendKind{"cpu"}).size(), 1U);
  EXPECT_TRUE(kRandomFamily.kernels_for(BackendKind{"cuda"}).empty());
}

}  // namespace
}  // namespace tenferro::testing
