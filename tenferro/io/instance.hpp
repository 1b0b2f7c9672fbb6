// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Contraction problems as JSON files: an einsum expression, the shapes of its operands, and contraction orders found by
// others. The format is that of the public einsum benchmarks; docs/guide/files.md describes it.
//
// Example:
//     Instance problem = parse_instance(R"({"name": "product", "format_string": "ij,jk->ik",
//         "shapes": [[2, 3], [3, 4]], "dtype": "float64", "num_tensors": 2})");
//     CHECK(problem.expression == "ij,jk->ik" && problem.shapes[1] == Shape{3, 4});

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tenferro/io/error.hpp"
#include "tenferro/tensor/dtype.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro {

/// An order of pairwise contractions and what its finder says of its cost.
struct InstancePath {
  /// Positions in the list of operands still alive; both are removed and the result is appended at the end.
  std::vector<std::array<std::int64_t, 2>> pairs;
  /// log10 of the number of multiply-adds, log2 of the elements of the largest intermediate; NaN where the file is
  /// silent.
  double log10_flops = 0;
  double log2_size = 0;
};

/// A contraction problem.
///
/// Example:
///     Instance problem = parse_instance(R"({"format_string": "a,a,a->", "shapes": [[2], [2], [2]],
///         "paths": {"opt_flops": {"path": [[0, 1], [1, 0]], "log10_flops": 0.6}}})");
///     const InstancePath& found = *problem.opt_flops;
///     CHECK(found.log10_flops == 0.6 && problem.path("opt_flops") == found.pairs && found.pairs.size() == 2);
///     CHECK(!attempt<IoErrorInfo>([&] { return problem.path("opt_size"); }));    // the file has none
struct Instance {
  std::string name;
  /// The einsum expression in UTF-8, one code point a label: the column-major one where the file has it, so that the
  /// operands lie in memory as the makers of the problem meant.
  std::string expression;
  /// True if that is the column-major expression: the axes of every operand and of the result are then in the reverse
  /// order of those in `format_string`.
  bool axes_reversed = false;
  /// One shape an operand, for `expression`.
  std::vector<Shape> shapes;
  DType dtype = DType::f64;
  /// Least arithmetic, and smallest largest intermediate.
  std::optional<InstancePath> opt_flops;
  std::optional<InstancePath> opt_size;

  /// The pairs of "opt_flops" or "opt_size"; throws IoError (MissingEntry) if the file has no such order.
  const std::vector<std::array<std::int64_t, 2>>& path(std::string_view kind) const;
};

/// Reads an instance; unknown keys are passed over. Throws IoError: FileFailure; BadFormat naming the key, for text
/// that is not JSON, a missing or mistyped key, a number of operands that differs between expression, shapes and
/// num_tensors, shapes that are not, pairs that are no positions; UnsupportedElement for another dtype.
Instance read_instance(const std::string& path);
/// read_instance with its error as a value.
///
/// Example:
///     #include <fstream>
///     std::ofstream("pair.json") << R"({"format_string": "i,i->", "shapes": [[3], [3]]})";
///     CHECK(read_instance("pair.json").shapes.size() == 2);
///     std::remove("pair.json");
///     CHECK(std::get<FileFailure>(try_read_instance("pair.json").error()).action == "open");
tl::expected<Instance, IoErrorInfo> try_read_instance(const std::string& path);
/// The same from text; `name` stands for the path in messages.
Instance parse_instance(std::string_view text, const std::string& name = "text");

}  // namespace tenferro
