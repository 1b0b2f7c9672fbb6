// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What `tenferro bench` measures: the roofs of this machine, and how near to them the library's own work comes.

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "tenferro/cpu/machine_calibration.hpp"
#include "tenferro/cpu/machine_rates.hpp"

namespace tenferro::cli {

struct LevelRates {
  MemoryLevel level;
  Bandwidth rates;
};

/// GFLOP/s of a product of n×n matrices on one thread by each provider; of OpenBLAS 0 where it cannot be used.
struct ProductRate {
  DType dtype;
  std::int64_t n;
  double native, openblas;
};

/// GB/s of an operation, read and written, on one thread, beside the same of the copy loop over as much memory; and its
/// floating-point operations a byte.
struct OperationRate {
  std::string name;
  double gigabytes, roof, intensity;
};

struct MachineBench {
  bool quick = false;                 ///< without large products
  double peak_f32 = 0, peak_f64 = 0;  ///< GFLOP/s of one core
  std::vector<LevelRates> levels;
  std::vector<ProductRate> products;
  std::vector<OperationRate> operations;
  std::uint32_t threads = 1;
  MachineCalibration blocks;  ///< whose blocks make the fastest products; its thresholds are not set
  double team_speedup = 1;    ///< of the largest product of f64 on all threads over one
};

/// Seconds that a run takes on a machine of 2020 or later; a quick one leaves out what is large.
constexpr double machine_bench_seconds(bool quick) { return quick ? 1 : 8; }

MachineBench run_machine_bench(const Common& common, bool quick, Progress& progress);

/// The thresholds that follow: products go to OpenBLAS from the size on at which it is always clearly faster.
MachineCalibration calibration_from(const MachineBench& bench);

/// What a user should know or change, one sentence each.
std::vector<std::string> advice_on(const MachineBench& bench);

/// The roofs and what was measured below them as a picture: GFLOP/s over operations a byte, both logarithmic (Williams,
/// Waterman, Patterson, "Roofline", CACM 52(4), 2009).
std::string roofline_svg(const MachineBench& bench);

/// GFLOP/s that a product of this dtype could reach on one core.
double peak_of(const MachineBench& bench, DType dtype);

}  // namespace tenferro::cli
