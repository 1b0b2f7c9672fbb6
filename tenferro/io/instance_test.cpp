// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/instance.hpp"

#include <cmath>

#include "tenferro/io/testing/io_test_support.hpp"

namespace tenferro {
namespace {

using Pairs = std::vector<std::array<std::int64_t, 2>>;

constexpr const char* kWhole = R"({
  "name": "chain", "format_string": "ab,bc,cd->ad", "format_string_rowmajor": "ab,bc,cd->ad",
  "format_string_colmajor": "ba,cb,dc->da",
  "shapes": [[2, 3], [3, 4], [4, 5]], "shapes_colmajor": [[3, 2], [4, 3], [5, 4]],
  "dtype": "float64", "num_tensors": 3, "intent": "none", "unknown": {"x": [1, null]},
  "paths": {"opt_flops": {"path": [[0, 1], [1, 0]], "log10_flops": 1.75, "log2_size": 3},
            "opt_size": {"path": [[2, 1], [0, 1]]}}})";

std::string reason_of(const std::string& text) {
  return io_error_of<BadFormat>([&] { return parse_instance(text); }).reason;
}

TEST(Instance, TheColumnMajorExpressionIsPreferred) {
  const Instance p = parse_instance(kWhole);
  EXPECT_EQ(p.name, "chain");
  EXPECT_TRUE(p.axes_reversed);
  EXPECT_EQ(p.expression, "ba,cb,dc->da");
  EXPECT_EQ(p.shapes, (std::vector<Shape>{{3, 2}, {4, 3}, {5, 4}}));
  EXPECT_EQ(p.dtype, DType::f64);
}

TEST(Instance, PathsAndTheirCosts) {
  const Instance p = parse_instance(kWhole);
  ASSERT_TRUE(p.opt_flops && p.opt_size);
  EXPECT_EQ(p.opt_flops->pairs, (Pairs{{0, 1}, {1, 0}}));
  EXPECT_EQ(p.opt_flops->log10_flops, 1.75);
  EXPECT_EQ(p.opt_flops->log2_size, 3);
  EXPECT_EQ(p.opt_size->pairs, (Pairs{{2, 1}, {0, 1}}));
  EXPECT_TRUE(std::isnan(p.opt_size->log2_size));
}

TEST(Instance, PathsByName) {
  const Instance p = parse_instance(kWhole);
  EXPECT_EQ(p.path("opt_size"), p.opt_size->pairs);
  EXPECT_EQ(p.path("opt_flops"), p.opt_flops->pairs);
  EXPECT_EQ(io_error_of<MissingEntry>([&] { return p.path("fastest"); }).entry, "paths.fastest");
  const Instance bare = parse_instance(R"({"format_string": "a->", "shapes": [[2]]})");
  EXPECT_EQ(io_error_of<MissingEntry>([&] { return bare.path("opt_size"); }).entry, "paths.opt_size");
}

TEST(Instance, WithoutColumnMajorTheOnlyExpressionCounts) {
  const Instance p =
      parse_instance(R"({"format_string": "α×,×7->α7", "shapes": [[2, 3], [3, 4]], "dtype": "complex64"})");
  EXPECT_FALSE(p.axes_reversed);
  EXPECT_EQ(p.expression, "α×,×7->α7");
  EXPECT_EQ(p.shapes, (std::vector<Shape>{{2, 3}, {3, 4}}));
  EXPECT_EQ(p.dtype, DType::c32);
  EXPECT_FALSE(p.opt_flops || p.opt_size);
  EXPECT_EQ(p.name, "");
}

TEST(Instance, ColumnMajorShapesMayBeLeftToTheReader) {
  const Instance p =
      parse_instance(R"({"format_string": "ab->", "format_string_colmajor": "ba->", "shapes": [[2, 3]]})");
  EXPECT_EQ(p.shapes, (std::vector<Shape>{{3, 2}}));
}

TEST(Instance, ScalarsAndLoneOperands) {
  const Instance p = parse_instance(
      R"({"format_string": "->", "shapes": [[]], "paths": {"opt_flops": {"path": [[0]]}, "opt_size": {"path": []}}})");
  EXPECT_EQ(p.shapes, (std::vector<Shape>{{}}));
  EXPECT_TRUE(p.opt_flops->pairs.empty() && p.opt_size->pairs.empty());
}

TEST(Instance, TextThatIsNotJson) {
  for (const char* text : {"", "{", "not json", "{\"a\": }", "\"\xff\"", "[1, 2]", "3", "null"}) {
    EXPECT_NE(reason_of(text), "") << text;
  }
}

TEST(Instance, MissingAndMistypedKeysAreNamed) {
  EXPECT_NE(reason_of("{}").find("'format_string'"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a->"})").find("'shapes'"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": 3, "shapes": []})").find("expected a string"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": 3})").find("shapes"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": [3]})").find("shapes[0]"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": [[2.5]]})").find("2.5"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": [[-1]]})").find("no shape"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": [[18446744073709551615]]})").find("63"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "ab", "shapes": [[4611686018427387904, 4]]})").find("no shape"),
            std::string::npos);
}

TEST(Instance, OperandCountsMustAgree) {
  EXPECT_NE(reason_of(R"({"format_string": "a,b", "shapes": [[2]]})").find("2 operands"), std::string::npos);
  EXPECT_NE(reason_of(R"({"format_string": "a", "shapes": [[2]], "num_tensors": 3})").find("num_tensors"),
            std::string::npos);
}

TEST(Instance, UnknownDtypesAreNamed) {
  const auto e = io_error_of<UnsupportedElement>(
      [] { return parse_instance(R"({"format_string": "a", "shapes": [[2]], "dtype": "float16"})"); });
  EXPECT_EQ(e.descr, "float16");
  EXPECT_NE(describe(e).find("expected one of float32"), std::string::npos);
}

TEST(Instance, PathsThatAreNoOrderAreRefused) {
  const auto path = [](const std::string& pairs) {
    return reason_of(R"({"format_string": "a,a,a", "shapes": [[2], [2], [2]], "paths": {"opt_flops": {"path": )" +
                     pairs + "}}}");
  };
  EXPECT_NE(path("[[0, 3], [0, 1]]").find("step 0"), std::string::npos);
  EXPECT_NE(path("[[0, 1], [0, 2]]").find("step 1"), std::string::npos);
  EXPECT_NE(path("[[1, 1], [0, 1]]").find("step 0"), std::string::npos);
  EXPECT_NE(path("[[-1, 1], [0, 1]]").find("step 0"), std::string::npos);
  EXPECT_NE(path("[[0, 1]]").find("leaves 2"), std::string::npos);
  EXPECT_NE(path("[[0, 1], [0, 1], [0, 1]]").find("step 2"), std::string::npos);
  EXPECT_NE(path("[[0, 1, 2]]").find("3 positions"), std::string::npos);
  EXPECT_NE(path("{}").find("expected a list"), std::string::npos);
}

TEST(Instance, FilesAndTheirFailures) {
  const TempFolder folder;
  write_text(folder / "chain.json", kWhole);
  EXPECT_EQ(read_instance(folder / "chain.json").shapes.size(), 3u);
  EXPECT_EQ(std::get<FileFailure>(try_read_instance(folder / "absent.json").error()).code, ENOENT);
  write_text(folder / "bad.json", "{");
  EXPECT_EQ(std::get<BadFormat>(try_read_instance(folder / "bad.json").error()).path, folder / "bad.json");
}

TEST(Instance, DeepNestingIsNoStackOverflow) {
  const std::string deep(1 << 17, '[');
  EXPECT_NE(reason_of(deep), "");
  EXPECT_NE(reason_of("{\"x\": " + deep + std::string(1 << 17, ']') + "}"), "");
}

}  // namespace
}  // namespace tenferro
