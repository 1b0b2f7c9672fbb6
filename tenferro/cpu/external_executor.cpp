// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/external_executor.hpp"

#include <cxxabi.h>
#include <sched.h>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/internal/lane_mark.hpp"

namespace tenferro {
namespace {

// One call: the body, and what its jobs report. What the executor calls lives here and not on the caller's stack,
// because an executor that breaks its contract may call it after the caller has gone on.
struct Call {
  Call(ExternalExecutor& e, std::uint32_t jobs, FunctionRef<void(std::uint32_t)> b)
      : executor(e),
        owner(internal::thread_record.owner != nullptr ? internal::thread_record.owner : &e),
        body(b),
        begun(jobs),
        ended(jobs) {}

  ExternalExecutor& executor;
  const void* owner;
  FunctionRef<void(std::uint32_t)> body;
  std::vector<std::atomic<bool>> begun;
  std::vector<std::atomic<bool>> ended;
  std::atomic<std::uint32_t> inside{0};  // threads in a job
  std::atomic<bool> closed{false};       // the caller has gone on: jobs do nothing any more
  std::atomic<bool> any{false};
  std::atomic<bool> failed{false};
  std::atomic<bool> has_error{false};
  std::exception_ptr error;
  std::atomic<bool> has_violation{false};
  std::optional<SchedulingViolation> violation;
  Call* next_left = nullptr;

  void operator()(std::uint32_t index) {
    const Visit visit(inside);
    if (closed.load(std::memory_order_seq_cst)) return;
    any.store(true, std::memory_order_relaxed);
    if (index >= begun.size()) return violate(SchedulingProblem::index_out_of_range, index);
    if (begun[index].exchange(true)) return violate(SchedulingProblem::run_twice, index);
    if (!failed.load(std::memory_order_relaxed)) run(index);
    ended[index].store(true, std::memory_order_release);
  }

  void violate(SchedulingProblem problem, std::uint32_t index) {
    if (has_violation.exchange(true)) return;
    violation =
        SchedulingViolation{std::string(executor.name()), problem, index, static_cast<std::uint32_t>(begun.size())};
  }
  // The first job that has not ended, or the number of jobs.
  std::uint32_t first_open() const noexcept {
    std::uint32_t i = 0;
    while (i < ended.size() && ended[i].load(std::memory_order_acquire)) ++i;
    return i;
  }
  // Returns when no job runs; none begins afterwards.
  void close() noexcept {
    closed.store(true, std::memory_order_seq_cst);
    while (inside.load(std::memory_order_seq_cst) != 0) ::sched_yield();
  }

 private:
  class Visit {
   public:
    explicit Visit(std::atomic<std::uint32_t>& i) noexcept : inside_(i) {
      inside_.fetch_add(1, std::memory_order_seq_cst);
    }
    ~Visit() { inside_.fetch_sub(1, std::memory_order_seq_cst); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    std::atomic<std::uint32_t>& inside_;
  };

  void run(std::uint32_t index) {
    const internal::LaneMark mark(owner);
    try {
      body(index);
    } catch (const abi::__forced_unwind&) {
      failed.store(true, std::memory_order_relaxed);
      throw;  // a cancelled thread must go on unwinding
    } catch (...) {
      if (!has_error.exchange(true)) error = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  }
};

// Calls whose executor may still call them: kept for ever.
std::atomic<Call*> left_behind{nullptr};

// Frees a call that is over, leaves any other behind.
struct EndOfCall {
  void operator()(Call* call) const noexcept {
    call->close();
    if (call->first_open() == call->ended.size()) {
      delete call;
      return;
    }
    call->next_left = left_behind.load(std::memory_order_relaxed);
    while (!left_behind.compare_exchange_weak(call->next_left, call, std::memory_order_release)) {
    }
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
  const std::unique_ptr<Call, EndOfCall> call(new Call(executor, jobs, body));
  try {
    executor.run(jobs, *call);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    if (!call->any.load()) raise<SessionEntryInfo>(SessionEntryInfo{SessionEntryKind::executor, backend});
    throw;
  }
  // Looked at before the jobs that still run are waited for: the executor was to wait for them.
  const std::uint32_t open = call->first_open();
  call->close();
  if (open < jobs) call->violate(SchedulingProblem::not_run, open);
  if (call->violation) raise<SchedulingViolation>(*call->violation);
  if (call->error != nullptr) std::rethrow_exception(call->error);
}

}  // namespace tenferro
