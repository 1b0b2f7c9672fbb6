// SPDX-License-Identifier: MIT OR Apache-2.0

// The searches against the orders that come with real networks: those of the tree, and those of public repositories
// where they lie beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tenferro/einsum/contraction_tree.hpp"

namespace tenferro {
namespace {

struct Instance {
  ResolvedNotation notation;
  std::vector<std::array<std::int64_t, 2>> given;
};

std::vector<std::filesystem::path> instance_files() {
  const char* elsewhere = std::getenv("TENFERRO_SHARED_DIR");
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder :
       {std::filesystem::path(TENFERRO_NETWORKS_DIR),
        std::filesystem::path(elsewhere != nullptr ? elsewhere : TENFERRO_SHARED_DIR) / "instances"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".json" && entry.path().stem() != "permutation_patterns") files.push_back(entry);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Instance read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const nlohmann::json json = nlohmann::json::parse(stream);
  const std::vector<std::vector<std::int64_t>> shapes = json["shapes_colmajor"];
  const std::vector<ExtentSpan> spans(shapes.begin(), shapes.end());
  const Notation notation = Notation::parse(json["format_string_colmajor"].get<std::string>());
  return {resolve(notation, spans), json["paths"]["opt_flops"]["path"]};
}

TEST(PathInstances, SearchIsNoDearerThanTheGivenOrder) {
  for (const std::filesystem::path& file : instance_files()) {
    const Instance instance = read(file);
    PathOptions given;
    given.method = PathMethod::explicit_pairs;
    given.pairs = instance.given;
    const PathCost theirs = plan_contraction(instance.notation, given, 8).path.cost;
    // A third of the usual effort keeps the test short.
    PathOptions options;
    options.effort = 0.3;
    const PathCost ours = plan_contraction(instance.notation, options, 8).path.cost;
    // Networks of microseconds are not searched for the last multiply-add, and writing counts as well.
    const double slack = theirs.log10_flops < 5 ? 0.3 : 0.05;
    EXPECT_LE(ours.log10_flops, theirs.log10_flops + slack) << file.stem();
  }
}

TEST(PathInstances, GivenOrdersEvaluate) {
  for (const std::filesystem::path& file : instance_files()) {
    const Instance instance = read(file);
    PathOptions given;
    given.method = PathMethod::explicit_pairs;
    given.pairs = instance.given;
    const ContractionTree tree = plan_contraction(instance.notation, given, 8);
    EXPECT_EQ(tree.path.positions().size() + 1, instance.notation.operands.size()) << file.stem();
    EXPECT_EQ(tree.steps.size() + 1, instance.notation.operands.size()) << file.stem();
  }
}

}  // namespace
}  // namespace tenferro
