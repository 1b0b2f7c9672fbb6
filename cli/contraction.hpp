// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Runs a prepared contraction for a person: says what it will cost, shows progress, reports speed.

#include <span>
#include <string>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {

struct ContractionReport {
  Tensor result;
  double seconds = 0;  ///< of the fastest execution
  double gflops = 0;   ///< floating-point operations a nanosecond, a complex multiply-add counting as eight
};

/// What the report calls the contraction.
struct ContractionName {
  std::string expression;  ///< its axes are those of the operands' files and of the written result
  std::string instance;    ///< of the network; empty for a bare expression
};

/// Prints the plan unless quiet, executes it `repeats` times and measures.
ContractionReport run_contraction(const EinsumPlan& plan, std::span<const TensorRead> operands, const Common& common,
                                  int repeats, Progress& progress);

/// One line or one JSON object about the result; writes it to `output` first unless that is empty.
void finish(const ContractionName& name, const EinsumPlan& plan, const ContractionReport& report, TensorRead result,
            const std::string& output, const Common& common, Progress& progress);

}  // namespace tenferro::cli
