// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A thread pool that the user owns. It is asked for fork and join inside operations and never runs the closure of a
// session; it is neither pinned nor replaced.
//
// Example:
//     class Plain final : public ExternalExecutor {
//      public:
//       explicit Plain(std::uint32_t left_out) : left_out_(left_out) {}
//       std::string_view name() const noexcept override { return "plain"; }
//       void run(std::uint32_t jobs, FunctionRef<void(std::uint32_t)> job) override {
//         for (std::uint32_t i = 0; i + left_out_ < jobs; ++i) job(i);
//       }
//
//      private:
//       std::uint32_t left_out_;
//     };
//     Plain good(0), lazy(1);
//     std::uint32_t sum = 0;
//     run_jobs(good, "cpu", 4, [&](std::uint32_t i) { sum += i; });
//     CHECK(sum == 6 && good.name() == "plain");
//     auto broken = attempt<SchedulingViolation>([&] { run_jobs(lazy, "cpu", 4, [](std::uint32_t) {}); });
//     CHECK(broken.error() == (SchedulingViolation{"plain", SchedulingProblem::not_run, 3, 4}));
//     CHECK(describe(broken.error()).find("executor plain: ") == 0);

#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/base/error.hpp"
#include "tenferro/base/function_ref.hpp"

namespace tenferro {

class ExternalExecutor {
 public:
  virtual ~ExternalExecutor() = default;
  ExternalExecutor(const ExternalExecutor&) = delete;
  ExternalExecutor& operator=(const ExternalExecutor&) = delete;

  virtual std::string_view name() const noexcept = 0;
  /// Calls job(i) exactly once for each i < jobs, on whatever threads, the caller's included, and returns when all
  /// calls have returned. Jobs do not throw.
  virtual void run(std::uint32_t jobs, FunctionRef<void(std::uint32_t)> job) = 0;

 protected:
  ExternalExecutor() = default;
};

enum class SchedulingProblem : std::uint8_t { index_out_of_range, run_twice, not_run };

/// An executor broke its contract. `executor` refers to what name() returned.
struct SchedulingViolation {
  std::string executor;
  SchedulingProblem problem;
  std::uint32_t index;
  std::uint32_t jobs;
  friend bool operator==(const SchedulingViolation&, const SchedulingViolation&) = default;
};
std::string describe(const SchedulingViolation& info);
using SchedulingError = TypedError<SchedulingViolation>;

/// body(i) for each i < jobs on the executor, as lanes of a region of this thread's session. The first exception of a
/// body is rethrown after the join; bodies that have not begun by then are left out. Throws SchedulingError where the
/// executor ran a job twice, not at all, or one that does not exist, or did not wait for one; SessionEntryError
/// (executor) where it threw before it ran anything. No body runs after the return, whatever the executor does; jobs
/// that come later do nothing.
void run_jobs(ExternalExecutor& executor, std::string_view backend, std::uint32_t jobs,
              FunctionRef<void(std::uint32_t)> body);

}  // namespace tenferro
