// The process behind a ProcessSubject: started, greeted, and written down.
#pragma once

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "subject/process_subject.hpp"

namespace ampcheck::subject {

// How long a process whose output ended may take until it is gone, so that its exit code is known.
inline constexpr std::chrono::milliseconds kLastBreath{1000};

struct ProcessSession {
  Command command;
  ProcessOptions options;
  std::unique_ptr<ChildProcess> child;
  std::size_t answered_by_child = 0;
  Hello hello;
  std::string hello_text;  // must stay the same
  Incidents incidents;
  std::string lost;  // not empty: it cannot be started again, and why
  std::chrono::steady_clock::time_point stop_at = std::chrono::steady_clock::time_point::max();
  std::ofstream recorder;

  void record(std::string_view to, std::string_view message);

  void send(std::string_view line);  // to the child, which must be there

  std::chrono::milliseconds case_time() const;

  // Starts it and hears its hello. Returns why it did not, or nothing.
  std::string start();
  // The same, several times. Sets `lost`.
  bool start_again();
};

// "0.3 s".
std::string in_seconds(std::chrono::milliseconds time);

}  // namespace ampcheck::subject
