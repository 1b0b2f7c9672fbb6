// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/machine_bench.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "tenferro/cpu/blas_provider.hpp"
#include "tenferro/cpu/gemm_provider.hpp"
#include "tenferro/cpu/simd.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/structural.hpp"

namespace tenferro::cli {
namespace {

constexpr std::array<std::int64_t, 5> kProductSizes{64, 128, 256, 512, 1024};

// The fewest seconds that one call takes, out of several; the first call warms up.
double fastest(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  call();
  double best = 0, spent = 0;
  for (int i = 0; i < 100 && (i < 3 || spent < 0.02); ++i) {
    const auto start = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    spent += seconds;
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

double product_rate(CpuBackend& cpu, DType dtype, std::int64_t n) {
  const Tensor a = Tensor::ones(dtype, {n, n}), b = Tensor::ones(dtype, {n, n});
  Tensor c = Tensor::zeros(dtype, {n, n});
  const double seconds = cpu.with_session([&](BackendSession& s) { return fastest([&] { matmul_into(s, c, a, b); }); });
  const double operations = (is_complex(dtype) ? 8.0 : 2.0) * static_cast<double>(n * n * n);
  return operations / seconds * 1e-9;
}

// Tries other blocks of our own products one figure at a time; what is not clearly better stays. The choice remains in
// use.
void choose_blocks(MachineBench& bench, CpuBackend& cpu, Progress& progress) {
  constexpr double kClearly = 1.02;
  constexpr std::int64_t kSide = 768, kKi = 1024;
  internal::use_gemm_provider(GemmProvider::native);
  const auto rate = [&](const MachineCalibration& figures) {
    internal::use_machine_calibration(figures);
    return product_rate(cpu, DType::f64, kSide);
  };
  double best = kClearly * rate(bench.blocks);
  const auto choose = [&](std::int64_t MachineCalibration::* figure, std::initializer_list<std::int64_t> choices) {
    for (const std::int64_t choice : choices) {
      MachineCalibration other = bench.blocks;
      other.*figure = choice;
      const double found = rate(other);
      if (found <= best) continue;
      best = kClearly * found;
      bench.blocks = other;
    }
    progress.done(1);
  };
  choose(&MachineCalibration::depth_bytes, {kKi, 3 * kKi, 4 * kKi});
  choose(&MachineCalibration::left_block_bytes, {128 * kKi, 256 * kKi, 768 * kKi});
  choose(&MachineCalibration::right_block_bytes, {1024 * kKi, 2048 * kKi, 8192 * kKi});
  internal::use_machine_calibration(bench.blocks);
}

void measure_products(MachineBench& bench, CpuBackend& cpu, std::span<const std::int64_t> sizes, Progress& progress) {
  for (const DType dtype : kBlasDTypes) {
    for (const std::int64_t n : sizes) {
      ProductRate rate{dtype, n, 0, 0};
      internal::use_gemm_provider(GemmProvider::native);
      rate.native = product_rate(cpu, dtype, n);
      if (blas_provider().usable) {
        internal::use_gemm_provider(GemmProvider::openblas);
        rate.openblas = product_rate(cpu, dtype, n);
      }
      bench.products.push_back(rate);
      progress.done(1);
    }
  }
  internal::use_gemm_provider(std::nullopt);
}

void measure_operations(MachineBench& bench, CpuBackend& cpu, bool quick, Progress& progress) {
  const std::int64_t side = quick ? 256 : 2048, cube_side = quick ? 48 : 192;
  constexpr std::int64_t kElements = 1'000'000;
  const Tensor x = Tensor::ones(DType::f64, {kElements}), y = Tensor::ones(DType::f64, {kElements});
  const Tensor square = Tensor::ones(DType::f64, {side, side});
  const Tensor cube = Tensor::ones(DType::f64, {cube_side, cube_side, cube_side});
  const auto add_rate = [&](const std::string& name, std::int64_t elements, double arrays, double flops, auto f) {
    const double bytes = static_cast<double>(elements) * sizeof(double) * arrays;
    const double seconds = cpu.with_session([&](BackendSession& s) { return fastest([&] { (void)f(s); }); });
    const double roof = measure_bandwidth(static_cast<std::uint64_t>(bytes)).copy;
    bench.operations.push_back({name, bytes / seconds * 1e-9, roof, flops / (arrays * sizeof(double))});
    progress.done(1);
  };
  add_rate("add of 10^6", kElements, 3, 1, [&](BackendSession& s) { return add(s, x, y); });
  add_rate("exp of 10^6", kElements, 2, 0, [&](BackendSession& s) { return exp(s, x); });
  add_rate(fmt::format("sum of {}^2", side), side * side, 1, 1,
           [&](BackendSession& s) { return reduce_sum(s, square, {0, 1}); });
  add_rate(fmt::format("sum of {}^2, rows", side), side * side, 1, 1,
           [&](BackendSession& s) { return reduce_sum(s, square, {1}); });
  add_rate(fmt::format("transposed {}^2", side), side * side, 2, 0,
           [&](BackendSession& s) { return transpose(s, square, {1, 0}); });
  add_rate(fmt::format("reversed axes of {}^3", cube_side), cube_side * cube_side * cube_side, 2, 0,
           [&](BackendSession& s) { return transpose(s, cube, {2, 1, 0}); });
}

}  // namespace

MachineBench run_machine_bench(const Common& common, bool quick, Progress& progress) {
  MachineBench bench;
  std::vector<MemoryLevel> levels = memory_levels();
  if (quick && levels.size() > 1) levels.pop_back();
  const std::span<const std::int64_t> sizes = std::span(kProductSizes).first(quick ? 2 : kProductSizes.size());
  constexpr double kPeaks = 2, kOperations = 6, kTeam = 1;
  const double blocks = quick ? 0 : 3;
  const auto products = static_cast<double>(sizes.size() * std::size(kBlasDTypes));
  progress.phase("measuring", kPeaks + static_cast<double>(levels.size()) + blocks + products + kOperations + kTeam,
                 machine_bench_seconds(quick));
  // A backend settles which vectors are in use.
  CpuBackend one(CpuBackend::Options{.threads = 1});
  bench.peak_f32 = measure_fma_peak<float>();
  bench.peak_f64 = measure_fma_peak<double>();
  progress.done(kPeaks);
  for (const MemoryLevel& level : levels) {
    bench.levels.push_back({level, measure_bandwidth(level.working_set)});
    progress.done(1);
  }
  const MachineCalibration before = machine_calibration();
  if (!quick) choose_blocks(bench, one, progress);
  measure_products(bench, one, sizes, progress);
  internal::use_machine_calibration(before);
  measure_operations(bench, one, quick, progress);
  CpuBackend team = common.backend();
  bench.quick = quick;
  bench.threads = team.threads();
  bench.team_speedup = product_rate(team, DType::f64, sizes.back()) / product_rate(one, DType::f64, sizes.back());
  progress.done(kTeam);
  return bench;
}

double peak_of(const MachineBench& bench, DType dtype) {
  return dtype == DType::f32 || dtype == DType::c32 ? bench.peak_f32 : bench.peak_f64;
}

MachineCalibration calibration_from(const MachineBench& bench) {
  constexpr double kClearly = 1.05;
  MachineCalibration figures = bench.blocks;
  for (std::size_t i = 0; i < std::size(kBlasDTypes); ++i) {
    for (auto rate = bench.products.rbegin(); rate != bench.products.rend(); ++rate) {
      if (rate->dtype != kBlasDTypes[i]) continue;
      if (rate->openblas < kClearly * rate->native) break;
      figures.openblas_from[i] = rate->n * rate->n * rate->n;
    }
  }
  return figures;
}

std::vector<std::string> advice_on(const MachineBench& bench) {
  std::vector<std::string> advice;
  if (simd_target() != simd_targets().front()) {
    advice.push_back(fmt::format("vectors of {} are in use because TENFERRO_SIMD says so; this processor has {}",
                                 simd_target(), simd_targets().front()));
  }
  const BlasProvider& blas = blas_provider();
  if (!blas.usable) advice.push_back(fmt::format("OpenBLAS is not used: {}", blas.reason));
  double best = 0;
  for (const ProductRate& rate : bench.products) {
    if (rate.dtype == DType::f64) best = std::max(best, rate.openblas);
  }
  if (blas.usable && !bench.quick && best < 0.7 * bench.peak_f64) {
    advice.push_back(fmt::format(
        "OpenBLAS with its kernels {} reaches {:.0f} % of the peak{}", blas.core, 100 * best / bench.peak_f64,
        std::getenv("OPENBLAS_CORETYPE") != nullptr ? "; OPENBLAS_CORETYPE is set: unset it" : ""));
  }
  if (blas.core == "Cooperlake") {
    advice.push_back("OpenBLAS kernels Cooperlake have a wrong scasum; OPENBLAS_CORETYPE=SkylakeX avoids it");
  }
  if (bench.threads > 1 && !bench.quick && bench.team_speedup < 0.6 * bench.threads) {
    advice.push_back(
        fmt::format("{} threads are {:.1f} times as fast as one: the machine is busy, or its threads share cores",
                    bench.threads, bench.team_speedup));
  }
  if (advice.empty()) advice.emplace_back("nothing to change");
  return advice;
}

}  // namespace tenferro::cli
