// SPDX-License-Identifier: MIT OR Apache-2.0
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "cli/contraction.hpp"
#include "tenferro/io/instance.hpp"
#include "tenferro/io/npy.hpp"
#include "tenferro/ops/random.hpp"

namespace tenferro::cli {
namespace {

struct Options {
  std::string instance, output, path = "auto";
  std::vector<std::string> operands;
  std::int64_t seed = 0;
  int repeats = 1;
};

// Positive uniform values divided by the square root of the operand's size: products of many neither overflow nor
// vanish.
std::vector<Tensor> random_operands(CpuBackend cpu, const std::vector<Shape>& shapes, DType dtype, std::int64_t seed) {
  return cpu.with_session([&](BackendSession& s) {
    std::vector<Tensor> tensors;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Tensor key = Tensor::from_col_major<std::int64_t>({2}, {seed, static_cast<std::int64_t>(k)});
      const Tensor values = uniform(s, key, shapes[k], DType::f64);
      const double scale = 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(values.count(), 1)));
      tensors.push_back(cast(s, mul(s, values, scale), dtype));
    }
    return tensors;
  });
}

Dims reversed_axes(std::size_t rank) {
  Dims axes;
  for (std::size_t k = 0; k < rank; ++k) axes.push_back(static_cast<std::int64_t>(rank - 1 - k));
  return axes;
}

PathOptions path_options(const Instance& instance, const std::string& name) {
  PathOptions options;
  if (name == "auto") return options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = instance.path(name);
  return options;
}

void run(const Options& options, const Common& common) {
  const Instance instance = read_instance(options.instance);
  // Files and the written result have the axes of the row-major string; the column-major one has them reversed.
  std::vector<Tensor> tensors;
  std::vector<TensorView> views;
  if (options.operands.empty()) {
    tensors = random_operands(common.backend(), instance.shapes, instance.dtype, options.seed);
    for (const Tensor& t : tensors) views.push_back(t.view());
  } else {
    for (const std::string& file : options.operands) tensors.push_back(read_npy(file));
    for (const Tensor& t : tensors) {
      views.push_back(instance.axes_reversed ? t.view().permuted(reversed_axes(t.rank())) : t.view());
    }
  }
  const std::vector<TensorRead> operands(views.begin(), views.end());
  std::vector<MetaView> metas;
  for (const TensorRead& operand : operands) metas.push_back(operand.meta());
  const EinsumPlan plan = EinsumPlan::prepare(instance.expression, metas, path_options(instance, options.path));
  const ContractionReport report = run_contraction(plan, operands, common, options.repeats);
  const TensorView result = report.result.view();
  finish(instance.name, plan, report, instance.axes_reversed ? result.permuted(reversed_axes(result.rank())) : result,
         options.output, common);
}

}  // namespace

void add_contract_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("contract", "Contract a network described by an instance file");
  command->add_option("instance", options->instance, "JSON file with expression, shapes and paths")->required();
  command->add_option("--operand", options->operands, "One .npy file for each operand (default: random values)");
  command->add_option("--seed", options->seed, "Seed of the random operands");
  command->add_option("--path", options->path, "Order: our own plan, or a path of the file")
      ->check(CLI::IsMember({"auto", "opt_flops", "opt_size"}));
  command->add_option("-o,--output", options->output, "Write the result to this .npy file");
  command->add_option("--repeat", options->repeats, "Execute so often; the fastest time counts")
      ->check(CLI::Range(1, 1'000'000));
  command->footer("Example:\n  tenferro contract examples/networks/mps_inner_product_24.json --seed 7 -v");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace tenferro::cli
