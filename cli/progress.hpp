// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Progress of long work on stderr, if that is a terminal and the work lasts longer than a second; and Ctrl-C.

#include <chrono>

namespace tenferro::cli {

/// Counts work done against a known total. While one is alive, Ctrl-C makes the next `done` throw Interrupted.
class Progress {
 public:
  Progress(const char* what, double total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds finished work. Throws Interrupted.
  void done(double work);

 private:
  using Clock = std::chrono::steady_clock;
  void show();

  const char* what_;
  double total_;
  double finished_ = 0;
  bool visible_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_ = start_;
  void (*previous_)(int);
};

}  // namespace tenferro::cli
