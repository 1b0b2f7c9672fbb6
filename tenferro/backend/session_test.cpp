// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/session.hpp"

#include <gtest/gtest.h>

#include "tenferro/ops/define_family.hpp"
#include "tests/support/payload_of.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro::testing {
namespace {

template <class Payload, class F>
Payload refusal_of(F&& f) {
  return payload_of<OpErrorInfo, Payload>(f);
}

// Allocates zeros and counts what would run: what a session refuses does not depend on its kernels.
class CountingSession final : public BackendSession {
 public:
  explicit CountingSession(KernelContext& context) : BackendSession(context) {}

  int runs = 0;

 private:
  Tensor allocate(DType dtype, DimsView shape) override { return Tensor::zeros(dtype, Shape(shape)); }
  void run(const Op&, DType, std::span<const TensorRead>, std::span<const TensorWrite>) override { ++runs; }
  void accumulate(const Op&, std::span<const TensorRead>, const TensorWrite&, const Scalar&, const Scalar&) override {
    ++runs;
  }
};

enum class ManyOp : std::uint16_t { nine, pair };
constexpr FamilyRow kRows[] = {{"nine", "Nine copies.", 1, 9}, {"pair", "Two copies of the second operand.", 2, 2}};

OpFailure infer_like_last(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const MetaView& last = in[op.arity() - 1U];
  for (TensorMeta& meta : out) meta = {last.dtype, Shape(last.shape)};
  return nullptr;
}

void fill_with_number(KernelContext&, const Op&, std::span<const TensorRead>, std::span<const TensorWrite> out) {
  for (std::size_t i = 0; i < out.size(); ++i) *out[i].as<double>() = static_cast<double>(i);
}

constexpr auto kParts =
    family_table<ManyOp, FamilyParts>(kRows, {{ManyOp::nine, {infer_like_last}}, {ManyOp::pair, {infer_like_last}}});
constexpr auto kOps = family_ops(kRows, kParts);
constexpr KernelFn kKernels[] = {fill_with_number, fill_with_number};
const ExtensionFamily kMany{"many", kOps, [](BackendKind) { return std::span<const KernelFn>(kKernels); }};

class SessionTest : public ::testing::Test {
 protected:
  SerialContext context_;
  CountingSession session_{context_};
  Tensor x_ = Tensor::ones(DType::f64, {1});
  const TensorRead in_[2] = {x_, x_};
};

TEST_F(SessionTest, FamilyOperationsHaveAnyNumberOfResults) {
  const Op nine = family_op(kMany, ManyOp::nine);
  std::vector<Tensor> out(9);
  session_.bind(nine, {in_, 1}, out);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(out[i].at<double>({0}), static_cast<double>(i));

  for (Tensor& t : out) t = Tensor::ones(DType::f64, {1});
  const std::vector<TensorWrite> targets(out.begin(), out.end());
  session_.bind_into(nine, {in_, 1}, targets);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(out[i].at<double>({0}), static_cast<double>(i));
}

TEST_F(SessionTest, WrongNumbersOfOperandsOfAFamilyAreRefused) {
  const Op pair = family_op(kMany, ManyOp::pair);
  std::vector<Tensor> out(2);
  const auto error = refusal_of<ArityMismatch>([&] {
    session_.bind(pair, {in_, 1}, out);
    return 0;
  });
  EXPECT_EQ(error.op, "pair");
  EXPECT_EQ(error.expected, 2);
  EXPECT_EQ(error.got, 1);
}

TEST_F(SessionTest, WrongNumbersOfResultsAreRefused) {
  for (const Op& op : {family_op(kMany, ManyOp::pair), Op(OpKind::top_k, TopKAttrs{1, 0, true}), Op(OpKind::exp)}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      if (count == op.results()) continue;
      std::vector<Tensor> out(count);
      std::vector<Tensor> blocks;
      for (std::size_t i = 0; i < count; ++i) blocks.push_back(Tensor::ones(DType::f64, {1}));
      const std::vector<TensorWrite> targets(blocks.begin(), blocks.end());
      const std::span<const TensorRead> in(in_, op.arity());
      const auto bound = refusal_of<ArityMismatch>([&] {
        session_.bind(op, in, out);
        return 0;
      });
      EXPECT_EQ(bound.what, "results");
      EXPECT_EQ(bound.got, static_cast<std::int64_t>(count));
      refusal_of<ArityMismatch>([&] {
        session_.bind_into(op, in, targets);
        return 0;
      });
    }
  }
  refusal_of<ArityMismatch>([&] { return session_.bind_single(Op(OpKind::top_k, TopKAttrs{1, 0, true}), {in_, 1}); });
  EXPECT_EQ(session_.runs, 0);
}

TEST_F(SessionTest, OutputsElsewhereAreRefused) {
  Tensor out = Tensor::zeros(DType::f64, {1});
  TensorWrite away = out;
  away.placement = Placement{DeviceKind::cuda, MemoryKind::device, 1};
  const auto error = refusal_of<PlacementMismatch>([&] {
    session_.bind_into(Op(OpKind::exp), {in_, 1}, {&away, 1});
    return 0;
  });
  EXPECT_EQ(error.operand, -1);
  EXPECT_EQ(error.got, away.placement);
  const DotGeneralConfig inner({0}, {0});
  Tensor sum = Tensor::zeros(DType::f64, {});
  TensorWrite sum_away = sum;
  sum_away.placement = away.placement;
  refusal_of<PlacementMismatch>([&] {
    session_.accumulate_into(Op(OpKind::dot_general, inner), in_, sum_away, 1.0, 0.0);
    return 0;
  });
  EXPECT_EQ(session_.runs, 0);
}

TEST_F(SessionTest, OutputsThatShareMemoryAreRefused) {
  Tensor block = Tensor::zeros(DType::f64, {1});
  const TensorWrite same[] = {block, block};
  const auto error = refusal_of<OverlappingStorage>([&] {
    session_.bind_into(family_op(kMany, ManyOp::pair), in_, same);
    return 0;
  });
  EXPECT_TRUE(error.among_outputs);
  EXPECT_EQ(error.operand, 0);
  EXPECT_EQ(describe(error), "pair: output overlaps output 0 (expected separate storage)");
}

TEST_F(SessionTest, OutputsBetweenTheElementsOfAnOperandAreAccepted) {
  Tensor wide = Tensor::zeros(DType::f64, {4, 6});
  const TensorView even = wide.view({all, range(0, end, 2)});
  MutableTensorView odd = wide.mutable_view({all, range(1, end, 2)});
  const TensorRead in = even;
  const TensorWrite out = odd;
  session_.bind_into(Op(OpKind::exp), {&in, 1}, {&out, 1});
  EXPECT_EQ(session_.runs, 1);

  MutableTensorView shifted = wide.mutable_view({all, range(0, 3)});
  const TensorWrite crossing = shifted;
  refusal_of<OverlappingStorage>([&] {
    session_.bind_into(Op(OpKind::exp), {&in, 1}, {&crossing, 1});
    return 0;
  });
  EXPECT_EQ(session_.runs, 1);
}

}  // namespace
}  // namespace tenferro::testing
