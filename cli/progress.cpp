// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "cli/command.hpp"

namespace tenferro::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) {
  // A second Ctrl-C ends the process at once: the current step may be a long one.
  if (interrupted != 0) _exit(kInterrupted);
  interrupted = 1;
}

}  // namespace

Progress::Progress(const char* what, double total, bool quiet)
    : what_(what), total_(total), visible_(!quiet && isatty(STDERR_FILENO) != 0) {
  interrupted = 0;
  previous_ = std::signal(SIGINT, note_interrupt);
}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  std::signal(SIGINT, previous_);
}

void Progress::done(double work) {
  if (interrupted != 0) throw Interrupted();
  finished_ += work;
  if (visible_) show();
}

void Progress::show() {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (now - start_ < 1s || now - last_shown_ < 100ms) return;
  last_shown_ = now;
  shown_ = true;
  const double part = total_ > 0 ? std::min(finished_ / total_, 1.0) : 1.0;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{}: {:.0f} %, {:.0f} s, about {:.0f} s left", what_, 100 * part, elapsed,
             part > 0 ? elapsed * (1 - part) / part : 0.0);
}

}  // namespace tenferro::cli
