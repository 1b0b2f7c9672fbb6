// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Progress of long work: one line on stderr that a thread renews, if stderr is a terminal, once the command has run for
// a second; removed at the end.
//
//   Progress progress(common.quiet);
//   progress.phase("reading a.npy");
//   progress.phase("contracting", plan.cost().flops, expected_seconds);
//   progress.done(step.flops);

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tenferro::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is done from now on; with a known amount of work also how far it is, and the seconds that it should take
  /// until finished parts tell better.
  void phase(std::string what, double total = 0, double expected = 0);
  /// Adds finished work to the phase.
  void done(double work);
  /// Writes to stdout at once, the line of progress removed.
  void print(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  void renew_until_the_end();
  void show();  // with the lock held, as clear is
  void clear();

  std::mutex mutex_;
  std::condition_variable ended_;
  std::string what_;
  double total_ = 0, finished_ = 0, expected_ = 0;
  bool shown_ = false, end_ = false;
  Clock::time_point phase_start_ = Clock::now();
  std::thread thread_;
};

}  // namespace tenferro::cli
