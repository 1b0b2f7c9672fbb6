// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/contraction.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/io/npy.hpp"
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

void announce(const EinsumPlan& plan, const Common& common) {
  if (common.quiet || common.json) return;
  if (common.verbose) fmt::print("{}\n", plan.to_text());
  const PathCost& cost = plan.cost();
  fmt::print("plan: {} steps, {:.4g} multiply-adds (10^{:.2f}), largest intermediate 2^{:.1f} elements, peak {}\n",
             plan.tree().steps.size(), cost.flops, cost.log10_flops, cost.log2_largest,
             bytes_text(static_cast<double>(cost.peak_bytes)));
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
                                  int repeats) {
  announce(plan, common);
  ContractionReport report;
  CpuBackend cpu = common.backend();
  Progress progress("contracting", plan.cost().flops * repeats, common.quiet || common.json);
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

void finish(const std::string& what, const EinsumPlan& plan, const ContractionReport& report, TensorRead result,
            const std::string& output, const Common& common) {
  if (!output.empty()) write_npy(output, result);
  const bool is_scalar = report.result.count() == 1 && report.result.rank() == 0;
  if (common.json) {
    nlohmann::json json = {{"expression", what},
                           {"dtype", std::string(name(report.result.dtype()))},
                           {"shape", std::vector<std::int64_t>(result.shape().begin(), result.shape().end())},
                           {"steps", plan.tree().steps.size()},
                           {"multiply_adds", plan.cost().flops},
                           {"log10_flops", plan.cost().log10_flops},
                           {"log2_largest", plan.cost().log2_largest},
                           {"peak_bytes", plan.cost().peak_bytes},
                           {"seconds", report.seconds},
                           {"gflops", report.gflops}};
    if (is_scalar) json["value"] = number_json(report.result.item());
    if (!output.empty()) json["output"] = output;
    fmt::print("{}\n", json.dump());
    return;
  }
  if (!common.quiet) fmt::print("time: {:.6f} s, {:.3g} GFLOP/s\n", report.seconds, report.gflops);
  if (is_scalar) {
    fmt::print("{}{}\n", common.quiet ? "" : "value: ", to_text(report.result.item()));
  } else if (output.empty()) {
    fmt::print("{}\n", to_text(result));
  } else if (!common.quiet) {
    fmt::print("wrote {}: {} {}\n", output, name(report.result.dtype()), list_text(result.shape()));
  }
}

}  // namespace tenferro::cli
