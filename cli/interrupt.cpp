// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace tenferro::cli {
namespace {

// Nothing but flags and calls that are allowed in a signal handler.
volatile std::sig_atomic_t status_line = 0;
volatile std::sig_atomic_t writing = 0;
volatile std::sig_atomic_t pending = 0;

[[noreturn]] void end(int signal, const char* message) {
  if (status_line != 0) (void)!::write(STDERR_FILENO, "\r\033[K", 4);
  (void)!::write(STDERR_FILENO, message, std::strlen(message));
  ::_exit(128 + signal);
}

void on_signal(int signal) {
  if (writing == 0) end(signal, "tenferro: interrupted; nothing was written\n");
  if (pending != 0) end(signal, "tenferro: interrupted while the result was written\n");
  pending = signal;
}

}  // namespace

void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

FinishFirst::FinishFirst() noexcept { writing = 1; }

FinishFirst::~FinishFirst() {
  if (pending != 0) end(pending, "tenferro: interrupted after the result was written\n");
  writing = 0;
}

void note_status_line(bool shown) noexcept { status_line = shown ? 1 : 0; }

}  // namespace tenferro::cli
