// SPDX-License-Identifier: MIT OR Apache-2.0
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace tenferro::cli {
namespace {

// A handler runs on any thread: nothing but lock-free flags and calls that are allowed there.
std::atomic<bool> status_line{false};
std::atomic<bool> writing{false};
std::atomic<bool> written{false};
std::atomic<int> pending{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

[[noreturn]] void end(int signal, const char* message) {
  if (status_line) (void)!::write(STDERR_FILENO, "\r\033[K", 4);
  (void)!::write(STDERR_FILENO, message, std::strlen(message));
  ::_exit(128 + signal);
}

const char* message() {
  return written ? "tenferro: interrupted after the result was written\n"
                 : "tenferro: interrupted; nothing was written\n";
}

void on_signal(int signal) {
  if (!writing) end(signal, message());
  if (pending != 0) end(signal, "tenferro: interrupted while the result was written\n");
  pending = signal;
}

}  // namespace

void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

FinishFirst::FinishFirst() noexcept { writing = true; }

FinishFirst::~FinishFirst() {
  writing = false;
  if (const int signal = pending) end(signal, message());
}

void FinishFirst::finished() noexcept { written = true; }

void note_status_line(bool shown) noexcept { status_line = shown; }

}  // namespace tenferro::cli
