// A progress bar on a terminal; plain lines elsewhere, and few of them.
#pragma once

#include <chrono>
#include <cstdint>

namespace ampcheck::conformance {

class Progress {
 public:
  // Writes to stderr, where it is a terminal or where more than ten seconds pass.
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::int64_t done, std::int64_t planned);
  // Clears the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// Colour: stdout is a terminal, and NO_COLOR is not set.
bool use_colour();

}  // namespace ampcheck::conformance
