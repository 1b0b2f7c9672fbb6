// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Runs a prepared contraction for a person: says what it will cost, shows progress, stops on Ctrl-C, reports speed.

#include <span>
#include <string>

#include "cli/command.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {

struct ContractionReport {
  Tensor result;
  double seconds = 0;  ///< of the fastest execution
  double gflops = 0;   ///< floating-point operations a nanosecond, a complex multiply-add counting as eight
};

/// Prints the plan unless quiet, executes it `repeats` times and measures. Throws Interrupted.
ContractionReport run_contraction(const EinsumPlan& plan, std::span<const TensorRead> operands, const Common& common,
                                  int repeats);

/// One line or one JSON object about the result; writes it to `output` first unless that is empty.
void finish(const std::string& what, const EinsumPlan& plan, const ContractionReport& report, TensorRead result,
            const std::string& output, const Common& common);

}  // namespace tenferro::cli
