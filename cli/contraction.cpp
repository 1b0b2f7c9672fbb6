// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/contraction.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/interrupt.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/io/npy.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/tensor/print.hpp"

namespace tenferro::cli {
namespace {

double operations_per_step(DType dtype) { return is_complex(dtype) ? 8.0 : 2.0; }

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

// Least seconds of one execution: its multiply-adds at the speed that a square product of the dtype has here. Measured
// only for work that may take a second; 0 otherwise.
double expected_seconds(CpuBackend cpu, const EinsumPlan& plan) {
  constexpr std::int64_t kSide = 256;
  if (plan.cost().flops < 2e8) return 0;
  const DType dtype = plan.result().dtype;
  const Tensor square = Tensor::ones(dtype, {kSide, kSide});
  double fastest = std::numeric_limits<double>::infinity();
  cpu.with_session([&](BackendSession& s) {
    for (int i = 0; i < 3; ++i) {
      const auto start = std::chrono::steady_clock::now();
      (void)matmul(s, square, square);
      fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  });
  return plan.cost().flops / (double{kSide} * kSide * kSide) * fastest;
}

std::string announcement(const EinsumPlan& plan, double seconds, bool every_step) {
  const PathCost& cost = plan.cost();
  double moved = 0;
  for (const ContractionStep& step : plan.tree().steps) moved += step.bytes;
  std::string text = every_step ? plan.to_text() + '\n' : "";
  text +=
      fmt::format("plan: {} steps, {:.4g} multiply-adds (10^{:.2f}), largest intermediate 2^{:.1f} elements, peak {}\n",
                  plan.tree().steps.size(), cost.flops, cost.log10_flops, cost.log2_largest,
                  bytes_text(static_cast<double>(cost.peak_bytes)));
  if (seconds >= 1) text += fmt::format("expected: at least {:.0f} s, {} through memory\n", seconds, bytes_text(moved));
  return text;
}

nlohmann::json number_json(const Scalar& value) {
  return visit_dtype(value.dtype(), [&](auto tag) -> nlohmann::json {
    using T = typename decltype(tag)::type;
    const T v = value.get<T>();
    if constexpr (is_complex(dtype_of<T>)) {
      return {v.real(), v.imag()};
    } else {
      return v;
    }
  });
}

}  // namespace

ContractionReport run_contraction(const EinsumPlan& plan, std::span<const TensorRead> operands, const Common& common,
                                  int repeats, Progress& progress) {
  ContractionReport report;
  CpuBackend cpu = common.backend();
  const double expected = expected_seconds(cpu, plan) * repeats;
  if (!common.quiet && !common.json) progress.print(announcement(plan, expected, common.verbose));
  progress.phase("contracting", plan.cost().flops * repeats, expected);
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    report.result = cpu.with_session([&](BackendSession& s) {
      return plan.execute(s, operands, [&](std::size_t step) { progress.done(plan.tree().steps[step].flops); });
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i == 0 || seconds < report.seconds) report.seconds = seconds;
  }
  const double operations = plan.cost().flops * operations_per_step(plan.result().dtype);
  report.gflops = report.seconds > 0 ? operations / report.seconds * 1e-9 : 0;
  return report;
}

void finish(const ContractionName& name, const EinsumPlan& plan, const ContractionReport& report, TensorRead result,
            const std::string& output, const Common& common, Progress& progress) {
  if (!output.empty()) {
    progress.phase("writing " + output);
    FinishFirst guard;
    write_npy(output, result);
    guard.finished();
  }
  const bool is_scalar = report.result.count() == 1 && report.result.rank() == 0;
  if (common.json) {
    nlohmann::json json = {{"expression", name.expression},
                           {"dtype", std::string(tenferro::name(report.result.dtype()))},
                           {"shape", std::vector<std::int64_t>(result.shape().begin(), result.shape().end())},
                           {"steps", plan.tree().steps.size()},
                           {"multiply_adds", plan.cost().flops},
                           {"log10_flops", plan.cost().log10_flops},
                           {"log2_largest", plan.cost().log2_largest},
                           {"peak_bytes", plan.cost().peak_bytes},
                           {"seconds", report.seconds},
                           {"gflops", report.gflops}};
    if (!name.instance.empty()) json["name"] = name.instance;
    if (is_scalar) json["value"] = number_json(report.result.item());
    if (!output.empty()) json["output"] = output;
    progress.print(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
    return;
  }
  std::string text;
  if (!common.quiet) text += fmt::format("time: {:.6f} s, {:.3g} GFLOP/s\n", report.seconds, report.gflops);
  if (is_scalar) {
    text += fmt::format("{}{}\n", common.quiet ? "" : "value: ", to_text(report.result.item()));
  } else if (output.empty()) {
    text += to_text(result) + '\n';
  } else if (!common.quiet) {
    text += fmt::format("wrote {}: {} {}\n", output, tenferro::name(report.result.dtype()), list_text(result.shape()));
  }
  progress.print(text);
}

}  // namespace tenferro::cli
