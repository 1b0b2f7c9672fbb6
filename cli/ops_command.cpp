// SPDX-License-Identifier: MIT OR Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "tenferro/ops/op_kind.hpp"

namespace tenferro::cli {
namespace {

void run(const std::string& name_part, const Common& common) {
  nlohmann::json list = nlohmann::json::array();
  for (const OpInfo& row : kOps) {
    if (row.name.find(name_part) == std::string_view::npos) continue;
    const std::string dtypes = to_text(admitted(row.dtypes));
    const int arity = row.arity == kVariadic ? -1 : row.arity;
    if (common.json) {
      list.push_back(
          {{"name", std::string(row.name)}, {"operands", arity}, {"dtypes", dtypes}, {"doc", std::string(row.doc)}});
    } else if (common.quiet) {
      fmt::print("{}\n", row.name);
    } else {
      fmt::print("{:<28}{:<10}{}\n", row.name, arity < 0 ? std::string("any") : std::to_string(arity), row.doc);
      if (common.verbose) fmt::print("{:<38}dtypes: {}\n", "", dtypes);
    }
  }
  if (common.json) fmt::print("{}\n", list.dump());
}

}  // namespace

void add_ops_command(CLI::App& app, Common& common) {
  auto part = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("ops", "List the core operations");
  command->add_option("name", *part, "Only operations whose name contains this");
  command->footer("Example:\n  tenferro ops reduce -v");
  command->callback([part, &common] { run(*part, common); });
}

}  // namespace tenferro::cli
