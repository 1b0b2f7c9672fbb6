// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Ctrl-C, and requests to end: the process ends at once, with one line on stderr and 128 + the signal's number as exit
// code, unless a result is being written, which is finished first.
//
//   end_on_signals();
//   { FinishFirst guard; write_npy(path, result); guard.finished(); }

namespace tenferro::cli {

/// From here on SIGINT, SIGTERM and SIGHUP end the process as said above; those that the caller ignores stay ignored.
void end_on_signals();

/// While one is alive the first signal waits for its end; a second one ends the process on the spot.
class FinishFirst {
 public:
  FinishFirst() noexcept;
  ~FinishFirst();
  /// The result stands whole; the message of a later signal says so.
  void finished() noexcept;
  FinishFirst(const FinishFirst&) = delete;
  FinishFirst& operator=(const FinishFirst&) = delete;
};

/// Tells the handler whether a line of progress stands on the terminal, which it has to remove.
void note_status_line(bool shown) noexcept;

}  // namespace tenferro::cli
