// SPDX-License-Identifier: MIT OR Apache-2.0
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "tenferro/base/version.hpp"
#include "tenferro/cpu/blas_provider.hpp"
#include "tenferro/cpu/gemm_provider.hpp"
#include "tenferro/cpu/machine_calibration.hpp"
#include "tenferro/cpu/simd.hpp"

namespace tenferro::cli {
namespace {

// Instruction sets of this processor.
std::vector<std::string> cpu_instruction_sets() {
  std::vector<std::string> names;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse2")) names.emplace_back("sse2");
  if (__builtin_cpu_supports("sse4.1")) names.emplace_back("sse4.1");
  if (__builtin_cpu_supports("avx")) names.emplace_back("avx");
  if (__builtin_cpu_supports("avx2")) names.emplace_back("avx2");
  if (__builtin_cpu_supports("fma")) names.emplace_back("fma");
  if (__builtin_cpu_supports("avx512f")) names.emplace_back("avx512f");
#endif
  return names;
}

// The sets that the library's own kernels could use here.
std::string own_choices() {
  std::string names;
  for (const std::string_view name : simd_targets()) names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  return names;
}

// What TENFERRO_SIMD says about that.
std::string forced_vectors() {
  const char* given = std::getenv("TENFERRO_SIMD");
  if (given == nullptr || *given == '\0') return "";
  const std::vector<std::string_view> known = simd_targets();
  return fmt::format("; {}TENFERRO_SIMD={}", std::ranges::count(known, given) > 0 ? "" : "not known: ", given);
}

// Whose functions of SLEEF go with the set that the library's own kernels use.
std::string_view vector_library_kernels() { return simd_target() == "baseline" ? "none" : simd_target(); }

// From how many multiply-adds on products of a dtype go to OpenBLAS; null if never.
nlohmann::json openblas_from(const MachineCalibration& figures) {
  nlohmann::json from;
  for (std::size_t i = 0; i < kBlasDTypes.size(); ++i) {
    const std::int64_t least = figures.openblas_from[i];
    from[std::string(name(kBlasDTypes[i]))] =
        least == MachineCalibration::kNever ? nlohmann::json(nullptr) : nlohmann::json(least);
  }
  return from;
}

// Who multiplies, and by whose word.
std::string products_by() {
  const char* given = std::getenv("TENFERRO_GEMM");
  const std::string said = given == nullptr ? "" : fmt::format("TENFERRO_GEMM={}", given);
  if (wanted_gemm_provider() == GemmProvider::native) return "own kernels: " + said;
  if (wanted_gemm_provider() == GemmProvider::openblas) {
    return (blas_provider().usable ? "OpenBLAS: " : "own kernels, since OpenBLAS cannot be used: ") + said;
  }
  return "own kernels, or OpenBLAS where the calibration says so" + (said.empty() ? "" : "; not known: " + said);
}

// Where the calibration of this machine is kept, and whether it is.
std::string calibration_state(const std::string& path, bool kept) {
  if (path.empty()) return "off, or no folder to keep it";
  return kept ? path : fmt::format("none at {}: tenferro bench makes one", path);
}

void run(const Common& common) {
  const CpuBackend cpu = common.backend();
  const BlasProvider& blas = blas_provider();
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t total = page * sysconf(_SC_PHYS_PAGES), available = page * sysconf(_SC_AVPHYS_PAGES);
  const std::vector<std::string> sets = cpu_instruction_sets();
  const std::string path = calibration_path();
  const bool kept = read_calibration(path).has_value();
  const nlohmann::json info = {
      {"version", kVersion},
      {"threads", cpu.threads()},
      {"cpu_instruction_sets", sets},
      {"own_kernels", simd_target()},
      {"blas", "OpenBLAS"},
      {"blas_kernels", blas.core},
      {"blas_usable", blas.usable},
      {"products_by", products_by()},
      {"vector_library", "SLEEF"},
      {"vector_library_kernels", vector_library_kernels()},
      {"calibration", {{"path", path}, {"kept", kept}, {"openblas_from", openblas_from(machine_calibration())}}},
      {"memory_bytes", total},
      {"memory_free_bytes", available},
      {"pool_cap_bytes", cpu.engine().pool_cap()}};
  if (common.json) {
    fmt::print("{}\n", info.dump());
    return;
  }
  std::string names;
  for (const std::string& name : sets) names += (names.empty() ? "" : " ") + name;
  fmt::print("tenferro {}\n", kVersion);
  fmt::print("threads       {}\n", cpu.threads());
  fmt::print("cpu has       {}\n", names);
  fmt::print("own kernels   {} (of {}{})\n", simd_target(), own_choices(), forced_vectors());
  fmt::print("blas          OpenBLAS, kernels {}{}\n", blas.core,
             blas.usable ? "" : fmt::format(" (not used: {})", blas.reason));
  fmt::print("products      {}\n", products_by());
  fmt::print("vectors       SLEEF, kernels {}\n", vector_library_kernels());
  fmt::print("calibration   {}\n", calibration_state(path, kept));
  constexpr double kGi = 1 << 30;
  fmt::print("memory        {:.1f} GiB, {:.1f} GiB free\n", static_cast<double>(total) / kGi,
             static_cast<double>(available) / kGi);
  fmt::print("pool cap      {:.0f} MiB\n", static_cast<double>(cpu.engine().pool_cap()) / (1 << 20));
}

}  // namespace

void add_info_command(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("info", "Show version, processor, threads, libraries and memory");
  command->footer("Example:\n  tenferro info --json");
  command->callback([&common] { run(common); });
}

}  // namespace tenferro::cli
