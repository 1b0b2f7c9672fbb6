// SPDX-License-Identifier: MIT OR Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/interrupt.hpp"
#include "cli/machine_bench.hpp"
#include "tenferro/cpu/blas_provider.hpp"
#include "tenferro/cpu/simd.hpp"
#include "tenferro/io/error.hpp"

namespace tenferro::cli {
namespace {

struct Options {
  std::string svg;
  bool quick = false;
  std::optional<bool> keep;  ///< unless said, what is worth it
};

nlohmann::json to_json(const MachineBench& bench, const std::string& kept) {
  nlohmann::json json = {{"simd", std::string(simd_target())},
                         {"blas_kernels", blas_provider().core},
                         {"threads", bench.threads},
                         {"team_speedup", bench.team_speedup},
                         {"peak_f32", bench.peak_f32},
                         {"peak_f64", bench.peak_f64},
                         {"calibration", kept},
                         {"advice", advice_on(bench)}};
  for (const auto& [level, rates] : bench.levels) {
    json["memory"].push_back({{"level", level.name},
                              {"size", level.size},
                              {"read", rates.read},
                              {"store", rates.store},
                              {"copy", rates.copy},
                              {"add", rates.add}});
  }
  for (const ProductRate& rate : bench.products) {
    json["products"].push_back({{"dtype", std::string(name(rate.dtype))},
                                {"n", rate.n},
                                {"native", rate.native},
                                {"openblas", rate.openblas}});
  }
  for (const OperationRate& rate : bench.operations) {
    json["operations"].push_back({{"name", rate.name}, {"gigabytes", rate.gigabytes}, {"copy", rate.roof}});
  }
  return json;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes == 0) return "";
  return bytes < (1 << 20) ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} MiB", bytes >> 20);
}

std::string to_text(const MachineBench& bench, const std::string& kept) {
  std::string text = fmt::format("vectors {}, OpenBLAS kernels {}, {} thread{}\n", simd_target(), blas_provider().core,
                                 bench.threads, bench.threads == 1 ? "" : "s");
  text += fmt::format("\npeak of one core: f64 {:.1f}, f32 {:.1f} GFLOP/s\n", bench.peak_f64, bench.peak_f32);
  text += fmt::format("\n{:<18}{:>8}{:>8}{:>8}{:>8}   GB/s of one core\n", "memory", "read", "store", "copy", "add");
  for (const auto& [level, rates] : bench.levels) {
    text += fmt::format("{:<8}{:<10}{:>8.1f}{:>8.1f}{:>8.1f}{:>8.1f}\n", level.name, size_text(level.size), rates.read,
                        rates.store, rates.copy, rates.add);
  }
  text += fmt::format("\n{:<18}{:>8}{:>10}{:>10}   GFLOP/s of one core\n", "matrix products", "native", "OpenBLAS",
                      "of peak");
  for (const ProductRate& rate : bench.products) {
    text += fmt::format("{:<13}{:<5}{:>8.1f}{:>10.1f}{:>9.0f}%\n", name(rate.dtype), rate.n, rate.native, rate.openblas,
                        100 * std::max(rate.native, rate.openblas) / peak_of(bench, rate.dtype));
  }
  text += fmt::format("\n{:<26}{:>8}{:>10}   GB/s of one core\n", "operations on f64", "rate", "memcpy");
  for (const OperationRate& rate : bench.operations) {
    text += fmt::format("{:<26}{:>8.1f}{:>10.1f}\n", rate.name, rate.gigabytes, rate.roof);
  }
  if (bench.threads > 1) {
    text += fmt::format("\n{} threads multiply {:.2f} times as fast as one\n", bench.threads, bench.team_speedup);
  }
  text += "\n";
  for (const std::string& advice : advice_on(bench)) text += fmt::format("advice: {}\n", advice);
  if (!kept.empty()) text += fmt::format("calibration kept in {}\n", kept);
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) raise<IoErrorInfo>(FileFailure{"bench", path, "write", std::strerror(errno), errno});
}

void run(const Options& options, const Common& common) {
  Progress progress(common.quiet);
  if (!common.quiet && !common.json) {
    progress.print(fmt::format("this takes about {:.0f} s; other work on the machine spoils it\n",
                               machine_bench_seconds(options.quick)));
  }
  const MachineBench bench = run_machine_bench(common, options.quick, progress);
  // Small products say little, and figures of other vectors than the best would take the place of those of the best.
  const bool worth_it = !options.quick && simd_target() == simd_targets().front();
  std::string kept = options.keep.value_or(worth_it) ? calibration_path() : std::string();
  // What was measured is not lost where a file cannot be written.
  std::exception_ptr failure;
  try {
    FinishFirst guard;
    if (!options.svg.empty()) write_text(options.svg, roofline_svg(bench));
    if (!kept.empty()) write_calibration(kept, calibration_from(bench));
    guard.finished();
  } catch (const Error&) {
    failure = std::current_exception();
    kept.clear();
  }
  progress.print(common.json ? to_json(bench, kept).dump() + '\n' : to_text(bench, kept));
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace

void add_bench_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Measure this machine, and keep what helps to choose kernels");
  command->add_option("--svg", options->svg, "Draw the roofs and what was measured into this file");
  command->add_flag_callback("--no-keep", [options] { options->keep = false; }, "Do not keep the calibration");
  command->add_flag_callback("--keep", [options] { options->keep = true; }, "Keep it, also that of a quick run");
  command->add_flag("--quick", options->quick, "Leave out what is large: rougher, and done in a second or two");
  command->footer("Example:\n  tenferro bench --svg roofline.svg");
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace tenferro::cli
