// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/print.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "tenferro/tensor/typed_tensor.hpp"
#include "tests/support/special_values.hpp"

namespace tenferro {
namespace {

using testing::kInf;
using testing::kNan;

std::string body(TensorRead x, PrintOptions options = {}) {
  options.header = false;
  return to_text(x, options);
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Print, HeaderHasDtypeShapeAndPlace) {  // API-05
  EXPECT_EQ(to_text(Tensor::zeros<std::complex<float>>(1, 2)), "complex<f32> [1, 2] on host\n[[0+0i, 0+0i]]");
}

TEST(Print, RankZero) { EXPECT_EQ(to_text(Tensor::scalar(2.5)), "f64 [] on host\n2.5"); }

TEST(Print, Empty) {
  EXPECT_EQ(to_text(Tensor::zeros<double>(0, 3)), "f64 [0, 3] on host\n[]");
  EXPECT_EQ(to_text(Tensor::zeros<double>(0, std::int64_t{1} << 50)), "f64 [0, 1125899906842624] on host\n[]");
}

TEST(Print, MatrixByIndexWithAlignedColumns) {
  EXPECT_EQ(body(Tensor::matrix({{1., 20.}, {-0.5, 4.25}})),
            "[[ 1.00, 20.00],\n"
            " [-0.50,  4.25]]");
}

TEST(Print, WholeNumbersNeedNoPoint) {
  EXPECT_EQ(body(Tensor::vector({1., -2., 30.})), "[ 1, -2, 30]");
  EXPECT_EQ(body(Tensor::vector<std::int64_t>({1, std::numeric_limits<std::int64_t>::min()})),
            "[                   1, -9223372036854775808]");
}

TEST(Print, HigherRanksAsPlanesFirstAxisDown) {
  const Tensor t = Tensor::cube<std::int32_t>({{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, 11}}});
  EXPECT_EQ(body(t),
            "[:, :, 0] =\n"
            "[[ 0,  2,  4],\n"
            " [ 6,  8, 10]]\n"
            "\n"
            "[:, :, 1] =\n"
            "[[ 1,  3,  5],\n"
            " [ 7,  9, 11]]");
}

TEST(Print, EarlierOuterAxesRunFaster) {
  const std::string text = body(Tensor::zeros<double>(1, 1, 2, 2));
  const auto at = [&](const char* plane) { return text.find(plane); };
  EXPECT_LT(at("[:, :, 0, 0]"), at("[:, :, 1, 0]"));
  EXPECT_LT(at("[:, :, 1, 0]"), at("[:, :, 0, 1]"));
}

TEST(Print, BoolsAndComplex) {
  EXPECT_EQ(body(Tensor::vector({true, false})), "[ true, false]");
  EXPECT_EQ(body(Tensor::vector<std::complex<double>>({{1.5, -2}, {0, 3}, {kNan, kInf}})),
            "[  1.5-2i,   0.0+3i, nan+infi]");
}

TEST(Print, NanAndInfinities) { EXPECT_EQ(body(Tensor::vector({kNan, kInf, -kInf, 1.5})), "[ nan,  inf, -inf,  1.5]"); }

TEST(Print, WideRangesGoToPowersOfTen) {
  EXPECT_EQ(body(Tensor::vector({1e-300, 1.5, 1e300})), "[1.0e-300,  1.5e+00, 1.0e+300]");
  EXPECT_EQ(body(Tensor::vector({1e8, 0.0})), "[1e+08, 0e+00]");
  EXPECT_EQ(body(Tensor::vector({99999999.0, 0.0001})), "[99999999.0000,        0.0001]");
  EXPECT_EQ(body(Tensor::scalar(5e-324)), "5e-324");
}

TEST(Print, DigitsAreAsManyAsNeededUpToThePrecision) {
  EXPECT_EQ(body(Tensor::scalar(1.0 / 3)), "0.333333");
  EXPECT_EQ(body(Tensor::scalar(0.1F)), "0.1");
  EXPECT_EQ(body(Tensor::scalar(0.1F), {.precision = 20}), "0.1");
  EXPECT_EQ(body(Tensor::scalar(0.1), {.precision = 20}), "0.1");
  EXPECT_EQ(body(Tensor::scalar(2.0 / 3), {.precision = 2}), "0.67");
  EXPECT_EQ(body(Tensor::scalar(2.0 / 3), {.precision = 0}), "1");
  EXPECT_EQ(body(Tensor::scalar(-0.0)), "-0");
}

TEST(Print, NotationMayBeForced) {
  EXPECT_EQ(body(Tensor::vector({1.0, 2.5}), {.numbers = PrintOptions::Numbers::scientific}), "[1.0e+00, 2.5e+00]");
  EXPECT_EQ(body(Tensor::vector({1e9, 2.5}), {.numbers = PrintOptions::Numbers::fixed}),
            "[1000000000.0,          2.5]");
  EXPECT_EQ(body(Tensor::scalar(1e300), {.numbers = PrintOptions::Numbers::fixed}).size(), 301u);
}

TEST(Print, LargeVectorsShowTheirEnds) {
  const Tensor t = Tensor::arange(0, 10000000);
  EXPECT_EQ(to_text(t), "f64 [10000000] on host\n[      0,       1,       2, ..., 9999997, 9999998, 9999999]");
}

TEST(Print, LargeMatricesShowTheirCorners) {
  const Tensor t = Tensor::arange(DType::i64, 0, 40000).reshaped({200, 200});
  EXPECT_EQ(body(t, {.edge_items = 1}),
            "[[    0, ..., 39800],\n"
            " ...,\n"
            " [  199, ..., 39999]]");
}

TEST(Print, OnlyLongAxesAreCut) {
  const Tensor t = Tensor::zeros<std::int32_t>(2, 1000);
  EXPECT_EQ(body(t), "[[0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0]]");
}

TEST(Print, SummariesOfHighRankAreBounded) {  // API-05
  const std::string planes = to_text(Tensor::zeros<float>(10, 10, 10, 10, 10, 10));
  EXPECT_LT(planes.size(), 10000u);
  EXPECT_NE(planes.find("..."), std::string::npos);
  const std::string narrow = to_text(Tensor::zeros(DType::f32, Shape(20, 2)));
  EXPECT_LT(narrow.size(), 30000u);
  EXPECT_EQ(narrow.substr(narrow.size() - 5), "\n\n...");
}

TEST(Print, SummaryOfOuterAxesHasOneGap) {
  const std::string text = body(Tensor::zeros<std::int32_t>(1, 1, 100, 100), {.max_elements = 100, .edge_items = 1});
  EXPECT_EQ(text,
            "[:, :, 0, 0] =\n[[0]]\n\n...\n\n[:, :, 99, 0] =\n[[0]]\n\n...\n\n"
            "[:, :, 0, 99] =\n[[0]]\n\n...\n\n[:, :, 99, 99] =\n[[0]]");
}

TEST(Print, LongRowsAreFolded) {
  const std::string text = body(Tensor::arange(DType::i32, 100, 160), {.line_width = 40});
  EXPECT_LE(longest_line(text), 40u);
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), 59);
  EXPECT_EQ(text.substr(0, 7), "[100, 1");
}

TEST(Print, ViewsPrintByTheirOwnIndices) {
  const Tensor t = Tensor::matrix({{1., 2.}, {3., 4.}});
  EXPECT_EQ(body(t.view().permuted({1, 0}).reversed({0})), "[[2, 4],\n [1, 3]]");
  EXPECT_EQ(body(t.view({0, all}).broadcast_to({2, 2})), "[[1, 2],\n [1, 2]]");
}

TEST(Print, ElementsThatTheHostCannotReachAreNotRead) {
  const Placement device{DeviceKind::cuda, MemoryKind::device, 0, 0};
  const Tensor t = Tensor::adopt(DType::f32, {2}, heap_block(64), device);
  EXPECT_EQ(to_text(t), "f32 [2] on cuda:0 (device)\n(elements are not in host memory)");
}

TEST(Print, Streams) {
  std::ostringstream out;
  out << Tensor::scalar(1) << ';' << TypedTensor<double>::vector({1, 2}).view({1});
  EXPECT_EQ(out.str(), "i32 [] on host\n1;f64 [] on host\n2");
}

}  // namespace
}  // namespace tenferro
