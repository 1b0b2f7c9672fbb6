// SPDX-License-Identifier: MIT OR Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/contraction.hpp"
#include "tenferro/io/npy.hpp"

namespace tenferro::cli {
namespace {

struct Options {
  std::string expression, output;
  std::vector<std::string> files;
  int repeats = 1;
};

void run(const Options& options, const Common& common) {
  Progress progress(common.quiet);
  std::vector<Tensor> tensors;
  for (const std::string& file : options.files) {
    progress.phase("reading " + file);
    tensors.push_back(read_npy(file));
  }
  const std::vector<TensorRead> operands(tensors.begin(), tensors.end());
  std::vector<MetaView> metas;
  metas.reserve(operands.size());
  for (const TensorRead& operand : operands) metas.push_back(operand.meta());
  progress.phase("planning");
  const EinsumPlan plan = EinsumPlan::prepare(options.expression, metas);
  const ContractionReport report = run_contraction(plan, operands, common, options.repeats, progress);
  finish({options.expression, ""}, plan, report, report.result, options.output, common, progress);
}

}  // namespace

void add_einsum_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("einsum", "Contract .npy files by an einsum expression");
  command->add_option("expression", options->expression, "For example 'ij,jk->ik'; parentheses give the order")
      ->required();
  command->add_option("files", options->files, "One .npy file for each operand")->required();
  command->add_option("-o,--output", options->output, "Write the result to this .npy file");
  command->add_option("--repeat", options->repeats, "Execute so often; the fastest time counts")
      ->check(CLI::Range(1, 1'000'000));
  command->footer("Example:\n  tenferro einsum 'ij,jk->ik' a.npy b.npy -o c.npy");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace tenferro::cli
