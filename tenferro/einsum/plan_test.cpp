// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/plan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/recorder.hpp"
#include "tests/support/loop_surfaces.hpp"
#include "tests/support/special_values.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro {
namespace {

using testing::kNan;
using testing::Loop;
using testing::LoopEmitter;
using testing::LoopSession;
using testing::LoopValue;

Loop seq(std::vector<std::int64_t> shape) { return testing::sequence<double>(std::move(shape)); }

Tensor tensor(const Loop& array) {
  return Tensor::from_col_major<double>(Shape(DimsView(array.shape)), std::span<const double>(array.data));
}

// The definition, by the labels of the resolved notation.
Loop definition(const EinsumPlan& plan, const std::vector<Loop>& operands) {
  const auto list = [](const LabelList& labels) { return std::vector<Label>(labels.begin(), labels.end()); };
  std::vector<std::vector<Label>> labels;
  for (const ResolvedOperand& operand : plan.tree().notation.operands) labels.push_back(list(operand.labels));
  return testing::loop_einsum<double, Label>(labels, operands, list(plan.tree().notation.output));
}

// The result written into memory of the caller, overwriting and accumulating.
void expect_destinations(BackendSession& session, const EinsumPlan& plan, std::span<const TensorRead> reads,
                         const Loop& expected, const std::string& where) {
  Tensor out = Tensor::full(Shape(DimsView(expected.shape)), kNan);
  plan.execute_into(session, reads, out);
  EXPECT_EQ(testing::loop_of(out).data, expected.data) << where << " into";
  for (double& value : out.data<double>()) value = kNan;
  plan.execute_into_accum(session, reads, out, 2.0, 0.0);
  for (double& value : out.data<double>()) value /= 2;
  EXPECT_EQ(testing::loop_of(out).data, expected.data) << where << " beta 0";
  for (double& value : out.data<double>()) value = 1;
  plan.execute_into_accum(session, reads, out, 1.0, 10.0);
  for (double& value : out.data<double>()) value -= 10;
  EXPECT_EQ(testing::loop_of(out).data, expected.data) << where << " beta 10";
}

// Every way of executing a plan against the definition.
void expect_right(std::string_view text, const std::vector<Loop>& operands, const PathOptions& options = {}) {
  std::vector<Tensor> tensors;
  std::vector<Tensor> backwards;
  std::vector<TensorView> views;
  std::vector<TensorRead> reads;
  std::vector<TensorRead> strided;
  std::vector<LoopValue> values;
  std::vector<MetaView> metas;
  for (const Loop& operand : operands) {
    tensors.push_back(tensor(operand));
    // The same operand held with its axes in reverse order.
    std::vector<std::int64_t> axes;
    for (std::size_t k = operand.shape.size(); k-- > 0;) axes.push_back(static_cast<std::int64_t>(k));
    backwards.push_back(Tensor::copy_of(tensors.back().view().permuted(axes)));
    views.push_back(backwards.back().view().permuted(axes));
    values.push_back(LoopEmitter::value(operand));
  }
  for (std::size_t k = 0; k < operands.size(); ++k) {
    reads.push_back(tensors[k]);
    strided.push_back(views[k]);
    metas.push_back(reads[k].meta());
  }
  const EinsumPlan plan = EinsumPlan::prepare(text, metas, options);
  const Loop expected = definition(plan, operands);
  LoopSession session;
  LoopEmitter emitter;
  const std::string where = std::string(text) + "\n" + plan.to_text();

  const Tensor dynamic = plan.execute(session, reads);
  EXPECT_EQ(testing::loop_of(dynamic).shape, expected.shape) << where;
  EXPECT_EQ(testing::loop_of(dynamic).data, expected.data) << where;
  EXPECT_EQ(testing::loop_of(plan.execute(session, strided)).data, expected.data) << where << "strided";
  const LoopValue emitted = plan.execute(emitter, values);
  EXPECT_EQ(emitted.array.shape, expected.shape) << where << "emitter";
  EXPECT_EQ(emitted.array.data, expected.data) << where << "emitter";
  expect_destinations(session, plan, reads, expected, where + "loops");
  testing::on_cpu([&](BackendSession& s) {
    EXPECT_EQ(testing::loop_of(plan.execute(s, reads)).data, expected.data) << where << "cpu";
    EXPECT_EQ(testing::loop_of(plan.execute(s, strided)).data, expected.data) << where << "cpu, strided";
    expect_destinations(s, plan, strided, expected, where + "cpu");
  });
}

void expect_values(std::string_view text, const std::vector<Loop>& operands, const std::vector<double>& row_major) {
  std::vector<Tensor> tensors;
  for (const Loop& operand : operands) tensors.push_back(tensor(operand));
  const std::vector<TensorRead> reads(tensors.begin(), tensors.end());
  LoopSession session;
  EXPECT_EQ(row_major_values<double>(einsum(session, text, reads)), row_major) << text;
  expect_right(text, operands);
}

Loop vector(std::vector<double> values) {
  Loop array({static_cast<std::int64_t>(values.size())});
  array.data = std::move(values);
  return array;
}

Loop number(double value) { return Loop({}, value); }

TEST(EinsumPlan, BroadcastAxesAreToldByExtentNotByData) {  // EIN-01
  for (const double corner : {1.0, 5.0}) {
    Loop a({3, 1});
    a.data = {corner, 2, 3};
    Loop b({1, 4});
    b.data = {1, 2, 3, 4};
    const Loop c = vector({1, 1, 1, 1});
    for (const auto& pairs :
         std::vector<std::vector<std::array<std::int64_t, 2>>>{{{0, 1}, {0, 1}}, {{0, 2}, {0, 1}}, {{1, 2}, {0, 1}}}) {
      PathOptions options;
      options.method = PathMethod::explicit_pairs;
      options.pairs = pairs;
      expect_right("ij,jk,k->i", {a, b, c}, options);
    }
    expect_values("ij,jk,k->i", {a, b, c}, {10 * corner, 20, 30});
  }
}

TEST(EinsumPlan, ContractedLabelOfExtentOneStretches) {  // EIN-02
  Loop a({4, 1});
  a.data = {0, 1, 2, 3};
  Loop b({1, 3});
  b.data = {1, 2, 3};
  expect_values("ik,jk->ij", {a, b}, {0, 6, 12, 18});
}

TEST(EinsumPlan, OneAgainstZeroSumsNothing) { expect_values("i,i->", {vector({7}), vector({})}, {0}); }  // EIN-04

TEST(EinsumPlan, StaysUsableWhenMovedFrom) {
  EinsumPlan first = EinsumPlan::prepare("ij->ji", DType::f64, {Shape{2, 3}});
  const EinsumPlan second = std::move(first);
  EXPECT_EQ(first.to_text(), second.to_text());  // NOLINT(bugprone-use-after-move): that is the case
}

TEST(EinsumPlan, TraceAndDiagonal) {  // EIN-06
  const Loop a = [] {
    Loop m({3, 3});
    m.data = {1, 4, 7, 2, 5, 8, 3, 6, 9};
    return m;
  }();
  expect_values("ii->", {a}, {15});
  expect_values("ii->i", {a}, {1, 5, 9});
}

TEST(EinsumPlan, DiagonalOfOneOperandWithAnother) {  // EIN-08
  expect_values("iij,j->ij", {seq({2, 2, 4}), vector({1, 10, 100, 1000})}, {0, 10, 200, 3000, 12, 130, 1400, 15000});
}

TEST(EinsumPlan, AxisOrderOfTheSecondOperandCounts) {  // EIN-10
  expect_values("abc,ba->c", {seq({2, 3, 4}), seq({3, 2})}, {200, 215, 230, 245});
}

TEST(EinsumPlan, LabelsOfOneOperandAreSummed) {  // EIN-13
  expect_values("ab,ac->", {seq({2, 3}), seq({2, 4})}, {282});
  expect_values("ij,jk->k", {seq({2, 3}), seq({3, 2})}, {38, 53});
  expect_values("iijk,kl->jl", {seq({2, 2, 3, 2}), seq({2, 2})}, {40, 78, 48, 94, 56, 110});
}

TEST(EinsumPlan, SumsOfOneOperand) {  // EIN-14
  Loop a({2, 3});
  a.data = {1, 4, 2, 5, 3, 6};
  expect_values("ij->j", {a}, {5, 7, 9});
  expect_values("ij->i", {a}, {6, 15});
  expect_values("ij->", {a}, {21});
  expect_values("ij->ji", {a}, {1, 4, 2, 5, 3, 6});
  expect_values("ij->ij", {a}, {1, 2, 3, 4, 5, 6});
}

TEST(EinsumPlan, SumOverNothingIsZeroAlsoWhenAccumulating) {  // EIN-15
  expect_right("aebf,cdef->abcd", {seq({2, 0, 6, 8}), seq({2, 6, 0, 8})});
}

TEST(EinsumPlan, EmptyOperands) {  // EIN-16
  expect_values("i,i->", {vector({}), vector({})}, {0});
  expect_values("ij,jk->ik", {seq({3, 0}), seq({0, 4})}, std::vector<double>(12, 0.0));
  expect_values("ij,j->i", {seq({0, 3}), seq({3})}, {});
}

TEST(EinsumPlan, OperandsOfRankZero) {  // EIN-18
  expect_values(",i->i", {number(3), vector({1, 2})}, {3, 6});
  expect_values("i,->i", {vector({1, 2}), number(3)}, {3, 6});
  expect_values(",->", {number(3), number(4)}, {12});
  expect_values("->", {number(5)}, {5});
  expect_values(",,->", {number(2), number(3), number(4)}, {24});
  expect_values("ij,->ij", {seq({2, 2}), number(10)}, {0, 10, 20, 30});
}

TEST(EinsumPlan, RankZeroDestinationIsWrittenInPlace) {  // EIN-19
  LoopSession session;
  const Tensor a = Tensor::vector({1.0, 2.0, 3.0});
  const Tensor b = Tensor::vector({4.0, 5.0, 6.0});
  double place = -1;
  const MutableTensorView out(reinterpret_cast<std::byte*>(&place), 1, DType::f64, Layout{{}, {}, 0});
  EinsumPlan::prepare("i,i->", {a, b}).execute_into(session, {a, b}, out);
  EXPECT_EQ(place, 32);
  EinsumPlan::prepare("i,i,i->", {a, b, a}).execute_into(session, {a, b, a}, out);
  EXPECT_EQ(place, 4 + 20 + 54);
}

TEST(EinsumPlan, SixtyIntegerLabels) {  // EIN-20
  std::vector<std::vector<int>> ring;
  std::vector<std::vector<int>> chain;
  const Tensor m = Tensor::matrix({{1.0, 1.0}, {0.0, 1.0}});
  std::vector<TensorRead> operands(60, m);
  for (int k = 0; k < 60; ++k) {
    ring.push_back({k, (k + 1) % 60});
    chain.push_back({k, k + 1});
  }
  LoopSession session;
  EXPECT_EQ(einsum(session, Notation::from_labels(ring, {}), operands).item(), Scalar(2.0));
  EXPECT_EQ(row_major_values<double>(einsum(session, Notation::from_labels(chain, {0, 60}), operands)),
            (std::vector<double>{1, 60, 0, 1}));
}

TEST(EinsumPlan, HyperedgesAreSummedOnceAtTheirLastUse) {  // EIN-24
  const std::vector<Loop> all{vector({1, 2, 3}), vector({4, 5, 6}), vector({7, 8, 9}), vector({1, -1, 1})};
  expect_values("i,i,i,i->", all, {28 - 80 + 162});
  expect_values("i,i,i->i", {all[0], all[1], all[2]}, {28, 80, 162});
  for (std::int64_t a = 0; a < 4; ++a) {
    for (std::int64_t b = 0; b < 4; ++b) {
      if (a == b) continue;
      PathOptions options;
      options.method = PathMethod::explicit_pairs;
      options.pairs = {{a, b}, {0, 1}, {1, 0}};
      expect_right("i,i,i,i->", all, options);
    }
  }
}

TEST(EinsumPlan, EightOperandsGiveTheExactCount) {  // EIN-26
  const std::string text = "gfl,egh,efj,mjk,cdn,bck,bdi,oih->lmno";
  std::vector<Tensor> tensors;
  Shape shape;
  for (const char c : text.substr(0, text.find('-')) + ",") {
    if (c == ',') {
      tensors.push_back(Tensor::ones(DType::f64, shape));
      shape.clear();
    } else {
      shape.push_back(c >= 'l' ? 4 : 6);
    }
  }
  const std::vector<TensorRead> reads(tensors.begin(), tensors.end());
  LoopSession session;
  const Tensor result = einsum(session, text, reads);
  EXPECT_EQ(result.shape(), (Shape{4, 4, 4, 4}));
  for (const double value : result.data<double>()) EXPECT_EQ(value, 60466176);
}

TEST(EinsumPlan, HyperedgeOfTwentyStaysWithinTheReportedPeak) {  // EIN-23
  std::vector<std::vector<int>> labels;
  std::vector<int> output;
  std::vector<Tensor> tensors;
  for (int k = 0; k < 20; ++k) {
    labels.push_back({100, k});
    if (k % 2 == 0 && k < 10) output.push_back(k);
    tensors.push_back(Tensor::ones(DType::f64, {50, 2}));
  }
  const std::vector<TensorRead> reads(tensors.begin(), tensors.end());
  std::vector<MetaView> metas;
  for (const TensorRead& read : reads) metas.push_back(read.meta());
  const EinsumPlan plan = EinsumPlan::prepare(Notation::from_labels(labels, output), metas);
  LoopSession session;
  const Tensor result = plan.execute(session, reads);
  EXPECT_LE(session.peak(), plan.cost().peak_bytes);
  for (const double value : result.data<double>()) EXPECT_EQ(value, 50 * 32768.0);
  // The pool of a fresh backend holds all that was ever asked for.
  CpuBackend fresh;
  fresh.with_session([&](BackendSession& s) { return plan.execute(s, reads); });
  const std::int64_t inputs = 20 * 50 * 2 * 8;
  const PoolStats pool = fresh.stats().pool;
  EXPECT_LE(static_cast<std::int64_t>(pool.lent_bytes + pool.retained_bytes), 2 * (inputs + plan.cost().peak_bytes));
}

TEST(EinsumPlan, RunsWithinALimitEqualToItsPeak) {  // EIN-28
  std::vector<std::vector<int>> labels;
  std::vector<Tensor> tensors;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      labels.push_back({10 * r + c, 10 * r + (c + 1) % 3, 100 + 10 * r + c, 100 + 10 * ((r + 1) % 3) + c});
      tensors.push_back(Tensor::ones(DType::f64, {2, 2, 2, 2}));
    }
  }
  const std::vector<TensorRead> reads(tensors.begin(), tensors.end());
  std::vector<MetaView> metas;
  for (const TensorRead& read : reads) metas.push_back(read.meta());
  const Notation notation = Notation::from_labels(labels, {});
  PathOptions options;
  options.memory_limit = EinsumPlan::prepare(notation, metas).cost().peak_bytes;
  const EinsumPlan plan = EinsumPlan::prepare(notation, metas, options);
  LoopSession session;
  EXPECT_EQ(plan.execute(session, reads).item(), Scalar(262144.0));
  EXPECT_LE(session.peak(), *options.memory_limit);
  EXPECT_EQ(session.live(), 0);
}

TEST(EinsumPlan, Ellipses) {  // EIN-29
  expect_values("i...->i", {seq({2, 3, 4})}, {66, 210});
  expect_right("...ij->...ji", {seq({2, 3, 4})});
  expect_right("...ij,...jk->...ik", {seq({5, 1, 2, 3}), seq({4, 3, 2})});
}

TEST(EinsumPlan, TwoDimensionsAtOnce) {  // EIN-35
  expect_values("bij,bik->jk", {seq({2, 5, 4}), seq({2, 5, 2})}, {2280, 2460, 2370, 2560, 2460, 2660, 2550, 2760});
}

TEST(EinsumPlan, BatchLabelSharedByInputsAndOutput) {  // EIN-37
  LoopSession session;
  const Tensor result = einsum(session, "bmk,bkn->bmn", {tensor(seq({2, 3, 4})), tensor(seq({2, 4, 5}))});
  double sum = 0;
  for (const double value : result.data<double>()) sum += value;
  EXPECT_EQ(sum, 34860);
  EXPECT_EQ(result.at<double>({1, 2, 4}), 2734);
}

TEST(EinsumPlan, UnitExtentsAndReversedViews) {  // EIN-39
  expect_right("abc,cbd->ad", {seq({1, 1, 1}), seq({1, 1, 1})});
  expect_right("abc,cbd->ad", {seq({2, 1, 3}), seq({3, 1, 4})});
  const Tensor a = tensor(seq({2, 1, 3}));
  const Tensor b = tensor(seq({3, 1, 4}));
  const TensorView reversed = a.view().reversed({0, 2});
  LoopSession session;
  const Tensor copy = Tensor::copy_of(reversed);
  EXPECT_EQ(row_major_values<double>(einsum(session, "abc,cbd->ad", {reversed, b})),
            row_major_values<double>(einsum(session, "abc,cbd->ad", {copy, b})));
}

TEST(EinsumPlan, PureProducts) {  // EIN-43
  expect_right("ijk,ijk->ijk", {seq({2, 2, 2}), seq({2, 2, 2})});
  expect_values("ij,ji->ij", {seq({2, 3}), seq({3, 2})}, {0, 2, 8, 3, 12, 25});
}

TEST(EinsumPlan, LabelSummedBeforehand) {  // EIN-44
  expect_right("ab,bc,d->c", {seq({2, 3}), seq({3, 4}), seq({5})});
}

TEST(EinsumPlan, OutputLabelsRepeated) {
  expect_values("i->ii", {vector({3, 5})}, {3, 0, 0, 5});
  expect_right("ij->iji", {seq({2, 3})});
  expect_right("ij->jiij", {seq({2, 3})});
  expect_right("i,j->iijj", {vector({1, 2}), vector({3, 4, 5})});
  expect_right("ij,jk->kik", {seq({2, 3}), seq({3, 2})});
  expect_right("i->iii", {vector({3, 5})});
}

TEST(EinsumPlan, RandomContractionsOnEverySurface) {
  std::mt19937 random(17);
  const auto draw = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (int round = 0; round < 250; ++round) {
    const std::size_t labels = 1 + draw(6);
    std::vector<std::int64_t> extents;
    for (std::size_t l = 0; l < labels; ++l)
      extents.push_back(static_cast<std::int64_t>(draw(12) == 0 ? 0 : 1 + draw(3)));
    std::string text;
    std::string used;
    std::vector<Loop> operands;
    const std::size_t count = 1 + draw(4);
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) text += ',';
      std::vector<std::int64_t> shape;
      const bool stretch = draw(6) == 0;
      for (std::size_t a = draw(4); a > 0; --a) {
        const std::size_t label = draw(labels);
        text += static_cast<char>('a' + label);
        used += static_cast<char>('a' + label);
        shape.push_back(stretch ? 1 : extents[label]);
      }
      Loop operand(shape);
      for (double& value : operand.data) value = static_cast<double>(draw(7)) - 3;
      operands.push_back(std::move(operand));
    }
    text += "->";
    for (std::size_t a = draw(4); a > 0 && !used.empty(); --a) text += used[draw(used.size())];
    expect_right(text, operands);
  }
}

TEST(EinsumPlan, PlainProductBindsOneOperationAndAllocatesOneResult) {
  const Tensor a = Tensor::ones<double>(8, 8);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", {a, a});
  LoopSession session;
  const Tensor result = plan.execute(session, {a, a});
  EXPECT_EQ(session.allocations(), 1);
  LoopEmitter emitter;
  plan.execute(emitter, {LoopEmitter::value(Loop({8, 8}, 1.0)), LoopEmitter::value(Loop({8, 8}, 1.0))});
  EXPECT_EQ(emitter.bound, 1);
}

TEST(EinsumPlan, IntermediatesDieWithTheirLastUse) {
  const Tensor a = Tensor::ones<double>(10, 10);
  PathOptions options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = {{0, 1}, {0, 3}, {0, 2}, {0, 1}};
  const EinsumPlan plan = EinsumPlan::prepare("ab,bc,cd,de,ef->af", {a, a, a, a, a}, options);
  LoopSession session;
  const Tensor result = plan.execute(session, {a, a, a, a, a});
  EXPECT_EQ(session.peak(), plan.cost().peak_bytes);
  EXPECT_EQ(session.live(), 800);
}

TEST(EinsumPlan, OperandsOfAnotherKindAreRefused) {
  LoopSession session;
  const Tensor a = Tensor::ones<double>(2, 3);
  const Tensor b = Tensor::ones<double>(3, 2);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", {a, b});
  const auto failure = [&](auto&& run) { return attempt<OpErrorInfo>(run).error(); };
  EXPECT_TRUE(std::holds_alternative<ShapeMismatch>(failure([&] { return plan.execute(session, {b, a}); })));
  const Tensor c = Tensor::ones<float>(3, 2);
  const auto dtype = failure([&] { return plan.execute(session, {a, c}); });
  EXPECT_EQ(std::get<DTypeMismatch>(dtype).operand, 1);
  EXPECT_THROW(plan.execute(session, {a}), NotationError);
}

TEST(EinsumPlan, DestinationIsCheckedBeforeAnythingIsWritten) {  // EIN-42
  LoopSession session;
  const Tensor a = Tensor::ones<double>(2, 2);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", {a, a});
  Tensor wrong = Tensor::ones<double>(2, 3);
  Tensor narrow = Tensor::ones<float>(2, 2);
  EXPECT_THROW(plan.execute_into(session, {a, a}, wrong), OpError);
  EXPECT_THROW(plan.execute_into(session, {a, a}, narrow), OpError);
  EXPECT_EQ(wrong.data<double>()[0], 1);
  Tensor out = Tensor::ones<double>(2, 2);
  EXPECT_THROW(plan.execute_into_accum(session, {a, a}, out, 1.0F, 0.0F), OpError);
  EXPECT_EQ(out.data<double>()[0], 1);
}

TEST(EinsumPlan, OverlapOfOutputAndAnyOperandIsRefused) {
  LoopSession session;
  Tensor a = Tensor::ones<double>(2, 2);
  const Tensor b = Tensor::ones<double>(2, 2);
  for (const char* text : {"ij,jk->ik", "ij,ij->ij", "ij,jk,kl->il"}) {
    const std::vector<TensorRead> operands =
        std::string_view(text).size() > 10 ? std::vector<TensorRead>{b, a, b} : std::vector<TensorRead>{b, a};
    std::vector<MetaView> metas;
    for (const TensorRead& operand : operands) metas.push_back(operand.meta());
    const EinsumPlan plan = EinsumPlan::prepare(text, metas);
    const auto into = attempt<OpErrorInfo>([&] { plan.execute_into(session, operands, a); });
    ASSERT_FALSE(into);
    EXPECT_EQ(std::get<OverlappingStorage>(into.error()).operand, 1) << text;
    EXPECT_THROW(plan.execute_into_accum(session, operands, a, 1.0, 1.0), OpError);
  }
  EXPECT_EQ(a.data<double>()[3], 1);
}

TEST(EinsumPlan, DestinationsElsewhereAreRefused) {
  LoopSession session;
  const Tensor a = Tensor::ones<double>(2, 2);
  Tensor out = Tensor::zeros<double>(2, 2);
  TensorWrite away = out;
  away.placement.device = DeviceKind::cuda;
  for (const char* text : {"ij,jk->ik", "ij,ij->ji", "ij,jk,kl->il"}) {
    const std::vector<TensorRead> operands(std::string_view(text).size() > 10 ? 3 : 2, TensorRead(a));
    const std::vector<MetaView> metas(operands.size(), operands[0].meta());
    const EinsumPlan plan = EinsumPlan::prepare(text, metas);
    const auto into = attempt<OpErrorInfo>([&] { plan.execute_into(session, operands, away); });
    ASSERT_FALSE(into) << text;
    EXPECT_EQ(std::get<PlacementMismatch>(into.error()).got, away.placement) << text;
    EXPECT_EQ(describe(into.error()), "einsum: memory is elsewhere (expected host, got cuda:0)") << text;
    EXPECT_THROW(plan.execute_into_accum(session, operands, away, 1.0, 1.0), OpError);
  }
}

TEST(EinsumPlan, TransposedDestinationViewsAreWrittenDirectly) {
  LoopSession session;
  const Loop a = seq({2, 3});
  const Loop b = seq({3, 4});
  Tensor memory = Tensor::full({4, 2}, kNan);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", DType::f64, {{2, 3}, {3, 4}});
  plan.execute_into(session, {tensor(a), tensor(b)}, memory.mutable_view().permuted({1, 0}));
  EXPECT_EQ(testing::loop_of(memory.view().permuted({1, 0})).data, definition(plan, {a, b}).data);
}

TEST(EinsumPlan, BoolIsMovedButNotSummed) {
  const Shape shape{2, 2};
  const std::vector<MetaView> one{{DType::boolean, shape}};
  EXPECT_EQ(EinsumPlan::prepare("ij->ji", one).result().dtype, DType::boolean);
  EXPECT_THROW(EinsumPlan::prepare("ij->i", one), OpError);
}

TEST(EinsumPlan, DTypesPromote) {
  const Shape shape{2, 2};
  const std::vector<MetaView> metas{{DType::f32, shape}, {DType::i32, shape}};
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", metas);
  EXPECT_EQ(plan.result().dtype, DType::f64);
  EXPECT_NE(plan.to_text().find("converted"), std::string::npos);
  EXPECT_EQ(plan.cost().peak_bytes, 3 * 4 * 8);
}

TEST(EinsumPlan, FailuresOfNotationAndOrderAreValuesOnRequest) {
  const std::vector<MetaView> metas{{DType::f64, DimsView()}};
  const auto result = EinsumPlan::try_prepare(Notation::parse("ij->"), metas);
  ASSERT_FALSE(result);
  EXPECT_TRUE(std::holds_alternative<LabelRankMismatch>(result.error()));
}

TEST(EinsumPlan, RankAboveTheHighestIsRefused) {
  std::vector<std::vector<int>> labels;
  std::vector<int> output;
  std::vector<MetaView> metas;
  const Shape shape{1};
  for (int k = 0; k < 70; ++k) {
    labels.push_back({k});
    output.push_back(k);
    metas.push_back({DType::f64, shape});
  }
  EXPECT_THROW(EinsumPlan::prepare(Notation::from_labels(labels, output), metas), OpError);
}

TEST(EinsumPlan, ShapesAreEvaluatedWithoutData) {
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk,kl->li", DType::c64, {{2, 3}, {3, 4}, {4, 5}});
  ShapeEvaluator shapes;
  const TensorMeta a{DType::c64, {2, 3}};
  const TensorMeta b{DType::c64, {3, 4}};
  const TensorMeta c{DType::c64, {4, 5}};
  EXPECT_EQ(plan.execute(shapes, {a, b, c}), (TensorMeta{DType::c64, {5, 2}}));
  EXPECT_EQ(einsum(shapes, "iij->ji", {TensorMeta{DType::i32, {2, 2, 3}}}), (TensorMeta{DType::i32, {3, 2}}));
  EXPECT_THROW(plan.execute(shapes, {a, b, b}), OpError);
}

TEST(EinsumPlan, RecordingsReplayOnASession) {
  const Loop a = seq({2, 2, 3});
  const Loop b = seq({3, 4});
  Recorder recorder;
  const Recorded x = recorder.input({DType::f64, {2, 2, 3}});
  const Recorded y = recorder.input({DType::f64, {3, 4}});
  const EinsumPlan plan = EinsumPlan::prepare("iij,jk->ki", DType::f64, {{2, 2, 3}, {3, 4}});
  const Recorded z = plan.execute(recorder, {x, y});
  const Tensor left = tensor(a);
  const Tensor right = tensor(b);
  LoopSession session;
  const std::vector<Tensor> out = replay(session, recorder.recording(), {left, right}, {z});
  EXPECT_EQ(testing::loop_of(out[0]).data, definition(plan, {a, b}).data);
}

TEST(EinsumPlan, TypedTensorsGiveTypedResults) {
  LoopSession session;
  const auto a = TypedTensor<double>::matrix({{1, 2}, {3, 4}});
  const auto b = TypedTensor<double>::matrix({{5, 6}, {7, 8}});
  const TypedTensor<double> c = einsum(session, "ij,jk->ik", a, b);
  EXPECT_EQ(c(1, 0), 43);
  const TypedTensor<double> d = EinsumPlan::prepare("ij,jk->ik", {a, b}).execute(session, a, b);
  EXPECT_EQ(d(0, 1), 22);
  const TypedTensor<double> e = tensordot(session, a, b, {1}, {0});
  EXPECT_EQ(e(1, 1), 50);
  const TypedTensor<double> f = einsum(session, "ij->", a);
  EXPECT_EQ(f(), 10);
}

TEST(Tensordot, SumsOverPairsOfAxes) {
  LoopSession session;
  const Tensor a = tensor(seq({2, 3, 4}));
  const Tensor b = tensor(seq({3, 2, 5}));
  const Tensor expected = einsum(session, "ijk,jil->kl", {a, b});
  EXPECT_EQ(row_major_values<double>(tensordot(session, a, b, {0, 1}, {1, 0})), row_major_values<double>(expected));
  EXPECT_EQ(row_major_values<double>(tensordot(session, a, b, {0, -2}, {-2, 0})), row_major_values<double>(expected));
  EXPECT_EQ(tensordot(session, a, b, 0).rank(), 6U);
  EXPECT_EQ(tensordot(session, a, tensor(seq({3, 4, 5})), 2).shape(), (Shape{2, 5}));
}

TEST(Tensordot, RefusesBadAxes) {
  LoopSession session;
  const Tensor a = Tensor::ones<double>(2, 3);
  EXPECT_THROW(tensordot(session, a, a, {2}, {0}), OpError);
  EXPECT_THROW(tensordot(session, a, a, {0, 1}, {0}), OpError);
  EXPECT_THROW(tensordot(session, a, a, {0, 0}, {0, 0}), OpError);
  EXPECT_THROW(tensordot(session, a, a, {0}, {1}), OpError);
  EXPECT_THROW(tensordot(session, a, a, 3), OpError);
}

}  // namespace
}  // namespace tenferro
