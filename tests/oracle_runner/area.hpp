// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One area of the oracle: how a line is run. The runner reads files and counts; an area only says what became of a
// line.

#include <string>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tests/oracle_runner/json_tensor.hpp"

namespace tenferro::oracle {

enum class Outcome { passed, failed, unsupported, skipped };

/// One case of a line: most lines are one case, a scalar line is one case a point.
struct CaseResult {
  std::string id;
  Outcome outcome = Outcome::passed;
  /// failed: got and wanted; unsupported: the name of the operation; skipped: why.
  std::string text;
};

struct Area {
  const char* name;
  std::vector<CaseResult> (*run_line)(CpuBackend& cpu, const Json& line);
};

/// The areas that the library serves, in the order in which they are run.
const std::vector<Area>& areas();

std::vector<CaseResult> run_scalar_line(CpuBackend& cpu, const Json& line);
std::vector<CaseResult> run_tensor_line(CpuBackend& cpu, const Json& line);
std::vector<CaseResult> run_einsum_line(CpuBackend& cpu, const Json& line);

}  // namespace tenferro::oracle
