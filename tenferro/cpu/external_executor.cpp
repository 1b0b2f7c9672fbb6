// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/external_executor.hpp"

#include <cxxabi.h>

#include <atomic>
#include <exception>
#include <optional>
#include <vector>

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/internal/lane_mark.hpp"

namespace tenferro {
namespace {

// What the jobs of one call report.
struct Progress {
  explicit Progress(std::uint32_t jobs) : begun(jobs), ended(jobs) {}
  std::vector<std::atomic<bool>> begun;
  std::vector<std::atomic<bool>> ended;
  std::atomic<bool> any{false};
  std::atomic<bool> failed{false};
  std::atomic<bool> has_error{false};
  std::exception_ptr error;
  std::atomic<bool> has_violation{false};
  std::optional<SchedulingViolation> violation;

  void violate(std::string_view executor, SchedulingProblem problem, std::uint32_t index) {
    if (has_violation.exchange(true)) return;
    violation = SchedulingViolation{std::string(executor), problem, index, static_cast<std::uint32_t>(begun.size())};
  }
};

std::string_view text(SchedulingProblem problem) {
  switch (problem) {
    case SchedulingProblem::index_out_of_range:
      return "ran a job that does not exist";
    case SchedulingProblem::run_twice:
      return "ran a job twice";
    case SchedulingProblem::not_run:
      return "did not run a job";
  }
  return "";
}

}  // namespace

std::string describe(const SchedulingViolation& info) {
  return concat("executor ", info.executor, ": ", text(info.problem), " (expected each of ", info.jobs,
                " jobs once, got index ", info.index, ")");
}

void run_jobs(ExternalExecutor& executor, std::string_view backend, std::uint32_t jobs,
              FunctionRef<void(std::uint32_t)> body) {
  Progress progress(jobs);
  const void* owner = internal::thread_record.owner != nullptr ? internal::thread_record.owner : &executor;
  const auto job = [&](std::uint32_t index) {
    progress.any.store(true, std::memory_order_relaxed);
    if (index >= jobs) return progress.violate(executor.name(), SchedulingProblem::index_out_of_range, index);
    if (progress.begun[index].exchange(true)) {
      return progress.violate(executor.name(), SchedulingProblem::run_twice, index);
    }
    if (!progress.failed.load(std::memory_order_relaxed)) {
      const internal::LaneMark mark(owner);
      try {
        body(index);
      } catch (const abi::__forced_unwind&) {
        progress.failed.store(true, std::memory_order_relaxed);
        throw;  // a cancelled thread must go on unwinding
      } catch (...) {
        if (!progress.has_error.exchange(true)) progress.error = std::current_exception();
        progress.failed.store(true, std::memory_order_relaxed);
      }
    }
    progress.ended[index].store(true, std::memory_order_release);
  };
  try {
    executor.run(jobs, job);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    if (!progress.any.load()) raise<SessionEntryInfo>(SessionEntryInfo{SessionEntryKind::executor, backend});
    throw;
  }
  for (std::uint32_t i = 0; i < jobs && !progress.has_violation.load(); ++i) {
    if (!progress.ended[i].load(std::memory_order_acquire)) {
      progress.violate(executor.name(), SchedulingProblem::not_run, i);
    }
  }
  if (progress.violation) raise<SchedulingViolation>(*progress.violation);
  if (progress.error != nullptr) std::rethrow_exception(progress.error);
}

}  // namespace tenferro
