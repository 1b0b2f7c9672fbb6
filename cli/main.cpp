// SPDX-License-Identifier: MIT OR Apache-2.0
// The tenferro command: contractions of files without writing a program.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/base/version.hpp"
#include "tenferro/cpu/machine_calibration.hpp"
#include "tenferro/io/error.hpp"

namespace tenferro::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tenferro einsum 'ij,jk->ik' a.npy b.npy -o c.npy
  tenferro contract network.json --seed 7 --threads 2
  tenferro bench --svg roofline.svg
  tenferro info --json
  tenferro completion bash > /etc/bash_completion.d/tenferro

Exit codes: 0 success, 1 refused or failed, 2 bad arguments, 3 trouble with a file or the output, 130 interrupted.)";

void add_common(CLI::App& app, Common& common) {
  app.add_option("-t,--threads", common.threads, "Threads to use (default: TENFERRO_NUM_THREADS, else the machine)")
      ->envname("TENFERRO_NUM_THREADS")
      ->check(CLI::Range(std::uint32_t{1}, kMostThreads));
  app.add_flag("--json", common.json, "Print one JSON object instead of text");
  app.add_flag("-q,--quiet", common.quiet, "Print the result only, and no progress");
  app.add_flag("-v,--verbose", common.verbose, "Print every step");
}

// One line, whatever names of files and labels hold.
int fail(ExitCode code, std::string_view message) {
  std::string line = "tenferro: ";
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  line += '\n';
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
  return code;
}

int fail_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  std::string message = error.what();
  while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
  return fail(kUsage, fmt::format("{} (see tenferro{} --help)", message, command));
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
  add_bench_command(app, common);
  add_info_command(app, common);
  add_ops_command(app, common);
  add_completion_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return fail_usage(app, error);
  }
  return kSuccess;
}

int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CalibrationError& error) {
    return fail(kFile, error.what());
  } catch (const IoError& error) {
    return fail(kFile, error.what());
  } catch (const Error& error) {
    return fail(kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "not enough memory");
  } catch (const std::exception& error) {
    // Output that cannot be written is thrown from where it is printed, or found when it is flushed.
    return std::ferror(stdout) != 0 ? kSuccess : fail(kFailed, error.what());
  }
}

}  // namespace
}  // namespace tenferro::cli

int main(int argc, char** argv) {
  namespace cli = tenferro::cli;
  cli::end_on_signals();
  const int code = cli::run_and_report(argc, argv);
  std::cout.flush();
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && static_cast<bool>(std::cout);
  if (flushed || code != cli::kSuccess) return code;
  return cli::fail(cli::kFile,
                   tenferro::concat("standard output: ", errno != 0 ? std::strerror(errno) : "cannot be written"));
}
