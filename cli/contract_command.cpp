// SPDX-License-Identifier: MIT OR Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "cli/contraction.hpp"
#include "tenferro/base/text.hpp"
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

// Floats: positive uniform values (of both parts, where complex) divided by the square root of the operand's size, so
// that products of many neither overflow nor vanish. Integers: whole numbers from -2 to 2. Bools: either.
Tensor random_operand(BackendSession& s, const Shape& shape, DType dtype, std::int64_t seed, std::int64_t number) {
  const Tensor key = Tensor::from_col_major<std::int64_t>({2}, {seed, number});
  if (dtype == DType::boolean) return bernoulli(s, key, 0.5, shape);
  if (is_integer(dtype)) return cast(s, floor(s, uniform(s, key, shape, DType::f64, -2, 3)), dtype);
  const auto draw = [&](const Tensor& k) {
    const Tensor values = uniform(s, k, shape, DType::f64);
    return mul(s, values, 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(values.count(), 1))));
  };
  if (!is_complex(dtype)) return cast(s, draw(key), dtype);
  const std::vector<Tensor> keys = random_split(s, key, 2);
  return cast(s, make_complex(s, draw(keys[0]), draw(keys[1])), dtype);
}

std::vector<Tensor> random_operands(CpuBackend cpu, const std::vector<Shape>& shapes, DType dtype, std::int64_t seed) {
  std::vector<Tensor> tensors;
  cpu.with_session([&](BackendSession& s) {
    for (const Shape& shape : shapes) {
      tensors.push_back(random_operand(s, shape, dtype, seed, static_cast<std::int64_t>(tensors.size())));
    }
  });
  return tensors;
}

Dims reversed_axes(std::size_t rank) {
  Dims axes;
  for (std::size_t k = 0; k < rank; ++k) axes.push_back(static_cast<std::int64_t>(rank - 1 - k));
  return axes;
}

// The expression with the labels of each term in reverse order: the row-major one of an instance from the column-major
// one. A label is one code point.
std::string reversed_terms(const std::string& expression) {
  std::string out, term;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t size = 1;
    while (i + size < expression.size() && (static_cast<unsigned char>(expression[i + size]) & 0xC0) == 0x80) ++size;
    const std::string label = expression.substr(i, size);
    if (label == "," || label == "-" || label == ">" || label == "(" || label == ")") {
      out += term + label;
      term.clear();
    } else {
      term.insert(0, label);
    }
    i += size;
  }
  return out + term;
}

PathOptions path_options(const Instance& instance, const std::string& name) {
  PathOptions options;
  if (name == "auto") return options;
  options.method = PathMethod::explicit_pairs;
  options.pairs = instance.path(name);
  return options;
}

// Files with the axes of the row-major string, against the shapes of the instance.
void require_shapes(const Instance& instance, const std::vector<std::string>& files,
                    const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < std::min(files.size(), instance.shapes.size()); ++i) {
    Shape expected = instance.shapes[i];
    if (instance.axes_reversed) std::reverse(expected.begin(), expected.end());
    if (tensors[i].shape() == expected) continue;
    raise<IoErrorInfo>(BadFormat{"contract", files[i], "operand",
                                 concat("its shape differs from that of the instance (expected ", list_text(expected),
                                        ", got ", list_text(tensors[i].shape()), ")")});
  }
}

void run(const Options& options, const Common& common) {
  Progress progress(common.quiet);
  progress.phase("reading " + options.instance);
  const Instance instance = read_instance(options.instance);
  // Files and the written result have the axes of the row-major string; the column-major one has them reversed.
  std::vector<Tensor> tensors;
  std::vector<TensorView> views;
  for (const std::string& file : options.operands) {
    progress.phase("reading " + file);
    tensors.push_back(read_npy(file));
  }
  require_shapes(instance, options.operands, tensors);
  views.reserve(instance.shapes.size());
  for (const Tensor& t : tensors) {
    views.push_back(instance.axes_reversed ? t.view().permuted(reversed_axes(t.rank())) : t.view());
  }
  std::vector<MetaView> metas;
  metas.reserve(instance.shapes.size());
  for (const TensorView& view : views) metas.push_back({view.dtype(), view.shape()});
  if (options.operands.empty()) {
    for (const Shape& shape : instance.shapes) metas.push_back({instance.dtype, shape});
  }
  progress.phase("planning");
  const EinsumPlan plan = EinsumPlan::prepare(instance.expression, metas, path_options(instance, options.path));
  if (options.operands.empty()) {
    progress.phase("drawing operands");
    tensors = random_operands(common.backend(), instance.shapes, instance.dtype, options.seed);
    for (const Tensor& t : tensors) views.push_back(t.view());
  }
  const std::vector<TensorRead> operands(views.begin(), views.end());
  const ContractionReport report = run_contraction(plan, operands, common, options.repeats, progress);
  const TensorView result = report.result.view();
  const ContractionName name{instance.axes_reversed ? reversed_terms(instance.expression) : instance.expression,
                             instance.name};
  finish(name, plan, report, instance.axes_reversed ? result.permuted(reversed_axes(result.rank())) : result,
         options.output, common, progress);
}

// What CLI11 takes without a word: a number beyond 64 bits.
std::string whole_number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return stop == end && error == std::errc{} ? "" : "not a whole number of 64 bits: " + text;
}

}  // namespace

void add_contract_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("contract", "Contract a network described by an instance file");
  command->add_option("instance", options->instance, "JSON file with expression, shapes and paths")->required();
  command->add_option("--operand", options->operands, "One .npy file for each operand (default: random values)");
  command->add_option("--seed", options->seed, "Seed of the random operands")->check(whole_number);
  command->add_option("--path", options->path, "Order: our own plan, or a path of the file")
      ->check(CLI::IsMember({"auto", "opt_flops", "opt_size"}));
  command->add_option("-o,--output", options->output, "Write the result to this .npy file");
  command->add_option("--repeat", options->repeats, "Execute so often; the fastest time counts")
      ->check(CLI::Range(1, 1'000'000));
  command->footer("Example:\n  tenferro contract examples/networks/mps_inner_product_24.json --seed 7 -v");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace tenferro::cli
