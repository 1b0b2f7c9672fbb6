// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the subcommands of the tenferro command share: common options, exit codes, and how they are added.

#include <CLI/App.hpp>
#include <string>

#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::cli {

/// Exit codes; `tenferro --help` lists them.
enum ExitCode : int {
  kSuccess = 0,
  kFailed = 1,        ///< the computation was refused or failed
  kUsage = 2,         ///< bad arguments
  kFile = 3,          ///< a file or standard output cannot be read or written, or is not what it claims to be
  kInterrupted = 130  ///< stopped by Ctrl-C: 128 + the number of the signal
};

/// Options of every subcommand.
struct Common {
  std::uint32_t threads = 0;  ///< 0: as the environment and the machine say
  bool json = false;
  bool quiet = false;
  bool verbose = false;

  CpuBackend backend() const { return CpuBackend(CpuBackend::Options{.threads = threads}); }
};

// Each adds one subcommand, whose callback runs it.
void add_bench_command(CLI::App& app, Common& common);
void add_completion_command(CLI::App& app);
void add_contract_command(CLI::App& app, Common& common);
void add_einsum_command(CLI::App& app, Common& common);
void add_info_command(CLI::App& app, Common& common);
void add_ops_command(CLI::App& app, Common& common);

}  // namespace tenferro::cli
