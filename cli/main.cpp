// SPDX-License-Identifier: MIT OR Apache-2.0
// The tenferro command: contractions of files without writing a program.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <new>

#include "cli/command.hpp"
#include "tenferro/base/version.hpp"
#include "tenferro/io/error.hpp"

namespace tenferro::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tenferro einsum 'ij,jk->ik' a.npy b.npy -o c.npy
  tenferro contract network.json --seed 7 --threads 2
  tenferro info --json
  tenferro completion bash > /etc/bash_completion.d/tenferro

Exit codes: 0 success, 1 refused or failed, 2 bad arguments, 3 file trouble, 130 interrupted.)";

void add_common(CLI::App& app, Common& common) {
  app.add_option("-t,--threads", common.threads, "Threads to use (default: TENFERRO_NUM_THREADS, else the machine)")
      ->check(CLI::Range(1, 4096));
  app.add_flag("--json", common.json, "Print one JSON object instead of text");
  app.add_flag("-q,--quiet", common.quiet, "Print the result only, and no progress");
  app.add_flag("-v,--verbose", common.verbose, "Print every step");
}

int run(int argc, char** argv) {
  CLI::App app("Tensor contractions of .npy files and network descriptions.", "tenferro");
  app.set_version_flag("--version", std::string("tenferro ") + kVersion);
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(kFooter);
  Common common;
  add_common(app, common);
  add_einsum_command(app, common);
  add_contract_command(app, common);
  add_info_command(app, common);
  add_ops_command(app, common);
  add_completion_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kUsage;
  }
  return kSuccess;
}

int fail(ExitCode code, const char* message) {
  fmt::print(stderr, "tenferro: {}\n", message);
  return code;
}

}  // namespace
}  // namespace tenferro::cli

int main(int argc, char** argv) {
  namespace cli = tenferro::cli;
  try {
    return cli::run(argc, argv);
  } catch (const cli::Interrupted&) {
    return cli::fail(cli::kInterrupted, "interrupted; nothing was written");
  } catch (const tenferro::IoError& error) {
    return cli::fail(cli::kFile, error.what());
  } catch (const tenferro::Error& error) {
    return cli::fail(cli::kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return cli::fail(cli::kFailed, "not enough memory");
  } catch (const std::exception& error) {
    return cli::fail(cli::kFailed, error.what());
  }
}
