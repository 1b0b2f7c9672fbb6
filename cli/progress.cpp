// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/interrupt.hpp"

namespace tenferro::cli {

Progress::Progress(bool quiet) {
  if (!quiet && isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { renew_until_the_end(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
  clear();
}

void Progress::phase(std::string what, double total, double expected) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  total_ = total;
  finished_ = 0;
  expected_ = expected;
  phase_start_ = Clock::now();
}

void Progress::done(double work) {
  const std::lock_guard lock(mutex_);
  finished_ += work;
  // What the finished parts took says what all will take; between two of them only the time goes on.
  if (finished_ > 0)
    expected_ = std::chrono::duration<double>(Clock::now() - phase_start_).count() * total_ / finished_;
}

void Progress::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  clear();
  fmt::print("{}", text);
  std::fflush(stdout);
}

void Progress::renew_until_the_end() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  auto pause = 1000ms;
  while (!ended_.wait_for(lock, pause, [this] { return end_; })) {
    show();
    pause = 200ms;
  }
}

void Progress::show() {
  const double elapsed = std::chrono::duration<double>(Clock::now() - phase_start_).count();
  const double part = total_ > 0 ? std::min(finished_ / total_, 1.0) : 0.0;
  std::string line = fmt::format("{}: {:.0f} s", what_, elapsed);
  if (total_ > 0) line += fmt::format(", {:.0f} %", 100 * part);
  const double left = expected_ - elapsed;
  if (left >= 0.5) line += fmt::format(", about {:.0f} s left", left);
  shown_ = true;
  note_status_line(true);
  fmt::print(stderr, "\r\033[K{}", line);
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  note_status_line(false);
  shown_ = false;
}

}  // namespace tenferro::cli
